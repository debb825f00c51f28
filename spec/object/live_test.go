package object_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"interleave/model"
	"interleave/spec"
	"interleave/spec/object/objecttest"
)

// A real process takes the steps that a check takes, with one object that it keeps; a boot makes another.
func TestLive(t *testing.T) {
	c := model.Config{N: 2, Network: model.Set, Crashes: 3, Recoveries: 3, Losses: 3}
	r, err := model.NewReference(objecttest.Store, c)
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	ring, boots, refusals := []spec.ID{1, 2}, 0, 0
	for range 50 {
		m := objecttest.Store.Traits().Code.Live()
		state := r.Initial()[0]
		for p := range spec.UpTo(2).All() {
			if s, _ := m.Step(p, ring, m.Traits().Zero, spec.Event{Kind: spec.Init}); s != state.Local(p).State {
				t.Fatalf("process %v begins in %+v, not %+v", p, s, state.Local(p).State)
			}
		}
		for range 30 {
			if l := state.Local(2); l.Status != model.Down {
				if _, fx := m.Step(2, ring, l.State, spec.Event{Kind: spec.Act, Value: 7}); fx.Refused {
					refusals++ // and nothing comes of it
				}
			}
			steps := r.Steps(state)
			if len(steps) == 0 {
				break
			}
			step := steps[chance.IntN(len(steps))]
			e := step.Event
			switch {
			case !e.Action.Handles():
			case e.Step.Kind == spec.Recover:
				boots++
				if s, _ := m.Step(e.Process, ring, state.Local(e.Process).State, spec.Event{Kind: spec.Init}); s != step.After.Local(e.Process).State {
					t.Fatalf("process %v comes up in %+v, not %+v", e.Process, s, step.After.Local(e.Process).State)
				}
			default:
				if s, _ := m.Step(e.Process, ring, state.Local(e.Process).State, e.Step); s != step.After.Local(e.Process).State {
					t.Fatalf("%s leads to %+v, not %+v", r.Describe(e), s, step.After.Local(e.Process).State)
				}
			}
			state = step.After
		}
		if n := m.Traits().Code.Bytes(); n != 0 {
			t.Fatalf("histories and texts take %d bytes", n)
		}
	}
	if boots < 10 || refusals < 10 {
		t.Errorf("%d boots, %d refusals", boots, refusals)
	}
}

// What cannot be undone at a real process is an error, and so is a state that is not the latest.
func TestLiveRefusals(t *testing.T) {
	ring := []spec.ID{1, 2}
	m := objecttest.Store.Mutant("hasty", "it takes what it refuses", func(o *objecttest.Replica, e spec.Event, p *spec.Proc[objecttest.Message], handle func()) {
		handle()
		if e.Kind == spec.Act {
			p.Refuse()
		}
	}).Traits().Code.Live()
	booted, _ := m.Step(1, ring, m.Traits().Zero, spec.Event{Kind: spec.Init})
	if _, fx := m.Step(1, ring, booted, spec.Event{Kind: spec.Act, Value: 7}); !strings.Contains(fx.Panic, "changes the object before it refuses") {
		t.Errorf("%v", fx)
	}
	live := objecttest.Store.Traits().Code.Live()
	booted, _ = live.Step(1, ring, live.Traits().Zero, spec.Event{Kind: spec.Init})
	live.Step(1, ring, booted, spec.Event{Kind: spec.Act, Value: 7})
	defer func() {
		if err, is := recover().(*spec.CodeError); !is || !strings.Contains(err.Error(), "a real process goes on from where it is") {
			t.Errorf("%v", err)
		}
	}()
	live.Step(1, ring, booted, spec.Event{Kind: spec.Act, Value: 8})
}
