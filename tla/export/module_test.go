package export

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/modeltest"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/catalog"
	"interleave/tla"
	"interleave/tla/compare"
	"interleave/tla/value"
)

// worlds are algorithms, each in a world told by axes of the command line. All
// that a module can tell occurs in some of them.
var worlds = []string{
	"bully/mended n=3 crashes=1",
	"bully/mended n=3 network=set crashes=1 timers=just",
	"bully/mended n=2 network=set crashes=1 recoveries=1 timers=mixed",
	"bully/mended n=2 network=set crashes=1 recoveries=1 split",
	"bully/mended n=3 start=leader-down crashes=1 initiators=1",
	"bully/mended n=2 network=set partitions=1 timers=mixed",
	"bully/published n=2 timers=any network=set losses=1",
	"bully/published n=3 timers=mixed network=set",
	"bully/published n=2 network=bag duplicates=1",
	"chang-roberts/classic n=3 network=set initiators=any ring=descending",
	"chang-roberts/textbook n=3 network=fifo duplicates=1 initiators=1,2",
	"chang-roberts/textbook n=3 network=bag losses=1 initiators=2",
	"chang-roberts/naive n=2 network=set crashes=1",
	"chang-roberts/detecting n=2 crashes=1 detector=flushed network=bag",
	"chang-roberts/detecting n=2 crashes=1 detector=perfect split",
	"chang-roberts/detecting n=2 detector=eventual suspicions=1 network=set",
	"chang-roberts/detecting n=2 detector=eventual crashes=1 network=set",
	"token-ring/mended n=2 crashes=1 network=set split",
	"token-ring/published-a n=2 crashes=0 network=fifo initiators=1",
	"token-ring/mended n=2 crashes=1 recoveries=1 network=set initiators=1",
	"ble/mended n=2 bound=1 crashes=1 network=set timers=any",
	"ble/mended n=2 bound=1 crashes=1 recoveries=1 network=fifo timers=any",
	"ble/mended n=2 bound=1 crashes=1 recoveries=1 network=set timers=any split",
	"fast-bully/mended n=2 crashes=1 split network=bag",
	"strike-bully/mended n=2 crashes=1 network=set",
}

// TestRoundTrip: an exported module, read again, has the states that mc verify
// finds, says the same of its properties, and goes, from every state, to where the
// handlers go.
func TestRoundTrip(t *testing.T) {
	told, violated := 0, 0
	for _, w := range worlds {
		if testing.Short() && strings.HasPrefix(w, "bully/") && strings.Contains(w, "n=3") {
			continue // the largest
		}
		t.Run(strings.ReplaceAll(w, "/", "-"), func(t *testing.T) {
			machine, c := worldOf(t, w)
			m, err := Algorithm(t.Context(), machine, c, "a test")
			if err != nil {
				t.Fatal(err)
			}
			read := reread(t, m)
			r, err := properties.Verify(t.Context(), machine, c, nil, properties.Options{Catalogue: election.Catalogue, Engine: properties.Explicit, Continue: true})
			if err != nil {
				t.Fatal(err)
			}
			checked, err := read.Check(t.Context(), tla.Options{Continue: true})
			if err != nil {
				t.Fatal(err)
			}
			if checked.Stats.States != r.Stats.States || r.Stats.States < 5 {
				t.Errorf("mc verify finds %d states, mc tla check %d", r.Stats.States, checked.Stats.States)
			}
			of, bad := sameVerdicts(t, m, r, checked)
			told, violated = told+of, violated+bad
			if same := bisimilar(t, machine, c, read); same.Difference != nil || !same.Complete {
				t.Errorf("%+v", same.Difference)
			}
			t.Logf("%d states", r.Stats.States)
		})
	}
	if told < 80 || violated < 8 {
		t.Errorf("%d properties are told, and %d violated: that shows little", told, violated)
	}
}

// errand need not be begun, and need not come to an end when it is.
var errand = &spec.Algorithm[int, bool]{
	Name: "test/errand", Doc: "Works.", Source: "this test",
	Receive: func(*int, *spec.Proc[bool], spec.ID, bool) {},
	Idle:    func(s int) bool { return s == 0 || s == 3 },
	Actions: []spec.Action[int, bool]{
		{Name: "begin", Times: 2, Together: true, When: func(s int) bool { return s != 1 }, Do: func(s *int, _ *spec.Proc[bool]) { *s = 1 }},
		{Name: "end", Fair: true, Times: 2, Together: true, When: func(s int) bool { return s == 1 }, Do: func(s *int, p *spec.Proc[bool]) { *s = 2 + p.Choose(2) }},
	},
}

// TestRequests: actions and choices are told like everything else.
func TestRequests(t *testing.T) {
	violated := 0
	for _, w := range []struct {
		machine spec.Machine
		world   model.Config
	}{
		{modeltest.Requests, model.Config{N: 1}},
		{modeltest.Requests, model.Config{N: 2, Network: model.Set}},
		{modeltest.Requests, model.Config{N: 2, Network: model.Set, Crashes: 1, Split: true}},
		{modeltest.Requests, model.Config{N: 1, Crashes: 2, Recoveries: 1, Network: model.Bag}},
		{modeltest.Requests, model.Config{N: 1, Times: 3}},
		{errand, model.Config{N: 3}},
		{errand, model.Config{N: 2, Crashes: 1, Recoveries: 1}},
	} {
		machine, c := w.machine, w.world
		m, err := Algorithm(t.Context(), machine, c, "a test")
		if err != nil {
			t.Fatal(err)
		}
		if _, body, _ := strings.Cut(m.Text, "EXTENDS"); strings.Contains(strings.ToLower(body), "leader") {
			t.Errorf("%+v: nobody is elected, and the module speaks of leaders", c)
		}
		var props []properties.Property
		for _, p := range properties.Own(machine) {
			if properties.Watched(c, []properties.Property{p}).Monitors == nil { // of whose value a module knows nothing
				props = append(props, p)
			}
		}
		props = append(props, properties.NoDeadlock)
		r, err := properties.Verify(t.Context(), machine, c, props, properties.Options{Catalogue: election.Catalogue, Engine: properties.Explicit, Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		read := reread(t, m)
		checked, err := read.Check(t.Context(), tla.Options{Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		if checked.Stats.States != r.Stats.States || r.Stats.States < 10 {
			t.Errorf("%+v: mc verify finds %d states, mc tla check %d", c, r.Stats.States, checked.Stats.States)
		}
		told, bad := sameVerdicts(t, m, r, checked)
		if violated += bad; told == 0 {
			t.Errorf("%+v: nothing is told", c)
		}
		if same := bisimilar(t, machine, c, read); same.Difference != nil || !same.Complete {
			t.Errorf("%+v: %+v", c, same.Difference)
		}
	}
	if violated != 2 {
		t.Errorf("no-deadlock is violated in %d worlds, and the errand deadlocks in 2", violated)
	}
}

// worldOf reads a line of worlds.
func worldOf(t *testing.T, line string) (spec.Machine, model.Config) {
	t.Helper()
	words := strings.Fields(line)
	machines := append(catalog.Machines[:len(catalog.Machines):len(catalog.Machines)], errand)
	at := slices.IndexFunc(machines, func(m spec.Machine) bool { return m.Traits().Name == words[0] })
	if at < 0 {
		t.Fatalf("there is no %s", words[0])
	}
	m := machines[at]
	c := model.Config{}
	for _, word := range words[1:] {
		axis, text, _ := strings.Cut(word, "=")
		switch axis {
		case "n":
			var err error
			if c, err = model.Home(m, int(text[0]-'0')); err != nil {
				t.Fatal(err)
			}
		case "split":
			c.Split = true
		default:
			if err := c.Set(axis, text); err != nil {
				t.Fatal(err)
			}
		}
	}
	return m, c
}

// reread writes a module to files and reads it again.
func reread(t *testing.T, m *Module) *tla.Model {
	t.Helper()
	file := filepath.Join(t.TempDir(), m.Name+".tla")
	config := strings.TrimSuffix(file, ".tla") + ".cfg"
	for name, text := range map[string]string{file: m.Text, config: m.Config} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read, err := tla.Open(file, config)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// sameVerdicts compares what is said of each property that the module tells, and
// returns how many these are, and how many of them are violated.
func sameVerdicts(t *testing.T, m *Module, r *properties.Report, checked *tla.Report) (told, violated int) {
	t.Helper()
	for _, f := range r.Findings {
		name, ok := m.Tells(f.Property)
		if !ok {
			continue
		}
		told++
		at := slices.IndexFunc(checked.Findings, func(g tla.Finding) bool { return g.Name == name })
		if at < 0 {
			t.Errorf("nothing is said of %s", name)
			continue
		}
		want := explore.Verified
		if f.Verdict == properties.Violated {
			want, violated = explore.Violated, violated+1
		}
		g := checked.Findings[at]
		if want == explore.Verified && strings.HasPrefix(g.Why, "it holds, but says nothing") {
			continue // mc verify passes a property of steps that no step puts to the test
		}
		if got := g.Verdict; got != want {
			t.Errorf("%s: mc verify says %v, mc tla check %v", name, f.Verdict, got)
		} else if want == explore.Violated && len(checked.Findings[at].Trace.States) != len(f.Trace.Steps)+1 {
			t.Errorf("%s: mc verify needs %d steps, mc tla check passes %d states", name, len(f.Trace.Steps), len(checked.Findings[at].Trace.States))
		}
	}
	return told, violated
}

// bisimilar compares the module with the algorithm, state by state.
func bisimilar(t *testing.T, machine spec.Machine, c model.Config, read *tla.Model) *compare.Result {
	t.Helper()
	learned, reference, err := compiled.LocalTables(context.Background(), machine, c)
	if err != nil {
		t.Fatal(err)
	}
	c = reference.Config()
	p := &compare.Pair{
		Module: read.Module, Machine: machine,
		World: func(*tla.Model) (model.Config, error) { return c, nil },
		State: func(s model.State) map[string]value.Value { return image(learned, c, s) },
	}
	r, err := compare.Algorithm(t.Context(), read, p, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// image is the state of an exported module that a state of the algorithm is.
func image(learned []compiled.LocalTable, c model.Config, s model.State) map[string]value.Value {
	var local, inbox []value.Value
	for i, l := range s.Locals {
		local = append(local, value.Int(slices.Index(learned[i].Locals, l)+1))
		inbox = append(inbox, imageOf(s.Inboxes[i], c))
	}
	vals := map[string]value.Value{"local": value.NewTuple(local...), "inbox": value.NewTuple(inbox...)}
	for act, times := range s.Env.Acted {
		if slices.ContainsFunc(c.Counted(), func(b model.Budget) bool { n, ok := b.Act(); return ok && int(n) == act }) {
			vals["action_"+strconv.Itoa(act)] = value.Int(times)
		}
	}
	for _, b := range []struct {
		name  string
		there bool
		value value.Value
	}{
		{"crashes", c.Recoveries > 0, value.Int(s.Env.Crashes)}, {"recoveries", c.Recoveries > 0, value.Int(s.Env.Recoveries)},
		{"losses", c.Losses > 0, value.Int(s.Env.Losses)}, {"duplicates", c.Duplicates > 0, value.Int(s.Env.Duplicates)},
		{"partitions", c.Partitions > 0, value.Int(s.Env.Partitions)}, {"side", c.Partitions > 0, processes(s.Env.Side)},
		{"suspicions", c.Suspicions > 0, value.Int(s.Env.Suspicions)},
	} {
		if b.there {
			vals[b.name] = b.value
		}
	}
	return vals
}

func imageOf(in model.Inbox, c model.Config) value.Value {
	if c.Network == model.FIFO {
		queues := make([][]value.Value, c.N)
		for _, e := range in {
			queues[e.From-1] = append(queues[e.From-1], plain(e.Message))
		}
		var all []value.Value
		for _, q := range queues {
			all = append(all, value.NewTuple(q...))
		}
		return value.NewTuple(all...)
	}
	var all []value.Value
	for _, e := range in {
		r := record{"from": value.Int(e.From), "message": plain(e.Message)}
		if c.Network == model.Bag {
			n := 0
			for _, f := range in {
				if f == e {
					n++
				}
			}
			r["copies"] = value.Int(n)
		}
		all = append(all, r.value())
	}
	return value.NewSet(all)
}
