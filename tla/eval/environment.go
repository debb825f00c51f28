package eval

import (
	"slices"

	"interleave/tla/value"
)

// env is where code runs.
type env struct {
	frame     []value.Value // by slot number
	cur, next []value.Value // by variable; nil where it has no value yet
	*track
	depth  int           // recursion depth
	aside  []value.Value // slots saved by the callers of recursive operators
	action int           // the part of the next-state relation that is evaluated
	params []code        // the arguments of the definition of the part
	yield  func(e *env) bool
	meter  *meter
	memory *memory // nil: nothing is remembered
}

// track is shared by the frames of nested calls.
type track struct {
	at    *site // of the expression evaluated last
	steps int   // taken so far
}

// apart is an environment for what is evaluated later, when e has changed.
func (e *env) apart() *env {
	own := *e
	own.frame, own.aside = slices.Clone(e.frame), nil
	own.cur, own.next = slices.Clone(e.cur), slices.Clone(e.next)
	own.track = &track{at: e.at}
	return &own
}

// again is an environment for one call of what is evaluated later. Several goroutines
// may call at once.
func (e *env) again(at *site) *env {
	call := *e
	call.track = &track{at: at}
	return call.deeper(at)
}
