package model

import (
	"fmt"
	"slices"

	"interleave/spec"
)

// A Rule says when the world lets something happen, and which budget that spends. The rules are all that is known
// of this: Reference interprets them on plain values, Obstacles puts in words what they ask, System compiles them
// into masks and sets, and Symbolic into events of decision diagrams.
//
// Whether a process refuses what it is given, panics or goes beyond a bound is up to its handler.
type Rule struct {
	Deed   Deed
	Step   spec.Event // what a process handles
	Side   spec.Set   // Divide
	Asks   []Condition
	Spends Budget // one of it, if any is left
}

// Fault reports whether a rule is one of faults, which spend a budget: fairness is never owed to
// them.
func (r Rule) Fault() bool { return r.Spends != Unlimited }

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
)

func (b Budget) String() string {
	return [...]string{"", "crashes", "recoveries", "losses", "duplicates", "partitions", "suspicions"}[b]
}

// spends says which budget something spends that is no handling of a process.
var spends = [deeds]Budget{Crash: Crashes, Lose: Losses, Copy: Duplicates, Divide: Partitions}

// Limit is how many faults the world allows.
func (c *Config) Limit(b Budget) int {
	switch b {
	case Crashes:
		return c.Crashes
	case Recoveries:
		return c.Recoveries
	case Losses:
		return c.Losses
	case Duplicates:
		return c.Duplicates
	case Partitions:
		return c.Partitions
	case Suspicions:
		return c.Suspicions
	}
	return 0
}

// spentAll says that nothing is left of a budget.
func (c *Config) spentAll(b Budget) string {
	fault := [...]string{Crashes: "crash", Recoveries: "return", Losses: "loss", Duplicates: "copy", Partitions: "partition", Suspicions: "false report"}[b]
	if c.Limit(b) == 0 {
		return "the world allows no " + fault
	}
	return fmt.Sprintf("the world allows %s, and no more", plural(c.Limit(b), fault))
}

// count returns what counts faults. Crashes are counted there only if processes may recover: see
// spent.
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

// crashed is how many processes have crashed, if so many are down: the old leader has not.
func (c *Config) crashed(down int) int {
	if c.Start == LeaderDown {
		down--
	}
	return down
}

// spent returns how much of a budget is spent where that many processes have crashed.
func (c *Config) spent(b Budget, e *Env, crashed int) int {
	if b == Crashes && c.Recoveries == 0 {
		return crashed
	}
	return int(*e.count(b))
}

// pay returns e after one fault of a budget. A crash is counted only where processes may recover;
// elsewhere it shows in who is down.
func (c *Config) pay(b Budget, e Env) Env {
	if b != Unlimited && (b != Crashes || c.Recoveries > 0) {
		*e.count(b)++
	}
	return e
}

// rules are those of an algorithm in a world.
type rules struct {
	traits    *spec.Traits
	config    *Config
	all       spec.Set
	durations durations // if timed
}

// of lists what process p may be given to handle in a local state, except messages: what it
// begins itself, its timers, and what the detector may report to it. Rules of the same event
// follow each other; no two of them are met at once.
func (w *rules) of(p spec.ID, l Local) (list []Rule) {
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

// together splits rules into those of the same event each.
func together(list []Rule) (of [][]Rule) {
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
func (w *rules) leaderless(leader spec.ID) []Condition {
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
func (w *rules) justified(p spec.ID, l Local, t spec.Timer) []Condition {
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
func (w *rules) silenced(p, q spec.ID) []Condition {
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

// crash is the rule of the crash of a process that is not down.
func (w *rules) crash() Rule { return Rule{Deed: Crash, Spends: Crashes} }

// messages lists what may happen to a message that may arrive next at p.
func (w *rules) messages(p spec.ID) (list []Rule) {
	if w.config.Recoveries > 0 {
		list = append(list, Rule{Deed: Drop, Asks: []Condition{{Ask: AllDown, Of: spec.SetOf(p)}}})
	}
	for _, d := range []Deed{Lose, Copy} {
		if w.config.Limit(spends[d]) > 0 {
			list = append(list, Rule{Deed: d, Spends: spends[d]})
		}
	}
	return list
}

// network lists what may happen to the network.
func (w *rules) network() (list []Rule) {
	if w.config.Partitions == 0 {
		return nil
	}
	list = append(list, Rule{Deed: Heal, Asks: []Condition{{Ask: Divided}}})
	for _, side := range sides(w.config.N) {
		list = append(list, Rule{Deed: Divide, Side: side, Asks: []Condition{{Ask: Whole}}, Spends: Partitions})
	}
	return list
}

// MessageRules lists what may happen to a message that may arrive next at p.
func (r *Reference) MessageRules(p spec.ID) []Rule { return r.rules.messages(p) }

// NetworkRules lists what may happen to the network.
func (r *Reference) NetworkRules() []Rule { return r.rules.network() }
