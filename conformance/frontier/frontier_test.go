package frontier_test

import (
	"errors"
	"testing"

	"interleave/conformance/frontier"
	"interleave/spec"
	"interleave/spec/bully"
)

func world(w frontier.World) *frontier.World {
	w.Machine, w.Ring = bully.Mended, []spec.ID{1, 2, 3}
	return w.Begin()
}

func life(w *frontier.World, id spec.ID) *frontier.Incarnation {
	return w.NewIncarnation(id, 1, []frontier.Memory{{State: bully.Mended.Traits().Zero}})
}

// sends wants a message of a life to be explained, or not.
func sends(t *testing.T, l *frontier.Incarnation, sequence uint64, to spec.ID, m bully.Msg, want bool) []frontier.Alternative {
	t.Helper()
	ok, instead, err := l.Sent(frontier.Send{Sequence: sequence, To: to, Content: m})
	if err != nil || ok != want {
		t.Fatalf("message %d, %v to %v: explained %v, %v", sequence, m, to, ok, err)
	}
	return instead
}

// TestEpisode: process 2 asks 3, hears nothing and wins; then it tells 1 and 3,
// and not that it still asks.
func TestEpisode(t *testing.T) {
	l := life(world(frontier.World{}), 2)
	sends(t, l, 1, 3, bully.Election, true)
	sends(t, l, 2, 1, bully.Coordinator, true) // its timer expired, in hiding
	sends(t, l, 3, 3, bully.Coordinator, true)
	if n := len(l.Frontier); n == 0 || l.Frontier[0].State().(bully.State).Leader != 2 {
		t.Errorf("%d ways, %+v", n, l.Frontier)
	}
	var actions []spec.EventKind
	for _, step := range l.Frontier[0].Path() {
		actions = append(actions, step.Input.Kind)
	}
	if len(actions) != 3 || actions[0] != spec.Init || actions[1] != spec.Act || actions[2] != spec.Timeout {
		t.Errorf("hidden steps %v", actions)
	}
}

// TestAnswerNeedsQuestion: an OK is explained by an ELECTION that came, and by
// nothing else.
func TestAnswerNeedsQuestion(t *testing.T) {
	w := world(frontier.World{})
	instead := sends(t, life(w, 3), 1, 1, bully.OK, false)
	if len(instead) != 1 || instead[0].Send.Content != bully.Coordinator || instead[0].Input.Kind != spec.Act {
		t.Errorf("instead %+v", instead)
	}
	asked := life(w, 3)
	asked.Put(frontier.Message{From: 1, Incarnation: 1, Sequence: 1, Link: 1, Content: bully.Election})
	sends(t, asked, 1, 1, bully.OK, true)
	sends(t, asked, 2, 1, bully.Coordinator, true)
}

// TestOrder: on a link that keeps order the second message waits for the first;
// unless messages may overtake.
func TestOrder(t *testing.T) {
	for _, unordered := range []bool{false, true} {
		l := life(world(frontier.World{Unordered: unordered}), 2)
		l.Put(frontier.Message{From: 1, Incarnation: 1, Sequence: 2, Link: 2, Content: bully.Election})
		sends(t, l, 1, 1, bully.OK, unordered)
	}
}

// TestDuplicates: one question is answered once, unless the network copies.
func TestDuplicates(t *testing.T) {
	for _, copies := range []bool{false, true} {
		l := life(world(frontier.World{Unordered: true, Duplicates: copies}), 3)
		l.Put(frontier.Message{From: 1, Incarnation: 1, Sequence: 1, Content: bully.Election})
		sends(t, l, 1, 1, bully.OK, true)
		sends(t, l, 2, 1, bully.Coordinator, true)
		sends(t, l, 3, 2, bully.Coordinator, true)
		sends(t, l, 4, 1, bully.OK, copies)
	}
}

// TestGaps: a message that is missing can be whatever was ever to be sent.
func TestGaps(t *testing.T) {
	w := world(frontier.World{Gaps: true})
	asks := life(w, 1)
	sends(t, asks, 1, 2, bully.Election, true)
	for _, missing := range []bool{false, true} {
		l := life(w, 3)
		l.Lacks = func(from spec.ID, _ uint32, place uint64) bool { return missing && from == 1 && place == 1 }
		l.Expect(1, 1)
		sends(t, l, 1, 1, bully.OK, missing)
	}
}

// TestAcknowledged: who has acknowledged a question has handled it, in every way.
func TestAcknowledged(t *testing.T) {
	l := life(world(frontier.World{}), 2)
	for i := range uint64(2) {
		l.Put(frontier.Message{From: 1, Incarnation: 1, Sequence: i + 1, Link: i + 1, Content: bully.Election})
	}
	sends(t, l, 1, 3, bully.Election, true)
	for last := range uint64(3) {
		if ok, err := l.Acknowledged(1, 1, last); !ok || err != nil {
			t.Fatal(ok, err)
		}
		for _, n := range l.Frontier {
			received := uint64(0)
			for _, step := range n.Path() {
				if step.Input.Kind == spec.Receive {
					received++
				}
			}
			if received < last {
				t.Errorf("%d of %d messages were handled on the way to %+v", received, last, n.State())
			}
		}
	}
	l.Put(frontier.Message{From: 1, Incarnation: 1, Sequence: 4, Link: 4, Content: bully.Election})
	if l.Missing(1, 1, 2) != 0 || l.Missing(1, 1, 4) != 3 || l.Missing(3, 1, 1) != 1 {
		t.Error("missing", l.Missing(1, 1, 2), l.Missing(1, 1, 4), l.Missing(3, 1, 1))
	}
}

// TestRefusedForSomeLives: a process that refuses by who is up may have refused what it
// acknowledged, whoever that was.
func TestRefusedForSomeLives(t *testing.T) {
	type state struct{ None bool }
	for _, waitsFor := range []bool{true, false} { // that process 3 is up, or that it is down
		picky := &spec.Algorithm[state, uint8]{
			Name: "picky/test", Doc: "hears another while a third is up or down", Source: "this test", Oracle: true,
			Start: func(_ *state, p *spec.Proc[uint8]) { p.Send(1, 1) },
			Receive: func(_ *state, p *spec.Proc[uint8], from spec.ID, _ uint8) {
				if p.Live().Has(3) != waitsFor {
					p.Refuse()
					return
				}
				p.Send(from, 2)
			},
			Election: &spec.Election[state, uint8]{Leader: func(state) spec.ID { return spec.None }},
		}
		w := (&frontier.World{Machine: picky, Ring: []spec.ID{1, 2, 3}}).Begin()
		l := w.NewIncarnation(2, 1, []frontier.Memory{{State: state{}}})
		l.Future = func(sequence uint64) (frontier.Send, bool) {
			return frontier.Send{Sequence: sequence, To: 1, Content: uint8(1)}, sequence == 1
		}
		l.Expects = func(sequence uint64) bool { return sequence == 1 }
		if ok, _, err := l.Sent(frontier.Send{Sequence: 1, To: 1, Content: uint8(1)}); !ok || err != nil {
			t.Fatal(ok, err)
		}
		l.Put(frontier.Message{From: 1, Incarnation: 1, Sequence: 1, Link: 1, Content: uint8(7)})
		ok, err := l.Acknowledged(1, 1, 1)
		path := l.Frontier[0].Path() // init, start, and the refusal
		if last := path[len(path)-1].Input; !ok || err != nil || len(path) != 3 || !last.Refused || last.Live.Has(3) == waitsFor || last.Received.Sequence != 1 {
			t.Errorf("refuses unless 3 is up, %v: %v, %v, refused in %+v", waitsFor, ok, err, l.Frontier)
		}
	}
}

// TestStoppedTimer: who has an answer does not win because nobody answers.
func TestStoppedTimer(t *testing.T) {
	l := life(world(frontier.World{}), 2)
	sends(t, l, 1, 3, bully.Election, true)
	l.Put(frontier.Message{From: 3, Incarnation: 1, Sequence: 1, Link: 1, Content: bully.OK})
	if ok, err := l.Acknowledged(3, 1, 1); !ok || err != nil {
		t.Fatal(ok, err)
	}
	l.Put(frontier.Message{From: 1, Incarnation: 1, Sequence: 1, Link: 1, Content: bully.Election})
	sends(t, l, 2, 1, bully.OK, true) // what was acknowledged was handled before
	sends(t, l, 3, 1, bully.Coordinator, false)
}

// TestLimit: too much to look at is no refusal.
func TestLimit(t *testing.T) {
	l := life(world(frontier.World{Limit: 1}), 2)
	if _, _, err := l.Sent(frontier.Send{Sequence: 1, To: 3, Content: bully.Election}); !errors.Is(err, frontier.ErrLimit) || l.Failed {
		t.Error(err)
	}
}
