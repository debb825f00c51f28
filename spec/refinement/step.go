package refinement

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"

	"interleave/internal/cell"
	"interleave/spec"
)

// step is one of the code.
type step struct {
	self          spec.ID
	ring          []spec.ID
	before, after any
	event         spec.Event
	effects       spec.Effects
}

// result is what comes of a step, in the algorithm's words.
type result struct {
	state   any
	armed   uint8
	effects spec.Effects // its sends and outputs
}

// differs says why a step is none of the algorithm; empty if it is one.
func (x *machine) differs(s *step) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = "the Relation to " + x.of.Name + " panics: " + spec.TellPanic(r, debug.Stack())
		}
	}()
	seen := x.seen(s)
	if why := x.stepDiffers(s, seen); why != "" {
		return why
	}
	if at := unequal(stable(&x.of, seen.state), x.memory(stable(&x.traits, s.after))); at != "" {
		return fmt.Sprintf("a crash leaves something else than in %s: %s", x.of.Name, at)
	}
	return x.crashDiffers(s, seen)
}

// crashDiffers says why a crash within a step of code that tells when it persists is none of the algorithm. That has all on its
// disk before it sends or outputs anything.
func (x *machine) crashDiffers(s *step, seen result) string {
	if s.effects.Persists == nil {
		return ""
	}
	on := stable(&x.traits, s.before)
	before, after := x.memory(on), stable(&x.of, seen.state)
	for _, next := range append(slices.Clip(s.effects.Persists), spec.Persisted{Sends: len(s.effects.Sends), Outputs: len(s.effects.Outputs)}) {
		out := x.seen(&step{self: s.self, ring: s.ring, before: s.before, after: s.after, effects: spec.Effects{Sends: s.effects.Sends[:next.Sends], Outputs: s.effects.Outputs[:next.Outputs]}})
		had := x.memory(on)
		quiet := len(out.effects.Sends)+len(out.effects.Outputs) == 0
		if at := unequal(after, had); at != "" && (!quiet || unequal(before, had) != "") {
			return fmt.Sprintf("a crash within the step, after %d sends, leaves something else than in %s: %s", next.Sends, x.of.Name, at)
		}
		if next.Memory != nil {
			on = next.Memory
		}
	}
	return ""
}

// stepDiffers is differs, but for what a crash leaves.
func (x *machine) stepDiffers(s *step, seen result) string {
	before := result{state: x.state(s.before), armed: x.timers(s.before)}
	e, happens := x.event(s)
	switch {
	case e.Kind == spec.Init:
		before = result{state: x.memory(s.before)}
		if at := unequal(x.of.Zero, before.state); at != "" && s.before == x.traits.Zero {
			return fmt.Sprintf("the first boot is none of %s: %s", x.of.Name, at)
		}
	case !happens:
		if at := x.compare(before, seen); at != "" {
			return fmt.Sprintf("%s does nothing then: %s", x.of.Name, at)
		}
		return ""
	case e.Kind == spec.Timeout && before.armed>>e.Timer&1 == 0:
		return fmt.Sprintf("%s has not armed %s then", x.of.Name, x.of.Rules[e.Timer].Name)
	case e.Kind == spec.Timeout:
		before.armed &^= 1 << e.Timer
	}
	return x.try(s, before, e, seen)
}

// stable returns what a crash leaves of a state.
func stable(t *spec.Traits, state any) any {
	if t.Stable == nil {
		return t.Zero
	}
	return t.Stable(state)
}

// seen is what came of a step of the code.
func (x *machine) seen(s *step) (r result) {
	r.state, r.armed = x.state(s.after), x.timers(s.after)
	for _, send := range s.effects.Sends {
		if m, stands := x.message(send.Message); stands {
			r.effects.Sends = append(r.effects.Sends, spec.Send{To: send.To, Message: m})
		}
	}
	for _, v := range s.effects.Outputs {
		if x.output == nil {
			break
		}
		if o, told := x.output(cell.Value(v)); told {
			r.effects.Outputs = append(r.effects.Outputs, closed(o, "Output"))
		}
	}
	return r
}

// event returns what happens in the algorithm, if anything does.
func (x *machine) event(s *step) (e spec.Event, happens bool) {
	e = spec.Event{Kind: s.event.Kind, From: s.event.From, Peer: s.event.Peer, Initiator: s.event.Initiator, Live: s.event.Live}
	switch e.Kind {
	case spec.Init:
		return e, true
	case spec.Receive:
		e.Message, happens = x.message(s.event.Message)
		return e, happens
	case spec.Timeout:
		name, _ := x.named(s.before, s.event)
		i := slices.IndexFunc(x.of.Rules, func(r spec.TimerRule[any, any]) bool { return r.Name == name })
		e.Timer = spec.Timer(max(i, 0))
		return e, i >= 0
	case spec.Act:
		name, value := x.named(s.before, s.event)
		e.Value = closed(value, "Event")
		e.Action, happens = x.of.ActionNamed(name)
		return e, happens
	}
	return e, x.of.Handles.Has(e.Kind)
}

// closed closes what a function of the Relation returns.
func closed(v any, whose string) any {
	c, err := cell.CloseAny(v)
	if err != nil {
		panic(fmt.Sprintf("what %s returns has %v", whose, err))
	}
	return c
}

// try returns "" if some step of the algorithm does what the code does, and else how the first of them differs.
func (x *machine) try(s *step, before result, e spec.Event, seen result) (first string) {
	after, fx := x.algorithm.Step(s.self, s.ring, before.state, e)
	for answer := range fx.Choose {
		chosen := e
		chosen.Choices = append(slices.Clip(e.Choices), answer)
		why := x.try(s, before, chosen, seen)
		if why == "" {
			return ""
		}
		first = cmp.Or(first, why)
	}
	switch {
	case fx.Choose > 0:
		return first
	case fx.Refused:
		return fmt.Sprintf("%s refuses that", x.of.Name)
	case fx.Panic != "":
		return fmt.Sprintf("%s %v", x.of.Name, fx)
	}
	if at := x.compare(result{after, before.armed&^fx.Stopped | fx.Armed, fx}, seen); at != "" {
		return fmt.Sprintf("%s does otherwise: %s", x.of.Name, at)
	}
	return ""
}

// compare says how what the code did differs from what the algorithm does.
func (x *machine) compare(want, got result) string {
	if at := unequal(want.state, got.state); at != "" {
		return at
	}
	if want.armed != got.armed {
		return fmt.Sprintf("there the timers %q are armed, and here %q", x.of.TimerNames(want.armed), x.of.TimerNames(got.armed))
	}
	sends := func(r result) spec.Effects { return spec.Effects{Sends: r.effects.Sends} }
	if !sends(want).Same(sends(got)) {
		return fmt.Sprintf("there it %v, and here it %v", sends(want), sends(got))
	}
	outputs := func(r result) spec.Effects { return spec.Effects{Outputs: r.effects.Outputs} }
	if x.output != nil && !outputs(want).Same(outputs(got)) {
		return fmt.Sprintf("there it %v, and here it %v", outputs(want), outputs(got))
	}
	return ""
}

// unequal says where the algorithm's state and the code's differ first; empty if they do not.
func unequal(there, here any) string {
	for c := range cell.Changes(there, here) {
		return fmt.Sprintf("there %s is %s, and here %s", c.Path, c.Before, c.After)
	}
	if there != here {
		return "the states are different"
	}
	return ""
}
