package linear_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"interleave/impl"
	"interleave/impl/runlog"
	"interleave/impl/transport"
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

// TestUnclear: what was asked before a crash is not answered after it. If an output may answer two requests,
// nothing is said.
func TestUnclear(t *testing.T) {
	m := modeltest.Register("x/register", false)
	h := linear.Histories(m.Traits())[0]
	ask := func(at int64, action uint8, value any) {
		h.Take(at, spec.Step{Process: 2, Event: spec.Event{Kind: spec.Act, Action: action, Value: value}})
	}
	answer := func(at int64, v int) {
		h.Take(at, spec.Step{Process: 2, Event: spec.Event{Kind: spec.Receive}, Outputs: []any{modeltest.Reply{Value: v}}})
	}
	ask(1, 0, 1)
	h.Crash(2)
	answer(2, 2) // to nobody
	ask(3, 1, nil)
	answer(4, 1)
	if v := h.Judge(time.Minute); v.Outcome != linear.Linearizable || v.Requests != 2 || v.Answers != 1 {
		t.Errorf("after a crash: %+v", v)
	}
	ask(5, 0, 2)
	ask(6, 1, nil)
	answer(7, 0)
	undecided(t, h, "process 2 outputs {Value:0} at step 7, and nobody knows whether that answers write 2 at process 2 of step 5 or read at process 2 of step 6: let Answers tell")

	h = linear.Histories(m.Traits())[0]
	ask(1, 0, 1)
	answer(2, 0)
	answer(3, 0)
	undecided(t, h, "process 2 outputs {Value:0} at step 3, and has answered write 1 at process 2 of step 1 before: let Answers tell if this is no answer")

	h = linear.Histories(m.Traits())[0]
	h.Object.Answers = func(spec.Call, any) bool { panic("on purpose") }
	ask(1, 0, 1)
	answer(2, 0)
	undecided(t, h, "the Answers of register panic at {Value:0}, an output of process 2: on purpose")
}

func undecided(t *testing.T, h *linear.History, reason string) {
	t.Helper()
	if v := h.Judge(time.Minute); v.Outcome != linear.Undecided || !strings.Contains(v.Reason, reason) {
		t.Errorf("%v: %s; want %s", v.Outcome, v.Reason, reason)
	}
}

// TestLogs: the logs of real processes are judged as runs of the model are.
func TestLogs(t *testing.T) {
	for _, cache := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			m := modeltest.Register("x/register", cache)
			logs := realRun(t, m)
			want := linear.Linearizable
			if cache {
				want = linear.NotLinearizable
			}
			v := judgeLogs(t, m, 0, logs)
			t.Logf("%v %s", v.Outcome, v.Reason)
			if v.Outcome != want || v.Requests != 4 || v.Answers != 4 {
				t.Errorf("%+v", v)
			}
			if cache && !strings.Contains(v.Reason, "read at process 3, ") {
				t.Errorf("%s", v.Reason)
			}
			lacking(t, m, logs)
		})
	}
}

// realRun has process 3 read, then process 2 write 1 and 2, with a read of process 3 between and after.
func realRun(t *testing.T, m spec.Machine) map[spec.ID]*bytes.Buffer {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	net, logs, nodes, ended := transport.NewSwitch(nil), map[spec.ID]*bytes.Buffer{}, map[spec.ID]*impl.Node{}, make(chan error)
	for id := range spec.UpTo(3).All() {
		logs[id] = &bytes.Buffer{}
		n, err := impl.New(impl.Config{Machine: m, ID: id, Ring: []spec.ID{1, 2, 3}, Run: 7, Delta: 100 * time.Millisecond, Transport: net.Plug(id), Log: logs[id]})
		if err != nil {
			t.Fatal(err)
		}
		nodes[id] = n
		go func() { ended <- n.Run(ctx) }()
	}
	time.Sleep(time.Second)
	for _, r := range []struct {
		at     spec.ID
		action string
		value  string
	}{{2, "write", "1"}, {3, "read", ""}, {2, "write", "2"}, {3, "read", ""}} {
		if _, err := nodes[r.at].Ask(ctx, r.action, []byte(r.value)); err != nil {
			t.Fatalf("%v: %v", r, err)
		}
		time.Sleep(time.Second)
	}
	stop()
	for range nodes {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	return logs
}

func judgeLogs(t *testing.T, m spec.Machine, down spec.Set, logs map[spec.ID]*bytes.Buffer) linear.Verdict {
	t.Helper()
	all, err := fromLogs(m, down, logs)
	if err != nil {
		t.Fatal(err)
	}
	return all[0].Judge(time.Minute)
}

func fromLogs(m spec.Machine, down spec.Set, logs map[spec.ID]*bytes.Buffer) ([]*linear.History, error) {
	var readers []io.Reader
	for id := range spec.UpTo(3).All() {
		if logs[id] != nil {
			readers = append(readers, bytes.NewReader(logs[id].Bytes()))
		}
	}
	return linear.FromLogs(m, down, readers...)
}

// lacking checks that logs of which something is missing are not judged, or judged without it.
func lacking(t *testing.T, m spec.Machine, logs map[spec.ID]*bytes.Buffer) {
	t.Helper()
	if _, err := fromLogs(m, 0, map[spec.ID]*bytes.Buffer{2: logs[2], 3: logs[3]}); err == nil || !strings.Contains(err.Error(), "the run has 3 processes, and there are 2 logs: give the log of each") {
		t.Errorf("without a log: %v", err)
	}
	if _, err := fromLogs(m, 0, map[spec.ID]*bytes.Buffer{1: {}, 2: logs[2], 3: logs[3]}); err == nil || !strings.Contains(err.Error(), "a message from process 1 is handled that no log says is sent") {
		t.Errorf("with an empty log: %v", err)
	}
	if _, err := fromLogs(m, 0, map[spec.ID]*bytes.Buffer{1: logs[1], 2: logs[2], 3: logs[2]}); err == nil || !strings.Contains(err.Error(), "there is another log of this process") {
		t.Errorf("with a log twice: %v", err)
	}
	cut := func(id spec.ID, lines int) map[spec.ID]*bytes.Buffer {
		all := map[spec.ID]*bytes.Buffer{1: logs[1], 2: logs[2], 3: logs[3]}
		all[id] = bytes.NewBufferString(strings.Join(strings.SplitAfter(logs[id].String(), "\n")[:lines], ""))
		return all
	}
	last := 0 // line that has an answer
	for line, text := range strings.Split(logs[3].String(), "\n") {
		if strings.Contains(text, `"told"`) {
			last = line
		}
	}
	restarted := cut(3, last+1)
	begin, err := runlog.NewReader(bytes.NewReader(logs[3].Bytes())).Next()
	if err != nil {
		t.Fatal(err)
	}
	begin.Incarnation, begin.Time = begin.Incarnation+1, begin.Time.Add(time.Hour)
	if err := (&runlog.Writer{To: restarted[3]}).Write(begin); err != nil {
		t.Fatal(err)
	}
	stale := judgeLogs(t, m, 0, logs).Outcome == linear.NotLinearizable
	const noEnd, notSure = "that of process 3 has no end", "explains the answers only if an answer that a process logged last"
	for _, c := range []struct {
		name         string
		logs         map[spec.ID]*bytes.Buffer
		down         spec.Set
		fresh, stale string // reasons
	}{
		{"killed when it answers", cut(3, last+1), spec.SetOf(3), "", notSure},
		{"killed or not", cut(3, last+1), 0, noEnd, notSure},
		{"killed when it answers, and back", restarted, spec.SetOf(3), "", notSure},
		{"all lines", cut(3, last+2), 0, "", "read at process 3, "},
	} {
		reason := c.fresh
		if stale {
			reason = c.stale
		}
		if v := judgeLogs(t, m, c.down, c.logs); v.Requests != 4 || v.Answers != 4 || (reason == "") != (v.Outcome == linear.Linearizable) || !strings.Contains(v.Reason, reason) {
			t.Errorf("%s: %v: %s", c.name, v.Outcome, v.Reason)
		}
	}
	for reason, change := range map[string]func(r *runlog.Record){
		"before it is sent: the logs were written by clocks that differ": func(r *runlog.Record) { r.Time = r.Time.Add(-time.Minute) },
		"the clock was set back": func(r *runlog.Record) {
			if r.Line == runlog.LineEnd {
				r.Time = r.Time.Add(-time.Minute)
			}
		},
		`it outputs [{"Value":7}], and the algorithm outputs [{"Value":`: func(r *runlog.Record) {
			if r.Outputs != nil {
				r.Outputs = []json.RawMessage{json.RawMessage(`{"Value":7}`)}
			}
		},
		"its earlier incarnations are not in the log": func(r *runlog.Record) {
			if r.Input != nil && r.Input.Memory != nil {
				r.Input.Memory = []byte(strings.Replace(string(r.Input.Memory), `"Value":0`, `"Value":1`, 1))
			}
		},
	} {
		changed := map[spec.ID]*bytes.Buffer{1: logs[1], 2: logs[2], 3: {}}
		w := &runlog.Writer{To: changed[3]}
		if err := runlog.Read(bytes.NewReader(logs[3].Bytes()), func(r runlog.Record) error {
			change(&r)
			return w.Write(&r)
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := fromLogs(m, 0, changed); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", reason, err)
		}
	}
}
