package diagram_test

import (
	"context"
	"errors"
	"testing"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/diagram"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
	"interleave/spec/itairodeh"
	"interleave/spec/tokenring"
)

// picky sends 1 before 2 and takes no 1: in a queue, 2 never arrives.
var picky = &spec.Algorithm[bool, int]{
	Name: "x/picky",
	Receive: func(_ *bool, p *spec.Proc[int], _ spec.ID, m int) {
		if m == 1 {
			p.Refuse()
		}
	},
	Election: &spec.Election[bool, int]{
		Notice: func(begun *bool, p *spec.Proc[int]) {
			if *begun {
				p.Refuse()
				return
			}
			*begun = true
			p.Broadcast(p.Others(), 1)
			p.Broadcast(p.Others(), 2)
		},
		Leader: func(bool) spec.ID { return spec.None },
	},
}

// TestOverapprox looks up the states of the explicit search in the over-approximation: each is
// there, and at rest where it is; and where there are cycles, runs there need not end.
func TestOverapprox(t *testing.T) {
	limit, stride := testsize.Of(100, 100, 150), testsize.Of(25, 19, 5)
	for _, m := range append(catalog.Machines, modeltest.Toy, picky) {
		t.Run(m.Traits().Name, func(t *testing.T) {
			t.Parallel()
			compared, refused := 0, 0
			all := append(modeltest.Worlds(m), modeltest.FaultyWorlds(m)...)
			for i := 0; i < len(all); i += stride {
				c := all[i]
				if m.Traits().Measure != nil { // three processes are too many
					c.N, c.Bound = 2, 1
				}
				if m == itairodeh.Finite {
					c.N = 2
				}
				if c.Check(m) != nil || !c.HasTables() || m == modeltest.Toy && c.Recoveries > 0 { // too many local steps
					continue
				}
				form := diagram.Form{Grouping: diagram.Grouping(i % 4), Order: diagram.Order(i % 2), Overapprox: true}
				switch err := compareOverapprox(t, m, c, form, dd.Strategy(i/4%2), limit); {
				case errors.Is(err, diagram.ErrNotSymbolic):
					refused++
				case errors.Is(err, dd.ErrNodes):
				case err != nil:
					t.Fatalf("%+v, %+v: %v", c, form, err)
				default:
					compared++
				}
			}
			if compared+refused == 0 && !m.Traits().Handles.Has(spec.Round) {
				t.Error("nothing was compared")
			}
			t.Logf("%d worlds, and %d that have no over-approximation", compared, refused)
		})
	}
}

// TestFitting: how an over-approximation groups messages depends on how many different ones a process
// may get.
func TestFitting(t *testing.T) {
	for _, c := range []struct {
		m    spec.Machine
		n    int
		want diagram.Grouping
	}{
		{tokenring.Mended, 3, diagram.ByContent}, // 45 messages to a process, and 3 of a content
		{changroberts.Detecting, 4, diagram.ByReceiver},
		{bully.Mended, 3, diagram.ByReceiver},
	} {
		world, err := model.Home(c.m, c.n)
		if err != nil {
			t.Fatal(err)
		}
		world.Crashes = 1
		sys, err := compiled.New(c.m, world, nil)
		if err != nil {
			t.Fatal(err)
		}
		y, err := diagram.New(context.Background(), sys.LocalSteps, diagram.Form{Grouping: diagram.Fitting, Overapprox: true}, 0)
		if err != nil || y.Grouping != c.want {
			t.Errorf("%s: %v, %v", c.m.Traits().Name, y.Grouping, err)
		}
	}
}

func compareOverapprox(t *testing.T, m spec.Machine, c model.Config, form diagram.Form, strategy dd.Strategy, limit int) error {
	t.Helper()
	sys, err := compiled.New(m, c, nil)
	if err != nil {
		return err
	}
	r, err := explore.Search(context.Background(), sys, explore.Options{MaxStates: limit})
	if err != nil {
		return err
	}
	fresh, err := compiled.New(m, c, nil)
	if err != nil {
		return err
	}
	y, err := diagram.New(context.Background(), fresh.LocalSteps, form, 0)
	if err != nil {
		return err
	}
	reference, err := model.NewReference(m, c)
	if err != nil {
		return err
	}
	y.Forest.Most = 5 * limit
	all := y.Forest.Keep(y.Reach(strategy))
	y.Forest.Most = 0
	if y.Forest.Err() != nil {
		return y.Forest.Err()
	}
	quiet := y.Forest.Keep(y.Quiet(all))
	for n := range r.Graph.States() {
		state := sys.State(r.Graph.State(n))
		vector, ok := y.Vector(state)
		if !ok || !y.Forest.Contains(all, vector) {
			t.Fatalf("%+v, %+v: %+v is not there", c, form, state)
		}
		if rests := reference.Quiescent(state); rests != y.Forest.Contains(quiet, vector) {
			t.Fatalf("%+v, %+v: %+v is at rest: %v, and there it is not so", c, form, state, rests)
		}
	}
	if r.Outcome != explore.Exhausted {
		return nil
	}
	cycles, err := r.Graph.Cycles(context.Background(), 0)
	if cycles && y.Endless(all) == dd.Empty {
		t.Fatalf("%+v, %+v: there is a cycle, and runs must end", c, form)
	}
	return err
}
