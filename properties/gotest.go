package properties

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// grace is the time before a test's deadline in which to report what was found.
const grace = 5 * time.Second

// shortStates is where a check stops with go test -short, and testMemory what it may take,
// as mc verify by default.
const (
	shortStates = 100_000
	testMemory  = 8 << 30
)

// tellEvery is how often go test -v shows progress.
const tellEvery = 10 * time.Second

// Test checks machine m in the world c as part of a Go test; without properties, the claims of the
// algorithm. It fails the test unless every property is Verified, and leaves the counterexample in the
// test's artifact directory, for mc replay; go test -artifacts keeps it. Exempt are those of the
// Standard ones whose Note says why they do not count, and what Undecided names. A test that
// passes logs its assumptions, its verdicts and how many states there were, for go test -v.
// For mc replay to know properties of your own, use a cli.Program.
//
// It uses the engine that is quicker, and at most 8 GiB, as mc verify does.
//
// First it replays the traces of m in the folder testdata/traces, where you can keep those of
// earlier failures. A trace that breaks its property again fails the test; one that is no run
// any more is only mentioned.
//
// A test deadline makes the check Inconclusive, which fails too; go test -v shows progress now
// and then. With go test -short it stops at 100,000 states; if something is undecided then, and
// nothing is violated, the test is skipped, and says so.
func Test(t *testing.T, m spec.Machine, c model.Config, props ...Property) *Report {
	t.Helper()
	return Catalogue{}.Test(t, m, c, props...)
}

// Test is Test with a catalogue.
func (k Catalogue) Test(t *testing.T, m spec.Machine, c model.Config, props ...Property) *Report {
	t.Helper()
	return k.test(t, m, c, props, Verified)
}

// TestBounded is Test in a world with a Bound: it passes properties that are Bounded, too. What
// happens eventually cannot be decided there, so a property of runs fails the test unless
// Undecided names it.
func TestBounded(t *testing.T, m spec.Machine, c model.Config, props ...Property) *Report {
	t.Helper()
	return Catalogue{}.TestBounded(t, m, c, props...)
}

// TestBounded is TestBounded with a catalogue.
func (k Catalogue) TestBounded(t *testing.T, m spec.Machine, c model.Config, props ...Property) *Report {
	t.Helper()
	if c.Bound == 0 {
		t.Fatalf("%s: the world has no Bound: take properties.Test", m.Traits().Name)
	}
	return k.test(t, m, c, props, Bounded)
}

// Fuzz is Fuzz with a catalogue.
func (k Catalogue) Fuzz(f *testing.F, m spec.Machine, c model.Config, props ...Property) {
	f.Helper()
	fuzz(f, k, m, c, props)
}

// test is Test, and passes verdicts that are Verified or enough.
func (k Catalogue) test(t *testing.T, m spec.Machine, c model.Config, props []Property, enough Verdict) *Report {
	t.Helper()
	replayCommitted(t, m, filepath.Join("testdata", "traces"), func(name string) (Property, error) {
		return k.Find(m, name, append(slices.Clip(props), NoPanic)...)
	})
	ctx := t.Context()
	if deadline, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-grace))
		defer cancel()
	}
	o := Options{Catalogue: k, Engine: Auto, Workers: runtime.GOMAXPROCS(0), Memory: testMemory}
	if testing.Verbose() {
		o.Progress, o.Growth = nowAndThen(t.Logf, tellEvery)
	}
	if testing.Short() {
		o.MaxStates = shortStates
	}
	r, err := Verify(ctx, m, c, props, o)
	if err != nil {
		t.Fatalf("%s: %v", m.Traits().Name, err)
	}
	var undecided []string
	for i, f := range r.Findings {
		switch {
		case f.Verdict == Verified || f.Verdict == enough || !f.Counts():
		case f.Verdict == Inconclusive && o.MaxStates > 0 && r.Stats.States >= o.MaxStates && ctx.Err() == nil:
			undecided = append(undecided, f.Name)
		default:
			fail(t, m, r, i)
		}
	}
	if !t.Failed() && undecided == nil && r.Verdict != Verified && r.Verdict != enough {
		t.Errorf("%s: %v: %s", r.Algorithm, r.Verdict, r.Why)
	}
	if t.Failed() && r.Verdict == Inconclusive {
		t.Logf("%s: %s; %s", r.Algorithm, howFar(r.Stats), remedy(r))
	}
	if !t.Failed() {
		logReport(t, r)
	}
	if undecided != nil && !t.Failed() {
		t.Skipf("%s: not decided among the first %d states, where -short stops: %s", r.Algorithm, o.MaxStates, strings.Join(undecided, ", "))
	}
	return r
}

// remedy says what may help where a check decides too little.
func remedy(r *Report) string {
	switch left := r.BoundLeaves(); {
	case r.CountsOn():
		return "a Bound, for properties.TestBounded, keeps what processes remember from growing without end, and mc verify shows how it goes"
	case left != nil:
		return fmt.Sprintf("a bounded world cannot decide %s: leave them out, or name them with properties.Undecided", strings.Join(left, ", "))
	case !r.Stats.CutShort():
		return "name with properties.Undecided what may stay undecided"
	}
	return "fewer processes or failures make it smaller, -timeout gives it longer, and mc verify shows how it goes"
}

// howFar says how far a check has come.
func howFar(s Stats) string {
	text := fmt.Sprintf("%d states were found", s.States)
	if s.Frontier > 0 {
		text += fmt.Sprintf(", %d of them not expanded", s.Frontier)
	}
	if s.Because != "" {
		text += "; " + s.Because
	}
	return text
}

// nowAndThen returns functions that report progress, but not too often.
func nowAndThen(tell func(format string, args ...any), every time.Duration) (func(explore.Stats), func(Growth)) {
	last := time.Now()
	due := func() bool {
		if time.Since(last) < every {
			return false
		}
		last = time.Now()
		return true
	}
	listed := func(s explore.Stats) {
		if due() {
			tell("%d states, depth %d, frontier %d", s.States, s.Depth, s.Frontier)
		}
	}
	grown := func(g Growth) {
		if due() {
			tell("%s: %d nodes", g.Doing, g.Nodes)
		}
	}
	return listed, grown
}

// fail reports the finding numbered i, and leaves its counterexample.
func fail(t *testing.T, m spec.Machine, r *Report, i int) {
	t.Helper()
	f := r.Findings[i]
	t.Errorf("%s: %s %v: %s", r.Algorithm, f.Name, f.Verdict, f.Why)
	if f.OnlyLuck {
		t.Logf("%s: %s", f.Name, OnlyLuck)
	}
	if f.Verdict == Bounded {
		t.Logf("%s: properties.TestBounded passes what holds as far as the Bound of its world", f.Name)
	}
	if f.Trace == nil {
		return
	}
	file := filepath.Join(t.ArtifactDir(), fileName(f.Name, i))
	if err := f.Trace.WriteFile(file); err != nil {
		t.Error(err)
		return
	}
	t.Logf("%s: counterexample at depth %d in %s", f.Name, f.Depth, file)
	for _, line := range formatRun(m, f, r.Findings[:i]) {
		t.Log(line)
	}
}

// fileName returns the name of the file for the counterexample to a property. It has a number if
// characters had to be left out that a file name cannot have.
func fileName(property string, number int) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_()", r) {
			return r
		}
		return '_'
	}, property)
	if name != property {
		name = fmt.Sprintf("%s-%d", name, number+1)
	}
	return name + ".json"
}

// formatRun describes the run of a finding, unless an earlier finding has the same.
func formatRun(m spec.Machine, f Finding, before []Finding) []string {
	for _, g := range before {
		if g.Counts() && g.Trace != nil && g.Trace.SameRun(f.Trace) {
			return []string{fmt.Sprintf("     the run is that to %s: %s", g.Name, f.Trace.Reason)}
		}
	}
	return Format(m, f.Trace, f.Property)
}

// replayCommitted replays the traces of m in a folder, if there is one.
func replayCommitted(t *testing.T, m spec.Machine, folder string, find func(name string) (Property, error)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		trace, err := readTraceFile(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if trace.Algorithm != m.Traits().Name {
			continue
		}
		p, err := find(trace.Property)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		_, _, reason, err := Replay(m, trace, p)
		switch {
		case err == nil:
			t.Errorf("%s: %s is false again: %s", file, trace.Property, reason)
			for _, line := range Format(m, trace, p) {
				t.Log(line)
			}
		case errors.Is(err, ErrHolds) || errors.As(err, new(*model.ReplayError)):
			t.Logf("%s: it does not happen any more: %v", file, err)
		default:
			t.Errorf("%s: %v", file, err)
		}
	}
}

func readTraceFile(name string) (*model.Trace, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	trace, err := model.ReadTrace(f)
	if err != nil {
		return nil, fmt.Errorf("it is not a trace as mc wrote it: %w", err)
	}
	if strings.TrimSpace(trace.Property) == "" {
		return nil, errors.New("it names no property")
	}
	return trace, nil
}
