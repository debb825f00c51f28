package conformance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/forge"
	"interleave/conformance/logs"
	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/spec"
)

// gossip is an algorithm for logs that are written by hand: whoever notices says
// how many words it has heard.
var gossip = &spec.Algorithm[heard, word]{
	Name: "gossip/plain", Doc: "says how much it has heard", Source: "this test",
	Init: func(_ *heard, p *spec.Proc[word]) { p.SetTimer(0) },
	Receive: func(s *heard, p *spec.Proc[word], _ spec.ID, m word) {
		if s.Words > 9 {
			p.Refuse()
		}
		s.Words++
	},
	Timeout: func(s *heard, p *spec.Proc[word], _ spec.Timer) { s.Words = 0 },
	Suspect: func(s *heard, _ *spec.Proc[word], _ spec.ID) { s.Words = 0 },
	Restore: func(s *heard, p *spec.Proc[word], _ spec.ID) { s.Words = 0; p.StopTimer(0) },
	Recover: func(*heard, *spec.Proc[word]) {},
	Stable:  func(s heard) heard { return s },
	Election: &spec.Election[heard, word]{
		Notice: func(s *heard, p *spec.Proc[word]) {
			for q := range p.Others().All() {
				p.Send(q, word{s.Words})
			}
		},
		Leader: func(s heard) spec.ID { return spec.ID(s.Words / 2) },
	}, // of no use
	Rules: []spec.TimerRule[heard, word]{{Name: "T_bored"}},
}

type heard struct{ Words int }

type word struct{ Count int }

func findChatter(name string) (spec.Machine, error) {
	for _, m := range []spec.Machine{gossip, rollCall, numbered} {
		if name == m.Traits().Name {
			return m, nil
		}
	}
	return nil, errors.New("there is only gossip")
}

// scribe writes the log of a process as its machine works.
type scribe struct {
	machine  spec.Machine
	id       spec.ID
	records  []*runlog.Record
	state    any
	sequence uint64
	life     uint32
}

func (s *scribe) begin() *scribe {
	codec, err := wire.NewCodec(s.machine)
	if err != nil {
		panic(err)
	}
	s.life++
	s.sequence = 0
	s.records = append(s.records, &runlog.Record{Line: runlog.LineBegin, Process: s.id, Incarnation: s.life, Leader: runlog.Following(s.machine.Traits(), spec.None), Begin: &runlog.Begin{
		Version: runlog.Version, Algorithm: s.machine.Traits().Name, Shape: codec.Shape(), Run: 1, Ring: []spec.ID{1, 2},
		Delta: "100ms", Durations: map[string]string{"T_bored": "1s"}, Initiator: true,
	}})
	memory, _ := runlog.PlainJSON(s.state)
	s.do(runlog.Input{Event: "init", Memory: memory})
	if s.life > 1 && s.machine.Traits().Handles.Has(spec.Recover) {
		s.do(runlog.Input{Event: "recover"})
	}
	return s
}

func (s *scribe) do(in runlog.Input) *scribe {
	traits := s.machine.Traits()
	e, err := in.Replay(traits)
	if err != nil {
		panic(err)
	}
	before, _ := runlog.PlainJSON(s.state)
	after, fx := s.machine.Step(s.id, []spec.ID{1, 2}, s.state, e)
	s.state = after
	text, _ := runlog.PlainJSON(s.state)
	r := &runlog.Record{
		Line: runlog.LineStep, Process: s.id, Incarnation: s.life, Time: time.Unix(1, 0).UTC(), Input: &in,
		State: text, Leader: runlog.Following(traits, traits.Leader(s.state)), Before: runlog.HashState(before), After: runlog.HashState(text),
	}
	for _, m := range fx.Sends {
		s.sequence++
		said, _ := runlog.PlainJSON(m.Message)
		r.Sends = append(r.Sends, runlog.Sent{To: m.To, Sequence: s.sequence, Kind: "message", Message: said})
	}
	if fx.Armed != 0 {
		r.Armed = []string{"T_bored"}
	}
	if fx.Stopped != 0 {
		r.Stopped = []string{"T_bored"}
	}
	s.records = append(s.records, r)
	return s
}

func (s *scribe) hears(from spec.ID, life uint32, sequence uint64, count int) *scribe {
	return s.do(runlog.Input{Event: "receive", Delay: "1ms", Received: &runlog.Letter{
		Name: runlog.Name{From: from, Incarnation: life, Sequence: sequence}, Kind: "message", Message: json.RawMessage(fmt.Sprintf(`{"Count":%d}`, count)),
	}})
}

func (s *scribe) says() *scribe  { return s.do(runlog.Input{Event: "notice"}) }
func (s *scribe) bored() *scribe { return s.do(runlog.Input{Event: "timeout", Timer: "T_bored"}) }
func (s *scribe) thinks(event string, q spec.ID) *scribe {
	return s.do(runlog.Input{Event: event, Peer: q})
}

func (s *scribe) end() *scribe { return s.line(runlog.Record{Line: runlog.LineEnd}) }

func (s *scribe) line(r runlog.Record) *scribe {
	r.Process, r.Incarnation, r.Leader = s.id, s.life, runlog.Following(s.machine.Traits(), s.machine.Traits().Leader(s.state))
	s.records = append(s.records, &r)
	return s
}

func (s *scribe) log() []byte {
	log, err := forge.Seal(s.records, true)
	if err != nil {
		panic(err)
	}
	return log
}

func process(id spec.ID) *scribe { return (&scribe{machine: gossip, id: id, state: heard{}}).begin() }

// chatter is an honest run.
func chatter() (one, two []byte) {
	return process(1).says().hears(2, 1, 1, 1).bored().end().log(), process(2).hears(1, 1, 1, 0).says().end().log()
}

// TestReasons: what is wrong is told, with its line.
func TestReasons(t *testing.T) {
	silent := process(2).end().log()
	lie := process(1).says()
	lie.records[2].Sends[0].Message = json.RawMessage(`{"Count":7}`)
	forgot := process(1).says()
	forgot.records[2].Sends = nil
	amnesia := process(1).hears(2, 1, 1, 0).end()
	amnesia.state = heard{}
	hasty := process(1).end().begin()
	hasty.records = hasty.records[:len(hasty.records)-1]
	hasty2 := process(1).end().begin()
	bystander := process(1)
	bystander.records[0].Begin.Initiator = false
	full := process(1)
	full.line(runlog.Record{Line: runlog.LineRefused, Input: &runlog.Input{Event: "receive", Received: &runlog.Letter{
		Name: runlog.Name{From: 2, Incarnation: 1, Sequence: 1}, Kind: "message", Message: json.RawMessage(`{"Count":0}`),
	}}})
	for _, c := range []struct {
		name     string
		one, two []byte
		want     string // "": it conforms
	}{
		{"honest", process(1).says().end().log(), process(2).hears(1, 1, 1, 0).end().log(), ""},
		{"a cycle", process(1).hears(2, 1, 1, 0).says().end().log(), process(2).hears(1, 1, 1, 0).says().end().log(),
			"1:3: process 1, incarnation 1, receive message {\"Count\":0} from 2: process 2 sent it after 2:3 at the earliest, and that line waits in turn"},
		{"from nowhere", process(1).hears(2, 1, 1, 0).end().log(), silent,
			"1:3: process 1, incarnation 1, receive message {\"Count\":0} from 2: process 2 sent no message of this name"},
		{"a wrong number", process(1).says().end().log(), process(2).hears(1, 1, 2, 0).end().log(),
			"process 1 sent no message of this name; the nearest one that reads the same is number 1 of its incarnation 1"},
		{"from a former life", process(1).says().end().log(), process(2).hears(1, 2, 1, 0).end().log(), "process 1 sent no message of this name"},
		{"twice", process(1).says().end().log(), process(2).hears(1, 1, 1, 0).hears(1, 1, 1, 0).end().log(),
			"2:4: process 2, incarnation 1, receive message {\"Count\":0} from 1: the message has been handled before, and no more than 0 may be handled again"},
		{"out of order", process(1).says().says().end().log(), process(2).hears(1, 1, 2, 0).hears(1, 1, 1, 0).end().log(),
			"2:4: process 2, incarnation 1, receive message {\"Count\":0} from 1: process 2 has handled a message of process 1 that was sent after this one, and links keep order"},
		{"one's own", process(1).says().hears(1, 1, 1, 0).end().log(), silent, "the message was sent to process 2, not to process 1"},
		{"other words", process(1).says().end().log(), process(2).hears(1, 1, 1, 5).end().log(),
			"the machine takes another step; input.received.message: expected {\"Count\":0}, found {\"Count\":5}"},
		{"a lie", lie.end().log(), silent, "1:3: process 1, incarnation 1, notice: the machine takes another step; sends[0].message: expected {\"Count\":0}, found {\"Count\":7}"},
		{"silence", forgot.end().log(), silent, "sends[0].message: expected {\"Count\":0}, found nothing"},
		{"not armed", process(1).bored().bored().end().log(), silent, "1:4: process 1, incarnation 1, timeout T_bored: the timer T_bored is not armed: of its timers [] are"},
		{"stopped", process(1).thinks("suspect", 2).thinks("restore", 2).bored().end().log(), silent, "1:5: process 1, incarnation 1, timeout T_bored: the timer T_bored is not armed"},
		{"no recovery", hasty.says().end().log(), silent, "1:6: process 1, incarnation 2, notice: the process was up before, so recover has to come first"},
		{"recovery of nothing", process(1).do(runlog.Input{Event: "recover"}).end().log(), silent, "recover comes directly after the init of a process that was up before"},
		{"late recovery", hasty2.says().do(runlog.Input{Event: "recover"}).end().log(), silent, "recover comes directly after the init of a process that was up before"},
		{"its own leader", process(1).hears(2, 1, 1, 0).hears(2, 1, 2, 0).says().end().log(), process(2).says().says().end().log(),
			"1:5: process 1, incarnation 1, notice: the process follows itself, so it has a live leader"},
		{"a bystander", bystander.says().end().log(), silent, "the process begins nothing of its own accord"},
		{"two suspicions", process(1).thinks("suspect", 2).thinks("suspect", 2).end().log(), silent, "suspicions and their withdrawals alternate"},
		{"restored first", process(1).thinks("restore", 2).end().log(), silent, "suspicions and their withdrawals alternate"},
		{"suspicion of itself", process(1).thinks("suspect", 1).end().log(), silent, "there is no other process 1"},
		{"amnesia", amnesia.begin().end().log(), process(2).says().end().log(),
			"1:6: process 1, incarnation 2, init: it comes up with another memory than what survives of the state it had; input.memory: expected {\"Words\":1}, found {\"Words\":0}"},
		{"not refused", full.end().log(), process(2).says().end().log(), `1:3: process 1, incarnation 1, receive message {"Count":0} from 2: the machine does not refuse this in state {"Words":0}: it goes to {"Words":1}`},
		{"after the end", process(1).end().says().log(), silent, "the process has ended, and there is no new beginning"},
		{"up twice", process(1).do(runlog.Input{Event: "init", Memory: json.RawMessage(`{"Words":0}`)}).log(), silent, "the process has come up already"},
		{"no such process", process(1).hears(3, 1, 1, 0).end().log(), silent, "the message is of process 3, and the run has the processes 1 to 2"},
		{"given up unsent", process(1).line(runlog.Record{Line: runlog.LineLost, Lost: []runlog.Name{{From: 1, Incarnation: 1, Sequence: 1}}}).end().log(), silent,
			"it gives up message 1 of incarnation 1 of process 1, which it has not sent"},
		{"a breach of another delta", process(1).line(runlog.Record{Line: runlog.LineBreach, Breach: &runlog.Breach{Kind: runlog.BreachDelay, Delta: "1ms"}}).end().log(), silent,
			"its delta is not that of the process; breach.delta: expected 100ms, found 1ms"},
		{"cut short", append(process(1).says().log(), `{"line":"step","process":1,"incarn`...), silent, ""},
		{"cut from elsewhere", append(process(1).says().log(), `{"line":"step","process":2,"incarn`...), silent, "1:4: process 1, incarnation 1, the line itself: unexpected EOF"},
		{"a blank line at the end", append(process(1).says().end().log(), '\n'), silent,
			"1:5: process 1, incarnation 1, the line itself: it is an empty line, and each line of a log is a JSON object"},
		{"no breach", process(1).line(runlog.Record{Line: runlog.LineBreach, Breach: &runlog.Breach{Kind: "mood", Delta: "100ms"}}).end().log(), silent, "there is no such breach"},
	} {
		wantReason(t, c.name, c.want, logs.AnyFaults, c.one, c.two)
	}
}

// wantReason checks two logs, and wants what is wrong with them told with some
// words; none: that nothing is.
func wantReason(t *testing.T, name, want string, budget logs.Budget, one, two []byte) {
	t.Helper()
	report, err := checkGossip(budget, one, two)
	got := ""
	if err != nil {
		got = "unusable: " + err.Error()
	} else if report.Refutation != nil {
		got = report.Refutation.Error()
	}
	if !strings.Contains(got, want) || (got == "") != (want == "") {
		t.Errorf("%s: %s, not %s", name, got, want)
	}
}

func checkGossip(budget logs.Budget, written ...[]byte) (*logs.Report, error) {
	var in []logs.Log
	for i, text := range written {
		in = append(in, logs.Log{Name: fmt.Sprint(i + 1), Reader: bytes.NewReader(text)})
	}
	return logs.Check(in, logs.Options{Find: findChatter, Budget: budget})
}

// TestBudget: faults are counted, and those beyond the budget refuted.
func TestBudget(t *testing.T) {
	crashed := process(1).says().says().log()
	back := process(1).says().begin().says().end().log()
	twice := process(2).hears(1, 1, 1, 0).hears(1, 1, 1, 0).end().log()
	for _, c := range []struct {
		name     string
		one, two []byte
		budget   logs.Budget
		want     string
	}{
		{"no fault", process(1).end().log(), process(2).end().log(), logs.Budget{}, ""},
		{"a crash", crashed, process(2).end().log(), logs.Budget{Crashes: 1}, ""},
		{"a crash too many", crashed, process(2).end().log(), logs.Budget{}, "1:4: process 1, incarnation 1, the end of the log: it is crash number 1 of the run, and the declared budget is 0"},
		{"a recovery", back, process(2).end().log(), logs.Budget{Crashes: 1, Recoveries: 1}, ""},
		{"a recovery too many", back, process(2).end().log(), logs.Budget{Crashes: 1}, "1:4: process 1, incarnation 2, line \"begin\": it is recovery number 1"},
		{"a copy", process(1).says().end().log(), twice, logs.Budget{Duplicates: 1}, ""},
		{"a copy too many", process(1).says().end().log(), process(2).hears(1, 1, 1, 0).hears(1, 1, 1, 0).hears(1, 1, 1, 0).end().log(), logs.Budget{Duplicates: 1},
			"2:5: process 2, incarnation 1, receive message {\"Count\":0} from 1: the message has been handled before, and no more than 1"},
		{"a loss", process(1).says().says().end().log(), process(2).hears(1, 1, 2, 0).end().log(), logs.Budget{Losses: 1}, ""},
		{"a loss too many", process(1).says().says().end().log(), process(2).hears(1, 1, 2, 0).end().log(), logs.Budget{},
			"2:3: process 2, incarnation 1, receive message {\"Count\":0} from 1: 1 messages before it on its link were never handled: the run has lost 1, and the declared budget is 0"},
		{"dropped by one who was down", process(1).says().says().end().log(), process(2).begin().hears(1, 1, 2, 0).end().log(), logs.Budget{Crashes: 1, Recoveries: 1}, ""},
	} {
		wantReason(t, c.name, c.want, c.budget, c.one, c.two)
	}
}

// stranger is a process that begins otherwise.
func stranger(id spec.ID, otherwise func(*runlog.Begin)) []byte {
	p := process(id)
	otherwise(p.records[0].Begin)
	return p.log()
}

// TestUnusable: what cannot be judged is refused with its place.
func TestUnusable(t *testing.T) {
	one, two := chatter()
	begins := bytes.SplitAfter(one, []byte("\n"))[0]
	run := func(b *runlog.Begin) { b.Run = 2 }
	shape := func(b *runlog.Begin) { b.Shape = 5 }
	format := func(b *runlog.Begin) { b.Version = 1 }
	for _, c := range []struct {
		name    string
		written [][]byte
		want    string
	}{
		{"none", nil, "there is no line in any of 0 logs"},
		{"empty", [][]byte{{}, {}}, "there is no line in any of 2 logs"},
		{"no step", [][]byte{begins, {}}, "there is no step in these logs, so there is nothing to judge"},
		{"foreign", [][]byte{[]byte("hello\n"), two}, "1:1: it is not a log: invalid character 'h'"},
		{"binary", [][]byte{{0xd4, 0xc3, 0xb2, 0xa1, 0}, two}, "1:1: it is not a log: "},
		{"one is missing", [][]byte{one}, "the log of process 2 is missing: the run has 2 processes"},
		{"one twice", [][]byte{one, one}, "2:1: it is of process 1, and so is 1: give one log of each process"},
		{"another run", [][]byte{one, stranger(2, run)}, "2:1: it is not of the same run as 1"},
		{"another version of it", [][]byte{stranger(1, shape), stranger(2, shape)}, "1:1: the messages of its gossip/plain have the shape 5"},
		{"an older format", [][]byte{stranger(1, format), stranger(2, format)}, "1:1: it is a log of version 1, and this program reads version 2: record the run anew with it"},
		{"one of an older format", [][]byte{one, stranger(2, format)}, "2:1: it is not of the same run as 1: version, "},
		{"one too many", [][]byte{one, two, {}}, "3: it is empty, and there are logs of all processes"},
		{"another algorithm", [][]byte{bytes.Replace(one, []byte("gossip/plain"), []byte("rumour/plain"), 1), two}, "1:1: "},
	} {
		_, err := checkGossip(logs.AnyFaults, c.written...)
		var unusable *conformance.UnusableError
		if !errors.As(err, &unusable) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %s", c.name, err, c.want)
		}
	}
	if r, err := checkGossip(logs.AnyFaults, one, []byte{}); err != nil || r.Verdict != conformance.Refuted {
		t.Error("a process that did nothing sent something", r, err)
	}
}

// TestUnsaved: a process that was killed before it saved what it had written down comes up
// with what it had before, whatever it says before that.
func TestUnsaved(t *testing.T) {
	one := process(1).says().end()
	two := process(2).hears(1, 1, 1, 0)
	two.state = heard{}
	two.begin()
	at := len(two.records) - 2 // its second init, with recover behind it
	breach := &runlog.Record{
		Line: runlog.LineBreach, Process: 2, Incarnation: 2, Leader: two.records[0].Leader,
		Breach: &runlog.Breach{Kind: runlog.BreachSuspended, Delta: two.records[0].Begin.Delta, Text: "it did not run"},
	}
	two.records = slices.Insert(two.records, at, breach)
	report, err := checkGossip(logs.AnyFaults, one.log(), two.log())
	if err != nil || report.Verdict != conformance.Conforms {
		t.Error(err, report.Refutation)
	}
}
