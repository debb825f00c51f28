package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"interleave/explore"
	"interleave/properties"
)

// TestProgressLines: each engine has a line of its own, and a lossy store says
// what it may have omitted.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	p := &progress{tool: &tool{err: &out}, prefix: "1/2: "}
	p.growth(properties.Growth{Doing: "chaining", Nodes: 1234, Elapsed: time.Second})
	p.report(explore.Stats{States: 5, Elapsed: time.Second, Loss: explore.Loss{Omitted: .25}})
	p.report(explore.Stats{States: 5, Elapsed: time.Second})
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		want := []string{"mc: 1/2: chaining: 1,234 nodes, ", "B, perhaps 0.25 omitted", " states, "}[i]
		if !strings.Contains(line, want) || i == 2 && strings.Contains(line, "omitted") {
			t.Errorf("line %d: %s", i, line)
		}
	}
}
