package model

import (
	"fmt"
	"slices"

	"interleave/spec"
)

// ActionKind is what kind of thing happens in one step of a world.
type ActionKind uint8

const (
	Handle       ActionKind = iota // a process handles something
	Crash                          // a process crashes
	CrashMidStep                   // a process handles something, and crashes before all is sent
	Drop                           // a message to a crashed process vanishes
	Lose                           // a message is lost
	Copy                           // a message is copied
	Divide                         // the network falls into two parts
	Heal                           // the network is whole again
	Tick                           // time advances
	Round                          // all live processes take part in one lock-step round
	actionKinds                    // their number
)

// actionTable is what is known of each kind of action.
var actionTable = [actionKinds]struct {
	name   string
	counts string // the name of its steps in Stats.Fired, if that is another
	spends Budget
	cut    string // what cuts a step short, in words; empty: it is a step of its own
	about  about
	down   bool // its process goes down
}{
	Handle:       {name: "handle", about: aboutStep},
	Crash:        {name: "crash", spends: Crashes, down: true},
	CrashMidStep: {name: "break", counts: "crash between sends", spends: Crashes, cut: "crash", about: aboutStep, down: true},
	Drop:         {name: "drop", about: aboutMessage},
	Lose:         {name: "lose", spends: Losses, about: aboutMessage},
	Copy:         {name: "copy", spends: Duplicates, about: aboutMessage},
	Divide:       {name: "divide", spends: Partitions, about: aboutSide},
	Heal:         {name: "heal"},
	Tick:         {name: "tick"},
	Round:        {name: "round"},
}

// about says what an event is about, besides its process.
type about uint8

const (
	aboutNothing about = iota
	aboutStep          // what its process handles
	aboutMessage       // a message in flight to its process
	aboutSide          // how the network divides
)

func (d ActionKind) String() string { return actionTable[d].name }

// Handles reports whether a process handles something.
func (d ActionKind) Handles() bool { return actionTable[d].about == aboutStep }

// HasStep reports whether an event has a Step: what its process handles, or a message in flight to it.
func (d ActionKind) HasStep() bool { return d.Handles() || actionTable[d].about == aboutMessage }

// HasSide reports whether an event has a Side.
func (d ActionKind) HasSide() bool { return actionTable[d].about == aboutSide }

// Cuts reports whether a process handles something, and not all that it sends leaves.
func (d ActionKind) Cuts() bool { return actionTable[d].cut != "" }

// Down reports whether the process of an event goes down.
func (d ActionKind) Down() bool { return actionTable[d].down }

// A Rule says when the world lets something happen, and which budget that spends. The rules are all that is known
// of this: Reference interprets them on plain values, WhyDisabled puts in words what they ask, package compiled makes of them
// masks and sets, and package diagram events of decision diagrams.
//
// Whether a process refuses what it is given, panics or goes beyond a bound is up to its handler.
type Rule struct {
	Action ActionKind
	Step   spec.Event // what a process handles
	Side   spec.Set   // Divide
	Asks   []Condition
	Spends Budget // one of it, if any is left
}

// A Cut is a fault that rides on a step in which a process handles something: only the first of what it sends leaves.
// It is possible wherever the step is and its budget lasts, after what the step itself spends.
type Cut struct {
	Action ActionKind // which says whether the process goes down, instead of going on
	Spends Budget     // one of it
	Most   int        // how many sends leave at most
}

// Sends returns how many of all sends of a step may leave: from least up to end, without it. Saves is whether a crash
// after the step leaves something else than one before it. If not, a crash before all sends is like a crash before the
// step.
func (c Cut) Sends(all int, saves bool) (least, end int) {
	if c.Action.Down() && !saves {
		least = 1
	}
	return least, min(c.Most+1, all)
}

// Budget is a kind of fault of which the world allows a number.
type Budget uint8

const (
	Unlimited Budget = iota // no fault
	Crashes
	Recoveries
	Losses
	Duplicates
	Partitions
	Suspicions
	Budgets // number of budgets
)

// budgetTable has the name of each budget, which is that of an axis, and of one of its faults.
var budgetTable = [Budgets]struct{ name, fault string }{
	Crashes: {"crashes", "crash"}, Recoveries: {"recoveries", "return"}, Losses: {"losses", "loss"}, Duplicates: {"duplicates", "copy"},
	Partitions: {"partitions", "partition"}, Suspicions: {"suspicions", "false report"},
}

func (b Budget) String() string { return budgetTable[b].name }

// limit is where a Config has how many faults it allows.
func (c *Config) limit(b Budget) *int {
	switch b {
	case Crashes:
		return &c.Crashes
	case Recoveries:
		return &c.Recoveries
	case Losses:
		return &c.Losses
	case Duplicates:
		return &c.Duplicates
	case Partitions:
		return &c.Partitions
	case Suspicions:
		return &c.Suspicions
	}
	panic("model: there is no such budget")
}

// Env is what belongs to no process: how much of each budget is used, and how the network is
// divided.
type Env struct {
	Crashes    uint8    `json:",omitempty"` // counted only if processes may recover; otherwise it shows in who is down
	Recoveries uint8    `json:",omitempty"`
	Losses     uint8    `json:",omitempty"`
	Duplicates uint8    `json:",omitempty"`
	Suspicions uint8    `json:",omitempty"`
	Partitions uint8    `json:",omitempty"`
	Side       spec.Set `json:",omitzero"` // separated from the rest; empty: the network is whole
}

// count returns what counts faults.
func (e *Env) count(b Budget) *uint8 {
	switch b {
	case Crashes:
		return &e.Crashes
	case Recoveries:
		return &e.Recoveries
	case Losses:
		return &e.Losses
	case Duplicates:
		return &e.Duplicates
	case Partitions:
		return &e.Partitions
	case Suspicions:
		return &e.Suspicions
	}
	panic("model: there is no such budget")
}

// Limit is how many faults the world allows; 0 of Unlimited, which are none.
func (c *Config) Limit(b Budget) int {
	if b == Unlimited {
		return 0
	}
	return *c.limit(b)
}

// Counted lists the budgets of which an Env counts what is spent.
func (c *Config) Counted() (list []Budget) {
	for b := Crashes; b < Budgets; b++ {
		if c.Limit(b) > 0 && c.counts(b) {
			list = append(list, b)
		}
	}
	return list
}

// counts reports whether an Env counts what is spent. Where nobody recovers, crashes show in who is down.
func (c *Config) counts(b Budget) bool { return b != Unlimited && (b != Crashes || c.Recoveries > 0) }

// spentAll says that nothing is left of a budget.
func (c *Config) spentAll(b Budget) string {
	fault := budgetTable[b].fault
	if c.Limit(b) == 0 {
		return "the world allows no " + fault
	}
	return fmt.Sprintf("the world allows %s, and no more", plural(c.Limit(b), fault))
}

// Crashed is how many processes have crashed, if so many are down: the old leader has not.
func (c *Config) Crashed(down int) int {
	if c.Start == LeaderDown {
		down--
	}
	return down
}

// MostDown is how many processes may be down at once.
func (c *Config) MostDown() int {
	if c.Start == LeaderDown {
		return c.Crashes + 1
	}
	return c.Crashes
}

// Spent returns how much of a budget is spent where that many processes have crashed.
func (c *Config) Spent(b Budget, e *Env, crashed int) int {
	if !c.counts(b) {
		return crashed
	}
	return int(*e.count(b))
}

// Pay returns e after one fault of a budget.
func (c *Config) Pay(b Budget, e Env) Env {
	if c.counts(b) {
		*e.count(b)++
	}
	return e
}

// Rules are those of an algorithm in a world.
type Rules struct {
	traits    *spec.Traits
	config    *Config
	all       spec.Set
	durations durations // if timed
}

// Of lists what process p may be given to handle in a local state, except messages: what it
// begins itself, its timers, and what the detector may report to it. Rules of the same event
// follow each other; no two of them are met at once.
func (w *Rules) Of(p spec.ID, l Local) (list []Rule) {
	add := func(e spec.Event, spends Budget, asks ...Condition) {
		list = append(list, Rule{Step: e, Asks: asks, Spends: spends})
	}
	switch {
	case l.Status == Down && w.config.Recoveries > 0:
		add(spec.Event{Kind: spec.Recover}, Recoveries)
	case l.Status == Booting:
		add(spec.Event{Kind: spec.Start, Initiator: l.Initiator}, Unlimited)
	}
	if l.Status != Up {
		return list
	}
	if w.traits.Handles.Has(spec.Notice) && l.Initiator {
		add(spec.Event{Kind: spec.Notice}, Unlimited, w.leaderless(w.traits.Leader(l.State))...)
	}
	for t := range w.traits.Rules {
		if t := spec.Timer(t); l.Timers>>t&1 != 0 {
			add(spec.Event{Kind: spec.Timeout, Timer: t}, Unlimited, w.justified(p, l, t)...)
		}
	}
	if w.config.Detector == NoDetector {
		return list
	}
	for q := range w.all.Without(p).All() {
		peer := spec.SetOf(q)
		switch {
		case !l.Suspected.Has(q):
			add(spec.Event{Kind: spec.Suspect, Peer: q}, Unlimited, w.silenced(p, q)...)
			if w.config.Suspicions > 0 {
				add(spec.Event{Kind: spec.Suspect, Peer: q}, Suspicions, Condition{Ask: AllUp, Of: peer})
			}
		case w.traits.Handles.Has(spec.Restore):
			add(spec.Event{Kind: spec.Restore, Peer: q}, Unlimited, Condition{Ask: AllUp, Of: peer})
		}
	}
	return list
}

// ByEvent splits rules into those of the same event each.
func ByEvent(list []Rule) (of [][]Rule) {
	for len(list) > 0 {
		n := 1
		for n < len(list) && sameStep(list[n].Step, list[0].Step) {
			n++
		}
		of, list = append(of, list[:n]), list[n:]
	}
	return of
}

// leaderless is asked where a process that follows leader notices that it has no live leader.
// Nothing is asked of a leader that does not exist.
func (w *Rules) leaderless(leader spec.ID) []Condition {
	if leader < 1 || int(leader) > w.config.N {
		return nil
	}
	some := spec.SetOf(leader)
	asks := []Condition{{Ask: AllDown, Of: some}}
	switch {
	case w.config.Timers == Timed:
		asks = append(asks, Condition{Ask: DownFor, Of: some, Ticks: w.durations.notice})
	case w.config.NoticesLate(*w.traits):
		asks = append(asks, Condition{Ask: NoneFrom, Of: some})
	}
	return asks
}

// NoticesLate reports whether a crashed leader is noticed only after everything that it sent has
// arrived: in a flush world of an algorithm that takes silence for a crash.
func (c Config) NoticesLate(t spec.Traits) bool {
	return c.Timers == Flush && slices.ContainsFunc(t.Rules, func(r spec.TimerRule[any, any]) bool { return r.Silent != nil })
}

// justified is asked where the armed timer t of p expires.
func (w *Rules) justified(p spec.ID, l Local, t spec.Timer) []Condition {
	rule := &w.traits.Rules[t]
	switch {
	case w.config.Timers == Timed:
		return []Condition{{Ask: ArmedFor, Process: p, Timer: t, Ticks: w.durations.timers[t]}}
	case !w.config.Timers.Justifies(rule.Elects):
		return nil
	}
	var asks []Condition
	var silent spec.Set
	if rule.Silent != nil {
		silent = rule.Silent(l.State, p, w.all)
	}
	if rule.AllDown && silent != 0 {
		asks = append(asks, Condition{Ask: AllDown, Of: silent})
	}
	if rule.Owing != nil {
		asks = append(asks, Condition{Ask: NoneOwing, Process: p, Timer: t})
	}
	if rule.Awaited != nil {
		asks = append(asks, Condition{Ask: NoneAwaited, Process: p, Timer: t})
	}
	if w.config.Timers != Just && silent != 0 {
		asks = append(asks, Condition{Ask: NoneFrom, Of: silent})
	}
	return asks
}

// Justifies reports whether a timer may expire only when that is justified.
func (t Timing) Justifies(elects bool) bool { return t == Flush || t == Just || t == Mixed && elects }

// silenced is asked where the detector reports to p that q is down.
func (w *Rules) silenced(p, q spec.ID) []Condition {
	asks := []Condition{{Ask: AllDown, Of: spec.SetOf(q)}}
	if w.config.Detector == Flushed {
		asks = append(asks, Condition{Ask: NoneFrom, Of: spec.SetOf(q), Process: p})
	}
	return asks
}

// Awaits reports whether something in the world waits for messages to arrive.
func (c Config) Awaits(t spec.Traits) bool {
	justified := func(r spec.TimerRule[any, any]) bool { return c.Timers.Justifies(r.Elects) }
	return c.Detector == Flushed || slices.ContainsFunc(t.Rules, justified)
}

// ruleOf returns the rule of something that no process handles.
func ruleOf(d ActionKind, asks ...Condition) Rule {
	return Rule{Action: d, Asks: asks, Spends: actionTable[d].spends}
}

// Crashes lists how a process may crash in a local state, between its steps.
func (w *Rules) Crashes(l Local) []Rule {
	if l.Status == Down || w.config.Network == Rounds {
		return nil
	}
	return []Rule{ruleOf(Crash)}
}

// Cuts lists what may cut short a step in which a process handles something. In lock step, these are parts of a round.
func (w *Rules) Cuts() []Cut {
	if w.config.Crashes > 0 && (w.config.Split || w.config.Network == Rounds) {
		return []Cut{{Action: CrashMidStep, Spends: actionTable[CrashMidStep].spends, Most: maxSends}}
	}
	return nil
}

// Messages lists what may happen to a message that may arrive next at p.
func (w *Rules) Messages(p spec.ID) (list []Rule) {
	if w.config.Recoveries > 0 {
		list = append(list, ruleOf(Drop, Condition{Ask: AllDown, Of: spec.SetOf(p)}))
	}
	return append(list, w.allowed(ruleOf(Lose), ruleOf(Copy))...)
}

// Network lists what may happen to the network.
func (w *Rules) Network() (list []Rule) {
	if w.config.Partitions == 0 {
		return nil
	}
	list = append(list, ruleOf(Heal, Condition{Ask: Divided}))
	for _, side := range Sides(w.config.N) {
		rule := ruleOf(Divide, Condition{Ask: Whole})
		rule.Side = side
		list = append(list, rule)
	}
	return list
}

// Sides lists the ways to divide n processes into two parts, as the part without process 1.
func Sides(n int) []spec.Set {
	var out []spec.Set
	for side := spec.Set(2); side <= spec.UpTo(n); side += 2 {
		out = append(out, side)
	}
	return out
}

// Clock lists what time does. It has no tables; what comes of it stands in clocks.go.
func (w *Rules) Clock() []Rule {
	if w.config.Timers != Timed {
		return nil
	}
	return []Rule{ruleOf(Tick, Condition{Ask: NoneUrgent})}
}

// rounds lists the steps in lock step, where there are no others. They have no tables; what processes may do in one
// stands in rounds.go.
func (w *Rules) rounds() []Rule {
	if w.config.Network != Rounds {
		return nil
	}
	return []Rule{ruleOf(Round)}
}

// actions returns what may happen in the world besides what processes handle.
func (w *Rules) actions() (list []ActionKind) {
	rules := slices.Concat(w.Crashes(Local{Status: Up}), w.Messages(1), w.Network(), w.Clock(), w.rounds())
	for _, cut := range w.Cuts() {
		rules = append(rules, ruleOf(cut.Action))
	}
	for _, rule := range w.allowed(rules...) {
		list = append(list, rule.Action)
	}
	return list
}

// allowed returns those of some rules that the world allows somewhere: it has some of what they spend.
func (w *Rules) allowed(list ...Rule) []Rule {
	return slices.DeleteFunc(list, func(rule Rule) bool { return rule.Fault() && w.config.Limit(rule.Spends) == 0 })
}
