package conformance

import (
	"errors"
	"fmt"
	"interleave/spec"
	"strings"
)

// Verdict is the result of a check.
type Verdict uint8

const (
	Unknown  Verdict = iota // it did not come to an end
	Conforms                // the run is a behaviour of the algorithm
	Refuted                 // it is not
)

func (v Verdict) String() string { return [...]string{"UNKNOWN", "CONFORMS", "REFUTED"}[v] }

// MarshalText writes the verdict in words.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// KindCount is how often a kind of step was taken.
type KindCount struct {
	Kind  string `json:"kind"` // such as "timeout T_ok"; "receive OK" counts messages, also those of a round
	Count int    `json:"count"`
}

// UnusableError is input that cannot be judged.
type UnusableError struct {
	File   string // may be empty
	Line   int    // 0: all of it
	Reason string
	Silent bool  // the only fault: it is a capture without messages
	Asked  bool  // it is not what was asked for, and Reason says what it is
	Cause  error // of Reason, if it is an error of Find
}

func (e *UnusableError) Unwrap() error { return e.Cause }

func (e *UnusableError) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	}
	return b.String() + e.Reason
}

// ErrStopped is why a check ended that was not to go on.
var (
	ErrStopped     = errors.New("nothing more was looked at")
	ErrInterrupted = fmt.Errorf("%w: it was interrupted", ErrStopped)
)

// Born returns what survives of a first incarnation that took no step.
func Born(m spec.Machine, id spec.ID, ring []spec.ID) any {
	traits := m.Traits()
	state, _ := m.Step(id, ring, traits.Zero, spec.Event{Kind: spec.Init})
	return traits.Stable(state)
}
