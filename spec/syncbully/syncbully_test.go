package syncbully

import (
	"fmt"
	"testing"

	"interleave/spec"
	"interleave/spec/spectest"
)

func TestDuties(t *testing.T) {
	spectest.Run(t, Mended)
	spectest.Run(t, Published)
	spectest.Run(t, Deadline2)
}

// step runs one handler of process self among three.
func step(m spec.Machine, self spec.ID, state any, e spec.Event) string {
	after, fx := m.Step(self, []spec.ID{1, 2, 3}, state, e)
	return fmt.Sprintf("%+v %v", after, fx.Sends)
}

func round(in ...spec.Received[any]) spec.Event { return spec.Event{Kind: spec.Round, Inbox: in} }

// TestPublished looks at single rounds, and at the quirks of the listing.
func TestPublished(t *testing.T) {
	vote := func(from spec.ID) spec.Received[any] {
		return spec.Received[any]{From: from, Message: Vote{from, false}}
	}
	decided := func(from spec.ID) spec.Received[any] {
		return spec.Received[any]{From: from, Message: Vote{from, true}}
	}
	waiting, shutUp := State{Election: true, Rounds: 1}, State{Election: true, ShutUp: true, Rounds: 1}
	for _, c := range []struct {
		rule                 string
		self                 spec.ID
		before               State
		event                spec.Event
		published, deadline2 string
	}{
		{"the first round", 1, State{}, round(),
			"{Leader:none ShutUp:false Election:true Rounds:1} [{2 VOTE(1)} {3 VOTE(1)}]",
			"{Leader:none ShutUp:false Election:true Rounds:1} [{2 VOTE(1)} {3 VOTE(1)}]"},
		{"the deadline is shorter than a round trip", 1, waiting, round(),
			"{Leader:1 ShutUp:false Election:false Rounds:0} [{2 DECIDED(1)} {3 DECIDED(1)}]",
			"{Leader:none ShutUp:false Election:true Rounds:2} []"},
		{"a challenge keeps it waiting", 2, waiting, round(vote(1)),
			"{Leader:none ShutUp:false Election:true Rounds:1} [{1 VOTE(2)}]",
			"{Leader:none ShutUp:false Election:true Rounds:2} [{1 VOTE(2)}]"},
		{"an answer of the largest is decided", 3, waiting, round(vote(1)),
			"{Leader:none ShutUp:false Election:true Rounds:1} [{1 DECIDED(3)}]",
			"{Leader:none ShutUp:false Election:true Rounds:2} [{1 DECIDED(3)}]"},
		{"a decided vote from below is but a challenge", 2, waiting, round(decided(1)),
			"{Leader:none ShutUp:false Election:true Rounds:1} [{1 VOTE(2)}]",
			"{Leader:none ShutUp:false Election:true Rounds:2} [{1 VOTE(2)}]"},
		{"from above it shuts up", 1, waiting, round(vote(2)),
			"{Leader:none ShutUp:true Election:true Rounds:1} []",
			"{Leader:none ShutUp:true Election:true Rounds:2} []"},
		{"a decided vote first, and a challenge goes unanswered", 2, waiting, round(decided(3), vote(1)),
			"{Leader:3 ShutUp:false Election:false Rounds:0} []",
			"{Leader:3 ShutUp:false Election:false Rounds:0} []"},
		{"a challenge first", 2, waiting, round(vote(1), decided(3)),
			"{Leader:3 ShutUp:false Election:false Rounds:0} [{1 VOTE(2)}]",
			"{Leader:3 ShutUp:false Election:false Rounds:0} [{1 VOTE(2)}]"},
		{"to begin anew sends nothing", 1, shutUp, round(),
			"{Leader:none ShutUp:false Election:true Rounds:1} []",
			"{Leader:none ShutUp:true Election:true Rounds:2} []"},
	} {
		if got := step(Published, c.self, c.before, c.event); got != c.published {
			t.Errorf("%s: %s, want %s", c.rule, got, c.published)
		}
		if got := step(Deadline2, c.self, c.before, c.event); got != c.deadline2 {
			t.Errorf("%s, deadline2: %s, want %s", c.rule, got, c.deadline2)
		}
	}
}

// TestMended looks at single steps.
func TestMended(t *testing.T) {
	from := func(q spec.ID, m Msg) spec.Received[any] { return spec.Received[any]{From: q, Message: m} }
	electing := func(age uint8, answered bool) Standing {
		return Standing{Electing: true, Age: age, Answered: answered}
	}
	for _, c := range []struct {
		rule   string
		self   spec.ID
		before Standing
		event  spec.Event
		want   string
	}{
		{"no leader", 1, Standing{}, round(), "{Leader:none Electing:true Answered:false Age:0} [{2 CHALLENGE} {3 CHALLENGE}]"},
		{"no answer, but a round trip is not over", 2, electing(0, false), round(), "{Leader:none Electing:true Answered:false Age:1} []"},
		{"no answer", 2, electing(1, false), round(), "{Leader:2 Electing:false Answered:false Age:2} [{1 VICTORY} {3 VICTORY}]"},
		{"an answer in time", 2, electing(1, false), round(from(3, Answer)), "{Leader:none Electing:true Answered:true Age:2} []"},
		{"an answer, and then nothing", 2, electing(4, true), round(), "{Leader:none Electing:true Answered:false Age:0} [{3 CHALLENGE}]"},
		{"a victory at the last moment", 2, electing(4, true), round(from(3, Victory)), "{Leader:3 Electing:false Answered:true Age:5} []"},
		{"a challenge", 2, Standing{Leader: 3, Age: 5}, round(from(1, Challenge)), "{Leader:3 Electing:false Answered:false Age:5} [{1 ANSWER}]"},
		{"a challenge to the leader", 2, Standing{Leader: 2, Age: 5}, round(from(1, Challenge)), "{Leader:2 Electing:false Answered:false Age:5} [{1 ANSWER} {1 VICTORY}]"},
		{"a victory below", 2, electing(0, false), round(from(1, Victory)), "{Leader:none Electing:true Answered:false Age:1} []"},
		{"the leader has crashed", 2, Standing{Leader: 3, Answered: true, Age: 5}, spec.Event{Kind: spec.Suspect, Peer: 3}, "{Leader:none Electing:false Answered:false Age:0} []"},
		{"another has crashed", 1, Standing{Leader: 3, Age: 5}, spec.Event{Kind: spec.Suspect, Peer: 2}, "{Leader:3 Electing:false Answered:false Age:5} []"},
	} {
		if got := step(Mended, c.self, c.before, c.event); got != c.want {
			t.Errorf("%s: %s, want %s", c.rule, got, c.want)
		}
	}
}
