package model

import (
	"encoding/json"
	"fmt"

	"interleave/spec"
)

// LostError says that JSON does not keep a state or a message, though its type looks as if
// it did: a trace or a certificate would tell of another.
type LostError struct {
	What, Algorithm string // what: state or message
	Value, Again    any    // again: what is read back
	Err             error  // why nothing is, or nil
}

func (e *LostError) Error() string {
	again := fmt.Sprintf("%#v", e.Again)
	if e.Err != nil {
		again = e.Err.Error()
	}
	return fmt.Sprintf("the %s %#v of %s comes back from JSON as %s, so traces and certificates would be wrong: encoding/json must keep it", e.What, e.Value, e.Algorithm, again)
}

// Unwrap returns why nothing is read back, or nil.
func (e *LostError) Unwrap() error { return e.Err }

// mustKeepState panics with a *LostError if JSON does not keep the state of a process.
func mustKeepState(t *spec.Traits, l Local) { mustKeep(t, "state", l.State, t.ReadState) }

// mustKeepMessage panics with a *LostError if JSON does not keep a message.
func mustKeepMessage(t *spec.Traits, e Envelope) { mustKeep(t, "message", e.Message, t.ReadMessage) }

func mustKeep(t *spec.Traits, what string, value any, read func([]byte) (any, error)) {
	if value == nil {
		return // of a process that is down
	}
	text, err := json.Marshal(value)
	var again any
	if err == nil {
		again, err = read(text)
	}
	if err != nil || again != value {
		panic(&LostError{what, t.Name, value, again, err})
	}
}
