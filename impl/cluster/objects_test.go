//go:build unix

package cluster_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"interleave/impl/cluster"
	"interleave/linear"
	"interleave/spec"
	"interleave/spec/paxos"
)

// TestLinearizable: a run is judged by what the algorithm is to its clients. The plan is that of docs/algorithms/paxos.md: all
// processes crash between two proposals, so no state tells that Volatile decides twice.
func TestLinearizable(t *testing.T) {
	ask := func(at time.Duration, process, value string) cluster.Event {
		a := action(t, cluster.Act, "propose "+value, 3)
		if err := a.Ask(process, 3); err != nil {
			t.Fatal(err)
		}
		return cluster.Event{At: at, Action: a}
	}
	p := cluster.Plan{Seed: 1, Events: []cluster.Event{
		ask(3*time.Second, "1", `"a"`),
		{At: 4 * time.Second, For: 500 * time.Millisecond, Action: action(t, cluster.Kill, "all", 3)},
		ask(7*time.Second, "2", `"b"`),
	}}
	for _, machine := range []spec.Machine{paxos.SingleDecree, paxos.Volatile} {
		t.Run(machine.Traits().Name, func(t *testing.T) {
			config := config(t, 3, 8*time.Second, p)
			config.Machine, config.Settle = machine, 10*time.Second
			outcome, verdict, requests := cluster.Held, linear.Linearizable, 1
			if machine == paxos.Volatile {
				outcome, verdict, requests = cluster.Violated, linear.NotLinearizable, 2
			}
			v := runCluster(t, config)
			if j := v.Judged[len(v.Judged)-1]; v.Outcome != outcome || j.Name != "decision" || j.Object != verdict.String() || j.Requests != requests || j.Holds != (outcome == cluster.Held) {
				t.Errorf("%s: %s: %+v", v.Outcome, v.Reason, j)
			}
			if outcome == cluster.Violated && !strings.HasPrefix(v.Reason, "decision, no order of the requests explains these answers: propose a at process 1, ") {
				t.Errorf("%s", v.Reason)
			}
			text, err := exec.Command(config.Program[0], "conform", config.Dir).CombinedOutput()
			if (err == nil) != (outcome == cluster.Held) || !regexp.MustCompile(`decision +`+verdict.String()+" ").Match(text) {
				t.Errorf("conform: %v: %s", err, text)
			}
		})
	}
}
