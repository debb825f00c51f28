package syncring

import (
	"fmt"
	"testing"

	"interleave/spec"
	"interleave/spec/spectest"
)

func TestDuties(t *testing.T) {
	spectest.Run(t, Published)
	spectest.Run(t, Asynchronous)
}

// TestRules looks at single rounds of process 2 on the ring 1, 2, 3, and at the
// same messages one by one.
func TestRules(t *testing.T) {
	voted := State{Voted: true}
	for _, c := range []struct {
		rule            string
		before          State
		in              []Vote
		round, received string
	}{
		{"it votes at first", State{}, nil, "{true none} [{3 VOTE(2)}]", "{false none} []"},
		{"it votes, whatever it has heard", State{}, []Vote{{3, false}}, "{true none} [{3 VOTE(2)} {3 VOTE(3)}]", "{false none} [{3 VOTE(3)}]"},
		{"a smaller vote ends here", voted, []Vote{{1, false}}, "{true none} []", "{true none} []"},
		{"a smaller vote ends here, decided or not", voted, []Vote{{1, true}}, "{true none} []", "{true none} []"},
		{"a larger vote is passed on", voted, []Vote{{3, false}}, "{true none} [{3 VOTE(3)}]", "{true none} [{3 VOTE(3)}]"},
		{"after a smaller vote it reads on, after a larger one it does not", voted, []Vote{{1, false}, {3, false}, {3, true}},
			"{true none} [{3 VOTE(3)}]", "{true 3} [{3 VOTE(3)} {3 DECIDED(3)}]"},
		{"a larger vote, decided, is passed on and believed", voted, []Vote{{3, true}}, "{true 3} [{3 DECIDED(3)}]", "{true 3} [{3 DECIDED(3)}]"},
		{"its own vote comes round", voted, []Vote{{2, false}}, "{true none} [{3 DECIDED(2)}]", "{true none} [{3 DECIDED(2)}]"},
		{"its own vote comes round, decided", voted, []Vote{{2, true}}, "{true 2} []", "{true 2} []"},
		{"it has returned", State{Voted: true, Leader: 3}, []Vote{{1, false}}, "returned", "refused"},
	} {
		if got := round(c.before, c.in); got != c.round {
			t.Errorf("%s: %s, want %s", c.rule, got, c.round)
		}
		if got := receive(c.before, c.in); got != c.received {
			t.Errorf("%s, one by one: %s, want %s", c.rule, got, c.received)
		}
	}
}

var ring = []spec.ID{1, 2, 3}

func round(s State, in []Vote) string {
	if Published.Halted(s) {
		return "returned"
	}
	e := spec.Event{Kind: spec.Round}
	for _, v := range in {
		e.Inbox = append(e.Inbox, spec.Received[any]{From: 1, Message: v})
	}
	after, fx := Published.Step(2, ring, s, e)
	return fmt.Sprint(after, fx.Sends)
}

func receive(s State, in []Vote) string {
	var sends []spec.Send
	after := any(s)
	for _, v := range in {
		var fx spec.Effects
		after, fx = Asynchronous.Step(2, ring, after, spec.Event{Kind: spec.Receive, From: 1, Message: v})
		if fx.Refused {
			return "refused"
		}
		sends = append(sends, fx.Sends...)
	}
	return fmt.Sprint(after, sends)
}
