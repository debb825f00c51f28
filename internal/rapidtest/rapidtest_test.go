package rapidtest

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// told is a test that is told of errors, and does not fail.
type told struct {
	testing.TB
	errors int
}

func (t *told) Error(...any) { t.errors++ }
func (t *told) Failed() bool { return t.errors > 0 }

// TestNeverSeen: what is never seen is an error, and is not waited for without end; and
// nothing is tried again after an error.
func TestNeverSeen(t *testing.T) {
	never := errors.New("never")
	waits, rounds := &told{TB: t}, 0
	Rounds(waits, func() error { return never }, func() { rounds++ })
	if waits.errors != 1 || rounds != most {
		t.Errorf("%d errors after %d rounds", waits.errors, rounds)
	}
	fails := &told{TB: t}
	rounds = 0
	Rounds(fails, func() error { return never }, func() { rounds++; fails.Error() })
	if fails.errors != 1 || rounds != 1 {
		t.Errorf("%d errors after %d rounds that fail", fails.errors, rounds)
	}
}

// TestUntil: a rare thing is waited for, and no longer.
func TestUntil(t *testing.T) {
	checks, rare := 0, 0
	missing := func() error {
		if rare == 0 {
			return errors.New("nothing rare")
		}
		return nil
	}
	Until(t, missing, func(t *rapid.T) {
		if checks++; checks == 250 {
			rare++
		}
	})
	if rare != 1 || checks > 250+1000 {
		t.Errorf("%d checks, of which %d are rare", checks, rare)
	}
}
