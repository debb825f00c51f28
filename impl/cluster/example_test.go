package cluster_test

import (
	"fmt"
	"time"

	"interleave/impl/cluster"
	"interleave/impl/cluster/network"
	"interleave/spec/bully"
)

// A cluster is asked for by its Config; what of it makes no sense is told before
// cluster.Run starts it.
func ExampleConfig_Warnings() {
	c := cluster.Config{
		Machine: bully.Mended, N: 3, Duration: time.Minute, Delta: 50 * time.Millisecond,
		Plan:    cluster.Plan{Seed: 7, Faults: network.Faults{Loss: 100_000, Delay: network.Span{Max: 80 * time.Millisecond}}},
		Program: []string{"mc", "node"}, Dir: "run",
	}
	for _, w := range c.Warnings() {
		fmt.Println(w)
	}
	// Output: packets take up to 80ms, longer than δ, 50ms: raise --delta, or the timers are too short
}
