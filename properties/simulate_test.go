package properties_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/catalog"
)

// planted are bugs that a search finds in a small world, and a property that shows it. Most need a fault, or a timer, at a
// moment that is rare.
var planted = []struct {
	mutant, property, axes string
	missed                 string // by schedulers that do not find it in so few runs
}{
	{"bully/mended~backward", "agreement", "n=3 network=set crashes=1 timers=any", "uniform"},
	{"bully/mended~loyal", "agreement", "n=3 crashes=1", ""},
	{"bully/mended~patient", "agreement", "n=2 crashes=1 split=true", ""},
	{"fast-bully/mended~usurper", "leader-is-top-or-crashed", "n=3 crashes=1", ""},
	{"fast-bully/mended~meek", "agreement-on-top", "n=2 crashes=1 recoveries=1", ""},
	{"token-ring/mended~careless", "R-live", "n=2 crashes=1", ""},
	{"token-ring/mended~once", "agreement", "n=2 network=set crashes=1 timers=mixed", ""},
	{"itai-rodeh/finite~idle", "no-deadlock", "n=3", ""},
	{"lock/mended~credulous", "exclusion", "n=4 crashes=1", ""},
	{"lock/mended~loyal", "served", "n=4 crashes=1", ""},
	{"two-phase-commit/mended~fickle", "atomicity", "n=3 network=set crashes=1 timers=any", "uniform"},
	{"two-phase-commit/mended~undecided", "no-needless-block", "n=3 network=set crashes=1 timers=any", ""},
	{"two-phase-commit/mended~silent", "no-needless-block", "n=2 crashes=1 recoveries=1", ""},
	{"paxos/single-decree~impatient", "consistency", "n=3", ""},
}

// worldOf returns a machine of the catalogue or one of its mutants, by name, in a world.
func worldOf(t *testing.T, name, axes string) (m spec.Machine, c model.Config) {
	t.Helper()
	all := slices.Concat(catalog.Machines, catalog.Mutants)
	at := slices.IndexFunc(all, func(m spec.Machine) bool { return m.Traits().Name == name })
	if at < 0 {
		t.Fatal("there is no ", name)
	}
	m = all[at]
	for _, axis := range strings.Fields(axes) {
		name, value, _ := strings.Cut(axis, "=")
		var err error
		if name == "n" {
			c, err = model.Home(m, int(value[0]-'0'))
		} else {
			err = c.Set(name, value)
		}
		if err != nil {
			t.Fatal(axis, err)
		}
	}
	return m, c
}

// simulate is Simulate with the catalogue of elections; an error fails the test.
func simulate(t *testing.T, m spec.Machine, c model.Config, o properties.SimulateOptions, props ...properties.Property) *properties.Simulation {
	t.Helper()
	o.Catalogue = election.Catalogue
	s, err := properties.Simulate(t.Context(), m, c, props, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSimulateFinds: every scheduler finds what a search finds. The run that shows it violates the property, and none of
// its steps can be left out.
func TestSimulateFinds(t *testing.T) {
	t.Parallel()
	testsize.Alone(t)
	for _, p := range planted {
		m, c := worldOf(t, p.mutant, p.axes)
		property, ok := election.Named(m, p.property)
		if !ok {
			t.Fatal(p.property)
		}
		for i, name := range properties.SchedulerNames {
			if name == p.missed {
				continue
			}
			s := simulate(t, m, c, properties.SimulateOptions{Scheduler: properties.Scheduler(i), Runs: 8000, Seed: 2}, property)
			if s.Verdict != properties.Violated || s.Stats.Runs != s.Run {
				t.Errorf("%s: %s: %v in run %d of %d", p.mutant, name, s.Verdict, s.Run, s.Stats.Runs)
				continue
			}
			t.Logf("%s: %s finds it in run %d, of %d steps, of which %d are left", p.mutant, name, s.Run, s.RunSteps, s.Findings[0].Depth)
			minimal(t, m, s.Findings[0], s.RunSteps)
		}
	}
}

// minimal fails unless the run of a finding violates its property, has no more steps than it had, and violates it no
// more if one of its events is left out, with all that depends on it.
func minimal(t *testing.T, m spec.Machine, f properties.Finding, steps int) {
	t.Helper()
	r, run, reason, err := election.Replay(m, f.Trace, f.Property)
	if err != nil || reason != f.Why || len(run.Steps) > steps {
		t.Errorf("%s: %v: %s after %d steps, and it had %d", m.Traits().Name, err, reason, len(run.Steps), steps)
		return
	}
	for leave := range run.Steps {
		state := run.States[0]
		for i, step := range run.Steps {
			after, err := r.Do(state, step.Event)
			if i == leave || err != nil {
				continue
			}
			if f.Property.OnStep(r, state, after) != nil || after.Panic == "" && f.Property.InState(r.World(after.After)) != nil {
				t.Errorf("%s: step %d of %d may be left out", m.Traits().Name, leave+1, len(run.Steps))
				return
			}
			state = after.After
		}
	}
}

// TestSimulateForgets: of tables that are thrown away nothing is kept, in particular not by what a property of stabilized
// states remembers.
func TestSimulateForgets(t *testing.T) {
	testsize.Alone(t)
	heap := func() int64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC() // what is held weakly goes only now
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	m, c := worldOf(t, "ble/mended", "n=3")
	before, most, asked := heap(), int64(0), 0
	looks := properties.Stabilized("looks", "", 1, func(*model.World) error {
		if asked++; asked%1000 == 0 {
			most = max(most, heap()-before)
		}
		return nil
	})
	simulate(t, m, c, properties.SimulateOptions{Runs: 20, Steps: 60, Seed: 3, Workers: 1}.Forgetting(), looks)
	if most == 0 || most > 30<<20 {
		t.Errorf("up to %d bytes were held, where the property was asked %d times", most, asked)
	}
}

// TestSimulateRepeats: a seed gives the same report with any number of workers, and whatever tables they keep. Another seed
// gives other runs.
func TestSimulateRepeats(t *testing.T) {
	t.Parallel()
	found, families := 0, map[string]bool{}
	for _, m := range catalog.Machines {
		family, _, _ := strings.Cut(m.Traits().Name, "/")
		if families[family] && !testsize.All() {
			continue
		}
		families[family] = true
		c, err := model.Home(m, 3)
		if err != nil {
			t.Fatal(err)
		}
		if m.Traits().Handles.Has(spec.Recover) && c.Network != model.Rounds {
			c.Recoveries, c.Split = 1, true
		}
		c.Crashes = 1
		if c.Check(m) != nil {
			continue
		}
		o := properties.SimulateOptions{Runs: testsize.Of(20, 20, 300), Steps: 60, Seed: 3}
		if c.Timers == model.Timed { // what is asked of it takes long
			o.Runs, o.Steps = 2, 10
		}
		text := func(o properties.SimulateOptions) string {
			s := simulate(t, m, c, o)
			if s.Verdict == properties.Violated {
				found++
			}
			out, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}
		one := text(o)
		o.Workers = 8
		if many := text(o); many != one {
			t.Errorf("%s: with 8 workers\n%s\nwith one\n%s", m.Traits().Name, many, one)
		}
		o.Workers = 1
		if other := text(o.Forgetting()); other != one {
			t.Errorf("%s: with new tables for each run\n%s\nwith the same\n%s", m.Traits().Name, other, one)
		}
	}
	if found == 0 {
		t.Error("no run violates anything")
	}
	m, c := worldOf(t, "bully/mended", "n=4 crashes=1")
	one := simulate(t, m, c, properties.SimulateOptions{Runs: 50, Seed: 1})
	two := simulate(t, m, c, properties.SimulateOptions{Runs: 50, Seed: 2})
	if one.Stats.Steps == two.Stats.Steps && one.Stats.LocalSteps == two.Stats.LocalSteps {
		t.Error("two seeds give the same runs")
	}
}

// TestPCTBound: a run of PCT finds a bug of depth d with a probability of at least 1/(n k^(d-1)). Here two processes take 10
// steps each, and the bug is that both have taken 5: one of them has to stop after its fifth, which is a bug of depth 2,
// and any of the two may, so that it is found twice as often.
func TestPCTBound(t *testing.T) {
	testsize.Alone(t)
	const each, runs = 10, 4000
	m := odd("steps", func(a *oddState) {
		a.Actions = []spec.Action[int, int]{{Name: "go", Do: func(s *int, p *oddProc) {
			if *s == each {
				p.Refuse()
				return
			}
			*s++
		}}}
	})
	half := properties.Invariant("half", "", func(w *model.World) error {
		if w.State(1) == each/2 && w.State(2) == each/2 {
			return errors.New("both have taken half of their steps")
		}
		return nil
	})
	if s := simulate(t, m, model.Config{N: 2}, properties.SimulateOptions{Scheduler: properties.PCTScheduler, Runs: 100}, []properties.Property{}...); s.Stats.Measured != 84 {
		t.Errorf("the bound is said of other runs than those after the first 16, which do not know how long a run is: %+v", s.Stats)
	}
	for depth, bound := range []float64{1: 1.0 / 2, 2: 1.0 / 2 / (2 * each)} {
		found := 0.0
		for left := runs; depth > 0 && left > 0; {
			s := simulate(t, m, model.Config{N: 2}, properties.SimulateOptions{Scheduler: properties.PCTScheduler, Depth: depth, Runs: left, Steps: 2 * each, Seed: uint64(left)}, half)
			if left -= s.Stats.Runs; s.Verdict == properties.Violated {
				found++
			} else if s.Bound != bound {
				t.Errorf("the bound of depth %d is %g, not %g: %+v", depth, s.Bound, bound, s.Stats)
			}
		}
		expected := 2 * runs * bound
		if depth == 1 && found > 0 || depth == 2 && math.Abs(found-expected) > 4*math.Sqrt(expected) {
			t.Errorf("%g of %d runs of depth %d find it, where %g are expected of depth 2", found, runs, depth, expected)
		}
	}
}

// TestSimulateStats: enough runs of a small world meet every local step that there is, and what is counted adds up.
func TestSimulateStats(t *testing.T) {
	nothing := properties.Invariant("nothing", "", func(*model.World) error { return nil })
	for _, name := range []string{"bully/mended", "lock/mended", "two-phase-commit/mended"} {
		m, c := worldOf(t, name, "n=2 crashes=1")
		s := simulate(t, m, c, properties.SimulateOptions{Runs: 3000, Seed: 1, Scheduler: properties.UniformScheduler}, nothing)
		local, views := reachable(t, m, c)
		if st := s.Stats; st.LocalSteps != local || name != "bully/mended" && st.Views != views || st.LateSteps+st.LateViews > 0 || st.Full {
			t.Errorf("%s: %d local steps and %d views, not %d and %d; %+v", name, st.LocalSteps, st.Views, local, views, st)
		}
		fired := int64(0)
		for _, n := range s.Stats.Fired {
			fired += int64(n)
		}
		if st := s.Stats; st.Rested != st.Runs || st.Unrested+st.CutShort > 0 || fired != st.Steps {
			t.Errorf("%s: %+v", name, st)
		}
	}
	rising := simulate(t, counter, model.Config{N: 1, Timers: model.Any}, properties.SimulateOptions{Runs: 20, Steps: 50}, []properties.Property{}...)
	if st := rising.Stats; st.Unrested != 20 || st.Longest != 50 || st.LocalSteps != 50 {
		t.Errorf("what counts on: %+v", st)
	}
	short := simulate(t, counter, model.Config{N: 1, Timers: model.Any, Bound: 2}, properties.SimulateOptions{Runs: 20}, []properties.Property{}...)
	if st := short.Stats; st.CutShort != 20 || st.Longest != 2 {
		t.Errorf("what the bound ends: %+v", st)
	}
}

// reachable counts what there is: events of processes in their local states, and the tuples of these.
func reachable(t *testing.T, m spec.Machine, c model.Config) (local, views int) {
	t.Helper()
	r, err := model.NewReference(m, c)
	if err != nil {
		t.Fatal(err)
	}
	text := func(v any) string {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	states, steps, tuples := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for todo := r.Initial(); len(todo) > 0; {
		s := todo[0]
		todo = todo[1:]
		if states[s.Key()] {
			continue
		}
		states[s.Key()], tuples[text(s.Locals)] = true, true
		for _, step := range r.Steps(s) {
			steps[text([]any{step.Event, s.Local(step.Event.Process)})] = true
			todo = append(todo, step.After)
		}
	}
	return len(steps), len(tuples)
}

// TestSimulateRefuses: what cannot be judged, or is out of range, is refused.
func TestSimulateRefuses(t *testing.T) {
	m, c := worldOf(t, "bully/mended", "n=2")
	for want, o := range map[string]properties.SimulateOptions{
		"scheduler: there is no number 77": {Scheduler: 77},
		"depth: 21":                        {Depth: 21},
		"runs: -1":                         {Runs: -1},
		"steps: 1000":                      {Steps: 1000001},
		"for: -1ns":                        {For: -1},
	} {
		if _, err := properties.Simulate(t.Context(), m, c, nil, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for want, p := range map[string]properties.Property{
		"termination: it is about whole runs": properties.Termination,
		"properties.Undecided is for":         properties.Undecided("termination"),
	} {
		if _, err := properties.Simulate(t.Context(), m, c, []properties.Property{p}, properties.SimulateOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// FuzzLock is a fuzz target of what holds.
func FuzzLock(f *testing.F) {
	m := catalog.Machines[slices.IndexFunc(catalog.Machines, func(m spec.Machine) bool { return m.Traits().Name == "lock/mended" })]
	properties.Fuzz(f, m, model.Config{N: 3, Detector: model.Perfect})
}

// FuzzGate is a fuzz target that fails, run by TestSimulateFails.
func FuzzGate(f *testing.F) {
	if os.Getenv("GATE") != "" {
		properties.Fuzz(f, generous, model.Config{N: 3, Detector: model.Perfect})
		return
	}
	if os.Getenv("NOTHING") != "" {
		properties.Fuzz(f, generous, model.Config{N: 3, Detector: model.Perfect}, []properties.Property{}...)
		return
	}
	f.Skip("it fails, as TestSimulateFails wants")
}

var generous = catalog.Mutants[slices.IndexFunc(catalog.Mutants, func(m spec.Machine) bool { return m.Traits().Name == "lock/mended~generous" })]

// TestSimulateGate fails where it is run by TestSimulateFails.
func TestSimulateGate(t *testing.T) {
	o := properties.SimulateOptions{Runs: 2000, Seed: 4}
	if os.Getenv("GATE") != "" {
		properties.TestSimulate(t, generous, model.Config{N: 3, Detector: model.Perfect}, o)
		return
	}
	if os.Getenv("NOTHING") != "" {
		properties.TestSimulate(t, generous, model.Config{N: 3, Detector: model.Perfect}, o, []properties.Property{}...)
		return
	}
	if os.Getenv("LATE") != "" {
		o.Runs, o.For = 0, time.Nanosecond
	}
	m, c := worldOf(t, "lock/mended", "n=3")
	properties.TestSimulate(t, m, c, o)
}

// TestSimulateFails: a test and a fuzz target fail with the trace.
func TestSimulateFails(t *testing.T) {
	for gate, want := range map[string][]string{
		"LATE=1 TestSimulateGate":    {"time ran out after 0 of"},
		"NOTHING=1 TestSimulateGate": {"nothing is judged but that no handler panics"},
		"NOTHING=1 FuzzGate":         {"nothing is judged but that no handler panics"},
		"GATE=1 TestSimulateGate":    {"lock/mended~generous: exclusion VIOLATED", "exclusion.json", "process 1: receive REQUEST", "seed 4, made smaller", "this verifies nothing"},
		"GATE=1 FuzzGate":            {"lock/mended~generous: ", " VIOLATED", ".json", "process 1: receive REQUEST"},
	} {
		variable, test, _ := strings.Cut(gate, " ")
		c := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v")
		c.Env = append(os.Environ(), variable)
		out, err := c.CombinedOutput()
		if err == nil {
			t.Errorf("%s passes", gate)
		}
		for _, text := range want {
			if !strings.Contains(string(out), text) {
				t.Errorf("%s: %q is not said:\n%s", gate, text, out)
			}
		}
	}
}

// TestOnlyReached: no handler is called in a state that no run reaches, if it must not be.
func TestOnlyReached(t *testing.T) {
	early := false // the answer comes before the question was sent
	m := &spec.Algorithm[uint8, uint8]{
		Name: "test/asks", Doc: "asks", Source: "this test",
		Actions: []spec.Action[uint8, uint8]{{Name: "ask", Times: 1, Do: func(s *uint8, p *spec.Proc[uint8]) {
			if p.ID > 1 || *s > 0 {
				p.Refuse()
				return
			}
			*s = 1
			p.Send(2, 1)
		}}},
		Receive: func(s *uint8, p *spec.Proc[uint8], from spec.ID, m uint8) {
			if p.ID == 2 {
				p.Send(1, 2)
				return
			}
			early = early || *s == 0
			*s = 2
		},
	}
	props := []properties.Property{properties.NoDeadlock}
	for _, only := range []bool{false, true} {
		for name, call := range map[string]func(){
			"verify": func() { verify(t, m, model.Config{N: 2}, props, properties.Options{OnlyReached: only}) },
			"simulate": func() {
				simulate(t, m, model.Config{N: 2}, properties.SimulateOptions{Runs: 20, OnlyReached: only}, props...)
			},
		} {
			early = false
			if call(); early == only {
				t.Errorf("%s: called only where a run comes: %v, and called elsewhere: %v", name, only, early)
			}
		}
	}
}
