package fastbully

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
			timers := [][]spec.Timer{Idle: nil, Recovering: {ViewTimer}, Electing: {AnswerTimer}, Nominated: {NominationTimer}}[s.Phase]
			if s.Waits {
				timers = append(timers, WaitTimer)
			}
			return timers
		})
	}
}

const (
	all     = spec.Set(0b111)
	refused = "refused"
)

// brief tells what of a state is not as in an idle process with a full view,
// and then what was sent.
func brief(after any, fx spec.Effects) string {
	if fx.Refused {
		return refused
	}
	s := after.(State)
	text := fmt.Sprint(s.Phase, " ", s.Leader)
	if s.Answers != 0 {
		text += fmt.Sprint(" answers ", s.Answers)
	}
	if s.Nominee != spec.None {
		text += fmt.Sprint(" nominee ", s.Nominee)
	}
	if s.Waits {
		text += " waits"
	}
	if s.View != all {
		text += fmt.Sprint(" view ", s.View)
	}
	if s.Heard != (Views{}) {
		text += fmt.Sprint(" heard ", s.Heard)
	}
	for _, send := range fx.Sends {
		text += fmt.Sprintf(", %v to %v", send.Message, send.To)
	}
	return text
}

type step struct {
	rule              string
	self              spec.ID
	before            State
	event             spec.Event
	published, mended string // the latter empty: the same
}

// take takes each step among three processes.
func take(t *testing.T, steps []step) {
	t.Helper()
	for _, c := range steps {
		if c.mended == "" {
			c.mended = c.published
		}
		if c.before.View == 0 {
			c.before.View = all
		}
		if got := brief(Published.Step(c.self, []spec.ID{1, 2, 3}, c.before, c.event)); got != c.published {
			t.Errorf("published: %s: %s; want %s", c.rule, got, c.published)
		}
		if got := brief(Mended.Step(c.self, []spec.ID{1, 2, 3}, c.before, c.event)); got != c.mended {
			t.Errorf("mended: %s: %s; want %s", c.rule, got, c.mended)
		}
	}
}

func from(q spec.ID, m Msg) spec.Event { return spec.Event{Kind: spec.Receive, From: q, Message: m} }

func expiry(t spec.Timer) spec.Event { return spec.Event{Kind: spec.Timeout, Timer: t} }

func TestElection(t *testing.T) {
	take(t, []step{
		{"T1", 1, State{Leader: 3, Waits: true}, spec.NoticeEvent(),
			"electing 3, ELECTION to 2, ELECTION to 3", "electing none, ELECTION to 2, ELECTION to 3"},
		{"T1 of the highest", 3, State{}, spec.NoticeEvent(),
			"electing none", "idle 3, COORDINATOR to 1, COORDINATOR to 2"},
		{"T1 amid an election", 1, State{Phase: Electing}, spec.NoticeEvent(), refused, ""},
		{"ELECTION amid an election", 2, State{Phase: Electing}, from(1, Msg{Kind: Election}),
			"electing none waits, ANSWER to 1", ""},
		{"ANSWER", 1, State{Phase: Electing, Answers: 0b10}, from(3, Msg{Kind: Answer}), "electing none answers {2 3}", ""},
		{"a late ANSWER", 1, State{Phase: Nominated, Answers: 0b10, Nominee: 2}, from(3, Msg{Kind: Answer}),
			"nominated none answers {2} nominee 2", ""},
		{"T2, no answer", 1, State{Phase: Electing, Waits: true}, expiry(AnswerTimer), "idle 1", ""},
		{"T2, answers", 1, State{Phase: Electing, Answers: 0b110}, expiry(AnswerTimer),
			"nominated none answers {2 3} nominee 3, NOMINATION to 3", ""},
		{"T3, another nominee", 1, State{Phase: Nominated, Answers: 0b110, Nominee: 3}, expiry(NominationTimer),
			"nominated none answers {2} nominee 2, NOMINATION to 2", ""},
		{"T3, no other nominee", 1, State{Phase: Nominated, Answers: 0b10, Nominee: 2}, expiry(NominationTimer),
			"electing none, ELECTION to 2, ELECTION to 3", ""},
		{"T4 while idle", 2, State{Waits: true}, expiry(WaitTimer), "electing none, ELECTION to 3", ""},
		{"T4 amid an election", 1, State{Phase: Nominated, Answers: 0b10, Nominee: 2, Waits: true}, expiry(WaitTimer),
			"electing none, ELECTION to 2, ELECTION to 3", "nominated none answers {2} nominee 2"},
	})
}

func TestOutcome(t *testing.T) {
	take(t, []step{
		{"NOMINATION", 2, State{Waits: true}, from(1, Msg{Kind: Nomination}), "idle 2, COORDINATOR to 1", ""},
		{"NOMINATION of one that follows a higher", 2, State{Leader: 3, Waits: true}, from(1, Msg{Kind: Nomination}),
			"idle 2, COORDINATOR to 1", "idle 3 waits, KNOWN(3) to 1"},
		{"KNOWN", 1, State{Phase: Nominated, Answers: 0b10, Nominee: 2}, from(2, Msg{Kind: Known, Leader: 3}), "idle 3", ""},
		{"a late KNOWN", 1, State{Leader: 2}, from(2, Msg{Kind: Known, Leader: 3}), "idle 2", ""},
		{"COORDINATOR ends it all", 1, State{Phase: Electing, Answers: 0b10, Waits: true}, from(3, Msg{Kind: Coordinator}), "idle 3", ""},
		{"a lower COORDINATOR", 2, State{Phase: Electing}, from(1, Msg{Kind: Coordinator}), "electing none", ""},
		{"a stale COORDINATOR", 1, State{Leader: 3, Waits: true}, from(2, Msg{Kind: Coordinator}), "idle 2", "idle 3 waits"},
	})
}

func TestRecovery(t *testing.T) {
	take(t, []step{
		{"up again", 2, State{}, spec.Event{Kind: spec.Recover}, "recovering none, IAMUP to 1, IAMUP to 3", ""},
		{"IAMUP", 1, State{Leader: 2, View: 0b11}, from(3, Msg{Kind: IAmUp}),
			"idle 2 view {1 2}, VIEW({1 2}, 2) to 3", "idle 2, VIEW({1 2 3}, 2) to 3"},
		{"VIEW", 2, State{Phase: Recovering, Heard: Views{0b1, 0b1, 1}}, from(3, Msg{Kind: View, View: 0b100, Leader: 0}),
			"recovering none heard {{1 3} {1 3} 1}", ""},
		{"a late VIEW", 2, State{Leader: 3}, from(1, Msg{Kind: View, View: 0b1, Leader: 1}), "idle 3", ""},
		{"T2, no view", 2, State{Phase: Recovering, Waits: true}, expiry(ViewTimer), "idle 2 waits", ""},
		{"T2, the highest is down", 2, State{Phase: Recovering, Heard: Views{0b111, 0b1, 1}}, expiry(ViewTimer),
			"idle 3 heard {{1 2 3} {1} 1}", "idle 2 view {1 2}, COORDINATOR to 1"},
		{"T2, a higher leader", 1, State{Phase: Recovering, Heard: Views{0b111, 0b110, 2}}, expiry(ViewTimer),
			"idle 3 heard {{1 2 3} {2 3} 2}", "idle 2 heard {{1 2 3} {2 3} 2}"},
		{"T2, no leader", 1, State{Phase: Recovering, Heard: Views{0b111, 0b10, 0}}, expiry(ViewTimer),
			"idle 3 heard {{1 2 3} {2} none}", "electing none view {1 2}, ELECTION to 2, ELECTION to 3"},
		{"T2 of the highest", 3, State{Phase: Recovering, Heard: Views{0b111, 0b10, 2}}, expiry(ViewTimer),
			"idle 3, COORDINATOR to 1, COORDINATOR to 2", "idle 3 view {2 3}, COORDINATOR to 1, COORDINATOR to 2"},
	})
}
