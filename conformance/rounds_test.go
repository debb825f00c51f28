package conformance_test

import (
	"encoding/json"
	"testing"

	"interleave/conformance"
	"interleave/impl"
	"interleave/spec"
)

// rollCall is an algorithm in rounds for logs that are written by hand: in each, everybody
// says how many words it has heard, until it has heard one. Whoever has missed others
// twice takes part no more.
var rollCall = &spec.Algorithm[called, word]{
	Name: "gossip/rounds", Doc: "says in rounds how much it has heard", Source: "this test",
	Round: func(s *called, p *spec.Proc[word], in []spec.Received[word]) {
		if s.Words += len(in); s.Words == 0 {
			p.Broadcast(p.Others(), word{s.Words})
		}
	},
	Suspect: func(s *called, _ *spec.Proc[word], _ spec.ID) { s.Missed++ },
	Restore: func(s *called, _ *spec.Proc[word], _ spec.ID) { s.Missed = 0 },
	Halted:  func(s called) bool { return s.Missed > 1 },
	Leader:  func(s called) spec.ID { return spec.None },
}

type called struct{ Words, Missed int }

func member(id spec.ID) *scribe { return (&scribe{machine: rollCall, id: id, state: called{}}).begin() }

// round takes the step of a round with messages of the other process, which has heard
// nothing when it sends them.
func (s *scribe) round(number int64, heard ...uint64) *scribe {
	in := impl.Input{Event: "round", Round: number}
	for _, sequence := range heard {
		in.Inbox = append(in.Inbox, impl.Letter{
			Name: impl.Name{From: 3 - s.id, Incarnation: 1, Sequence: sequence}, Kind: "message", Message: json.RawMessage(`{"Count":0}`),
		})
	}
	return s.do(in)
}

// misses hears in a round that the other process is down, or not.
func (s *scribe) misses(event string, number int64) *scribe {
	return s.do(impl.Input{Event: event, Peer: 3 - s.id, Round: number})
}

// TestReasonsInRounds: what is wrong in lock step is told, with its line.
func TestReasonsInRounds(t *testing.T) {
	silent := member(2).end().log()
	for _, c := range []struct {
		name     string
		one, two []byte
		want     string // "": it conforms
	}{
		{"honest", member(1).round(1).round(2, 1).end().log(), member(2).round(1).round(2, 1).end().log(), ""},
		{"missing in every round", member(1).misses("suspect", 1).round(1).round(2).misses("suspect", 3).round(3).end().log(), silent, ""},
		{"a round again", member(1).round(1).round(1).end().log(), silent, "1:4: process 1, incarnation 1, round: the process has taken part in round 1, or"},
		{"halted", member(1).misses("suspect", 1).round(1).misses("suspect", 2).round(2).round(3).end().log(), silent,
			"1:7: process 1, incarnation 1, round: the process has taken part in round 2, or takes part in none any more"},
		{"halted and told", member(1).misses("suspect", 1).round(1).misses("suspect", 2).round(2).misses("suspect", 3).end().log(), silent,
			"1:7: process 1, incarnation 1, suspect 2: the process has taken part in round 2, or takes part in none any more"},
		{"missed twice", member(1).misses("suspect", 1).misses("suspect", 1).round(1).end().log(), silent,
			"1:4: process 1, incarnation 1, suspect 2: in this round process 2 was suspected: each is once"},
		{"in rounds without a step", member(1).misses("suspect", 1).misses("suspect", 2).round(2).end().log(), silent,
			"1:4: process 1, incarnation 1, suspect 2: the process has heard who is down in round 1, and has not taken the step of that round"},
		{"in a round without a word", member(1).round(1).round(2, 1).misses("suspect", 3).misses("suspect", 4).round(4).end().log(), member(2).round(1).end().log(), ""},
		{"a step without another", member(1).misses("suspect", 1).round(2).end().log(), silent,
			"1:4: process 1, incarnation 1, round: the process has heard who is down in round 1, and has not taken the step of that round"},
		{"back to a round", member(1).misses("suspect", 2).round(1).end().log(), silent,
			"1:4: process 1, incarnation 1, round: the process has heard who is down in round 2"},
		{"behind the step", member(1).round(1).misses("suspect", 1).end().log(), silent, "1:4: process 1, incarnation 1, suspect 2: the process has taken part in round 1"},
		{"restored", member(1).misses("suspect", 1).misses("restore", 1).round(1).end().log(), silent,
			"1:4: process 1, incarnation 1, restore 2: in lock step no suspicion is withdrawn"},
		{"read in its round", member(1).round(1, 1).end().log(), member(2).round(1).end().log(),
			"1:3: process 1, incarnation 1, round: message 1 of process 2 was sent in round 1, and is read in a later one if at all"},
		{"read before its round", member(1).round(1).round(2, 1).end().log(), member(2).round(3).end().log(),
			"1:4: process 1, incarnation 1, round: message 1 of process 2 was sent in round 3, and is read in a later one if at all"},
		{"read late", member(1).round(1).round(3, 1).end().log(), member(2).round(1).end().log(), ""},
		{"killed before the step", member(1).misses("suspect", 1).log(), silent, ""},
	} {
		wantReason(t, c.name, c.want, conformance.AnyFaults, c.one, c.two)
	}
}
