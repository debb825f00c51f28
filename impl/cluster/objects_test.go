//go:build unix

package cluster_test

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"interleave/impl/cluster"
	"interleave/linear"
	"interleave/model/modeltest"
)

// TestLinearizable: a run is judged by what the algorithm is to its clients. A register that answers by what it heard long
// ago is found out by one run.
func TestLinearizable(t *testing.T) {
	for _, cache := range []bool{false, true} {
		machine, outcome, verdict := modeltest.Register("x/register", false), cluster.Held, linear.Linearizable
		if cache {
			machine, outcome, verdict = modeltest.Register("x/cached", true), cluster.Violated, linear.NotLinearizable
		}
		machine.Promises, machine.Properties = []string{}, nil // they are another question
		t.Run(machine.Name, func(t *testing.T) {
			p := cluster.Plan{Seed: 1}
			for i, ask := range [][2]string{{"write 1", "2"}, {"read", "3"}, {"write 2", "2"}, {"read", "3"}} {
				a := action(t, cluster.Act, ask[0], 3)
				if err := a.Ask(ask[1], 3); err != nil {
					t.Fatal(err)
				}
				p.Events = append(p.Events, cluster.Event{At: time.Duration(3000+500*i) * time.Millisecond, Action: a})
			}
			config := config(t, 3, 5*time.Second, p)
			config.Machine, config.Settle = machine, 10*time.Second
			v := runCluster(t, config)
			at := len(v.Judged) - 1
			if j := v.Judged[at]; v.Outcome != outcome || j.Name != "register" || j.Object != verdict.String() || j.Requests != 4 || !j.Own || j.Holds == cache {
				t.Errorf("%s: %s: %+v", v.Outcome, v.Reason, j)
			}
			if cache && !strings.Contains(v.Reason, "no order of the requests explains these answers: read at process 3, ") {
				t.Errorf("%s", v.Reason)
			}
			text, err := exec.Command(config.Program[0], "conform", config.Dir).CombinedOutput()
			if (err != nil) != cache || !strings.Contains(string(text), "register         "+verdict.String()+" ") {
				t.Errorf("conform: %v: %s", err, text)
			}
		})
	}
}
