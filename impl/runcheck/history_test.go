package runcheck_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"interleave/impl"
	"interleave/impl/runcheck"
	"interleave/impl/runlog"
	"interleave/impl/transport"
	"interleave/linear"
	"interleave/model/modeltest"
	"interleave/spec"
)

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
			v := judgeLogs(t, m, logs)
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

func judgeLogs(t *testing.T, m spec.Machine, logs map[spec.ID]*bytes.Buffer, told ...string) linear.Verdict {
	t.Helper()
	var o *runcheck.Occasions
	if told != nil {
		var err error
		if o, err = runcheck.ReadOccasions(occasions(t, append([]string{occasion(0, "begin", 0)}, told...)...)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := fromLogs(m, o, logs)
	if err != nil {
		t.Fatal(err)
	}
	return r.Histories[0].Judge(time.Minute)
}

func fromLogs(m spec.Machine, told *runcheck.Occasions, logs map[spec.ID]*bytes.Buffer) (runcheck.Report, error) {
	var readers []io.ReadSeeker
	for id := range spec.UpTo(3).All() {
		if logs[id] != nil {
			readers = append(readers, bytes.NewReader(logs[id].Bytes()))
		}
	}
	return runcheck.Run{Machine: m, Logs: readers, Told: told}.Judge()
}

// lacking checks that logs of which something is missing are not judged, or judged without it.
func lacking(t *testing.T, m spec.Machine, logs map[spec.ID]*bytes.Buffer) {
	t.Helper()
	if _, err := fromLogs(m, nil, map[spec.ID]*bytes.Buffer{2: logs[2], 3: logs[3]}); err == nil || !strings.Contains(err.Error(), "the run has 3 processes, and there are 2 logs: give the log of each") {
		t.Errorf("without a log: %v", err)
	}
	if _, err := fromLogs(m, nil, map[spec.ID]*bytes.Buffer{1: {}, 2: logs[2], 3: logs[3]}); err == nil || !strings.Contains(err.Error(), "a message from process 1 is handled that no log says is sent") {
		t.Errorf("with an empty log: %v", err)
	}
	if _, err := fromLogs(m, nil, map[spec.ID]*bytes.Buffer{1: logs[1], 2: logs[2], 3: logs[2]}); err == nil || !strings.Contains(err.Error(), "there is another log of this process") {
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
	after := begin.Time.Sub(time.Unix(1000, 0)).Seconds()
	back, killed := occasion(after-1, "restart", 3), occasion(after+1, "kill", 3)
	stale := judgeLogs(t, m, logs).Outcome == linear.NotLinearizable
	const noEnd, notSure = "that of process 3 has no end", "explains the answers only if an answer that a process logged last"
	for _, c := range []struct {
		name         string
		logs         map[spec.ID]*bytes.Buffer
		told         []string
		fresh, stale string // reasons
	}{
		{"killed when it answers", cut(3, last+1), []string{killed}, "", notSure},
		{"killed or not", cut(3, last+1), nil, noEnd, notSure},
		{"killed when it answers, and back", restarted, []string{back, killed}, "", notSure},
		{"all lines", cut(3, last+2), nil, "", "read at process 3, "},
	} {
		reason := c.fresh
		if stale {
			reason = c.stale
		}
		if v := judgeLogs(t, m, c.logs, c.told...); v.Requests != 4 || v.Answers != 4 || (reason == "") != (v.Outcome == linear.Linearizable) || !strings.Contains(v.Reason, reason) {
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
		r, _ := fromLogs(m, nil, changed)
		if v := r.Histories[0].Judge(time.Minute); v.Outcome != linear.Undecided || !strings.Contains(v.Reason, reason) {
			t.Errorf("%s: %v: %s", reason, v.Outcome, v.Reason)
		}
	}
}
