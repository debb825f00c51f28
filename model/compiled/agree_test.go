package compiled_test

import (
	"context"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/object/objecttest"
)

// TestTablesAgreeWithReference walks the graph of every algorithm in every
// world, and compares in each state the steps that the tables give with those
// of the reference: events, order, and where they lead.
func TestTablesAgreeWithReference(t *testing.T) {
	limit, stride := testsize.Of(12, 40, 120), testsize.Of(5, 2, 1)
	for _, m := range catalog.Machines {
		t.Run(m.Traits().Name, func(t *testing.T) {
			t.Parallel()
			all := modeltest.Worlds(m)
			for i := 0; i < len(all); i += stride {
				compareWorld(t, m, all[i], limit)
			}
			all = modeltest.FaultyWorlds(m)
			for i := 0; i < len(all); i += stride {
				compareWorld(t, m, all[i], limit/2)
			}
		})
	}
}

// TestTablesOfToy does the same with an algorithm that uses every word there is,
// and further into the graph.
func TestTablesOfToy(t *testing.T) {
	testsize.Alone(t)
	limit, stride := testsize.Of(30, 100, 700), testsize.Of(5, 3, 1)
	faulty, all := modeltest.FaultyWorlds(modeltest.Toy), modeltest.Worlds(modeltest.Toy)
	for i := 0; i < len(faulty); i += stride {
		c := faulty[i]
		c.N = 2
		compareWorld(t, modeltest.Toy, c, limit)
	}
	for i := 0; i < len(all); i += stride {
		compareWorld(t, modeltest.Toy, all[i], min(limit, 60))
	}
	for i, c := range append(modeltest.Worlds(modeltest.Requests), modeltest.FaultyWorlds(modeltest.Requests)...) {
		if i%stride != 0 {
			continue
		}
		if c.N, c.Times = 2, i%3-1; i%2 == 0 {
			c.Monitors = []string{"flips"}
		}
		compareWorld(t, modeltest.Requests, c, limit/3)
	}
}

// TestTablesOfPersisting does the same with code that tells when it persists, and compares how many states diagrams have.
func TestTablesOfPersisting(t *testing.T) {
	for _, does := range []string{"write b", "a write persist", "write persist a write persist last", "a persist persist write", "write persist write persist a", "write say a say persist say last"} {
		for _, recoveries := range []int{0, 1, 2} {
			for _, c := range []model.Config{{Network: model.Set}, {Partitions: 1, Network: model.Set, Bound: 2}, {Network: model.Set, Recoveries: 1}} {
				c.N, c.Crashes, c.Recoveries, c.Split, c.Bound = 2, 2, recoveries, true, 0
				compareSteps(t, objecttest.Diary(does), c, testsize.Of(100, 300, 1000))
				c.Monitors = []string{"disk-grows", "said-is-kept"}
				compareSteps(t, objecttest.Diary(does), c, testsize.Of(100, 300, 1000))
			}
		}
	}
}

// claimWatches watches everything that m claims.
func claimWatches(m spec.Machine) []model.Watch {
	var watches []model.Watch
	for _, c := range m.Traits().Claims {
		watches = append(watches, model.Watch{Claim: c.Name})
	}
	for _, p := range m.Traits().Properties {
		if p.Monitor != nil {
			watches = append(watches, model.Watch{Monitor: p.Name})
		}
	}
	return watches
}

// compareWorld compares the steps if m has tables in that world.
func compareWorld(t *testing.T, m spec.Machine, c model.Config, limit int) {
	t.Helper()
	if c.Check(m) == nil && c.HasTables() {
		compareSteps(t, m, c, limit)
	}
}

func compareSteps(t *testing.T, m spec.Machine, c model.Config, limit int) {
	t.Helper()
	watches := claimWatches(m)
	sys, err := compiled.New(m, c, watches)
	if err != nil {
		t.Fatal(err)
	}
	reference, err := model.NewReference(m, c)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Search(context.Background(), sys, explore.Options{MaxStates: limit})
	if err != nil {
		t.Fatal(err)
	}
	expander := sys.Expander()
	fair := fairnessOf(sys)
	for n := range r.Stats.Expanded {
		words := r.Graph.State(n)
		var out explore.Steps
		if !expander.Expand(words, &out) {
			t.Fatalf("%+v: an expanded state is not learned", c)
		}
		plain := sys.State(words)
		var want, got, helping []done
		var broken []explore.Mark
		steps, cut := reference.Enabled(plain)
		for _, step := range steps {
			want = append(want, done{step.Event.Process, reference.Describe(step.Event), step.After, len(step.Sends)})
			for i, w := range watches {
				if reference.Broken(w.Claim, plain, step) != nil || w.Monitor != "" && reference.Unmonitored(w.Monitor, plain, step) != nil {
					broken = append(broken, explore.Mark{Bit: uint8(i), OnStep: true, Action: out.Actions[len(want)-1]})
				}
			}
		}
		if !slices.Equal(broken, out.Marks) {
			t.Fatalf("%+v: in %+v\nthe tables have the claims %v broken\nthe reference has %v", c, plain, out.Marks, broken)
		}
		for i, a := range out.Actions {
			e := sys.Event(words, a)
			after := sys.State(out.States[i*sys.Width() : (i+1)*sys.Width()])
			got = append(got, done{e.Process, reference.Describe(e), after, model.MessagesSent(a)})
			if i < len(steps) {
				fair.compare(t, reference, plain, steps[i], words, a)
			}
		}
		help, left := reference.Helping(plain)
		for i, a := range out.Actions {
			if reference.StepKinds().Helps()[a.Kind()] {
				helping = append(helping, got[i])
			}
		}
		if left != (out.Cut || out.Left) || !slices.EqualFunc(helping, help, func(d done, s model.Step) bool { return d.by == s.Event.Process && d.after.Equal(s.After) }) {
			t.Fatalf("%+v: in %+v\nby the tables these help    %+v\nby the reference %+v, and something is left out: %v", c, plain, helping, help, left)
		}
		if !slices.EqualFunc(got, want, done.same) {
			t.Fatalf("%+v: in %+v\nthe tables have    %+v\nthe reference has %+v", c, plain, got, want)
		}
		if out.Quiet != reference.Quiescent(plain) {
			t.Fatalf("%+v: in %+v quiet is %v", c, plain, out.Quiet)
		}
		if out.Cut != cut {
			t.Fatalf("%+v: in %+v a step is cut: %v, and %v by the reference", c, plain, out.Cut, cut)
		}
	}
}

// done is a step, as the tables and the reference have to agree on it.
type done struct {
	by     spec.ID
	action string
	after  model.State
	sent   int
}

func (d done) same(e done) bool {
	inboxes := slices.EqualFunc(d.after.Inboxes, e.after.Inboxes, slices.Equal[model.Inbox])
	return inboxes && slices.Equal(d.after.Locals, e.after.Locals) && d.after.Env == e.after.Env && d.by == e.by && d.action == e.action && d.sent == e.sent
}

// fairness is what the tables owe to steps, and which of their classes is which
// of the reference.
type fairness struct {
	of      explore.Fairness
	classes map[explore.Class]model.FairClass
	numbers map[model.FairClass]explore.Class
}

func fairnessOf(sys *compiled.System) *fairness {
	return &fairness{sys.Fairness(), map[explore.Class]model.FairClass{}, map[model.FairClass]explore.Class{}}
}

// compare wants the same owed to a step, and two steps in one class only if they
// are in one class for both.
func (f *fairness) compare(t *testing.T, r *model.Reference, s model.State, step model.Step, words []uint64, a explore.Action) {
	t.Helper()
	number, got := f.of(words, a)
	class, want := r.FairnessOf(s, step)
	if got != want {
		t.Fatalf("%+v: %s is owed %v, by the reference %v", r.Config(), r.Describe(step.Event), got, want)
	}
	if want == explore.Unfair {
		return
	}
	other, met := f.classes[number]
	again, known := f.numbers[class]
	if met && other != class || known && again != number {
		t.Fatalf("%+v: %s is of class %x, which is %v and ought to be %v", r.Config(), r.Describe(step.Event), number, other, class)
	}
	f.classes[number], f.numbers[class] = class, number
}

// TestFairnessOfKinds: what a configuration says of a kind of step is owed to it,
// and to no other.
func TestFairnessOfKinds(t *testing.T) {
	testsize.Alone(t)
	compared := 0
	for _, m := range append(catalog.Machines, modeltest.Toy) {
		for _, network := range []model.Network{model.FIFO, model.Bag, model.Set} {
			c := model.Config{N: 2, Network: network, Crashes: 1, Recoveries: 1, Losses: 1, Timers: model.Any}
			if m.Traits().Measure != nil {
				c.Bound = 2
			}
			if len(m.Traits().Rules) == 0 {
				c.Timers = model.Flush
			}
			if m.Traits().Handles.Has(spec.Suspect) {
				c.Detector, c.Suspicions = model.Eventual, 1
			}
			for _, kind := range model.FairKinds(m, c) {
				c.Fairness = model.Fairness{Strong: []string{"all"}, Unfair: []string{kind}}
				if c.Check(m) == nil && c.HasTables() {
					compareSteps(t, m, c, 60)
					compared++
				}
			}
		}
	}
	if compared < 50 {
		t.Errorf("only %d worlds", compared)
	}
}

// TestKeys: there are as many keys as states, whatever was ever on its way.
func TestKeys(t *testing.T) {
	c := model.Config{N: 3, Crashes: 1}
	r, err := model.NewReference(bully.Mended, c)
	if err != nil {
		t.Fatal(err)
	}
	seen, open := map[string]bool{}, r.Initial()
	for len(open) > 0 {
		s := open[0]
		if open = open[1:]; seen[s.Key()] {
			continue
		}
		seen[s.Key()] = true
		for _, step := range r.Steps(s) {
			open = append(open, step.After)
		}
	}
	sys, err := compiled.New(bully.Mended, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, err := explore.Search(t.Context(), sys, explore.Options{})
	if err != nil || len(seen) != found.Stats.States {
		t.Errorf("%d keys, %d states, %v", len(seen), found.Stats.States, err)
	}
}
