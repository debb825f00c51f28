package properties_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// counting is an algorithm whose processes count up to last, each by its own timer. Its mutants
// stumble at a number: they are told from it by modest.
func counting(last, stumble int, world map[string]string) *spec.Algorithm[int, bool] {
	a := &spec.Algorithm[int, bool]{
		Name: "counting",
		Init: func(_ *int, p *spec.Proc[bool]) { p.SetTimer(0) },
		Timeout: func(s *int, p *spec.Proc[bool], _ spec.Timer) {
			if *s++; *s == stumble {
				*s = immodest
			} else if *s < last {
				p.SetTimer(0)
			}
		},
		Receive:  func(*int, *spec.Proc[bool], spec.ID, bool) {},
		Election: &spec.Election[int, bool]{Leader: func(int) spec.ID { return spec.None }},
		Measure:  func(s int) int { return s },
		Rules:    []spec.TimerRule[int, bool]{{Name: "T_count"}},
		World:    world,
		MaxN:     2,
		Promises: []string{"leader-took-part"},
	}
	if stumble > 0 {
		a.Name += "~stumbling"
	}
	return a
}

const immodest = 10_000

var modest = properties.Invariant("modest", "nobody has counted too far", func(w *model.World) error {
	for p := range w.Live().All() {
		if w.State(p) == immodest {
			return errors.New("one has counted too far")
		}
	}
	return nil
})

// TestMutantsBeyondLimits: a mutant survives only if every search came to its end.
func TestMutantsBeyondLimits(t *testing.T) {
	properties.LimitMutants(t, 5_000) // with Promises, a twentieth
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	early := map[string]string{"timers": "any"}
	bounded := map[string]string{"timers": "any", "bound": "2"}
	for _, row := range []struct {
		name          string
		ctx           context.Context
		last, stumble int
		world         map[string]string
		states        int
		killed        bool
		limit         string // of the first unfinished world; "": there is none
	}{
		{"equal", t.Context(), 3, 4, nil, 0, false, ""},
		{"near", t.Context(), 3, 3, nil, 0, true, ""},
		{"beyond the states", t.Context(), 20, 15, nil, 50, false, "limit of 50 states"},
		{"within the states", t.Context(), 12, 10, nil, 0, true, ""},
		{"beyond the usual states", t.Context(), 30, 25, early, 0, true, ""},
		{"beyond the bound", t.Context(), 20, 15, bounded, 0, false, "bound 2"},
		{"interrupted", ended, 3, 3, nil, 0, false, "interrupted"},
	} {
		t.Run(row.name, func(t *testing.T) {
			original := counting(row.last, 0, row.world)
			deaths, err := properties.KillMutants(row.ctx, original, []spec.Machine{counting(row.last, row.stumble, row.world)}, properties.Options{Catalogue: election.Catalogue, MaxStates: row.states}, modest)
			if err != nil {
				t.Fatal(err)
			}
			d := deaths[0]
			limit := ""
			if len(d.Unfinished) > 0 {
				limit = d.Unfinished[0].Limit
			}
			if d.Killed != row.killed || limit != row.limit || d.Undecided() != (row.limit != "") {
				t.Errorf("killed %v, undecided %v, %+v after %d worlds", d.Killed, d.Undecided(), d.Unfinished, d.Tried)
			}
		})
	}
}

// TestMutantsOfWhatPanics: where the original panics, nobody knows what it has that a mutant lacks.
func TestMutantsOfWhatPanics(t *testing.T) {
	panicking := func(name string) spec.Machine {
		a := counting(3, 0, nil)
		a.Name = name
		a.Timeout = func(*int, *spec.Proc[bool], spec.Timer) { panic("no more") }
		return a
	}
	deaths, err := properties.KillMutants(t.Context(), panicking("panicking"), []spec.Machine{panicking("panicking~too"), counting(3, 3, nil)}, properties.Options{Catalogue: election.Catalogue}, modest)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range deaths {
		if !d.Undecided() || d.Unfinished[0].Limit != "the original panics there" {
			t.Errorf("%+v", d)
		}
	}
}

// TestMutantsOfLists: a mutant that spoils a list or a map is told from the algorithm, and the run that tells it says where.
func TestMutantsOfLists(t *testing.T) {
	type state struct {
		log  []int
		acks map[int]bool
	}
	a := &spec.Algorithm[state, bool]{
		Name: "test/log", Doc: "Appends.", Source: "this test",
		Init:    func(_ *state, p *spec.Proc[bool]) { p.SetTimer(0) },
		Receive: func(*state, *spec.Proc[bool], spec.ID, bool) {},
		Timeout: func(s *state, p *spec.Proc[bool], _ spec.Timer) {
			s.log, s.acks = append(s.log, len(s.log)), map[int]bool{len(s.log): true}
			if len(s.log) < 3 {
				p.SetTimer(0)
			}
		},
		Rules: []spec.TimerRule[state, bool]{{Name: "T_append"}}, MaxN: 2,
		Properties: []spec.Property{spec.Invariant("in-order", "a log is in order", func(w spec.World) error {
			for p, s := range spec.States[state](w) {
				if !slices.IsSorted(s.log) || len(s.acks) > 1 {
					return fmt.Errorf("process %v has %v", p, s)
				}
			}
			return nil
		})},
	}
	for want, spoil := range map[string]func(*state){
		"process 1 has {[1 0] map[1:true]}":      func(s *state) { slices.Reverse(s.log) },
		"process 1 has {[0] map[0:true 9:true]}": func(s *state) { s.acks[9] = true },
	} {
		m := a.Mutant("spoilt", "spoils what it has", func(s *state, _ *spec.Proc[bool], e spec.Event, handle func()) {
			if handle(); e.Kind == spec.Timeout {
				spoil(s)
			}
		})
		deaths, err := properties.KillMutants(t.Context(), a, []spec.Machine{m}, properties.Options{Catalogue: election.Catalogue}, properties.Own(a)...)
		if err != nil || !deaths[0].Killed || deaths[0].Finding.Trace.Reason != want {
			t.Errorf("%v, %+v, want %s", err, deaths[0].Finding, want)
		}
	}
}
