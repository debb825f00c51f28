package model

import (
	"fmt"

	"interleave/spec"
)

// WhimError says that a handler did something else when it was called again with the same
// arguments, or that another function gave another answer, so that no check of it means anything.
type WhimError struct {
	Handler string // which, and for what; or the name of another function
	State   any    // in which it was called twice
	After   [2]any // the states that it came to
	Effects [2]spec.Effects

	Asked   string    // of a function that is no handler: what it was asked, in words
	Answers [2]string // to that; the state, after it and the effects are not set then
}

func (e *WhimError) Error() string {
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
