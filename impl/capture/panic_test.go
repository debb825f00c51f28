package capture

import (
	"errors"
	"testing"
)

// broken is a source that panics.
type broken struct{}

func (broken) next() (raw, error) { panic("division by zero") }
func (broken) dropped() uint64    { return 0 }
func (broken) close()             {}

// TestPanic wants an error, for good, where the library panics.
func TestPanic(t *testing.T) {
	r := newReader(broken{}, Options{})
	for range 2 {
		if _, err := r.Next(); !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
	}
}
