package model

import (
	"iter"
	"slices"

	"interleave/spec"
)

// calmSteps bounds how long messages may go to and fro before a calm round is
// over: an algorithm that never falls silent has no calm.
const calmSteps = 10_000

// Calm yields what becomes of a world if nothing fails any more and the
// processes go on in lock step: first all that is in flight arrives; then, in
// each round, every live process begins what it may begin and has its timers
// expire, and all that this sends arrives. The rounds are numbered from 1. A
// bound on the state does not apply.
func (w *World) Calm(rounds int) iter.Seq2[int, *World] {
	w.lookedInside = true
	r := *w.reference
	c := &r.config
	c.Bound, c.Crashes, c.Losses, c.Duplicates, c.Partitions, c.Suspicions, c.Split = 0, 0, 0, 0, 0, 0, false
	return func(yield func(int, *World) bool) {
		s := r.settle(w.source.state())
		for round := 1; round <= rounds; round++ {
			for p := range s.live().All() {
				s = r.stir(s, p)
			}
			s = r.settle(s)
			if !yield(round, r.view(s)) {
				return
			}
		}
	}
}

// settle returns what s becomes when everything that has to happen, but for
// what a process begins by itself, happens in the order of Steps.
func (r *Reference) settle(s State) State {
	for range calmSteps {
		steps := r.Steps(s)
		i := slices.IndexFunc(steps, func(step Step) bool {
			begins := step.Event.Deed == Handle && (step.Event.Step.Kind == spec.Timeout || step.Event.Step.Kind == spec.Notice)
			return !step.Unfair && !begins && step.Event.Deed != Tick && step.Panic == ""
		})
		if i < 0 {
			return s
		}
		s = steps[i].After
	}
	return s
}

// stir returns s after p began what it may begin, and its timers expired.
func (r *Reference) stir(s State, p spec.ID) State {
	for _, e := range r.events(s, p) {
		if e.Step.Kind != spec.Notice && e.Step.Kind != spec.Timeout {
			continue
		}
		if step, err := r.Do(s, e); err == nil && step.Panic == "" {
			s = step.After
		}
	}
	return s
}
