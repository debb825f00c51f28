package rapidtest

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

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
