// Package refinement checks that code does what an algorithm does. Each step of a process of the code has to be a step of that
// process in the algorithm, or change nothing that the algorithm knows of. A Relation says which state of the
// algorithm one of the code stands for, and which message.
//
// What Of returns is the code: it is checked, simulated and run as that is. A step that the algorithm has not is a panic. So
// no-panic is violated, and the run to there is a counterexample like any other. If no-panic holds in a world with timers any, each run
// of the code there is a run of the algorithm, which does its actions as often as the code. So the code has what the
// algorithm has in each state and in each step. All local steps that any run takes are compared, one by one; the
// algorithm's own states are not searched.
//
// That says nothing of what must happen in the end: code that does nothing refines every algorithm. Timers that are not any
// may expire when the rules of the code say so; those of the algorithm are not asked. And one step of the code is at
// most one of the algorithm: a step that stands for several is refused as none.
package refinement

import (
	"fmt"
	"slices"

	"interleave/internal/cell"
	"interleave/spec"
)

// Relation says what of an algorithm, with states S and messages N, something of the code stands for, with states C and messages M.
type Relation[C, M, S, N any] struct {
	State   func(c C) S                    // of a process that is up
	Memory  func(c C) S                    // of what a crash leaves of the code; nil: nothing is left in the algorithm
	Message func(m M) (n N, stands bool)   // not stands: the algorithm has no such message
	Timers  func(c C) []spec.Timer         // those of the algorithm that are armed; nil only if that has none
	Output  func(v any) (o any, told bool) // nil: outputs are not compared
	// Event names the timer or the action of the algorithm that one of the code stands for, in state c, and the value that the
	// action is asked for with. Empty: nothing happens there. nil: all is the same in both.
	Event func(c C, e spec.Event) (name string, value any)
}

// Of returns code that panics in a step which the algorithm has not.
func Of[C, M, S, N any](code, algorithm spec.Machine, r Relation[C, M, S, N]) spec.Machine {
	x := &machine{Machine: code, algorithm: algorithm, traits: code.Traits(), of: algorithm.Traits()}
	x.incomplete = r.State == nil || r.Message == nil || r.Timers == nil && len(x.of.Rules) > 0
	x.state = func(c any) any { return cell.Must(r.State(cell.Open[C](c)), "what State returns") }
	x.memory = func(c any) any {
		if r.Memory == nil {
			return x.of.Zero
		}
		return cell.Must(r.Memory(cell.Open[C](c)), "what Memory returns")
	}
	x.message = func(m any) (any, bool) {
		n, stands := r.Message(cell.Open[M](m))
		return cell.Must(n, "what Message returns"), stands
	}
	x.timers = func(c any) (armed uint8) {
		if r.Timers != nil {
			for _, t := range r.Timers(cell.Open[C](c)) {
				armed |= 1 << t
			}
		}
		return armed
	}
	x.output = r.Output
	if r.Event != nil {
		x.named = func(c any, e spec.Event) (string, any) { return r.Event(cell.Open[C](c), e.Opened()) }
	} else {
		x.named = func(_ any, e spec.Event) (string, any) {
			if e.Kind == spec.Timeout {
				return x.traits.Rules[e.Timer].Name, nil
			}
			return x.traits.EventName(e), cell.Value(e.Value)
		}
	}
	return x
}

// machine is the code, compared with the algorithm in each step.
type machine struct {
	spec.Machine
	algorithm  spec.Machine
	traits, of spec.Traits // of both
	incomplete bool        // the Relation

	state, memory func(c any) any
	message       func(m any) (any, bool)
	timers        func(c any) uint8
	output        func(v any) (any, bool)
	named         func(c any, e spec.Event) (name string, value any)
}

// Validate implements spec.Machine.
func (x *machine) Validate() error {
	if err := x.Machine.Validate(); err != nil {
		return err
	}
	if err := x.algorithm.Validate(); err != nil {
		return err
	}
	if x.incomplete {
		return fmt.Errorf("algorithm %s: its Relation to %s lacks State, Message or Timers: set all three", x.traits.Name, x.of.Name)
	}
	if x.of.Handles.Has(spec.Round) || x.traits.Handles.Has(spec.Round) {
		return fmt.Errorf("algorithm %s: %s goes by rounds: these cannot be compared", x.traits.Name, x.of.Name)
	}
	for _, k := range []spec.EventKind{spec.Start, spec.Recover} {
		if x.of.Handles.Has(k) && !x.traits.Handles.Has(k) {
			return fmt.Errorf("algorithm %s: %s handles %v, and the code does not: compare it with an algorithm that does not, or let both do", x.traits.Name, x.of.Name, k)
		}
	}
	if x.of.Oracle && !x.traits.Oracle {
		return fmt.Errorf("algorithm %s: %s asks who is live, and the code does not: set Oracle", x.traits.Name, x.of.Name)
	}
	return nil
}

// Traits implements spec.Machine.
func (x *machine) Traits() spec.Traits {
	t := x.traits
	t.Name += "/refines"
	t.Properties = append(slices.Clip(t.Properties), spec.Invariant("refines", "each step is one of "+x.of.Name+", or no-panic is violated", func(spec.World) error { return nil }))
	if t.Code != nil {
		t.Code = known{t.Code, x}
	}
	return t
}

// known is what is known of code that stays compared, whatever is made of it.
type known struct {
	spec.Code
	machine *machine
}

// Strict implements spec.Code.
func (k known) Strict() spec.Machine { return k.machine.with(k.Code.Strict()) }

// Fresh implements spec.Code.
func (k known) Fresh() spec.Machine { return k.machine.with(k.Code.Fresh()) }

// with is x with other code.
func (x *machine) with(code spec.Machine) *machine {
	other := *x
	other.Machine, other.traits = code, code.Traits()
	return &other
}

// Step implements spec.Machine.
func (x *machine) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	after, fx := x.Machine.Step(self, ring, s, e)
	if fx.Panic != "" || fx.Refused || fx.Choose > 0 {
		return after, fx
	}
	if why := x.differs(&step{self, ring, s, after, e, fx}); why != "" {
		return s, spec.Effects{Panic: why}
	}
	return after, fx
}
