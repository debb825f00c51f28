package model

import (
	"encoding/json"
	"fmt"

	"interleave/spec"
)

// LostError says that JSON does not preserve a message, though its type looks as if it did: a
// trace would have a different one.
type LostError struct {
	Algorithm      string
	Message, Again any   // Again is what is read back
	Err            error // why nothing is read back, or nil
}

func (e *LostError) Error() string {
	again := fmt.Sprintf("%#v", e.Again)
	if e.Err != nil {
		again = e.Err.Error()
	}
	return fmt.Sprintf("the message %#v of %s comes back from JSON as %s, so a trace with it would be of another run: encoding/json must keep it", e.Message, e.Algorithm, again)
}

// Unwrap returns why nothing is read back, or nil.
func (e *LostError) Unwrap() error { return e.Err }

// kept returns a *LostError if JSON does not preserve a message.
func kept(t *spec.Traits, message any) error {
	text, err := json.Marshal(message)
	var again any
	if err == nil {
		again, err = t.ReadMessage(text)
	}
	if err == nil && again == message {
		return nil
	}
	return &LostError{t.Name, message, again, err}
}
