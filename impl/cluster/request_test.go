//go:build unix

package cluster_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"interleave/conformance/logs"
	"interleave/impl/cluster"
	"interleave/internal/testsize"
	"interleave/spec"
)

// stored is the state of store.
type stored struct{ Value, Read uint8 }

// store keeps at all processes what clients put at one, unless they put what shows a bug: process 3
// does not hear of a 7, nobody gets over a 5, and a 9 may not be there. Nobody is elected.
var store = &spec.Algorithm[stored, uint8]{
	Name: "x/store", Doc: "keeps a value", Source: "this test",
	Receive: func(s *stored, p *spec.Proc[uint8], _ spec.ID, m uint8) {
		if m != 7 || p.ID != 3 {
			s.Value = m
		}
	},
	Stable: func(s stored) stored { return s },
	Idle:   func(s stored) bool { return s.Value != 5 },
	Actions: []spec.Action[stored, uint8]{
		{Name: "put", Times: 1, Request: spec.OneOf([]uint8{1, 5, 7, 9}, func(s *stored, p *spec.Proc[uint8], v uint8) {
			if v == 0 {
				p.Refuse()
				return
			}
			s.Value = v
			p.Broadcast(p.Others(), v)
			p.Output(v)
		})},
		{Name: "read", Fair: true, When: func(s stored) bool { return s.Read != s.Value }, Do: func(s *stored, _ *spec.Proc[uint8]) {
			if s.Value == 9 {
				s.Value = 0 // so that only a state in between shows it
			}
			s.Read = s.Value
		}},
	},
	Properties: []spec.Property{
		spec.Invariant("small", "no value is 9", func(w spec.World) error {
			for p, s := range spec.States[stored](w) {
				if s.Value == 9 {
					return fmt.Errorf("process %v keeps 9", p)
				}
			}
			return nil
		}),
		spec.Quiescent("same", "all keep the same", func(w spec.World) error {
			seen := map[uint8]bool{}
			for _, s := range spec.States[stored](w) {
				seen[s.Value] = true
			}
			if len(seen) > 1 {
				return fmt.Errorf("there are %d values", len(seen))
			}
			return nil
		}),
	},
}

// TestNobodyIsElected: a run of an algorithm without an Election is judged by its own properties, in
// all its states, and speaks of no leader. Its logs and its capture conform.
func TestNobodyIsElected(t *testing.T) {
	testsize.Alone(t)
	for _, c := range []struct {
		put      string
		outcome  cluster.Outcome
		violated string
	}{{"put 1", cluster.Held, ""}, {"put 9", cluster.Violated, "small"}, {"put 7", cluster.Violated, "same"}, {"put 5", cluster.Violated, "no-deadlock"}} {
		if c.put != "put 9" && !testsize.All() {
			continue
		}
		t.Run(c.put, func(t *testing.T) {
			put := func(value, processes string) cluster.Action {
				a := action(t, cluster.Act, value, 3)
				if err := a.Ask(processes, 3); err != nil {
					t.Fatal(err)
				}
				return a
			}
			p := cluster.Plan{Seed: 1, Events: []cluster.Event{
				{At: 4000 * time.Millisecond, Action: put("put 0", "2")}, {At: 4200 * time.Millisecond, Action: put(c.put, "1")},
				{At: 4600 * time.Millisecond, For: 200 * time.Millisecond, Action: action(t, cluster.Kill, "random", 3)},
			}}
			if c.put == "put 9" { // one does not come back
				p.Events[2].For = 0
			}
			config := config(t, 3, 7*time.Second, p)
			config.Machine, config.Settle = store, 10*time.Second
			v := runCluster(t, config)
			if v.Outcome != c.outcome || c.violated != "" && !strings.HasPrefix(v.Reason, c.violated+", at ") {
				t.Errorf("%s: %s", v.Outcome, v.Reason)
			}
			if q := v.Requests; q == nil || q.Asked != 2 || q.Refused+q.Failed < 1 || q.Answered+q.Failed < 1 {
				t.Errorf("requests: %+v", q)
			}
			for _, j := range v.Judged {
				if j.Holds != (j.Name != c.violated) || j.States == 0 || !j.Own {
					t.Errorf("%+v", j)
				}
			}
			if len(v.Judged) != 3 {
				t.Errorf("judged: %+v", v.Judged)
			}
			for _, name := range []string{"verdict.json", "occasions.ndjson", "snapshots.ndjson", "process-1.ndjson", "process-2.stderr"} {
				if text, err := os.ReadFile(filepath.Join(config.Dir, name)); err != nil || strings.Contains(strings.ToLower(string(text)), "leader") {
					t.Errorf("%s speaks of a leader: %v", name, err)
				}
			}
			text, err := exec.Command(config.Program[0], "conform", config.Dir).CombinedOutput()
			if got := regexp.MustCompile(`(\S+) +VIOLATED`).FindSubmatch(text); (err == nil) != (c.violated == "") || !bytes.Contains(text, []byte("CONFORMS")) ||
				(got == nil) != (c.violated == "") || got != nil && string(got[1]) != c.violated || bytes.Contains(bytes.ToLower(text), []byte("leader")) {
				t.Errorf("conform: %v: %s", err, text)
			}
			text, _ = exec.Command(config.Program[0], "conform", "--json", config.Dir).Output()
			var report struct {
				Logs struct {
					JudgedUntil string `json:"judged_until"`
					Properties  []logs.PropertyReport
				}
			}
			if err := json.Unmarshal(text, &report); err != nil || report.Logs.JudgedUntil != "" || len(report.Logs.Properties) != len(v.Judged) {
				t.Fatalf("conform: %v: %s", err, text)
			}
			for i, j := range v.Judged {
				if p := report.Logs.Properties[i]; p.Property != j.Name || p.Reason != j.Reason || p.Judged != j.States {
					t.Errorf("mc cluster judged %+v, and mc conform %+v", j, p)
				}
			}
		})
	}
}
