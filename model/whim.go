package model

import (
	"fmt"

	"interleave/spec"
)

// WhimError says that a handler did something else when it was called again with the same
// arguments, so that no check of it means anything.
type WhimError struct {
	Handler string // which, and for what
	State   any    // in which it was called twice
	After   [2]any // the states that it came to
	Effects [2]spec.Effects
}

func (e *WhimError) Error() string {
	once, again := e.Effects[0].String(), e.Effects[1].String()
	if once == again {
		once, again = fmt.Sprintf("comes to %+v", e.After[0]), fmt.Sprintf("comes to %+v", e.After[1])
	}
	return fmt.Sprintf("%s is no function: in the state %+v it %s, and when called again it %s: let it depend on what it is given, and not on the order of a map, chance, time or a variable outside",
		e.Handler, e.State, once, again)
}
