package object_test

import (
	"testing"

	"interleave/spec"
	"interleave/spec/object"
)

// Who follows one run does not pay for its beginning at each step.
func TestOneRun(t *testing.T) {
	m := tallies()
	m.Save, m.Load = nil, nil
	handle, calls := m.Handle, 0
	m.Handle = func(o *tally, e spec.Event, p *spec.Proc[int]) { calls++; handle(o, e, p) }
	ring := []spec.ID{1}
	s, _ := m.Step(1, ring, m.Traits().Zero, spec.Event{Kind: spec.Init})
	first := s
	for range 300 {
		s, _ = m.Step(1, ring, s, spec.Event{Kind: spec.Act})
	}
	if calls != 300 {
		t.Errorf("%d calls for 300 steps", calls)
	}
	two, _ := m.Step(1, ring, first, spec.Event{Kind: spec.Act, Action: 1})
	again, _ := m.Step(1, ring, first, spec.Event{Kind: spec.Act})
	again, _ = m.Step(1, ring, again, spec.Event{Kind: spec.Act})
	if two != again {
		t.Errorf("%+v, and by another way %+v", two, again)
	}
}

// What an event has changed that is refused does not stay.
func TestRefusedUndone(t *testing.T) {
	m := tallies()
	m.Handle = func(o *tally, e spec.Event, p *spec.Proc[int]) {
		if o.n++; e.Action == 1 {
			p.Refuse()
		}
	}
	ring := []spec.ID{1}
	s, _ := m.Step(1, ring, m.Traits().Zero, spec.Event{Kind: spec.Init})
	s, _ = m.Step(1, ring, s, spec.Event{Kind: spec.Act})
	if _, fx := m.Step(1, ring, s, spec.Event{Kind: spec.Act, Action: 1}); !fx.Refused {
		t.Fatal(fx)
	}
	if s, _ = m.Step(1, ring, s, spec.Event{Kind: spec.Act}); s.(object.State[struct{}, int]).View != 2 {
		t.Errorf("it comes to %+v", s)
	}
}
