package compiled_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/catalog"
)

// TestMayCycle wants no cycle in a world whose steps cannot cycle, by the
// steps that a search has learned and by all that can be learned.
func TestMayCycle(t *testing.T) {
	testsize.Alone(t)
	machines := append(slices.Clone(catalog.Machines), modeltest.Toy)
	lucky := testsize.Of(40, 40, 100)
	if testing.Short() {
		machines = nil
	}
	for luck := range uint64(lucky) {
		machines = append(machines, chance(luck))
	}
	var told, cycling, mistaken int
	draw := rand.New(rand.NewPCG(1, 2))
	for _, m := range machines {
		all := append(modeltest.Worlds(m), modeltest.FaultyWorlds(m)...)
		for range testsize.Of(20, 10, 20) {
			c := all[draw.IntN(len(all))]
			c.N, c.Ring, c.Initiators = 2+draw.IntN(2), nil, model.Initiators{}
			if draw.IntN(2) == 0 {
				c.Network = model.Set // so that there are not too many states
			}
			if c.Check(m) != nil || !c.HasTables() {
				continue
			}
			switch may, cycles, finite := mayCycle(t, m, c); {
			case !finite:
			case cycles && !may:
				t.Fatalf("%s %+v has a cycle", m.Traits().Name, c)
			case cycles:
				cycling++
			case may:
				mistaken++
			default:
				told++
			}
		}
	}
	t.Logf("no cycle, and that is known, in %d worlds; not known in %d; %d have one", told, mistaken, cycling)
	if told < lucky/4 || cycling < lucky/4 {
		t.Errorf("no cycle, and that is known, in %d worlds only; not known in %d; %d have one", told, mistaken, cycling)
	}
}

func mayCycle(t *testing.T, m spec.Machine, c model.Config) (may, cycles, finite bool) {
	t.Helper()
	sys, err := compiled.New(m, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Search(t.Context(), sys, explore.Options{MaxStates: 600})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != explore.Exhausted {
		return false, false, false
	}
	cycles, err = r.Graph.Cycles(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return sys.MayCycle(), cycles, true
}

// TestMayCycleIntoNothing: process 1 sends again and again, but in a cycle only
// while that gets nowhere.
func TestMayCycleIntoNothing(t *testing.T) {
	sender := &spec.Algorithm[spec.ID, int]{
		Name: "x/sender", Oracle: true,
		Election: &spec.Election[spec.ID, int]{Leader: func(s spec.ID) spec.ID { return s }},
		Init:     func(_ *spec.ID, p *spec.Proc[int]) { p.SetTimer(0) },
		Timeout: func(_ *spec.ID, p *spec.Proc[int], _ spec.Timer) {
			if p.ID == 2 {
				return
			}
			p.Send(2, 1)
			p.SetTimer(0)
		},
		Receive: func(s *spec.ID, p *spec.Proc[int], from spec.ID, m int) {
			switch {
			case m == 1:
				p.Send(from, 2)
			case *s != spec.None:
				p.Refuse()
			default:
				*s = from // for good
				p.StopTimer(0)
			}
		},
		Recover: func(*spec.ID, *spec.Proc[int]) {},
		Rules:   []spec.TimerRule[spec.ID, int]{{Name: "again"}},
	}
	for _, test := range []struct {
		world string
		c     model.Config
		want  bool
	}{
		{"an answer comes, and it is over", model.Config{}, false},
		{"one is down, and what it was sent is lost", model.Config{Crashes: 1, Recoveries: 1}, true},
		{"the network is divided", model.Config{Partitions: 1}, true},
	} {
		c := test.c
		c.N, c.Timers = 2, model.Any
		sys, err := compiled.New(sender, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := explore.Search(t.Context(), sys, explore.Options{MaxStates: 2000}); err != nil {
			t.Fatal(err)
		}
		if got := sys.MayCycle(); got != test.want {
			t.Errorf("%s: %v", test.world, got)
		}
	}
}
