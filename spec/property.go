package spec

import (
	"fmt"

	"interleave/internal/cell"
)

// Property is a statement about an algorithm. It travels with that: wherever the algorithm is
// checked or runs, its Properties are judged. The functions are asked several times, in any order,
// and answer the same to the same.
type Property struct {
	Name, Doc, Source string // Source: who asks for it; empty: the algorithm does

	Form    Form
	State   func(w World) error             // why a state breaks it, nil if none does; of Reachable and Recovers: why this is not such a state
	Step    func(before, after World) error // of EverySteps
	Formula string                          // of Runs, as in "[](asked ~> answered)": see the page on formulas
	View    func(state any) any             // what its functions see of a local state: see Seeing. nil: all
	Monitor *Monitor                        // of Watched
	Atoms   map[string]func(w World) error  // what words in the formula mean, besides those that are known everywhere
}

// Form is what a Property speaks of.
type Form uint8

const (
	Invariants Form = iota // every state that can be reached
	Quiescence             // every such state in which nothing has to happen any more
	EverySteps             // every step
	Reachable              // some state that can be reached
	Runs                   // every fair run
	Watched                // every run, as a Monitor sees it: see Monitored
	Recovers               // every state that can be reached, and what can follow it without further faults: see Recoverable
)

// Invariant states that holds returns nil in every state that can be reached. Otherwise it returns why not.
func Invariant(name, doc string, holds func(w World) error) Property {
	return Property{Name: name, Doc: doc, Form: Invariants, State: holds}
}

// Quiescent states that holds returns nil in every quiescent state that can be reached.
func Quiescent(name, doc string, holds func(w World) error) Property {
	return Property{Name: name, Doc: doc, Form: Quiescence, State: holds}
}

// EveryStep states that holds returns nil of every step.
func EveryStep(name, doc string, holds func(before, after World) error) Property {
	return Property{Name: name, Doc: doc, Form: EverySteps, Step: holds}
}

// Cover states that some state can be reached for which reached is true: it guards the other properties against
// holding because nothing happens.
func Cover(name, doc string, reached func(w World) bool) Property {
	return Property{Name: name, Doc: doc, Form: Reachable, State: func(w World) error {
		if reached(w) {
			return nil
		}
		return fmt.Errorf("not yet")
	}}
}

// Recoverable states that from every state that can be reached one can be reached for which goal is true, by what
// processes, timers, deliveries and clients do, by returns of processes and by a network that is whole again. Only a
// further crash, loss, copy, partition or false suspicion does not help.
func Recoverable(name, doc string, goal func(w World) bool) Property {
	p := Cover(name, doc, goal)
	p.Form = Recovers
	return p
}

// NoDeadlock is what any algorithm ought to have: whoever is Idle, and only who is, may stay so forever.
var NoDeadlock = Quiescent("no-deadlock", "no live process is left waiting, and no message undelivered", func(w World) error {
	for p := range w.Live().All() {
		if !w.Idle(p) {
			return fmt.Errorf("process %v waits forever (%+v)", p, cell.Try(w.State(p)))
		}
	}
	for m := range w.InFlight() {
		return fmt.Errorf("process %v refuses %v from %v forever", m.To, cell.Try(m.Message), m.From)
	}
	return nil
})

// Temporal states that a formula is true of every fair run. Its atoms are those given, where nil means
// true, and those that are known of every algorithm.
func Temporal(name, doc, formula string, atoms map[string]func(w World) error) Property {
	return Property{Name: name, Doc: doc, Form: Runs, Formula: formula, Atoms: atoms}
}

// Seeing returns p, whose functions see of a local state only what view makes of it, a plain value: that is what World.State
// and States give them. So a check knows which steps the property does not see, and may leave out orders of these.
func Seeing[S any, V any](p Property, view func(s S) V) Property {
	v := func(state any) any { return cell.Try(view(cell.Open[S](state))) }
	p.View = v
	if state := p.State; state != nil {
		p.State = func(w World) error { return state(seen{w, v}) }
	}
	if step := p.Step; step != nil {
		p.Step = func(before, after World) error { return step(seen{before, v}, seen{after, v}) }
	}
	atoms := map[string]func(w World) error{}
	for word, holds := range p.Atoms {
		if atoms[word] = holds; holds != nil {
			atoms[word] = func(w World) error { return holds(seen{w, v}) }
		}
	}
	p.Atoms = atoms
	return p
}

// seen is a world of whose local states a view is seen.
type seen struct {
	World
	view func(state any) any
}

// State is the view. A World that wants to know that no more is looked at has a method View.
func (w seen) State(p ID) any {
	if viewer, ok := w.World.(interface {
		View(p ID, view func(state any) any) any
	}); ok {
		return cell.Value(viewer.View(p, w.view))
	}
	if state := w.World.State(p); state != nil {
		return cell.Value(w.view(state))
	}
	return nil
}

// complete returns what is missing in a property; empty if nothing is.
func (p Property) complete() string {
	switch {
	case p.Form > Recovers:
		return fmt.Sprintf("has no form %d", p.Form)
	case p.Form == Runs && p.Formula == "":
		return "has no Formula"
	case (p.Form == Watched) != (p.Monitor != nil):
		return "has a Monitor if and only if that is its form: make it with Monitored"
	case p.Form == Watched:
		if p.Monitor.err != nil {
			return "is none to check: " + p.Monitor.err.Error()
		}
	case p.Form == EverySteps && p.Step == nil:
		return "has no Step: nothing could tell whether it holds"
	case (p.Form < EverySteps || p.Form == Reachable || p.Form == Recovers) && p.State == nil:
		return "has no State: nothing could tell whether it holds"
	}
	return ""
}
