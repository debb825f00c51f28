package tokenring

import (
	"fmt"
	"strings"
	"testing"

	"interleave/spec"
	"interleave/spec/spectest"
)

func TestDuties(t *testing.T) {
	for _, a := range []*spec.Algorithm[State, Msg]{PublishedA, PublishedB, Mended} {
		spectest.Run(t, a)
		spectest.Timers(t, a, func(s State) []spec.Timer {
			if s.Holding && len(a.Rules) > 0 {
				return []spec.Timer{ListTimer}
			}
			return nil
		})
	}
}

// TestRules looks at single steps of process 2 on the ring 1, 2, 3, in which 3
// has crashed.
func TestRules(t *testing.T) {
	holding, idle := State{true, 0}, State{false, 3}
	receive := func(m Msg) spec.Event { return spec.Event{Kind: spec.Receive, From: 1, Message: m} }
	election := func(ids ...spec.ID) spec.Event { return receive(Msg{Kind: Election, List: ListOf(ids...)}) }
	published := func(origin spec.ID, ids ...spec.ID) spec.Event {
		return receive(Msg{Kind: Coordinator, List: ListOf(ids...), Origin: origin})
	}
	mended := func(leader spec.ID, seen ...spec.ID) spec.Event {
		return receive(Msg{Kind: Coordinator, Leader: leader, List: ListOf(seen...)})
	}
	for _, c := range []struct {
		rule      string
		algorithm *spec.Algorithm[State, Msg]
		before    State
		event     spec.Event
		want      string
	}{
		{"notice", Mended, idle, spec.NoticeEvent(), "{true 3} ELECTION[2]"},
		{"notice while holding", Mended, holding, spec.NoticeEvent(), "refused"},
		{"T_ring", Mended, holding, spec.Event{Kind: spec.Timeout}, "{true none} ELECTION[2]"},
		{"not in the list", PublishedA, holding, election(3, 1), "{true none} ELECTION[3 1 2]"},
		{"in the list", PublishedA, idle, election(3, 1, 2), "{false 3} COORDINATOR[3 1 2] by 2"},
		{"in the list, not the first", PublishedB, idle, election(3, 1, 2), "{false 3} ELECTION[3 1 2]"},
		{"the first of the list", PublishedB, holding, election(2, 3, 1), "{false 3} COORDINATOR[2 3 1] by 2"},
		{"the largest has crashed", Mended, holding, election(2, 3, 1), "{false 2} COORDINATOR(2) seen by [2]"},
		{"COORDINATOR", PublishedA, holding, published(1, 1, 2, 3), "{false 3} COORDINATOR[1 2 3] by 1"},
		{"COORDINATOR of my own", PublishedA, holding, published(2, 1, 2), "{true none}"},
		{"COORDINATOR not seen", Mended, holding, mended(1, 1), "{false 1} COORDINATOR(1) seen by [1 2]"},
		{"COORDINATOR seen", Mended, holding, mended(1, 2, 1), "{true none}"},
	} {
		c.event.Live = spec.SetOf(1, 2)
		after, fx := c.algorithm.Step(2, []spec.ID{1, 2, 3}, c.before, c.event)
		got := fmt.Sprint(after)
		for _, send := range fx.Sends {
			got += fmt.Sprint(" ", send.Message)
		}
		if fx.Refused {
			got = "refused"
		}
		if got != c.want {
			t.Errorf("%s: %s: %s, want %s", c.algorithm.Name, c.rule, got, c.want)
		}
	}
}

func TestAlone(t *testing.T) {
	after, fx := Mended.Step(2, []spec.ID{1, 2}, State{Holding: true},
		spec.Event{Kind: spec.Receive, From: 2, Message: Msg{List: ListOf(2, 1)}, Live: spec.SetOf(2)})
	if after != (State{Leader: 2}) || fx.Sends != nil {
		t.Errorf("it is alone, and yet: %v, sends %v", after, fx.Sends)
	}
}

// TestFull sees what happens on a ring that is too large.
func TestFull(t *testing.T) {
	ring := make([]spec.ID, MaxN+1)
	var list List
	for i := range ring {
		ring[i] = spec.ID(i + 1)
		if i < MaxN {
			list = list.with(ring[i])
		}
	}
	_, fx := Mended.Step(MaxN+1, ring, State{}, spec.Event{Kind: spec.Receive, From: MaxN, Message: Msg{List: list}})
	if !strings.Contains(fx.Panic, "there may be at most 16 processes") {
		t.Errorf("%+v", fx)
	}
}
