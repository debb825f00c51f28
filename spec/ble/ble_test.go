package ble

import (
	"fmt"
	"testing"

	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/spectest"
)

func TestDuties(t *testing.T) {
	all := []*spec.Algorithm[State, Msg]{Mended, Published, Majority, Quiet}
	for _, a := range all[:testsize.Of(1, 2, len(all))] {
		spectest.Run(t, a)
		spectest.Timers(t, a, func(State) []spec.Timer { return []spec.Timer{Delay} })
	}
}

// replies makes a set of answers with the given ballots.
func replies(ballots ...Ballot) (r Replies) {
	for _, b := range ballots {
		r.add(b.Process, b)
	}
	return r
}

// TestTimeout looks at the end of a round of process 2 among four.
func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		rule              string
		before            State
		published, mended string
	}{
		{"too few answers", State{Bmax: Ballot{0, 2}},
			"leader none, own 0, bmax 0/2, tells []", "leader none, own 0, bmax 0/2, tells []"},
		{"half of them", State{Replies: replies(Ballot{0, 3}), Bmax: Ballot{0, 2}},
			"leader 0/3, own 0, bmax 0/3, tells [Leader(0/3)]", "leader none, own 0, bmax 0/2, tells []"},
		{"a new leader", State{Replies: replies(Ballot{0, 3}, Ballot{0, 1}), Bmax: Ballot{0, 2}},
			"leader 0/3, own 0, bmax 0/3, tells [Leader(0/3)]", "leader 0/3, own 0, bmax 0/3, tells [Leader(0/3)]"},
		{"the leader again", State{Replies: replies(Ballot{0, 3}, Ballot{0, 1}), Bmax: Ballot{0, 3}, Leader: Ballot{0, 3}},
			"leader 0/3, own 0, bmax 0/3, tells [Leader(0/3)]", "leader 0/3, own 0, bmax 0/3, tells []"},
		{"the largest is silent", State{Replies: replies(Ballot{0, 3}, Ballot{0, 1}), Bmax: Ballot{4, 4}, Leader: Ballot{4, 4}},
			"leader none, own 5, bmax 4/4, tells []", "leader none, own 5, bmax 4/4, tells []"},
		{"a bump by the ID alone", State{Replies: replies(Ballot{0, 3}, Ballot{0, 1}), Bmax: Ballot{4, 1}},
			"leader none, own 4, bmax 4/1, tells []", "leader none, own 4, bmax 4/1, tells []"},
	} {
		for _, v := range []struct {
			algorithm *spec.Algorithm[State, Msg]
			want      string
		}{{Published, c.published}, {Mended, c.mended}} {
			after, fx := v.algorithm.Step(2, []spec.ID{1, 2, 3, 4}, c.before, spec.Event{Kind: spec.Timeout})
			s := after.(State)
			got := fmt.Sprintf("leader %v, own %d, bmax %v, tells %v", s.Leader, s.N, s.Bmax, fx.Outputs)
			if got != v.want {
				t.Errorf("%s, %s: %s, want %s", v.algorithm.Name, c.rule, got, v.want)
			}
			if s.Round != 1 || s.Replies != (Replies{}) || len(fx.Sends) != 3 || fx.Sends[0].Message != (Msg{Request, 1, s.Bmax}) {
				t.Errorf("%s, %s: round %d, replies %v, sends %v", v.algorithm.Name, c.rule, s.Round, s.Replies, fx.Sends)
			}
		}
	}
}

func TestReplies(t *testing.T) {
	r := replies(Ballot{0, 3}, Ballot{1, 1}, Ballot{0, 3})
	r.add(1, Ballot{0, 1})
	if got := fmt.Sprint(r, r.count(), r.largest(), r.senders()); got != "{1: 0/1, 1: 1/1, 3: 0/3} 3 1/1 {1 3}" {
		t.Error(got)
	}
}

// TestRestart: only what is stable comes back, and whom the user was told of is
// never forgotten.
func TestRestart(t *testing.T) {
	s := State{Round: 3, N: 2, Leader: Ballot{2, 2}, Bmax: Ballot{2, 2}, Last: Ballot{2, 2}}
	for _, c := range []struct {
		algorithm *spec.Algorithm[State, Msg]
		want      State
	}{
		{Published, State{Bmax: Ballot{0, 2}, Last: Ballot{2, 2}}},
		{Mended, State{N: 2, Leader: Ballot{2, 2}, Bmax: Ballot{2, 2}, Last: Ballot{2, 2}}},
	} {
		after, fx := c.algorithm.Step(2, []spec.ID{1, 2}, c.algorithm.Stable(s), spec.Event{Kind: spec.Init})
		if after != c.want || fx.Armed != 1 {
			t.Errorf("%s: %+v, want %+v", c.algorithm.Name, after, c.want)
		}
	}
}
