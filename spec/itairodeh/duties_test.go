package itairodeh

import (
	"testing"

	"interleave/spec/spectest"
)

// TestDuties: those of Published are the same, and it counts rounds without end.
func TestDuties(t *testing.T) { spectest.Run(t, Finite) }
