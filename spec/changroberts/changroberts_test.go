package changroberts

import (
	"testing"

	"interleave/spec/spectest"
)

func TestDuties(t *testing.T) {
	spectest.Run(t, Textbook)
	spectest.Run(t, Naive)
	spectest.Run(t, Classic)
	spectest.Run(t, Detecting)
}
