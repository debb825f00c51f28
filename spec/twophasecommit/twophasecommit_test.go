package twophasecommit

import (
	"testing"

	"interleave/spec/spectest"
)

func TestDuties(t *testing.T) {
	spectest.Run(t, Published)
	spectest.Run(t, Mended)
}
