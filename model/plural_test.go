package model

import "testing"

// TestPlural: "crash" is a noun that is counted, too.
func TestPlural(t *testing.T) {
	for _, c := range []struct {
		n          int
		noun, want string
	}{{1, "crash", "1 crash"}, {2, "crash", "2 crashes"}, {0, "message", "0 messages"}, {2, "false report", "2 false reports"}} {
		if got := plural(c.n, c.noun); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	c := Config{Crashes: 2}
	if got, want := c.spentAll(Crashes), "the world allows 2 crashes, and no more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
