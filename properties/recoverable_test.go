package properties_test

import (
	"errors"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/modeltest"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/catalog"
)

// taken is an algorithm in which process 1 does something of its own accord up to a number of times, and process 2 is
// told the first time.
func taken(most uint8) *spec.Algorithm[uint8, bool] {
	return &spec.Algorithm[uint8, bool]{
		Name: "test/taken", Doc: "takes steps", Source: "this test",
		Actions: []spec.Action[uint8, bool]{{Name: "step", Do: func(s *uint8, p *spec.Proc[bool]) {
			if p.ID > 1 || *s == most {
				p.Refuse()
				return
			}
			if *s++; *s == 1 {
				p.Send(2, true)
			}
			if *s == 9 {
				panic("worn out")
			}
		}}},
		Receive: func(s *uint8, p *spec.Proc[bool], from spec.ID, _ bool) { *s++ },
		Measure: func(s uint8) int { return int(s) },
	}
}

// at is the goal that the processes have these numbers; -1: it is down, -2: it is up.
func at(first, second int) func(w spec.World) bool {
	return func(w spec.World) bool {
		for i, want := range []int{first, second} {
			p := spec.ID(i + 1)
			if up := w.Live().Has(p); up != (want != -1) || up && want >= 0 && w.State(p) != uint8(want) {
				return false
			}
		}
		return true
	}
}

// recoverables are what helps, what does not, and what is not known.
var recoverables = []struct {
	name  string
	world model.Config
	most  uint8
	goal  func(spec.World) bool

	verdict properties.Verdict
	depth   int
	why     string
	lost    int // -1: some
}{
	{"what is optional helps", model.Config{}, 3, at(3, 1), properties.Verified, 0, "", 0},
	{"there is no way back", model.Config{}, 3, at(2, up), properties.Violated, 3, "none of the 2 states that can follow without a further fault satisfies it", 2},
	{"a crash does not help", model.Config{Crashes: 1}, 1, at(down, up), properties.Violated, 0, "none of the 3 states", -1},
	{"a crash is for good", model.Config{Crashes: 1}, 1, at(up, up), properties.Violated, 1, "", 5},
	{"a return helps", model.Config{Crashes: 1, Recoveries: 1}, 1, at(up, up), properties.Verified, 0, "", 0},
	{"there are not enough returns", model.Config{Crashes: 2, Recoveries: 1}, 1, at(up, up), properties.Violated, 2, "can follow without", -1},
	{"a message is lost for good", model.Config{Losses: 1}, 1, at(1, 1), properties.Violated, 2, "nothing but a fault can change this any more", 1},
	{"a message cannot be copied by will", model.Config{Duplicates: 1, Network: model.Bag}, 1, at(1, 2), properties.Violated, 0, "of the 3 states", -1},
	{"a part of the network is cut off", model.Config{Partitions: 1}, 1, at(1, 1), properties.Violated, 2, "can follow without", -1},
	{"it is whole again", model.Config{Partitions: 1}, 1, at(1, up), properties.Verified, 0, "", 0},
	{"a bound cuts off the way", model.Config{Bound: 2}, 4, at(3, up), properties.Inconclusive, 0, "the bound cuts off how some states go on", 0},
	{"a bound is not in the way", model.Config{Bound: 3}, 4, at(3, up), properties.Bounded, 0, "", 0},
	{"a bound cuts off a way back", model.Config{Bound: 3}, 4, at(1, up), properties.Inconclusive, 0, "the bound cuts off how some states go on", 0},
	{"a bound cuts off no way from there", model.Config{Bound: 3, Crashes: 1}, 4, at(up, up), properties.Violated, 1, "", 3},
	{"a bound is not in the way where a handler panics", model.Config{Bound: 30}, 10, at(0, 0), properties.Inconclusive, 0, "a handler panics", 0},
	{"nobody knows what a panic would lead to", model.Config{}, 10, at(0, 0), properties.Inconclusive, 0, "a handler panics", 0},
}

// Of processes.
const up, down = -2, -1

// TestRecoverable: a search from the beginning says what there is to say.
func TestRecoverable(t *testing.T) {
	for _, row := range recoverables {
		for _, o := range []properties.Options{{}, {Direct: true}, {Workers: 3}, {Reduce: true}, {Engine: properties.Auto}, {Engine: properties.Symbolic}} {
			a := taken(row.most)
			a.Properties = []spec.Property{spec.Recoverable("goal", "the goal can be reached", row.goal)}
			row.world.N, o.Continue = 2, true
			r, err := properties.Verify(t.Context(), a, row.world, properties.Own(a), o)
			if err != nil {
				t.Fatal(row.name, err)
			}
			f := r.Findings[0]
			if f.Verdict != row.verdict || f.Depth != row.depth || !strings.Contains(f.Why, row.why) || row.lost < 0 && f.Lost == 0 || row.lost >= 0 && f.Lost != row.lost {
				t.Errorf("%s, %+v: %v in %d, %d lost: %s", row.name, o, f.Verdict, f.Depth, f.Lost, f.Why)
			}
			if names := r.BoundLeaves(); names != nil {
				t.Errorf("%s, %+v: a larger bound cannot decide %q", row.name, o, names)
			}
			if unsure := f.Lost > 0 && row.world.Bound > 0; f.MoreLost != unsure { // of those from where a bound cuts off a way
				t.Errorf("%s, %+v: perhaps more are lost: %t", row.name, o, f.MoreLost)
			}
			if o.Reduce && !strings.HasPrefix(r.Stats.Reduction, "off: ") {
				t.Errorf("%s: the reduction is %q", row.name, r.Stats.Reduction)
			}
			if f.Trace == nil {
				continue
			}
			if _, _, _, err := properties.Replay(a, f.Trace, f.Property); err != nil {
				t.Errorf("%s, %+v: %v", row.name, o, err)
			}
		}
	}
}

// TestRecoverableCycles: where runs cycle, nothing is quiescent without the goal, and yet it may be out of reach.
func TestRecoverableCycles(t *testing.T) {
	a := &spec.Algorithm[uint8, bool]{
		Name: "test/circling", Doc: "goes from 0 to 1, to 2, and back to 1", Source: "this test",
		Actions: []spec.Action[uint8, bool]{{Name: "step", Fair: true, Do: func(s *uint8, p *spec.Proc[bool]) { *s = 1 + *s%2 }}},
		Receive: func(*uint8, *spec.Proc[bool], spec.ID, bool) {},
	}
	for goal, want := range map[*spec.Property]properties.Verdict{
		new(spec.Recoverable("never", "back at 0", at(0, 0))):            properties.Violated,
		new(spec.Recoverable("again", "at 1 again and again", at(1, 2))): properties.Verified,
	} {
		for _, o := range []properties.Options{{}, {Direct: true}, {Reduce: true}, {Engine: properties.Symbolic}} {
			for _, props := range [][]properties.Property{{properties.Of(*goal)}, {properties.Termination, properties.Of(*goal)}} {
				o.Continue = true
				findings := verify(t, a, model.Config{N: 2}, props, o).Findings
				if f := findings[len(findings)-1]; f.Verdict != want {
					t.Errorf("%s, %d properties, %+v: %v: %s", goal.Name, len(props), o, f.Verdict, f.Why)
				}
			}
		}
	}
}

// TestReplayOfRecoverable: a run from whose end the goal can be reached confirms nothing, nor does one that too many
// states can follow.
func TestReplayOfRecoverable(t *testing.T) {
	a, c := taken(3), model.Config{N: 2}
	bad := properties.Of(spec.Recoverable("goal", "", at(2, 0)))
	f := verify(t, a, c, []properties.Property{bad}, properties.Options{}).Findings[0]
	if f.Depth != 2 {
		t.Fatalf("%+v", f)
	}
	for _, end := range []int{0, 1} {
		short := *f.Trace
		short.Steps = short.Steps[:end]
		if _, _, _, err := properties.Replay(a, &short, bad); !errors.Is(err, properties.ErrHolds) {
			t.Errorf("%d steps: %v", end, err)
		}
	}
	properties.LimitAhead(t, 1)
	if _, _, _, err := properties.Replay(a, f.Trace, bad); !errors.Is(err, properties.ErrFar) {
		t.Errorf("%v", err)
	}
	if again := verify(t, a, c, []properties.Property{bad}, properties.Options{}).Findings[0]; again.Verdict != properties.Violated || !strings.Contains(again.Why, "none of the first 1 states") {
		t.Errorf("%+v", again)
	}
}

// TestRecoverableCutShort: limits leave it open, unless what was seen is bad enough.
func TestRecoverableCutShort(t *testing.T) {
	goal := func(first, second int) []properties.Property {
		return []properties.Property{properties.Of(spec.Recoverable("goal", "", at(first, second)))}
	}
	for _, row := range []struct {
		props   []properties.Property
		crashes int
		o       properties.Options
		verdict properties.Verdict
		why     string
	}{
		{goal(5, 1), 0, properties.Options{MaxDepth: 2}, properties.Inconclusive, "not decided by the first 2 steps"},
		{goal(5, 1), 0, properties.Options{MaxStates: 4}, properties.Inconclusive, "state limit"},
		{goal(5, 1), 0, properties.Options{Store: explore.Compact}, properties.Inconclusive, "it takes whole states to look back from a goal"},
		{goal(0, 0), 0, properties.Options{MaxDepth: 20}, properties.Violated, ""},
		{goal(5, 1), 1, properties.Options{MaxDepth: 2}, properties.Violated, "nothing but a fault"},
		{goal(5, 1), 1, properties.Options{MaxStates: 6}, properties.Violated, "nothing but a fault"},
	} {
		r, err := properties.Verify(t.Context(), taken(5), model.Config{N: 2, Crashes: row.crashes}, row.props, row.o)
		if err != nil {
			t.Fatal(err)
		}
		if f := r.Findings[0]; f.MoreLost != (row.crashes > 0) || f.Verdict != row.verdict || !strings.Contains(f.Why, row.why) {
			t.Errorf("%+v: %v, perhaps more are lost: %t: %s", row.o, f.Verdict, f.MoreLost, f.Why)
		}
	}
}

// TestElectableByHandlers compares, for the algorithms of the catalogue in small worlds, how many states are found to be
// lost with how many are so by the handlers alone, and with other engines.
func TestElectableByHandlers(t *testing.T) {
	t.Parallel()
	testsize.Alone(t)
	lost, all, worlds, reduced := 0, 0, 0, 0
	for _, m := range catalog.Machines {
		if election.Electable.Suits(m) != nil {
			continue
		}
		for _, c := range append(modeltest.Worlds(m)[:1], modeltest.FaultyWorlds(m)...) {
			c.N, c.Bound = 2, 2
			if m.Traits().Measure == nil {
				c.Bound = 0
			}
			if c.Check(m) != nil {
				continue
			}
			if all++; all%testsize.Of(3, 3, 1) > 0 {
				continue
			}
			r := verify(t, m, c, []properties.Property{election.Electable}, properties.Options{Keep: true, MaxStates: testsize.Of(50, 50, 300)})
			if !r.Stats.Complete {
				continue
			}
			worlds++
			f, want := r.Findings[0], 0
			reference, err := model.NewReference(m, c)
			if err != nil {
				t.Fatal(err)
			}
			for s := range r.States() {
				if why, sure := election.Electable.OutOfReach(reference, s, 10_000); !sure {
					t.Fatalf("%s, %+v: not sure", m.Traits().Name, c)
				} else if why != nil {
					want++
				}
			}
			if lost += want; f.Lost != want || (f.Verdict == properties.Violated) != (want > 0) {
				t.Errorf("%s, %+v: %v, %d are lost, and %d by the handlers", m.Traits().Name, c, f.Verdict, f.Lost, want)
			}
			for i, o := range []properties.Options{{Direct: true}, {Engine: properties.Symbolic}, {Reduce: true}, {Continue: true}} {
				if o.Engine == properties.Symbolic && !c.HasTables() {
					continue
				}
				props := []properties.Property{properties.Termination, election.Electable}
				if i < 3 { // else what is known of fair runs is used
					props = props[1:]
				}
				r := verify(t, m, c, props, o)
				if r.Stats.Reduction == "ample sets" {
					reduced++
				}
				if g := r.Findings[len(props)-1]; g.Verdict != f.Verdict || g.Lost != f.Lost || g.Depth != f.Depth {
					if strings.Contains(g.Why, "did not finish") {
						continue
					}
					t.Errorf("%s, %+v, %+v: %v in %d, %d lost: %s; want %v in %d, %d lost: %s", m.Traits().Name, c, o, g.Verdict, g.Depth, g.Lost, g.Why, f.Verdict, f.Depth, f.Lost, f.Why)
				}
			}
		}
	}
	if lost == 0 || worlds < 30 || reduced == 0 {
		t.Errorf("only %d worlds, %d of them reduced, with %d states lost", worlds, reduced, lost)
	}
}

// TestRecoverableSpoils: a goal that changes what it is shown is an error, though it is asked when the search has ended.
func TestRecoverableSpoils(t *testing.T) {
	sorts := spec.Recoverable("sorts", "", func(w spec.World) bool {
		if w.Quiescent() { // a search asks there at once, and of the other states when it has ended
			return false
		}
		for _, s := range spec.States[replica[[]entry]](w) {
			for i := range s.Log {
				s.Log[i].Term = 7
			}
		}
		return true
	})
	_, err := properties.Verify(t.Context(), replicated(asList, 2, false), model.Config{N: 2, Network: model.FIFO}, []properties.Property{properties.Of(sorts)}, properties.Options{Engine: properties.Explicit})
	if err == nil || !strings.Contains(err.Error(), "changes a state that it is shown") {
		t.Error(err)
	}
}
