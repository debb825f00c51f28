package conformance_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/model"
	"interleave/spec"
)

// poll asks the next process for an answer, as often as clients ask for that, and gives one as it likes. It elects
// nobody.
var poll = pollOf("poll/yes-or-no", []bool{false, true}, func(question bool) int {
	if question {
		return 1
	}
	return 0
})

// numbered is a poll in which clients may ask with any number, and declare two.
var numbered = pollOf("poll/numbered", []int{0, 1}, func(question int) int { return question })

type polled struct{ Asked, Answer int }

type question struct{ Number, Answer int }

func pollOf[V comparable](name string, values []V, number func(V) int) *spec.Algorithm[polled, question] {
	return &spec.Algorithm[polled, question]{
		Name: name, Doc: "asks, and is answered at will", Source: "this test",
		Receive: func(s *polled, p *spec.Proc[question], from spec.ID, m question) {
			switch {
			case m.Answer > 0:
				s.Answer = m.Answer
			case m.Number > 9:
				p.Refuse()
			case p.Choose(2) == 1:
				p.Send(from, question{m.Number, 1 + p.Choose(3)})
			}
		},
		Actions: []spec.Action[polled, question]{
			{Name: "ask", When: func(s polled) bool { return s.Asked < 2 }, Request: spec.OneOf(values, func(s *polled, p *spec.Proc[question], v V) {
				s.Asked++
				p.Send(p.ID%spec.ID(p.All().Len())+1, question{Number: number(v)})
			})},
			{Name: "forget", When: func(s polled) bool { return s.Answer == 3 }, Do: func(s *polled, p *spec.Proc[question]) { s.Answer = 0 }},
		},
	}
}

// asks is an honest log of process 1, whose client asks with a value that is not declared.
func asks() *scribe {
	return (&scribe{machine: numbered, id: 1, state: polled{}}).begin().do(runlog.Input{Event: "ask", Value: json.RawMessage("7")})
}

func answers() *scribe {
	letter := runlog.Letter{Name: runlog.Name{From: 1, Incarnation: 1, Sequence: 1}, Kind: "message", Message: json.RawMessage(`{"Number":7,"Answer":0}`)}
	return (&scribe{machine: numbered, id: 2, state: polled{}}).begin().do(runlog.Input{Event: "receive", Delay: "1ms", Received: &letter, Choices: []int{1, 0}})
}

// TestActionsInLogs: a log is judged by the values and choices that it says, declared or not.
func TestActionsInLogs(t *testing.T) {
	letter := &runlog.Letter{Name: runlog.Name{From: 2, Incarnation: 1, Sequence: 1}, Kind: "message", Message: json.RawMessage(`{"Number":7,"Answer":1}`)}
	honest := asks().do(runlog.Input{Event: "receive", Delay: "1ms", Received: letter}).do(runlog.Input{Event: "ask", Value: json.RawMessage("0")})
	for _, c := range []struct {
		name         string
		change       func(ask, answer *runlog.Record)
		want, reason string
	}{
		{"honest", func(*runlog.Record, *runlog.Record) {}, "CONFORMS", ""},
		{"another value", func(ask, _ *runlog.Record) { ask.Input.Value = json.RawMessage("6") }, "REFUTED", "sends[0].message"},
		{"a value of another type", func(ask, _ *runlog.Record) { ask.Input.Value = json.RawMessage(`"7"`) }, "REFUTED", "value"},
		{"a value in other letters", func(ask, _ *runlog.Record) { ask.Input.Value = json.RawMessage(`7e0`) }, "REFUTED", "value"},
		{"no value", func(ask, _ *runlog.Record) { ask.Input.Value = nil }, "REFUTED", "only an action that is asked for with a value has one"},
		{"another action", func(ask, _ *runlog.Record) { ask.Input.Event, ask.Input.Value = "forget", nil }, "REFUTED", "refuses this"},
		{"no action", func(ask, _ *runlog.Record) { ask.Input.Event = "act" }, "REFUTED", `there is no event "act"`},
		{"choices of an action", func(ask, _ *runlog.Record) { ask.Input.Choices = []int{0} }, "REFUTED", "1 choices more"},
		{"another choice", func(_, answer *runlog.Record) { answer.Input.Choices = []int{1, 2} }, "REFUTED", "sends[0].message"},
		{"no answer", func(_, answer *runlog.Record) { answer.Input.Choices = []int{0} }, "REFUTED", "sends"},
		{"too few choices", func(_, answer *runlog.Record) { answer.Input.Choices = []int{1} }, "REFUTED", "chooses one of 3 once more"},
		{"no choices", func(_, answer *runlog.Record) { answer.Input.Choices = nil }, "REFUTED", "chooses one of 2 once more"},
		{"too many choices", func(_, answer *runlog.Record) { answer.Input.Choices = []int{1, 0, 0} }, "REFUTED", "1 choices more"},
		{"an impossible choice", func(_, answer *runlog.Record) { answer.Input.Choices = []int{1, 3} }, "REFUTED", "chooses one of 3"},
		{"the value of an action", func(_, answer *runlog.Record) { answer.Input.Value = json.RawMessage("7") }, "REFUTED", "only an action"},
	} {
		t.Run(c.name, func(t *testing.T) {
			one, two := *honest, answers()
			one.records = nil
			for _, r := range honest.records {
				line := *r
				if line.Input != nil {
					in := *line.Input
					line.Input = &in
				}
				one.records = append(one.records, &line)
			}
			c.change(one.records[2], two.records[2])
			report, err := checkGossip(logs.Budget{}, one.end().log(), two.end().log())
			if err != nil {
				t.Fatal(err)
			}
			if got := report.Verdict.String(); got != c.want || c.reason != "" && !strings.Contains(report.Refutation.Error(), c.reason) {
				t.Errorf("%s: %v", got, report.Refutation)
			}
			if kinds := fmt.Sprint(report.Kinds); c.want == "CONFORMS" && kinds != "[{init 2} {ask 2} {forget 0} {receive message 2}]" {
				t.Error(kinds)
			}
		})
	}
}

// TestUnansweredInLogs: a step that changes nothing tells its choices, too.
func TestUnansweredInLogs(t *testing.T) {
	one, two := asks(), answers()
	two.records, two.state, two.sequence = two.records[:2], polled{}, 0
	letter := runlog.Letter{Name: runlog.Name{From: 1, Incarnation: 1, Sequence: 1}, Kind: "message", Message: json.RawMessage(`{"Number":7,"Answer":0}`)}
	two.do(runlog.Input{Event: "receive", Delay: "1ms", Received: &letter, Choices: []int{0}})
	if report, err := checkGossip(logs.Budget{}, one.end().log(), two.end().log()); err != nil || report.Verdict != conformance.Conforms {
		t.Errorf("%+v, %v", report, err)
	}
	two.records[2].Input.Choices = nil
	if report, err := checkGossip(logs.Budget{}, one.log(), two.log()); err != nil || report.Verdict != conformance.Refuted {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestUndeclaredValues: of what a client asked for with a value that is not declared a capture says nothing.
func TestUndeclaredValues(t *testing.T) {
	codec, err := wire.NewCodec(numbered)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[conformance.Verdict]int{}
	for seed := range uint64(30) {
		chance := rand.New(rand.NewPCG(seed, 5))
		u := &universe{machine: numbered, ring: model.Ascending(2), most: []uint64{4, 4}, asked: []any{7, 8}}
		packets := u.wander(chance, codec, 20)
		if !slices.ContainsFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data }) {
			continue
		}
		o := captures.Options{Find: func(string) (spec.Machine, error) { return numbered, nil }, Ring: u.ring, Network: "fifo", Safety: []captures.SafetyProperty{{Name: "calm", For: rivals.For}}}
		report, err := captures.Explore(packets, o)
		if err != nil {
			t.Fatal(err)
		}
		if verdicts[report.Verdict]++; report.Verdict == conformance.Refuted {
			t.Errorf("seed %d: %v", seed, report.Unexplained)
		}
		if report.Verdict == conformance.Unknown && !strings.Contains(report.Reason, "declared values only") {
			t.Errorf("seed %d: %s", seed, report.Reason)
		}
		if text, err := json.Marshal(report); err != nil || strings.Contains(string(text), "leader") {
			t.Errorf("seed %d: nobody is elected: %s", seed, text)
		}
		for _, s := range report.Safety {
			if s.Across != captures.Undecided || !strings.Contains(s.Reason, "not declared") {
				t.Errorf("seed %d: %+v", seed, s)
			}
		}
		if few, _, err := captures.Minimal(packets, o); few != nil || err != nil {
			t.Errorf("seed %d: %d packets, %v", seed, len(few), err)
		}
	}
	if verdicts[conformance.Conforms] == 0 || verdicts[conformance.Unknown] == 0 {
		t.Error(verdicts)
	}
}
