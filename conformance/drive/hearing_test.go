package drive

import (
	"testing"

	"interleave/spec"
)

type wary struct {
	Suspects spec.Set
	Heard    uint8
}

// watching calls its peers when it starts, and keeps whom it suspects. What it
// does when one of them is heard again is to be chosen.
func watching(start func(s *wary, p *spec.Proc[string]), restore func(s *wary, p *spec.Proc[string], q spec.ID)) spec.Machine {
	return &spec.Algorithm[wary, string]{
		Name:    "odd/watching",
		Start:   start,
		Receive: func(s *wary, p *spec.Proc[string], _ spec.ID, _ string) { s.Heard++ },
		Suspect: func(s *wary, p *spec.Proc[string], q spec.ID) { s.Suspects = s.Suspects.With(q) },
		Restore: restore,
		Leader:  func(wary) spec.ID { return spec.None },
	}
}

func callAll(_ *wary, p *spec.Proc[string]) { p.Broadcast(p.Others(), "call") }

func callTwice(s *wary, p *spec.Proc[string]) { callAll(s, p); callAll(s, p) }

// TestUnstarted: a process is suspected, sent messages to and taken back, or goes down,
// before it has ever started.
func TestUnstarted(t *testing.T) {
	takeBack := func(s *wary, _ *spec.Proc[string], q spec.ID) { s.Suspects = s.Suspects.Without(q) }
	keep := func(*wary, *spec.Proc[string], spec.ID) {}
	m := watching(callAll, takeBack)
	const eventual = " detector=eventual suspicions=1"
	for _, c := range []struct {
		axes    string
		classes int
	}{
		{"n=2" + eventual, 10},
		{"n=3" + eventual, 50},
		{"n=2 crashes=1 recoveries=1" + eventual, 10},
		{"n=2 crashes=1 recoveries=1 network=bag" + eventual, 10},
	} {
		drives(t, m, m, c.axes, Agrees, c.classes)
		drives(t, m, watching(callTwice, takeBack), c.axes, Unexpected, 0)
		drives(t, m, watching(callAll, keep), c.axes, Wrong, 0)
	}
}
