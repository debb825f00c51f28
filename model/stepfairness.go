package model

import (
	"fmt"
	"slices"
	"strings"

	"interleave/explore"
	"interleave/spec"
)

// Fairness says which fairness is assumed of the steps that are possible in a run: weak fairness,
// except for the kinds named here. A kind is as in Stats.Fired, or its first word, "receive" or
// "timeout", for all that begin with it; "all" is every kind. Crashes, recoveries, losses and the
// like never have to happen.
type Fairness struct {
	Strong []string `json:"strong,omitempty"`
	Unfair []string `json:"unfair,omitempty"`
}

// A FairClass is a set of steps of which fairness is assumed as a whole. It has the steps of one
// process that handle the same kind of event. For messages, it has the steps that deliver, or
// drop, the same message; in a fifo network, those that deliver, or drop, the next message
// from one process to another.
type FairClass struct {
	Action  ActionKind
	Process spec.ID // none in Heal, Tick and Round
	Kind    spec.EventKind
	Timer   spec.Timer
	Act     uint8 // number of the action
	From    spec.ID
	Message any // nil in a fifo network
}

// FairBy is a set of what tells two steps of one process and the same ActionKind apart, so that they are of different
// classes. Nothing else does.
type FairBy uint8

const (
	ByKind    FairBy = 1 << iota // of event
	ByTimer                      // that expires
	ByAct                        // which action it is
	BySender                     // of the message
	ByMessage                    // its content
)

// FairBy says what tells classes apart.
func (n Network) FairBy(d ActionKind, e spec.EventKind) FairBy {
	switch {
	case !d.HasStep() || !actionTable[d].spends.fair():
		return 0
	case e == spec.Receive && n == FIFO:
		return ByKind | BySender
	case e == spec.Receive:
		return ByKind | BySender | ByMessage
	}
	return ByKind | ByTimer | ByAct
}

// FairnessOf returns the class of a step out of s, and which fairness is assumed of it.
func (r *Reference) FairnessOf(s State, step Step) (FairClass, explore.Strength) {
	e := step.Event
	c, by := FairClass{Action: e.Action, Process: e.Process}, r.config.Network.FairBy(e.Action, e.Step.Kind)
	if by&ByKind != 0 {
		c.Kind = e.Step.Kind
	}
	if by&ByTimer != 0 {
		c.Timer = e.Step.Timer
	}
	if by&ByAct != 0 {
		c.Act = e.Step.Action
	}
	if by&BySender != 0 {
		c.From = e.Step.From
	}
	if by&ByMessage != 0 {
		c.Message = e.Step.Message
	}
	if step.Unfair {
		return c, explore.Unfair
	}
	return c, r.strengths[r.kinds.ofEvent(e, s.live())]
}

// DescribeClass describes a class, as in "process 2: receive OK from 3".
func (r *Reference) DescribeClass(c FairClass) string {
	text := c.Action.String()
	switch {
	case c.Action == Handle && c.Kind == spec.Receive, c.Action == Drop:
		if c.Action == Handle {
			text = c.Kind.String()
		}
		if c.Message != nil {
			text += fmt.Sprintf(" %v", c.Message)
		}
		text += fmt.Sprintf(" from %v", c.From)
	case c.Action == Handle:
		text = r.handling(spec.Event{Kind: c.Kind, Timer: c.Timer, Action: c.Act})
		if c.Kind == spec.Suspect || c.Kind == spec.Restore {
			text = c.Kind.String()
		}
	}
	if c.Process == spec.None {
		return text
	}
	return fmt.Sprintf("process %v: %s", c.Process, text)
}

// strengthsOf returns the fairness assumed of each kind of step.
func (k *StepKinds) strengthsOf(c Config) (of [256]explore.Strength, err error) {
	fair := k.fair(c)
	for _, name := range fair {
		k.assume(&of, name, explore.Weak)
	}
	for _, rule := range []struct {
		axis  string
		names []string
		s     explore.Strength
	}{{"strong", c.Fairness.Strong, explore.Strong}, {"unfair", c.Fairness.Unfair, explore.Unfair}} {
		for _, name := range rule.names {
			if rule.s == explore.Unfair && slices.Contains(c.Fairness.Strong, name) {
				return of, &ConfigError{rule.axis, fmt.Sprintf("%q is among the strong ones, too: leave one out", name)}
			}
			covered := slices.DeleteFunc(slices.Clone(fair), func(kind string) bool { return !covers(name, kind) })
			if len(covered) == 0 {
				return of, &ConfigError{rule.axis, k.whyNone(name, c)}
			}
			for _, kind := range covered {
				k.assume(&of, kind, rule.s)
			}
		}
	}
	return of, nil
}

// whyNone says why no fairness can be assumed of a named kind.
func (k *StepKinds) whyNone(name string, c Config) string {
	failures := []string{spec.Recover.String()}
	for d, what := range actionTable {
		if !what.spends.fair() && !ActionKind(d).Cuts() {
			failures = append(failures, what.name)
		}
	}
	for i, kind := range k.names {
		if !k.obliged[i] {
			failures = append(failures, kind)
		}
	}
	_, message := strings.CutPrefix(name, spec.Receive.String()+" ")
	switch {
	case slices.Contains(failures, name):
		return fmt.Sprintf("%q is a failure, and fairness is never assumed of failures: leave it out", name)
	case message && c.Network == FIFO && slices.Contains(k.names, name):
		return fmt.Sprintf("%q: in a fifo network only the next message of a queue can arrive, whatever its kind: give receive", name)
	}
	return fmt.Sprintf("%q is no kind of step of which fairness is assumed here: give all, or some of %s", name, strings.Join(k.fairNames(c), ", "))
}

// fairNames returns all names for kinds of which fairness may be assumed. First words, which stand
// for several kinds, come before these kinds.
func (k *StepKinds) fairNames(c Config) []string {
	var names []string
	for _, kind := range k.fair(c) {
		first, _, _ := strings.Cut(kind, " ")
		for _, name := range []string{first, kind} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func covers(name, kind string) bool {
	first, _, _ := strings.Cut(kind, " ")
	return name == "all" || name == kind || name == first
}

// assume sets the fairness of the kinds of a name, where any may be assumed.
func (k *StepKinds) assume(of *[256]explore.Strength, name string, s explore.Strength) {
	for i, kind := range k.names {
		if k.obliged[i] && covers(name, kind) {
			of[i] = s
		}
	}
}

// fair returns the kinds of step of which fairness may be assumed. In a fifo network it is
// assumed of the next message of a queue, whatever its kind, so all messages are the one kind
// "receive".
func (k *StepKinds) fair(c Config) []string {
	var names []string
	for i, name := range k.names {
		if _, isMessage := strings.CutPrefix(name, "receive "); isMessage && c.Network == FIFO {
			name = "receive"
		}
		if k.obliged[i] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// FairKinds returns the kinds of step of which fairness may be assumed in a world.
func FairKinds(m spec.Machine, c Config) []string {
	traits := m.Traits()
	k := newStepKinds(&traits, c)
	return k.fair(c)
}

// FairNames returns the names that Fairness may have in a world, except "all".
func FairNames(m spec.Machine, c Config) []string {
	traits := m.Traits()
	k := newStepKinds(&traits, c)
	return k.fairNames(c)
}

// Of returns the fairness assumed of a kind of step, for which With may have made a rule of its own.
func (f Fairness) Of(kind string) explore.Strength {
	covered := func(names []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return covers(name, kind) })
	}
	switch {
	case covered(f.Unfair):
		return explore.Unfair
	case covered(f.Strong):
		return explore.Strong
	}
	return explore.Weak
}

// With returns f with another strength for one kind of step. It replaces what f says about
// that kind alone; f must not say anything about a group of kinds to which it belongs.
func (f Fairness) With(kind string, s explore.Strength) Fairness {
	not := func(name string) bool { return name == kind }
	f.Strong = slices.DeleteFunc(slices.Clone(f.Strong), not)
	f.Unfair = slices.DeleteFunc(slices.Clone(f.Unfair), not)
	switch s {
	case explore.Unfair:
		f.Unfair = append(f.Unfair, kind)
	case explore.Strong:
		f.Strong = append(f.Strong, kind)
	}
	if len(f.Strong) == 0 {
		f.Strong = nil
	}
	if len(f.Unfair) == 0 {
		f.Unfair = nil
	}
	return f
}
