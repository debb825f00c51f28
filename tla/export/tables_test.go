package export

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/tla"
)

// TestChangedTables: a row that is missing or altered is noticed.
func TestChangedTables(t *testing.T) {
	for _, c := range []struct {
		world, old, new string
		known           explore.Verdict
	}{
		{"bully/mended n=2", `[after |-> 4, asks |-> {}, event |-> "notice"`, `[after |-> 3, asks |-> {}, event |-> "notice"`, explore.Verified},
		{"bully/mended n=2", `message |-> "OK", sends |-> <<<<>>, <<>>>>]`, `message |-> "NOTHING", sends |-> <<<<>>, <<>>>>]`, explore.Violated},
		{"bully/mended n=2 network=bag", `[copies |-> 1,`, `[copies |-> 2,`, explore.Verified},
		{"chang-roberts/textbook n=2", `Begin == <<`, "Begin == <<\n[initiator |-> 2, other |-> 2],", explore.Verified},
		{"bully/mended n=2 crashes=1", `Cardinality(Live) < 1`, `Cardinality(Live) < 2`, explore.Verified},
		{"bully/mended n=2 crashes=1", `EXCEPT ![p] = Empty]`, `EXCEPT ![p] = @]`, explore.Verified},
		{"bully/mended n=2", `\notin Awaited`, `\in Awaited`, explore.Verified},
		{"bully/mended n=2 crashes=1", `c.of \cap Live = {}`, `TRUE`, explore.Verified},
		{"bully/mended n=2 crashes=2 recoveries=1 timers=mixed", `r.spends = "recoveries" => recoveries < 1`, `r.spends = "recoveries" => recoveries < 2`, explore.Verified},
		{"token-ring/mended n=2", `r.next \in { 0, NextLive(p) }`, `TRUE`, explore.Verified},
		{"test/errand n=2", `[after |-> 9, choices |-> <<1>>`, `[after |-> 8, choices |-> <<1>>`, explore.Verified},
		{"test/errand n=2", `r.spends = "action_0" => action_0 < 2`, `r.spends = "action_0" => action_0 < 3`, explore.Verified},
	} {
		machine, world := worldOf(t, c.world)
		m, err := Algorithm(t.Context(), machine, world, "a test")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(m.Text, c.old) {
			t.Errorf("the module of %s does not hold %s", c.world, c.old)
			continue
		}
		m.Text = strings.ReplaceAll(m.Text, c.old, c.new)
		read := reread(t, m)
		if r := bisimilar(t, machine, world, read); r.Difference == nil {
			t.Errorf("%s: %s for %s is not noticed", c.world, c.new, c.old)
		}
		if c.known == explore.Violated {
			checked, err := read.Check(t.Context(), tla.Options{})
			if err != nil || checked.Findings[0].Name != "Known" || checked.Findings[0].Verdict != explore.Violated {
				t.Errorf("%s: a row is missing, and Known is not violated: %+v, %v", c.world, checked, err)
			}
		}
	}
}

// fragile panics when it is told something.
var fragile = &spec.Algorithm[bool, bool]{
	Name: "test/fragile", Doc: "Breaks.", Source: "this test", Election: &spec.Election[bool, bool]{Leader: func(bool) spec.ID { return spec.None }},
	Start: func(_ *bool, p *spec.Proc[bool]) { p.Send(1, true) },
	Receive: func(s *bool, p *spec.Proc[bool], _ spec.ID, m bool) {
		if *s {
			panic("told twice")
		}
		*s = m
	},
}

func TestPanic(t *testing.T) {
	c := model.Config{N: 2}
	m, err := Algorithm(t.Context(), fragile, c, "a test")
	if err != nil {
		t.Fatal(err)
	}
	checked, err := reread(t, m).Check(t.Context(), tla.Options{Continue: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := properties.Verify(t.Context(), fragile, c, nil, properties.Options{Catalogue: election.Catalogue, Continue: true})
	if err != nil || r.Verdict != properties.Violated {
		t.Fatal(r, err)
	}
	at := slices.IndexFunc(checked.Findings, func(f tla.Finding) bool { return f.Name == "No_panic" })
	if at < 0 || checked.Findings[at].Verdict != explore.Violated || len(checked.Findings[at].Trace.States) != 4 {
		t.Errorf("%+v", checked.Findings)
	}
}

// fickle remembers whom it suspects.
var fickle = &spec.Algorithm[spec.Set, bool]{
	Name: "test/fickle", Doc: "Suspects.", Source: "this test", Election: &spec.Election[spec.Set, bool]{Leader: func(spec.Set) spec.ID { return spec.None }},
	Receive: func(*spec.Set, *spec.Proc[bool], spec.ID, bool) {},
	Suspect: func(s *spec.Set, p *spec.Proc[bool], q spec.ID) { *s = s.With(q); p.Send(q, true) },
	Restore: func(s *spec.Set, _ *spec.Proc[bool], q spec.ID) { *s = s.Without(q) },
}

// TestRestore: no algorithm of the catalogue has its suspicions withdrawn.
func TestRestore(t *testing.T) {
	c := model.Config{N: 2, Detector: model.Eventual, Suspicions: 1, Crashes: 1, Recoveries: 1, Network: model.Set}
	m, err := Algorithm(t.Context(), fickle, c, "a test")
	if err != nil {
		t.Fatal(err)
	}
	read := reread(t, m)
	if r := bisimilar(t, fickle, c, read); r.Difference != nil || !r.Complete || r.States < 20 {
		t.Errorf("%d states, %+v", r.States, r.Difference)
	}
	verified, err := properties.Verify(t.Context(), fickle, c, nil, properties.Options{Catalogue: election.Catalogue, Engine: properties.Explicit, Continue: true})
	if err != nil {
		t.Fatal(err)
	}
	checked, err := read.Check(t.Context(), tla.Options{Continue: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, violated := sameVerdicts(t, m, verified, checked); violated == 0 {
		t.Error("nobody leads, and nothing is violated")
	}
	m.Text = strings.Replace(m.Text, `c.of \subseteq Live`, "TRUE", 1)
	if r := bisimilar(t, fickle, c, reread(t, m)); r.Difference == nil {
		t.Error("suspicions of the dead may be withdrawn, and nothing is noticed")
	}
}

// picky asks once and is answered three times, refuses 2 from whom it has heeded, and begins
// anew when nothing more can come.
var picky = &spec.Algorithm[spec.ID, int]{
	Name: "test/picky", Doc: "Refuses.", Source: "this test", Election: &spec.Election[spec.ID, int]{Leader: func(s spec.ID) spec.ID { return s }},
	Start: func(_ *spec.ID, p *spec.Proc[int]) {
		p.Broadcast(p.Others(), 1)
		p.SetTimer(0)
	},
	Receive: func(s *spec.ID, p *spec.Proc[int], from spec.ID, m int) {
		switch {
		case m == 2 && from <= *s:
			p.Refuse()
		case m == 1:
			p.Send(from, 2)
			p.Send(from, 2)
			p.Send(from, 3)
		default:
			*s = from
		}
	},
	Timeout: func(s *spec.ID, _ *spec.Proc[int], _ spec.Timer) { *s = spec.None },
	Suspect: func(s *spec.ID, _ *spec.Proc[int], q spec.ID) { *s = max(*s, q) },
	Rules: []spec.TimerRule[spec.ID, int]{{
		Name: "T", Elects: true, Awaited: func(p, _, to spec.ID, m int) bool { return to == p },
		Silent: func(_ spec.ID, p spec.ID, all spec.Set) spec.Set { return all.Without(p) },
	}},
}

// TestPicky: whoever refuses a message has nobody wait for it to come, nor for what is
// behind it in a queue.
func TestPicky(t *testing.T) {
	for _, c := range []model.Config{
		{N: 2, Network: model.Set, Timers: model.Just},
		{N: 2, Crashes: 1},
		{N: 2, Crashes: 1, Network: model.Bag, Split: true},
		{N: 2, Crashes: 1, Network: model.Set, Timers: model.Any, Detector: model.Flushed},
	} {
		m, err := Algorithm(t.Context(), picky, c, "a test")
		if err != nil {
			t.Fatal(err)
		}
		read := reread(t, m)
		if r := bisimilar(t, picky, c, read); r.Difference != nil || !r.Complete || r.States < 20 {
			t.Errorf("%+v: %d states, %+v", c, r.States, r.Difference)
		}
		m.Text = strings.ReplaceAll(m.Text, `e \in Outstanding(`, `e \in Flying(`)
		if r := bisimilar(t, picky, c, reread(t, m)); r.Difference == nil {
			t.Errorf("%+v: what is refused is waited for, and nothing is noticed", c)
		}
	}
}

// TestKept: a crash before the first send of a step makes a difference where something new
// is kept, and when a process comes up as well.
func TestKept(t *testing.T) {
	diary := &spec.Algorithm[int, bool]{
		Name: "test/diary", Doc: "Keeps a number.", Source: "this test", Election: &spec.Election[int, bool]{Leader: func(int) spec.ID { return spec.None }},
		Start: func(_ *int, p *spec.Proc[bool]) { p.Send(1, true) },
		Receive: func(s *int, p *spec.Proc[bool], from spec.ID, ask bool) {
			if ask {
				*s = min(*s+1, 2)
				p.Send(from, false)
			}
		},
		Recover: func(s *int, p *spec.Proc[bool]) {
			*s = max(*s, 1)
			p.Send(1, true)
		},
		Stable: func(s int) int { return s },
	}
	c := model.Config{N: 2, Crashes: 2, Recoveries: 1, Split: true}
	m, err := Algorithm(t.Context(), diary, c, "a test")
	if err != nil {
		t.Fatal(err)
	}
	if r := bisimilar(t, diary, c, reread(t, m)); r.Difference != nil || !r.Complete || r.States < 100 {
		t.Errorf("%d states, %+v", r.States, r.Difference)
	}
}

// TestNobodyBegan: where nobody ought to be elected, whoever knows no leader knows none.
func TestNobodyBegan(t *testing.T) {
	m := &spec.Algorithm[spec.ID, int]{
		Name: "test/shy", Doc: "Leads if it begins.", Source: "this test", Election: &spec.Election[spec.ID, int]{Leader: func(s spec.ID) spec.ID { return s }, Wins: spec.SmallestInitiator},
		Start: func(s *spec.ID, p *spec.Proc[int]) {
			if p.Initiator() {
				*s = p.ID
			}
		},
		Receive: func(*spec.ID, *spec.Proc[int], spec.ID, int) {},
	}
	c := model.Config{N: 1, Initiators: model.Initiators{Any: true}}
	verified, err := properties.Verify(t.Context(), m, c, nil, properties.Options{Catalogue: election.Catalogue, Continue: true})
	if err != nil {
		t.Fatal(err)
	}
	exported, err := Algorithm(t.Context(), m, c, "a test")
	if err != nil {
		t.Fatal(err)
	}
	checked, err := reread(t, exported).Check(t.Context(), tla.Options{Continue: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, violated := sameVerdicts(t, exported, verified, checked); violated == 0 {
		t.Error("it follows nobody, and nothing is violated")
	}
}

// TestValid: some follow one that has not begun, or need not have.
func TestValid(t *testing.T) {
	hasty := spec.Algorithm[spec.ID, bool]{
		Name: "test/hasty", Doc: "Follows.", Source: "this test", Election: &spec.Election[spec.ID, bool]{Leader: func(s spec.ID) spec.ID { return s }},
		Start:   func(s *spec.ID, p *spec.Proc[bool]) { *s = 2 },
		Receive: func(*spec.ID, *spec.Proc[bool], spec.ID, bool) {},
	}
	smallest := hasty
	smallest.Election.Wins, smallest.Start = spec.SmallestInitiator, func(s *spec.ID, p *spec.Proc[bool]) { *s = p.ID }
	for _, machine := range []*spec.Algorithm[spec.ID, bool]{&hasty, &smallest} {
		c := model.Config{N: 2, Initiators: model.Initiators{Any: true}, Network: model.Set}
		m, err := Algorithm(t.Context(), machine, c, "a test")
		if err != nil {
			t.Fatal(err)
		}
		verified, err := properties.Verify(t.Context(), machine, c, nil, properties.Options{Catalogue: election.Catalogue, Engine: properties.Explicit, Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(verified.Findings, func(f properties.Finding) bool { return f.Property.Name == "leader-took-part" })
		if verified.Findings[at].Verdict != properties.Violated {
			t.Errorf("%+v", verified.Findings[at])
		}
		checked, err := reread(t, m).Check(t.Context(), tla.Options{Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		sameVerdicts(t, m, verified, checked)
	}
}

func TestRefused(t *testing.T) {
	for world, want := range map[string]string{
		"sync-bully/published n=2": "have no tables of local steps",
		"bully/mended n=2 timers=timed delta=1 durations=T_ok=3,T_coord=5,notice=3": "have no tables of local steps",
		"ble/mended n=2 bound=0":           "more than 20000 local steps",
		"bully/mended n=2 ring=descending": "does not use the ring",
	} {
		machine, c := worldOf(t, world)
		if _, err := Algorithm(t.Context(), machine, c, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", world, err, want)
		}
	}
}

// TestNumbers: a number is written as it is, or refused, whether it is sent or
// remembered.
func TestNumbers(t *testing.T) {
	const largest, beyond = 1<<63 - 1, "9223372036854775809 is beyond the integers of 64 bits"
	for _, numbers := range []struct {
		sent, kept uint64
		want       string
	}{{largest, largest, ""}, {largest + 2, 1, beyond}, {1, largest + 2, beyond}} {
		counts := &spec.Algorithm[[1]uint64, struct{ N uint64 }]{
			Name: "test/counts", Doc: "Counts.", Source: "this test", Election: &spec.Election[[1]uint64, struct{ N uint64 }]{Leader: func([1]uint64) spec.ID { return spec.None }},
			Start: func(_ *[1]uint64, p *spec.Proc[struct{ N uint64 }]) { p.Send(1, struct{ N uint64 }{numbers.sent}) },
			Receive: func(s *[1]uint64, _ *spec.Proc[struct{ N uint64 }], _ spec.ID, _ struct{ N uint64 }) {
				s[0] = numbers.kept
			},
		}
		c := model.Config{N: 1}
		r, err := properties.Verify(t.Context(), counts, c, nil, properties.Options{Catalogue: election.Catalogue, Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(r.Findings, func(f properties.Finding) bool { return f.Trace != nil && len(f.Trace.Steps) == 2 })
		if at < 0 {
			t.Fatal("nobody leads, and no run shows it")
		}
		reference, run, err := model.Replay(counts, r.Findings[at].Trace)
		if err != nil {
			t.Fatal(err)
		}
		trace, runErr := Run(counts, reference, run, 0)
		m, err := Algorithm(t.Context(), counts, c, "a test")
		if numbers.want != "" {
			if runErr == nil || err == nil || !strings.Contains(err.Error(), "test/counts: "+numbers.want) || runErr.Error() != err.Error() {
				t.Errorf("%+v: %v, %v", numbers, runErr, err)
			}
			continue
		}
		if runErr != nil || err != nil {
			t.Fatal(runErr, err)
		}
		for _, m := range []*Module{m, Trace("M", trace, "")} {
			if checked, err := reread(t, m).Check(t.Context(), tla.Options{}); err != nil || checked.Stats.States != 3 || !strings.Contains(m.Text, "9223372036854775807") {
				t.Errorf("%+v, %v", checked, err)
			}
		}
	}
}

var (
	distinct = regexp.MustCompile(`(?m)^\d+ states generated, (\d+) distinct states found, 0 states left on queue\.$`)
	broken   = regexp.MustCompile(`(?m)^Error: (?:Invariant|Action property) (\w+) is violated`)
)

// TestAgainstTLC: where TLA2TOOLS_JAR names the TLA+ tools, TLC finds the states of
// mc verify in exported modules, and no other properties violated.
func TestAgainstTLC(t *testing.T) {
	jar := os.Getenv("TLA2TOOLS_JAR")
	if jar == "" {
		t.Skip("TLA2TOOLS_JAR is not set")
	}
	for _, w := range worlds {
		t.Run(strings.ReplaceAll(w, "/", "-"), func(t *testing.T) {
			machine, c := worldOf(t, w)
			m, err := Algorithm(t.Context(), machine, c, "a test")
			if err != nil {
				t.Fatal(err)
			}
			r, err := properties.Verify(t.Context(), machine, c, nil, properties.Options{Catalogue: election.Catalogue, Engine: properties.Explicit, Continue: true})
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, f := range r.Findings {
				if name, ok := m.Tells(f.Property); ok && f.Verdict == properties.Violated {
					want = append(want, name)
				}
			}
			folder := t.TempDir()
			for name, text := range map[string]string{m.Name + ".tla": m.Text, m.Name + ".cfg": m.Config} {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", jar, "tlc2.TLC",
				"-workers", "1", "-continue", "-noGenerateSpecTE", "-metadir", filepath.Join(folder, "meta"), m.Name)
			cmd.Dir = folder
			out, err := cmd.CombinedOutput()
			found := distinct.FindSubmatch(out)
			if found == nil || string(found[1]) != strconv.Itoa(r.Stats.States) {
				t.Fatalf("%v, want %d states:\n%.3000s", err, r.Stats.States, out)
			}
			var got []string
			for _, s := range broken.FindAllSubmatch(out, -1) {
				got = append(got, string(s[1]))
			}
			// Of a state in which several are false, TLC tells one.
			wrong := slices.ContainsFunc(got, func(name string) bool { return !slices.Contains(want, name) })
			if wrong || len(got) == 0 && len(want) > 0 {
				t.Errorf("TLC finds %v violated, mc verify %v", got, want)
			}
			t.Logf("%d states, violated: %v", r.Stats.States, want)
		})
	}
}
