package linear_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"interleave/internal/cell"
	"interleave/linear"
	"interleave/model"
	"interleave/model/modeltest"
	"interleave/properties"
	"interleave/spec"
)

func ofRun(m spec.Machine, run *model.Run) *linear.History {
	h := linear.Histories(m.Traits())[0]
	run.Observe(h)
	return h
}

// TestFoundBySearch: the run in which a search finds an old value to be read is not linearizable.
func TestFoundBySearch(t *testing.T) {
	for _, cache := range []bool{false, true} {
		m := modeltest.Register("x/register", cache)
		fresh := properties.Own(m)
		report, err := properties.Verify(t.Context(), m, properties.Watched(model.Config{N: 3}, fresh), fresh, properties.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := report.Findings[0]
		if !cache {
			if f.Verdict != properties.Verified {
				t.Errorf("without a cache: %v", f.Verdict)
			}
			continue
		}
		_, run, _, err := properties.Replay(m, f.Trace, fresh[0])
		if err != nil {
			t.Fatal(err)
		}
		v := ofRun(m, run).Judge(time.Minute)
		if v.Outcome != linear.NotLinearizable || v.Unexplained[len(v.Unexplained)-1].Ended != int64(len(run.Steps)) {
			t.Errorf("%v: %s", v.Outcome, v.Reason)
		}
	}
}

// walk is a random run.
func walk(t *testing.T, r *model.Reference, random *rand.Rand) *model.Run {
	t.Helper()
	run := &model.Run{States: []model.State{r.Initial()[0]}}
	for range 60 {
		steps := r.Steps(run.End())
		if len(steps) == 0 {
			break
		}
		step := steps[random.IntN(len(steps))]
		run.Steps, run.States = append(run.Steps, step), append(run.States, step.After)
	}
	return run
}

// TestRandomRuns: random runs of both registers, in which processes crash and come back. Runs of the one without a cache are
// linearizable, and some of those of the other are not.
func TestRandomRuns(t *testing.T) {
	for _, cache := range []bool{false, true} {
		m := modeltest.Register("x/register", cache)
		r, err := model.NewReference(m, model.Config{N: 3, Crashes: 1, Recoveries: 1})
		if err != nil {
			t.Fatal(err)
		}
		random, answers, pending, bad := rand.New(rand.NewPCG(1, 2)), 0, 0, 0
		for range 300 {
			v := ofRun(m, walk(t, r, random)).Judge(time.Minute)
			answers, pending = answers+v.Answers, pending+v.Requests-v.Answers
			if v.Outcome == linear.NotLinearizable {
				bad++
			}
			if v.Outcome == linear.Undecided && v.Answers > 0 || v.Outcome == linear.NotLinearizable && !cache {
				t.Fatalf("%v: %s", v.Outcome, v.Reason)
			}
		}
		if t.Logf("%d answers, %d requests without one, %d runs that are not linearizable", answers, pending, bad); answers < 300 || pending < 100 || cache && bad < 5 {
			t.Error("too few to show something")
		}
	}
}

// queued is the state of queue: a register, and the requests that it has still to answer. A 3 is a read.
type queued struct {
	Value int
	Asked [2]int
	Busy  bool // with one that it took since it came up
}

// queue is a register that process 1 keeps. It answers one request after the other, also those from before a crash.
var queue = &spec.Algorithm[queued, bool]{
	Name: "x/queue", Doc: "answers late", Source: "this test", Receive: func(*queued, *spec.Proc[bool], spec.ID, bool) {},
	Actions: []spec.Action[queued, bool]{
		{Name: "write", Times: 2, Request: spec.OneOf([]int{1, 2}, enqueue)},
		{Name: "read", Times: 2, Do: func(s *queued, p *spec.Proc[bool]) { enqueue(s, p, 3) }},
		{Name: "answer", Fair: true, When: func(s queued) bool { return s.Asked[0] != 0 }, Do: func(s *queued, p *spec.Proc[bool]) {
			reply := modeltest.Reply{Value: s.Value}
			if s.Asked[0] < 3 {
				s.Value, reply.Value = s.Asked[0], written
			}
			s.Asked = [2]int{s.Asked[1]}
			s.Busy = s.Asked[0] != 0
			p.Output(reply)
		}},
	},
	Stable: func(s queued) queued { return queued{Value: s.Value, Asked: s.Asked} },
	Objects: []spec.Object{spec.Linearizable("register", "", []string{"write", "read"}, 0, func(v int, c spec.Call, then func(int, modeltest.Reply)) {
		if c.Action == "read" {
			then(v, modeltest.Reply{Value: v})
			return
		}
		then(c.Value.(int), modeltest.Reply{Value: written})
	})},
}

// written is how queue answers a write.
const written = 9

func enqueue(s *queued, p *spec.Proc[bool], v int) {
	switch {
	case p.ID != 1 || s.Busy:
		p.Refuse()
	case s.Asked[0] != 0:
		s.Asked[1], s.Busy = v, true
	default:
		s.Asked[0], s.Busy = v, true
	}
}

// TestLateAnswers: a process may answer what was asked before it crashed. Nobody knows which request that answers, so
// its runs are not called what they are not.
func TestLateAnswers(t *testing.T) {
	r, err := model.NewReference(queue, model.Config{N: 2, Crashes: 1, Recoveries: 1})
	if err != nil {
		t.Fatal(err)
	}
	random, seen := rand.New(rand.NewPCG(1, 2)), map[linear.Outcome]int{}
	for range 300 {
		run := walk(t, r, random)
		run.Steps = run.Steps[:random.IntN(len(run.Steps)+1)]
		v := ofRun(queue, run).Judge(time.Minute)
		if seen[v.Outcome]++; v.Outcome == linear.NotLinearizable || v.Outcome == linear.Undecided && v.Answers > 0 && !strings.Contains(v.Reason, "let Answers tell") {
			t.Fatalf("%v: %s", v.Outcome, v.Reason)
		}
	}
	if t.Log(seen); seen[linear.Linearizable] < 30 || seen[linear.Undecided] < 30 {
		t.Error("too few to show something")
	}
}

// asked is a history that a test writes.
type asked struct {
	*linear.History
	at int64
}

func newAsked() *asked {
	return &asked{linear.Histories(modeltest.Register("x/register", false).Traits())[0], 0}
}

func (h *asked) step(s spec.Step) {
	h.at++
	h.Take(h.at, s)
}
func (h *asked) write(p spec.ID, v int) {
	h.step(spec.Step{Process: p, Event: spec.Event{Kind: spec.Act, Value: v}})
}
func (h *asked) read(p spec.ID) {
	h.step(spec.Step{Process: p, Event: spec.Event{Kind: spec.Act, Action: 1}})
}
func (h *asked) answer(p spec.ID, v int) {
	h.step(spec.Step{Process: p, Event: spec.Event{Kind: spec.Receive}, Outputs: []any{modeltest.Reply{Value: v}}})
}

// TestLists: Answers gets values as the algorithm has them, also those that cannot be compared.
func TestLists(t *testing.T) {
	h := newAsked()
	h.Object = spec.Linearizable("log", "", []string{"write"}, []int(nil), func(v []int, c spec.Call, then func([]int, []int)) {
		v = append(v, c.Value.([]int)...)
		then(v, v)
	})
	h.Object.Answers = func(c spec.Call, output any) bool { return len(output.([]int)) >= len(c.Value.([]int)) && !c.Crashed }
	for _, output := range [][]int{{1}, {1}} {
		h.step(spec.Step{Process: 2, Event: spec.Event{Kind: spec.Act, Value: cell.Must([]int{1})}, Outputs: []any{cell.Must(output)}})
	}
	if v := h.Judge(time.Minute); v.Outcome != linear.NotLinearizable {
		t.Errorf("%v: %s", v.Outcome, v.Reason)
	}
}

// TestUnclear: if an output may answer several requests, or one that is answered, nothing is said that hangs on it.
func TestUnclear(t *testing.T) {
	const yes, no, open = linear.Linearizable, linear.NotLinearizable, linear.Undecided
	anyReply := func(_ spec.Call, output any) bool { _, is := output.(modeltest.Reply); return is }
	for _, c := range []struct {
		name    string
		answers func(spec.Call, any) bool // nil: not of a crashed process
		run     func(h *asked)
		want    linear.Outcome
		reason  string
	}{
		{"a crash ends a request", nil, func(h *asked) { h.write(2, 1); h.Crash(2); h.answer(2, 2); h.read(2); h.answer(2, 1) }, yes, ""},
		{"a crash may not", anyReply, func(h *asked) { h.write(2, 1); h.Crash(2); h.read(2); h.answer(2, 1) }, open,
			"process 2 outputs {Value:1} at step 3, and nobody knows whether that answers write 1 at process 2 of step 1, before it crashed, or read at process 2 of step 2: let Answers tell"},
		{"a late answer, then one", anyReply, func(h *asked) { h.write(2, 1); h.Crash(2); h.answer(2, 0); h.read(2); h.answer(2, 1) }, open, "before it crashed, or"},
		{"a late answer that would be wrong", anyReply, func(h *asked) {
			h.write(3, 1)
			h.answer(3, 0)
			h.write(2, 2)
			h.Crash(2)
			h.read(2)
			h.answer(2, 0)
		}, open, "before it crashed, or"},
		{"a late answer to another process", anyReply, func(h *asked) { h.write(2, 1); h.Crash(2); h.read(3); h.answer(3, 1) }, yes, ""},
		{"wrong besides", anyReply, func(h *asked) {
			h.write(2, 1)
			h.Crash(2)
			h.read(2)
			h.answer(2, 1)
			h.read(3)
			h.answer(3, 7)
		}, no, "read at process 3, step 4 to step 5, answered {Value:7}"},
		{"an answer that may not have left", anyReply, func(h *asked) {
			h.write(2, 1)
			h.answer(2, 0)
			h.Operations[0].Unsure = true
			h.Crash(2)
			h.read(2)
			h.answer(2, 0)
		}, open, "write 1 at process 2 of step 1, before it crashed, or read"},
		{"an answer that left", anyReply, func(h *asked) { h.write(2, 1); h.answer(2, 0); h.Crash(2); h.read(2); h.answer(2, 1) }, yes, ""},
		{"two requests", nil, func(h *asked) { h.write(2, 2); h.read(2); h.answer(2, 0) }, open,
			"process 2 outputs {Value:0} at step 3, and nobody knows whether that answers write 2 at process 2 of step 1 or read at process 2 of step 2: let Answers tell"},
		{"two answers", nil, func(h *asked) { h.write(2, 1); h.answer(2, 0); h.answer(2, 0) }, open,
			"process 2 outputs {Value:0} at step 3, and has answered write 1 at process 2 of step 1 before: let Answers tell if this is no answer"},
		{"Answers panic", func(spec.Call, any) bool { panic("on purpose") }, func(h *asked) { h.write(2, 1); h.answer(2, 0) }, open,
			"the Answers of register panic at {Value:0}, an output of process 2: on purpose"},
	} {
		h := newAsked()
		if c.answers != nil {
			h.Object.Answers = c.answers
		}
		c.run(h)
		if v := h.Judge(time.Minute); v.Outcome != c.want || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s: %v: %s", c.name, v.Outcome, v.Reason)
		}
	}
}
