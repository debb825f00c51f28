package model

import (
	"encoding/json"
	"fmt"
	"runtime/debug"

	"interleave/spec"
)

// LimitError says that a single step of the world is too large to compute.
type LimitError struct{ reason string }

func (e *LimitError) Error() string { return e.reason + ": take fewer processes or crashes" }

// NondeterminismError says that a handler did something else when it was called again with the same
// arguments, or that another function gave another answer, so that no check of it means anything.
type NondeterminismError struct {
	Handler string // which, and for what; or the name of another function
	State   any    // in which it was called twice
	After   [2]any // the states that it came to
	Effects [2]spec.Effects

	Asked   string    // of a function that is no handler: what it was asked, in words
	Answers [2]string // to that; the state, after it and the effects are not set then
}

func (e *NondeterminismError) Error() string {
	if e.Asked != "" {
		return fmt.Sprintf("%s is no function: %s it says %s, and when asked again it says %s: %s", e.Handler, e.Asked, e.Answers[0], e.Answers[1], beFunction)
	}
	once, again := e.Effects[0].String(), e.Effects[1].String()
	if once == again {
		once, again = fmt.Sprintf("comes to %+v", e.After[0]), fmt.Sprintf("comes to %+v", e.After[1])
	}
	return fmt.Sprintf("%s is no function: in the state %+v it %s, and when called again it %s: %s", e.Handler, e.State, once, again, beFunction)
}

const beFunction = "let it depend on what it is given, and not on the order of a map, chance, time or a variable outside"

// RoundTripError says that JSON does not preserve a message, though its type looks as if it did: a
// trace would have a different one.
type RoundTripError struct {
	Algorithm      string
	Message, Again any   // Again is what is read back
	Err            error // why nothing is read back, or nil
}

func (e *RoundTripError) Error() string {
	again := fmt.Sprintf("%#v", e.Again)
	if e.Err != nil {
		again = e.Err.Error()
	}
	return fmt.Sprintf("the message %#v of %s comes back from JSON as %s, so a trace with it would be of another run: encoding/json must keep it", e.Message, e.Algorithm, again)
}

// Unwrap returns why nothing is read back, or nil.
func (e *RoundTripError) Unwrap() error { return e.Err }

// checkRoundTrip returns a *RoundTripError if JSON does not preserve a message.
func checkRoundTrip(t *spec.Traits, message any) error {
	text, err := json.Marshal(message)
	var again any
	if err == nil {
		again, err = t.ReadMessage(text)
	}
	if err == nil && again == message {
		return nil
	}
	return &RoundTripError{t.Name, message, again, err}
}

// CatchOutside, when it is deferred, turns a panic in functions of an algorithm that are not handlers (Leader, Idle,
// Kind, its rules) into an error.
func CatchOutside(m spec.Machine, err *error) {
	if p := recover(); p != nil {
		*err = OutsideHandlers(m, p, debug.Stack())
	}
}

// OutsideHandlers returns the error of a panic in something that is not a handler of m, such as
// its Leader or a property: a *LimitError, a *NondeterminismError or a *spec.CodeError if it panicked with that. The stack is
// of the goroutine.
func OutsideHandlers(m spec.Machine, said any, stack []byte) error {
	switch err := said.(type) {
	case *LimitError:
		return err
	case *NondeterminismError:
		return err
	case *spec.CodeError:
		return err
	}
	return fmt.Errorf("checking %s panics outside of its handlers: %s", m.Traits().Name, spec.TellPanic(said, stack))
}
