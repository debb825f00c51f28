package drive

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/spec"
	"interleave/spec/catalog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write testdata anew")

// world returns the home world of a machine with some axes set, as in
// "n=3 crashes=1".
func world(t testing.TB, m spec.Machine, axes string) model.Config {
	t.Helper()
	c, err := model.Home(m, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, axis := range strings.Fields(axes) {
		name, value, _ := strings.Cut(axis, "=")
		if err := c.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Check(m); err != nil {
		t.Fatal(err)
	}
	return c
}

func find(t testing.TB, name string) spec.Machine {
	t.Helper()
	for _, list := range [][]spec.Machine{catalog.Machines, catalog.Mutants} {
		for _, m := range list {
			if m.Traits().Name == name {
				return m
			}
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}

// told tells a report in lines.
func told(r *Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d states, %d of %d classes, %d runs, %d steps\n", r.States, r.Classes.Covered, r.Classes.Total, r.Runs, r.Steps)
	for _, k := range r.Kinds {
		fmt.Fprintf(&b, "  %s %d", k.Kind, k.Performed)
		if !k.Possible {
			b.WriteString(", and not possible")
		}
		b.WriteString("\n")
	}
	if r.Refusals.Total > 0 {
		fmt.Fprintf(&b, "  refuses in %d of %d classes\n", r.Refusals.Covered, r.Refusals.Total)
	}
	reasons := map[string]int{}
	var order []string
	for _, u := range r.Uncovered {
		if reasons[u.Reason]++; reasons[u.Reason] == 1 {
			order = append(order, u.Reason)
		}
	}
	for _, reason := range order {
		fmt.Fprintf(&b, "  %d not: %s\n", reasons[reason], reason)
	}
	return b.String()
}

// TestHome drives every algorithm of the catalogue through its own world of three
// processes. The coverage of each is pinned: nothing may be left out.
func TestHome(t *testing.T) {
	var all strings.Builder
	for _, m := range catalog.Machines {
		name := m.Traits().Name
		axes := ""
		switch family, _, _ := strings.Cut(name, "/"); family {
		case "ble":
			axes = "n=2" // three of them have millions of states
		case "paxos":
			axes = "n=2 bound=3" // its second ballot takes three
		}
		report, err := Cover(t.Context(), m, world(t, m, axes), Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if report.Verdict != Agrees || report.Classes.Covered != report.Classes.Total || report.Bounded {
			t.Errorf("%s: %v\n%s", name, report.Disagreement, told(report))
		}
		fmt.Fprintf(&all, "%s %s\n%s", name, axes, told(report))
	}
	golden(t, "testdata/home.txt", all.String())
}

// TestOddText: what JSON may write in two ways is logged as it is compared, in a state, a
// message, what outlives a crash, and what a user is told.
func TestOddText(t *testing.T) {
	const odd = "<a&b>\u2028\x7f\"\\/é"
	m := &spec.Algorithm[string, string]{
		Name:    "odd/text",
		Receive: func(s *string, p *spec.Proc[string], _ spec.ID, m string) { *s = m; p.Output(m) },
		Recover: func(*string, *spec.Proc[string]) {},
		Stable:  func(s string) string { return s },
		Election: &spec.Election[string, string]{
			Notice: func(s *string, p *spec.Proc[string]) {
				if *s != "" {
					p.Refuse()
					return
				}
				*s = odd
				p.Broadcast(p.Others(), odd+"?")
			},
			Leader: func(string) spec.ID { return spec.None },
		},
	}
	report, err := Cover(t.Context(), m, world(t, m, "n=2 crashes=1 recoveries=1"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != Agrees || report.Classes.Covered != report.Classes.Total {
		t.Errorf("%v\n%s", report.Disagreement, told(report))
	}
}

// TestWorlds drives through worlds in which things go wrong. What is not covered,
// and why, is pinned.
func TestWorlds(t *testing.T) {
	testsize.Alone(t)
	var all strings.Builder
	for _, w := range []struct{ machine, axes string }{
		{"bully/mended", "crashes=1"},
		{"bully/mended", "crashes=1 split=true"},
		{"bully/mended", "start=leader-down timers=any"},
		{"bully/mended", "n=2 crashes=1 recoveries=1 timers=any"},
		{"bully/mended", "n=2 losses=1 timers=any"},
		{"bully/mended", "n=2 partitions=1 timers=any"},
		{"bully/mended", "n=2 network=bag duplicates=1"},
		{"strike-bully/published", "n=2 crashes=1 recoveries=1 timers=any"},
		{"fast-bully/mended", "n=2 crashes=1 recoveries=1"},
		{"chang-roberts/classic", "initiators=1,3 ring=3,1,2"},
		{"chang-roberts/classic", "n=2 crashes=1 recoveries=1 initiators=all"},
		{"chang-roberts/detecting", "crashes=1"},
		{"chang-roberts/detecting", "n=2 detector=eventual crashes=1 suspicions=1"},
		{"chang-roberts/textbook", "crashes=1"},
		{"token-ring/mended", "n=2 crashes=1"},
		{"ble/mended", "n=2 crashes=1 recoveries=1 network=set"},
		{"ble/mended", "n=2 crashes=1 recoveries=1 network=set bound=1 split=true"},
		{"sync-bully/mended", "crashes=1"},
		{"sync-ring/published", "crashes=1"},
		{"itai-rodeh/published", "n=2 network=bag"},
		{"two-phase-commit/mended", "crashes=1 split=true"},
		{"two-phase-commit/published", "crashes=1 recoveries=1"},
		{"paxos/single-decree", "n=2 crashes=1 recoveries=1"},
		{"lock/mended", "crashes=1"},
	} {
		m := find(t, w.machine)
		report, err := Cover(t.Context(), m, world(t, m, w.axes), Options{MaxStates: 50_000})
		if err != nil {
			t.Fatalf("%s %s: %v", w.machine, w.axes, err)
		}
		if report.Verdict != Agrees || report.Bounded {
			t.Errorf("%s %s: %v", w.machine, w.axes, report.Disagreement)
		}
		fmt.Fprintf(&all, "%s %s\n%s", w.machine, w.axes, told(report))
	}
	golden(t, "testdata/worlds.txt", all.String())
}

// golden compares a text with a file.
func golden(t *testing.T, name, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != text {
		t.Errorf("%s is not as it was; go test -update writes it anew:\n%s", name, text)
	}
}

// TestBounded: of a model that has more states than were looked at, nothing is said.
func TestBounded(t *testing.T) {
	m := find(t, "bully/mended")
	for states, want := range map[int]Verdict{20: Unknown, DefaultMaxStates: Agrees} {
		report, err := Cover(t.Context(), m, world(t, m, ""), Options{MaxStates: states})
		if err != nil {
			t.Fatal(err)
		}
		if report.Verdict != want || report.Disagreement != nil || report.Bounded != (want == Unknown) {
			t.Errorf("%d states: %v, %v\n%s", states, report.Verdict, report.Disagreement, told(report))
		}
	}
}

// TestNothing: of processes that never run, since nothing can be driven, nothing is said; and those
// that take a run of no step are compared all the same.
func TestNothing(t *testing.T) {
	idle := func(first uint8) spec.Machine {
		return &spec.Algorithm[uint8, string]{
			Name:     "odd/idle",
			Init:     func(s *uint8, _ *spec.Proc[string]) { *s = first },
			Receive:  func(*uint8, *spec.Proc[string], spec.ID, string) {},
			Election: &spec.Election[uint8, string]{Leader: func(uint8) spec.ID { return spec.None }},
		}
	}
	drives(t, idle(0), idle(1), "n=2", Unknown, 0)
	trace, run := recorded(t, idle(0), "n=2", nil)
	if _, err := Replay(t.Context(), idle(0), idle(0), trace, run); err != nil {
		t.Error(err)
	}
	var d *Disagreement
	if _, err := Replay(t.Context(), idle(0), idle(1), trace, run); !errors.As(err, &d) || d.Verdict != Wrong {
		t.Errorf("processes begin otherwise, and a run of no step finds %v", err)
	}
}
