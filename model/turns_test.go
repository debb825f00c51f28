package model

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/syncbully"
)

// chatty sends back what it is sent, in the order in which it reads it, and remembers who was
// first.
var chatty = &spec.Algorithm[spec.ID, spec.ID]{
	Name: "x/chatty",
	Round: func(first *spec.ID, p *spec.Proc[spec.ID], in []spec.Received[spec.ID]) {
		if *first == spec.None {
			p.Broadcast(p.Others(), p.ID)
			*first = p.ID
		}
		for i, m := range in {
			if *first == p.ID && i == 0 {
				*first = m.From
			}
			if m.Message != p.ID {
				p.Send(m.From, m.Message)
			}
		}
	},
	Election: &spec.Election[spec.ID, spec.ID]{Leader: func(spec.ID) spec.ID { return spec.None }},
}

// TestTold: ways to read an inbox that differ in what is told are different rounds.
func TestTold(t *testing.T) {
	teller := &spec.Algorithm[bool, bool]{
		Name: "x/teller",
		Round: func(begun *bool, p *spec.Proc[bool], in []spec.Received[bool]) {
			if !*begun {
				*begun = true
				p.Broadcast(p.Others(), true)
			} else if len(in) > 0 {
				p.Output(in[0].From)
			}
		},
		Election: &spec.Election[bool, bool]{Leader: func(bool) spec.ID { return spec.None }},
	}
	r, err := NewReference(teller, Config{N: 3, Network: Rounds})
	if err != nil {
		t.Fatal(err)
	}
	all := r.Steps(r.Steps(r.Initial()[0])[0].After)
	if told := map[string]bool{}; len(all) != 8 {
		t.Errorf("%d rounds, not 8, as each of three may hear one of two first", len(all))
	} else {
		for _, step := range all {
			told[fmt.Sprint(step.Outputs)] = true
		}
		if len(told) != 8 {
			t.Errorf("%v is told", told)
		}
	}
}

// TestRoundsAreAllRounds: the rounds that may follow a state lead to the same states as all ways
// in which its processes may read their inboxes and crash, and each of these can be asked for.
func TestRoundsAreAllRounds(t *testing.T) {
	testsize.Alone(t)
	fewer := 0
	for _, m := range []spec.Machine{syncbully.Mended, syncbully.Published, syncbully.Deadline2, chatty} {
		for _, c := range []Config{{N: 2, Crashes: 1}, {N: 3, Crashes: 2}, {N: 3, Detector: Perfect, Crashes: 1}, {N: 4}} {
			c.Network = Rounds
			r, err := NewReference(m, c)
			if err != nil {
				continue
			}
			t.Run(fmt.Sprint(m.Traits().Name, c), func(t *testing.T) { fewer += compareRounds(t, r) })
		}
	}
	if fewer < 100 {
		t.Errorf("only %d ways make no difference", fewer)
	}
}

// compareRounds returns how many ways make no difference.
func compareRounds(t *testing.T, r *Reference) (fewer int) {
	states, seen := r.Initial(), map[string]bool{}
	for len(states) > 0 && len(seen) < testsize.Of(60, 30, 60) {
		s := states[0]
		states = states[1:]
		if seen[s.Key()] {
			continue
		}
		seen[s.Key()] = true
		want, got := map[string]bool{s.Key(): true}, map[string]bool{s.Key(): true}
		all := r.allRounds(s)
		for _, step := range all {
			want[step.After.Key()] = true
			if same, err := r.Do(s, step.Event); len(step.Event.Parts) == 1 && (err != nil || !same.After.Equal(step.After) || !slices.Equal(same.Sends, step.Sends)) && !step.After.Equal(s) {
				t.Fatalf("%+v, asked for: %+v, %v, not %+v", step.Event, same, err, step)
			}
		}
		steps := r.Steps(s)
		for i, step := range steps {
			if slices.ContainsFunc(steps[:i], func(o Step) bool { return o.After.Equal(step.After) && sameSends(o.Sends, step.Sends) }) {
				t.Fatalf("%+v: the same in two ways, one of which is %+v", s, step.Event)
			}
			got[step.After.Key()] = true
			states = append(states, step.After)
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%d states follow %+v, not %d", len(got), s, len(want))
		}
		fewer += len(all) - len(steps)
	}
	return fewer
}

// sameSends reports whether a and b are the same messages, in any order.
func sameSends(a, b []Sent) bool {
	left := slices.Clone(b)
	for _, m := range a {
		i := slices.Index(left, m)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(left) == 0
}

// allRounds returns all rounds that may follow s, whether or not they make a difference.
func (r *Reference) allRounds(s State) (steps []Step) {
	ways := []([]*turn){nil}
	for p := range r.all.All() {
		var turns []*turn
		l := s.Local(p)
		switch {
		case l.Status == Down:
			turns = append(turns, &turn{part: Part{Process: p}, after: l})
		case r.traits.Halted(l.State):
			turns = append(turns, &turn{part: Part{Process: p}, after: l}, &turn{part: Part{Process: p, Crash: true}})
		default:
			for _, order := range s.Inbox(p).orders() {
				t := newLockStep(r, s, anyPart).turn(p, order)
				turns = append(turns, &t)
				for k := range len(t.sends) + 1 {
					turns = append(turns, &turn{part: Part{Process: p, Order: t.part.Order, Crash: true, Cut: k}, sends: t.sends[:k]})
				}
			}
		}
		var more [][]*turn
		for _, way := range ways {
			for _, turn := range turns {
				more = append(more, append(slices.Clone(way), turn))
			}
		}
		ways = more
	}
	for _, way := range ways {
		crashes := 0
		for _, t := range way {
			crashes += boolInt(t.part.Crash)
		}
		if crashes <= r.left(s, Crashes) {
			steps = append(steps, newLockStep(r, s, anyPart).round(way, crashes > 0))
		}
	}
	return steps
}
