package conformance

import "testing"

// SetEnough bounds the trials and Minimal by another number until a test ends.
func SetEnough(t *testing.T, steps int) {
	before := enough
	enough = steps
	t.Cleanup(func() { enough = before })
}
