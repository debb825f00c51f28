package conformance_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/syncbully"
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
	Suspect:  func(s *called, _ *spec.Proc[word], _ spec.ID) { s.Missed++ },
	Restore:  func(s *called, _ *spec.Proc[word], _ spec.ID) { s.Missed = 0 },
	Halted:   func(s called) bool { return s.Missed > 1 },
	Election: &spec.Election[called, word]{Leader: func(s called) spec.ID { return spec.None }},
}

type called struct{ Words, Missed int }

func member(id spec.ID) *scribe { return (&scribe{machine: rollCall, id: id, state: called{}}).begin() }

// round takes the step of a round with messages of the other process, which has heard
// nothing when it sends them.
func (s *scribe) round(number int64, heard ...uint64) *scribe {
	in := runlog.Input{Event: "round", Round: number}
	for _, sequence := range heard {
		in.Inbox = append(in.Inbox, runlog.Letter{
			Name: runlog.Name{From: 3 - s.id, Incarnation: 1, Sequence: sequence}, Kind: "message", Message: json.RawMessage(`{"Count":0}`),
		})
	}
	return s.do(in)
}

// misses hears in a round that the other process is down, or not.
func (s *scribe) misses(event string, number int64) *scribe {
	return s.do(runlog.Input{Event: event, Peer: 3 - s.id, Round: number})
}

// asleep says that rounds went by in which the process did not run.
func (s *scribe) asleep(rounds int64) *scribe {
	return s.line(runlog.Record{Line: runlog.LineBreach, Breach: &runlog.Breach{Kind: runlog.BreachRound, Rounds: rounds, Delta: "100ms", Text: "rounds went by"}})
}

// lateFor says that a message came after its round.
func (s *scribe) lateFor() *scribe {
	return s.line(runlog.Record{Line: runlog.LineBreach, Breach: &runlog.Breach{Kind: runlog.BreachRound, Peer: 2, Message: &runlog.Name{From: 2, Incarnation: 1, Sequence: 1}, Delta: "100ms", Text: "a message came late"}})
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
		{"back to a round", member(1).asleep(1).misses("suspect", 2).round(1).end().log(), silent,
			"1:5: process 1, incarnation 1, round: the process has heard who is down in round 2"},
		{"behind the step", member(1).round(1).misses("suspect", 1).end().log(), silent, "1:4: process 1, incarnation 1, suspect 2: the process has taken part in round 1"},
		{"restored", member(1).misses("suspect", 1).misses("restore", 1).round(1).end().log(), silent,
			"1:4: process 1, incarnation 1, restore 2: in lock step no suspicion is withdrawn"},
		{"read in its round", member(1).round(1, 1).end().log(), member(2).round(1).end().log(),
			"1:3: process 1, incarnation 1, round: message 1 of process 2 was sent in round 1, and is read in a later one if at all"},
		{"read before its round", member(1).round(1).round(2, 1).end().log(), member(2).asleep(2).round(3).end().log(),
			"1:4: process 1, incarnation 1, round: message 1 of process 2 was sent in round 3, and is read in a later one if at all"},
		{"read late", member(1).round(1).asleep(1).round(3, 1).end().log(), member(2).round(1).end().log(), ""},
		{"without the first round", member(1).round(2).end().log(), silent,
			"1:3: process 1, incarnation 1, round: the process was in round 0 last, and says that it did not run in 0 since: its next is round 1"},
		{"without a round between", member(1).round(1).misses("suspect", 3).round(3).end().log(), silent,
			"1:4: process 1, incarnation 1, suspect 2: the process was in round 1 last, and says that it did not run in 0 since: its next is round 2"},
		{"without a round, and a message late", member(1).round(1).lateFor().round(3).end().log(), silent,
			"1:5: process 1, incarnation 1, round: the process was in round 1 last, and says that it did not run in 0 since: its next is round 2"},
		{"without a round later", member(1).asleep(1).round(2).round(4).end().log(), silent,
			"1:5: process 1, incarnation 1, round: the process was in round 2 last, and says that it did not run in 0 since: its next is round 3"},
		{"without rounds in which it did not run", member(1).asleep(1).round(2).end().log(), silent, ""},
		{"without more rounds than it says", member(1).asleep(1).round(3).end().log(), silent,
			"1:4: process 1, incarnation 1, round: the process was in round 0 last, and says that it did not run in 1 since: its next is round 2"},
		{"without fewer rounds than it says", member(1).round(1).asleep(5).misses("suspect", 4).end().log(), silent,
			"1:5: process 1, incarnation 1, suspect 2: the process was in round 1 last, and says that it did not run in 5 since: its next is round 7"},
		{"without rounds, it does not say how many", member(1).asleep(0).round(2).end().log(), silent,
			"1:3: process 1, incarnation 1, line \"breach\": it does not say how many rounds went by"},
		{"without a round in which it had nothing to do", member(1).round(1).round(2, 1).round(9).end().log(), member(2).round(1).end().log(), ""},
		{"without more rounds than it says, in which it had nothing to do", member(1).round(1).round(2, 1).asleep(3).round(9).end().log(), member(2).round(1).end().log(), ""},
		{"without as many rounds as it says", member(1).round(1).round(2, 1).asleep(3).asleep(2).round(7).end().log(), member(2).round(1).end().log(),
			"1:7: process 1, incarnation 1, round: the process was in round 2 last, and says that it did not run in 5 since: its next is round 8"},
		{"back before the first round", member(1).begin().round(1).end().log(), silent, ""},
		{"back", member(1).round(1).begin().end().log(), silent, "1:4: process 1, incarnation 2, line \"begin\": the process has taken part in round 1, and in lock step nobody comes back"},
		{"back to the first round", member(1).round(1).begin().round(1).end().log(), silent, "1:4: process 1, incarnation 2, line \"begin\": the process has taken part in round 1"},
		{"back after it heard who is down", member(1).asleep(1).misses("suspect", 2).begin().end().log(), silent,
			"1:5: process 1, incarnation 2, line \"begin\": the process has taken part in round 2"},
		{"killed before the step", member(1).misses("suspect", 1).log(), silent, ""},
	} {
		wantReason(t, c.name, c.want, logs.AnyFaults, c.one, c.two)
	}
}

// TestBackInRounds: a process that has sent a message in a round of lock step does not come back, whatever
// its next life says; one that goes down before the first round does.
func TestBackInRounds(t *testing.T) {
	_, packets := plan{machine: syncbully.Mended, n: 3, seed: 1, length: 5 * time.Second}.record(t)
	first := slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data && p.Frame.From == 1 })
	if at := slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data }); at < 20 || first < at {
		t.Fatalf("the first message is packet %d, that of process 1 packet %d", at, first)
	}
	early, again, spokenTo := slices.Clone(packets), slices.Clone(packets), slices.Clone(packets)
	for i := range early { // process 1 crashed before the first round
		f := &early[i].Frame
		if i >= 10 && f.From == 1 {
			f.Incarnation = 2
		} else if i >= 10 && f.To == 1 && f.Acked == 1 {
			f.Acked = 2
		}
	}
	for _, p := range packets { // it sends all anew, five rounds later
		if p.Frame.Kind == wire.Data && p.Frame.From == 1 {
			p.Frame.Incarnation, p.Frame.Sent = 2, p.Frame.Sent+int64(time.Second)
			again = append(again, p)
		}
	}
	for _, p := range packets { // another speaks to its next life
		if p.Frame.Kind == wire.Data && p.Frame.To == 1 {
			p.Frame.Acked = 2
			spokenTo = append(spokenTo, p)
			break
		}
	}
	for name, c := range map[string]struct {
		packets []capture.Packet
		want    string // "": it conforms
	}{
		"as it was":              {packets, ""},
		"before the first round": {early, ""},
		"again":                  {again, "incarnation 1 of process 1 sent a message in round"},
		"spoken to":              {spokenTo, "and incarnation 2 is there: in lock step nobody comes back"},
	} {
		report, err := watch(c.packets)
		if err != nil {
			t.Fatal(name, err)
		}
		if u := report.Unexplained; (u == nil) != (c.want == "") || u != nil && !strings.Contains(u.Error(), c.want) || u == nil && report.Verdict != conformance.Conforms {
			t.Errorf("%s: %v %s %v, not %q", name, report.Verdict, report.Reason, u, c.want)
		} else if u != nil {
			few, _, err := captures.Minimal(c.packets, captures.Options{Find: find})
			if err != nil || len(few) == 0 || len(few) > 10 || u.Process != 1 {
				t.Errorf("%s: %d packets of process %v, %v", name, len(few), u.Process, err)
				continue
			}
			alone, err := watch(few, func(o *captures.Options) { o.Only = 1 })
			if err != nil || alone.Verdict != conformance.Refuted {
				t.Errorf("%s: of %d packets %+v, %v", name, len(few), alone, err)
			}
		}
	}
}

// TestOneStepARound: what a process sends to itself in a round it reads in the next one, and what it
// sends on hearing of a crash belongs to the step of the round.
func TestOneStepARound(t *testing.T) {
	type state struct {
		Round int
		Gone  spec.Set
	}
	none := func(state) spec.ID { return spec.None }
	own := &spec.Algorithm[state, string]{
		Name: "odd/own",
		Round: func(s *state, p *spec.Proc[string], in []spec.Received[string]) {
			s.Round = min(s.Round+1, 4)
			switch s.Round {
			case 1:
				p.Broadcast(p.Others(), "hello")
			case 2:
				p.Send(p.ID, "note")
			}
			for _, r := range in {
				if r.From == p.ID {
					p.Broadcast(p.Others(), "I have read my note")
				}
			}
		},
		Election: &spec.Election[state, string]{Leader: none},
	}
	gone := &spec.Algorithm[state, string]{
		Name: "odd/gone",
		Suspect: func(s *state, p *spec.Proc[string], q spec.ID) {
			if !s.Gone.Has(q) {
				s.Gone, s.Round = s.Gone.With(q), 1
				p.Broadcast(p.Others().Without(q), "down")
			}
		},
		Round: func(s *state, p *spec.Proc[string], _ []spec.Received[string]) {
			if s.Round == 1 {
				s.Round = 2
				p.Broadcast(p.Others()&^s.Gone, "and I go on")
			}
		},
		Election: &spec.Election[state, string]{Leader: none},
	}
	for _, c := range []struct {
		machine spec.Machine
		crashes int
	}{{own, 0}, {gone, 1}} {
		_, packets := plan{machine: c.machine, n: 3, seed: 1, crashes: c.crashes, length: 3 * time.Second}.record(t)
		report, err := watch(packets, func(o *captures.Options) {
			o.Find = func(string) (spec.Machine, error) { return c.machine, nil }
		})
		if err != nil || report.Verdict != conformance.Conforms || report.Packets.Data < 2 {
			t.Errorf("%s: %+v, %v", c.machine.Traits().Name, report, err)
		}
	}
}

// TestExplainMissedRounds: where a process must have missed rounds, the logs that explain the
// capture say so.
func TestExplainMissedRounds(t *testing.T) {
	counts := &spec.Algorithm[called, word]{
		Name: "odd/counts",
		Round: func(s *called, p *spec.Proc[word], in []spec.Received[word]) {
			s.Words += len(in)
			p.Broadcast(p.Others(), word{s.Words})
		},
		Election: &spec.Election[called, word]{Leader: func(called) spec.ID { return spec.None }},
	}
	codec, err := wire.NewCodec(counts)
	if err != nil {
		t.Fatal(err)
	}
	frame := func(kind wire.Kind, from spec.ID, sequence uint64, sent int64, body []byte) capture.Packet {
		p := told(kind, 1, sequence, 0)
		f := &p.Frame
		f.Algorithm, f.Shape, f.Sent, f.Body, f.From, f.To = counts.Name, codec.Shape(), sent, body, from, 3-from
		p.From, p.To = home(f.From), home(f.To)
		return p
	}
	says := func(from spec.ID, sequence uint64, round int64, count int) capture.Packet {
		body, err := codec.Append(nil, word{count})
		if err != nil {
			t.Fatal(err)
		}
		return frame(wire.Data, from, sequence, 1e9*round+5e8, body)
	}
	find := func(string) (spec.Machine, error) { return counts, nil }
	packets := []capture.Packet{
		frame(wire.Hello, 1, 0, 5e8, []byte("ring 1,2; datagrams true; begin 1970-01-01T00:00:01Z; round 1s")),
		says(1, 1, 1, 0), says(2, 1, 3, 0), says(1, 2, 4, 1), // not in rounds 2 and 3
	}
	written, err := captures.Explanation(packets, captures.Options{Find: find})
	if err != nil {
		t.Fatal(err)
	}
	report, err := logs.Check([]logs.Log{{Name: "1", Reader: bytes.NewReader(written[0])}, {Name: "2", Reader: bytes.NewReader(written[1])}},
		logs.Options{Find: find, Budget: logs.AnyFaults})
	if err != nil || report.Verdict != conformance.Conforms || report.Breaches[runlog.BreachRound] == 0 {
		t.Errorf("%+v, %v\n%s", report, err, written[0])
	}
}
