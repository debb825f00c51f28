package model

import (
	"slices"

	"interleave/spec"
)

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

	Optional bool // it need not happen, though it is no fault: an action
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
	list = append(list, w.actsOf(l)...)
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

// actsOf lists the actions of a process in a local state.
func (w *Rules) actsOf(l Local) (list []Rule) {
	for i, act := range w.traits.Actions {
		rule := Rule{Step: spec.Event{Kind: spec.Act, Action: uint8(i)}, Optional: !act.Fair}
		switch {
		case !act.When(l.State), act.Leaderless && !l.Initiator:
			continue
		case act.Leaderless:
			rule.Asks = w.leaderless(w.traits.Leader(l.State))
		case w.config.limits(act) && act.Together:
			rule.Spends = spentBy(i)
		case w.config.limits(act) && int(l.Acted[i]) >= w.config.TimesOf(act):
			continue
		}
		for _, rule.Step.Value = range act.Values {
			list = append(list, rule)
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

// silenced is asked where the detector reports to p that q is down.
func (w *Rules) silenced(p, q spec.ID) []Condition {
	asks := []Condition{{Ask: AllDown, Of: spec.SetOf(q)}}
	if w.config.Detector == Flushed {
		asks = append(asks, Condition{Ask: NoneFrom, Of: spec.SetOf(q), Process: p})
	}
	return asks
}

// Awaits reports whether something in the world waits for messages to arrive.
func (w *Rules) Awaits() bool {
	justified := func(r spec.TimerRule[any, any]) bool { return w.config.Timers.Justifies(r.Elects) }
	return w.config.Detector == Flushed || slices.ContainsFunc(w.traits.Rules, justified)
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

// Clock lists what time does. It has no tables; what comes of it stands in timers.go.
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
