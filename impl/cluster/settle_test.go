package cluster

import (
	"testing"
	"time"

	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/syncbully"
)

// TestSettle: the processes of lock step have some rounds more to agree.
func TestSettle(t *testing.T) {
	for _, row := range []struct {
		machine spec.Machine
		want    time.Duration // for a delta of a second
	}{{bully.Mended, 2*17*time.Second + 10*time.Second}, {syncbully.Mended, 2*8*time.Second + 10*time.Second + 60*time.Second}} {
		c, err := Config{Machine: row.machine, N: 3, Program: []string{"mc"}, Duration: time.Second, Delta: time.Second}.complete()
		if err != nil || c.Settle != row.want {
			t.Errorf("%s: %v, %v; want %v", row.machine.Traits().Name, c.Settle, err, row.want)
		}
	}
}
