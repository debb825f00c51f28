package ui

import (
	"fmt"

	"interleave/explore"
)

// The exit statuses. As errors they have been told already.
const (
	ExitHolds        Status = iota // everything that was asked holds
	ExitViolated                   // a property is violated
	ExitUsage                      // bad input
	ExitInconclusive               // not decided, or only bounded where --exhaustive was asked
	ExitContradicted               // mc contradicts itself, a trace no longer replays, a certificate proves nothing, or it is in trouble
)

// Status is an error that has been told already and only sets the status.
type Status int

func (e Status) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Hinted is an error with a remedy.
type Hinted struct {
	error
	Hint string
}

func (h Hinted) Unwrap() error { return h.error }

// Hint adds a remedy to an error.
func Hint(err error, remedy string) error { return Hinted{err, remedy} }

// Troubled is an error that is not of the input.
type Troubled struct{ error }

func (e Troubled) Unwrap() error { return e.error }

// Trouble says that an error is not of the input.
func Trouble(err error) error { return Troubled{err} }

// VerdictStatus returns the status that a verdict means; nil if all is well.
func VerdictStatus(v explore.Verdict, exhaustive bool) error {
	switch v {
	case explore.Verified:
		return nil
	case explore.Violated:
		return ExitViolated
	case explore.Bounded:
		if !exhaustive {
			return nil
		}
	}
	return ExitInconclusive
}
