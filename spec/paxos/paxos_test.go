package paxos

import (
	"testing"

	"interleave/spec/spectest"
)

func TestDuties(t *testing.T) {
	spectest.Run(t, SingleDecree)
	spectest.Run(t, Volatile)
}
