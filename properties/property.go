package properties

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"interleave/explore"
	"interleave/explore/ltl"
	"interleave/model"
	"interleave/properties/internal/plan"
	"interleave/spec"
)

// Property is a named statement about an algorithm in a world.
type Property struct {
	Name   string
	Doc    string // what it states, in one sentence
	Source string // who asks for it; empty: Interleave does
	Kind   Kind

	state      func(w *model.World) error             // nil where it holds
	step       func(before, after *model.World) error // nil where it holds
	runs       func(n int) *ltl.Formula               // Liveness: of n processes
	text       string                                 // Liveness: the formula as the user wrote it; empty: it comes with Interleave
	given      atoms                                  // Liveness: what its atoms mean, unless they are known predicates
	known      Predicates
	view       func(state any) any // of local states, by which it looks at them
	monitor    string              // the name of a property of the algorithm with a monitor
	claim      string              // the name of a claim of the algorithm, judged on steps
	stabilized *stabilized         // it looks at what becomes of a state in lock step
	goal       string              // Recoverable: the atom of a formula that it is about; empty: none
	most       int                 // Messages: in a whole run; negative: any finite number

	ours      bool                      // its functions are functions: see Library
	suits     func(t spec.Traits) error // why it means nothing to an algorithm: see For; nil: it is of any
	undecided []string                  // not nil: of Undecided

	unreadable error // why its formula cannot be read
}

// Kind is the form of a property.
type Kind = plan.Kind

// The kinds of property.
const (
	InvariantKind = plan.Invariant // holds in every reachable state
	QuiescentKind = plan.Quiescent // holds in every reachable quiescent state, where nothing except a crash can happen any more
	EveryStepKind = plan.EveryStep // holds on every step
	CoverKind     = plan.Cover     // holds in some reachable state
	LivenessKind  = plan.Liveness  // of every fair run
	MessagesKind  = plan.Messages  // no run sends more than a number of messages

	RecoverableKind = plan.Recoverable // from every reachable state some state can be reached, without further faults
)

// Invariant states that holds returns nil in every reachable state. The error is the reason that
// a counterexample ends with; if holds panics, that is the reason.
func Invariant(name, doc string, holds func(w *model.World) error) Property {
	return Property{Name: name, Doc: doc, Kind: InvariantKind, state: func(w *model.World) (err error) {
		defer panics(&err)
		return holds(w)
	}}
}

// Quiescent states that holds returns nil in every reachable quiescent state.
func Quiescent(name, doc string, holds func(w *model.World) error) Property {
	return Property{Name: name, Doc: doc, Kind: QuiescentKind, state: func(w *model.World) (err error) {
		defer panics(&err)
		return holds(w)
	}}
}

// EveryStep states that holds returns nil for every reachable step.
func EveryStep(name, doc string, holds func(before, after *model.World) error) Property {
	return Property{Name: name, Doc: doc, Kind: EveryStepKind, step: func(before, after *model.World) (err error) {
		defer panics(&err)
		return holds(before, after)
	}}
}

// panics turns a panic of a property into the reason why it is false, unless the panic comes from
// a function of the world that it called. It is to be deferred.
func panics(err *error) {
	switch said := recover().(type) {
	case nil:
	case *model.LimitError, *model.NondeterminismError, explore.Contradiction, *explore.DiskError, *explore.Panic:
		panic(said)
	default:
		*err = fmt.Errorf("the property panics: %s", spec.TellPanic(said, debug.Stack()))
	}
}

// Cover states that some reachable state satisfies reached: it guards the
// other properties against holding because nothing happens.
func Cover(name, doc string, reached func(w *model.World) bool) Property {
	return Property{Name: name, Doc: doc, Kind: CoverKind, state: func(w *model.World) error {
		if reached(w) {
			return nil
		}
		return fmt.Errorf("not yet")
	}}
}

// Recoverable states that from every reachable state one can be reached that satisfies goal: by what processes, timers,
// deliveries and clients do, by returns and by a network that is whole again, as far as the world allows these; without a
// further crash, loss, copy, partition or false suspicion. That some run gets there does not mean that every fair one does:
// that is a formula, as in "[]<>goal".
func Recoverable(name, doc string, goal func(w *model.World) bool) Property {
	p := Cover(name, doc, goal)
	p.Kind = RecoverableKind
	return p
}

// Formula returns what a Liveness property states of n processes; empty for other properties.
func (p Property) Formula(n int) string {
	if p.Kind != LivenessKind {
		return ""
	}
	return p.runs(n).String()
}

// Untested says why p says nothing if it holds where so many quiescent states and steps are found;
// empty: they put it to the test.
func (p Property) Untested(quiescent, steps int) string {
	switch {
	case p.Kind == QuiescentKind && quiescent == 0:
		return "no state that was found is quiescent"
	case p.Kind == EveryStepKind && steps == 0:
		return "nothing ever happens"
	}
	return ""
}

// watch returns what a search looks for: a violation, or the goal of a Cover or a Recoverable.
func (p Property) watch() model.Watch {
	switch p.Kind {
	case CoverKind, RecoverableKind:
		return model.Watch{View: p.view, State: p.Reached}
	case EveryStepKind:
		switch {
		case p.claim != "":
			return model.Watch{Claim: p.claim}
		case p.monitor != "":
			return model.Watch{Monitor: p.monitor}
		}
		return model.Watch{Step: func(before, after *model.World) bool { return p.step(before, after) != nil }}
	case LivenessKind, MessagesKind:
		return model.Watch{}
	}
	return model.Watch{View: p.view, State: func(w *model.World) bool { return p.state(w) != nil }, Quiescent: p.Kind == QuiescentKind}
}

// InState returns why p is false in a state. It is nil if p is true there, if p is about
// quiescent states and this is none, and if p is not about single states.
func (p Property) InState(w *model.World) error {
	switch p.Kind {
	case InvariantKind:
		return p.state(w)
	case QuiescentKind:
		if w.Quiescent() {
			return p.state(w)
		}
	}
	return nil
}

// Condition returns why the condition of p on states is false in a state, quiescent or not. It is
// nil if it is true there, and if p is not about single states.
func (p Property) Condition(w *model.World) error {
	if p.Kind == InvariantKind || p.Kind == QuiescentKind {
		return p.state(w)
	}
	return nil
}

// OnStep returns why p is false on a step. It is nil if p is true there, and if p is not about
// steps. If the handler panics, only NoPanic is false.
func (p Property) OnStep(r *model.Reference, before model.State, step model.Step) error {
	switch {
	case step.Panic != "" && p.Name == NoPanic.Name:
		return fmt.Errorf("the handler panics: %s", step.Panic)
	case step.Panic != "":
		return nil
	case p.monitor != "":
		return r.Unmonitored(p.monitor, before, step)
	case p.claim != "":
		return r.Broken(p.claim, before, step)
	case p.step != nil:
		return p.step(r.World(before), r.World(step.After))
	}
	return nil
}

// falseAtEnd returns why p is false at the end of a run; nil if it is true.
func (p Property) falseAtEnd(r *model.Reference, run *model.Run) error {
	last := len(run.Steps) - 1
	switch {
	case p.Kind == MessagesKind && p.most >= 0 && run.MessagesSent() > p.most:
		return errors.New(plan.Sent(run))
	case p.Kind == RecoverableKind:
		why, _ := p.OutOfReach(r, run.End(), mostAhead)
		return why
	case p.Kind == EveryStepKind && last >= 0:
		return p.OnStep(r, run.States[last], run.Steps[last])
	}
	return p.InState(r.World(run.End()))
}

// Reached reports whether a state satisfies p, a Cover or a Recoverable.
func (p Property) Reached(w *model.World) bool {
	return (p.Kind == CoverKind || p.Kind == RecoverableKind) && p.state(w) == nil
}

// The properties that mean the same for every algorithm.
var (
	// NoDeadlock asks of an algorithm without Idle only that no message stays undelivered.
	NoDeadlock = Library("", Of(spec.NoDeadlock))

	Termination = Property{Name: "termination", Doc: "every run becomes quiescent", Kind: LivenessKind, runs: formula("<>[]quiescent")}

	MessagesBounded = Property{Name: "messages-bounded", Doc: "the number of messages of a run is bounded", Kind: MessagesKind, most: -1}

	// ofAny are those of them that are known by name. With what an algorithm says of itself they are all that is
	// known of one of no family.
	ofAny = []Property{NoDeadlock, Termination, MessagesBounded}

	// NoPanic is checked always, and reported when false.
	NoPanic = Property{Name: "no-panic", Doc: "no handler panics", Kind: EveryStepKind}
)

// Library returns p as a property that a library has, and its source: nobody asks its functions
// twice, and its formula is not one that a user wrote.
func Library(source string, p Property) Property {
	p.Source, p.ours, p.text = source, true, ""
	return p
}

// For returns p as a property only of the algorithms of which suits returns nil. Of others it is refused with
// what suits returns.
func (p Property) For(suits func(t spec.Traits) error) Property {
	p.suits = suits
	return p
}

// Suits returns why p means nothing to an algorithm, nil if it means something.
func (p Property) Suits(m spec.Machine) error {
	if p.suits == nil {
		return nil
	}
	return p.suits(m.Traits())
}

// Own returns the properties that an algorithm brings along: its Properties, and what it claims of its steps.
func Own(m spec.Machine) []Property {
	var props []Property
	for _, p := range m.Traits().Properties {
		props = append(props, Of(p))
	}
	for _, c := range m.Traits().Claims {
		props = append(props, Property{Name: c.Name, Doc: c.Doc, Source: c.Source, Kind: EveryStepKind, claim: c.Name})
	}
	return props
}

// OwnOfStates returns those of Own that are predicates of states.
func OwnOfStates(m spec.Machine) []Property {
	return slices.DeleteFunc(Own(m), func(p Property) bool { return p.state == nil })
}

// Watched returns c with the monitors of the properties: their values are part of its states.
func Watched(c model.Config, props []Property) model.Config {
	c.Monitors = nil
	for _, p := range props {
		if p.monitor != "" {
			c.Monitors = append(c.Monitors, p.monitor)
		}
	}
	return c
}

// Of returns a property of package spec as one to check. Check refuses it if its formula cannot be read.
func Of(p spec.Property) Property {
	var q Property
	switch state := func(w *model.World) error { return p.State(w) }; p.Form {
	case spec.Invariants:
		q = Invariant(p.Name, p.Doc, state)
	case spec.Quiescence:
		q = Quiescent(p.Name, p.Doc, state)
	case spec.EverySteps:
		q = EveryStep(p.Name, p.Doc, func(before, after *model.World) error { return p.Step(before, after) })
	case spec.Watched:
		q = Property{Name: p.Name, Doc: p.Doc, Kind: EveryStepKind, monitor: p.Name}
	case spec.Reachable:
		q = Cover(p.Name, p.Doc, func(w *model.World) bool { return p.State(w) == nil })
	case spec.Recovers:
		q = Recoverable(p.Name, p.Doc, func(w *model.World) bool { return p.State(w) == nil })
	case spec.Runs:
		given := atoms{}
		for word, holds := range p.Atoms {
			given[word] = func(w *model.World) error { return holds(w) }
		}
		var err error
		if q, err = Temporal(p.Name, p.Doc, p.Formula, given); err != nil {
			q = Property{Name: p.Name, Doc: p.Doc, Kind: LivenessKind, unreadable: err}
		}
	}
	q.Source, q.view = p.Source, p.View
	return q
}

// AtMost states that no run sends more than n messages; a message counts when
// it is sent, whether or not it arrives.
func AtMost(n int) Property {
	return Property{
		Name: fmt.Sprintf("messages-bounded(%d)", n), Doc: fmt.Sprintf("no run sends more than %d messages", n), Kind: MessagesKind, most: n,
	}
}
