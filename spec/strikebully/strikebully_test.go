package strikebully

import (
	"fmt"
	"testing"

	"interleave/spec"
	"interleave/spec/spectest"
)

func TestDuties(t *testing.T) {
	for _, a := range []*spec.Algorithm[State, Msg]{Published, Mended} {
		spectest.Run(t, a)
		spectest.Timers(t, a, func(s State) []spec.Timer {
			return [][]spec.Timer{Idle: nil, Electing: {AnswerTimer}, Waiting: {CoordinatorTimer}}[s.Phase]
		})
	}
}

// TestRules looks at single steps of a process among three.
func TestRules(t *testing.T) {
	notice := spec.NoticeEvent()
	from := func(q spec.ID, m Msg) spec.Event { return spec.Event{Kind: spec.Receive, From: q, Message: m} }
	expiry := func(t spec.Timer) spec.Event { return spec.Event{Kind: spec.Timeout, Timer: t} }
	for _, c := range []struct {
		rule              string
		self              spec.ID
		before            State
		event             spec.Event
		published, mended string
	}{
		{"T1 of one that waits", 2, State{Waiting, 0}, notice, "refused", "refused"},
		{"T1 forgets the leader", 2, State{Idle, 3}, notice, "{electing 3} [{3 ELECTION}]", "{electing none} [{3 ELECTION}]"},
		{"T1 of the highest", 3, State{Idle, 0}, notice, "{electing none} []", "{idle 3} [{1 COORDINATOR} {2 COORDINATOR}]"},
		{"ELECTION while electing", 2, State{Electing, 0}, from(1, Election), "{electing none} [{1 ANSWER} {3 ELECTION}]", "{electing none} [{1 ANSWER}]"},
		{"ELECTION while idle", 2, State{Idle, 0}, from(1, Election), "{electing none} [{1 ANSWER} {3 ELECTION}]", "{electing none} [{1 ANSWER} {3 ELECTION}]"},
		{"a late ANSWER", 2, State{Idle, 3}, from(3, Answer), "{idle 3} []", "{idle 3} []"},
		{"a lower COORDINATOR", 2, State{Waiting, 0}, from(1, Coordinator), "{waiting none} []", "{waiting none} []"},
		{"a stale COORDINATOR", 1, State{Idle, 3}, from(2, Coordinator), "{idle 2} []", "{idle 3} []"},
		{"T2", 2, State{Electing, 0}, expiry(AnswerTimer), "{idle 2} [{1 COORDINATOR}]", "{idle 2} [{1 COORDINATOR}]"},
		{"T3", 2, State{Waiting, 0}, expiry(CoordinatorTimer), "{electing none} [{3 ELECTION}]", "{electing none} [{3 ELECTION}]"},
	} {
		for _, v := range []struct {
			algorithm *spec.Algorithm[State, Msg]
			want      string
		}{{Published, c.published}, {Mended, c.mended}} {
			after, fx := v.algorithm.Step(c.self, []spec.ID{1, 2, 3}, c.before, c.event)
			got := fmt.Sprint(after, fx.Sends)
			if fx.Refused {
				got = "refused"
			}
			if got != v.want {
				t.Errorf("%s: %s: %s, want %s", v.algorithm.Name, c.rule, got, v.want)
			}
		}
	}
}
