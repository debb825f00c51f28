package object_test

import (
	"strconv"
	"testing"

	"interleave/spec"
	"interleave/spec/object"
)

// tally is a number that grows by one or by two, and is saved when it took long to get there.
type tally struct{ n int }

func tallies() *object.Code[*tally, struct{}, int, int] {
	type state = object.State[struct{}, int]
	return &object.Code[*tally, struct{}, int, int]{
		Algorithm: spec.Algorithm[state, int]{
			Name: "tally/any", Doc: "counts", Source: "this test",
			Actions: []spec.Action[state, int]{{Name: "one"}, {Name: "two"}},
		},
		Open:   func(spec.ID, spec.Set, struct{}) *tally { return &tally{} },
		Handle: func(o *tally, e spec.Event, p *spec.Proc[int]) { o.n += 1 + int(e.Action) },
		View:   func(o *tally) int { return o.n },
		Save:   func(o *tally) []byte { return []byte(strconv.Itoa(o.n)) },
		Load: func(_ spec.ID, _ spec.Set, b []byte) *tally {
			n, _ := strconv.Atoi(string(b))
			return &tally{n}
		},
	}
}

// Histories make every state that is known again, by another who knows none; also those that were saved, and that a shorter
// history led to later.
func TestHistories(t *testing.T) {
	ring := []spec.ID{1}
	m := tallies()
	one, _ := m.Step(1, ring, m.Traits().Zero, spec.Event{Kind: spec.Init})
	known := []any{one}
	for range 20 {
		one, _ = m.Step(1, ring, one, spec.Event{Kind: spec.Act})
		known = append(known, one)
	}
	for _, s := range known {
		m.Step(1, ring, s, spec.Event{Kind: spec.Act, Action: 1})
	}
	fresh := tallies()
	made := map[any]bool{}
	var states []any
	for i, h := range m.Traits().Code.Histories() {
		from := h.Memory
		if h.Before >= i {
			t.Fatalf("history %d goes on with %d", i, h.Before)
		}
		if h.Before >= 0 {
			from = states[h.Before]
		}
		s, fx := fresh.Step(h.Process, h.Ring, from, h.Event)
		if made[s] || fx.Refused || fx.Panic != "" {
			t.Fatalf("history %d leads to %+v: %v", i, s, fx)
		}
		states, made[s] = append(states, s), true
	}
	for _, s := range known {
		if !made[s] {
			t.Errorf("no history makes %+v", s)
		}
	}
}
