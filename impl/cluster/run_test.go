//go:build unix

package cluster_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"interleave/cmd/mc/cli"
	"interleave/impl/cluster"
	"interleave/impl/cluster/network"
	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
	"interleave/spec/itairodeh"
)

// TestMain makes this program mc as well, for the processes of the tests. No
// test leaves a goroutine behind.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (slices.Contains([]string{"node", "cluster", "conform"}, os.Args[1])) {
		cli.Main(catalog.Aliases, append(append(catalog.Machines, catalog.Mutants...), store)...)
	}
	goleak.VerifyTestMain(m)
}

// config is a cluster of bully, or what the options make of it.
func config(t *testing.T, n int, length time.Duration, p cluster.Plan) cluster.Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	delta := 50 * time.Millisecond
	return cluster.Config{
		Machine: bully.Mended, N: n, Plan: p, Duration: length, Delta: delta,
		Settle: 2 * time.Minute, Program: []string{self, "node"}, Dir: filepath.Join(t.TempDir(), "run"), Capture: true,
		Tell: func(o cluster.Occasion) { t.Logf("%6.2f %s", o.Elapsed, o.Text) },
	}
}

func runCluster(t *testing.T, c cluster.Config) *cluster.Verdict {
	t.Helper()
	v, err := cluster.Run(t.Context(), c)
	cluster.NeedAddresses(t, err)
	t.Logf("%s: %s", v.Outcome, v.Reason)
	return v
}

// runInTime runs a cluster. Where the machine was too slow for its times, which is told by mc
// being late or by nobody having been agreed on before the first event of the plan, all of it
// lasts twice as long the next time.
func runInTime(t *testing.T, c *cluster.Config) *cluster.Verdict {
	t.Helper()
	for again := 0; ; again++ {
		var agreed bool
		first := c.Plan.Events[0].At
		tell := c.Tell
		c.Tell = func(o cluster.Occasion) {
			tell(o)
			agreed = agreed || o.What == "agreed" && o.Elapsed < first.Seconds()
		}
		v := runCluster(t, *c)
		if c.Tell = tell; agreed && v.Late.Count == 0 || again == 4 {
			return v
		}
		t.Logf("agreed before %v: %v, late: %+v: once more, slower", first, agreed, v.Late)
		slower(t, c)
	}
}

// slower makes a cluster last twice as long, in another folder.
func slower(t *testing.T, c *cluster.Config) {
	c.Delta, c.Duration, c.Settle, c.Dir = 2*c.Delta, 2*c.Duration, 2*c.Settle, filepath.Join(t.TempDir(), "run")
	c.Plan.Events = slices.Clone(c.Plan.Events)
	for i := range c.Plan.Events {
		e := &c.Plan.Events[i]
		e.At, e.For = 2*e.At, 2*e.For
	}
}

func action(t *testing.T, verb cluster.Verb, value string, n int) cluster.Action {
	t.Helper()
	a, err := cluster.ParseAction(verb, value, n)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestCrashesOverUDP: three processes, the leader killed and started again, and
// packets lost, copied, late and out of order.
func TestCrashesOverUDP(t *testing.T) {
	p := cluster.Plan{
		Seed:   1,
		Faults: network.Faults{Loss: 100_000, Duplicate: 50_000, Reorder: 50_000, Delay: network.Span{Max: 10 * time.Millisecond}},
		Events: []cluster.Event{{At: 2 * time.Second, For: time.Second, Action: action(t, cluster.Kill, "leader", 3)}},
	}
	c := config(t, 3, 4*time.Second, p)
	v := runInTime(t, &c)
	wantAgreed(t, v, 3, 3)
	if v.Course.Kills != 1 || v.Course.Unanswered != 0 || v.Course.Agreements < 2 {
		t.Errorf("%+v", v.Course)
	}
	if f := v.Traffic; f.Lost == 0 || f.Copied == 0 || f.Held == 0 || f.Messages == 0 || f.Unreadable > 0 {
		t.Errorf("%+v", f)
	}
	wantFiles(t, c, v)
	wantCapture(t, c, v)
	wantHealed(t, c.Dir)
	wantWords(t, c.Dir, "begin", "kill", "restart", "agreed", "disagreed", "healed")
	wantAgreements(t, c.Dir, v.Course.Agreements)
}

// TestPartitionsOverTCP: five processes, a partition, a one-way cut, and one
// that is paused.
func TestPartitionsOverTCP(t *testing.T) {
	testsize.Test(t)
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	p := cluster.Plan{
		Seed:   2,
		Faults: network.Faults{Loss: 20_000, Delay: network.Span{Max: 10 * time.Millisecond}},
		Events: []cluster.Event{
			{At: 2 * time.Second, For: 1500 * time.Millisecond, Action: action(t, cluster.Partition, "1,5 | 2,3,4", 5)},
			{At: 4 * time.Second, For: 500 * time.Millisecond, Action: action(t, cluster.Cut, "leader -> others", 5)},
			{At: 5 * time.Second, Action: action(t, cluster.Pause, "4", 5)},
			{At: 6 * time.Second, For: time.Second, Action: action(t, cluster.Kill, "random", 5)},
		},
	}
	c := config(t, 5, 8*time.Second, p)
	c.Stream = true
	v := runInTime(t, &c)
	wantAgreed(t, v, 5, 5)
	if v.Course.Split.Count == 0 {
		t.Error("a partition in which nobody followed another")
	}
	if f := v.Traffic; f.Cut == 0 || f.Stalled == 0 || f.Lost > 0 {
		t.Errorf("%+v", f)
	}
	wantFiles(t, c, v)
	wantCapture(t, c, v)
	wantHealed(t, c.Dir)
	wantWords(t, c.Dir, "partition", "cut", "pause", "kill", "resume", "heal", "healed")
	wantAgreements(t, c.Dir, v.Course.Agreements)
}

// TestPartitionsOverUDP: five processes that a partition divides, with killed
// ones in both halves.
func TestPartitionsOverUDP(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	p := cluster.Plan{Seed: 3, Events: []cluster.Event{
		{At: 2 * time.Second, For: 2 * time.Second, Action: action(t, cluster.Partition, "1,5 | 2,3,4", 5)},
		{At: 3 * time.Second, For: time.Minute, Action: action(t, cluster.Kill, "4,5", 5)}, // until the healing
	}}
	c := config(t, 5, 6*time.Second, p)
	v := runInTime(t, &c)
	wantAgreed(t, v, 5, 5)
	if v.Course.Split.Count == 0 || v.Course.Rivals.Count == 0 || v.Traffic.Cut == 0 {
		t.Errorf("%+v %+v", v.Course, v.Traffic)
	}
}

// TestElectionsOverTCP: three processes, and leaders killed by number.
func TestElectionsOverTCP(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	c := config(t, 3, 0, cluster.Plan{Seed: 4, Faults: network.Faults{Loss: 10_000}})
	c.Elections, c.Stream = 3, true
	v := runCluster(t, c)
	wantAgreed(t, v, 3, 3)
	if v.Course.Kills != 3 || v.Course.Healed != 3 || len(v.Course.Recoveries) != 3 || v.Course.MedianMS <= 0 || v.Course.WorstMS < v.Course.MedianMS {
		t.Errorf("%+v", v.Course)
	}
}

// TestDisagreement: an election that knows no recovery does not come to agree
// with one that has come back, and the verdict says so.
func TestDisagreement(t *testing.T) {
	testsize.Test(t)
	p := cluster.Plan{Events: []cluster.Event{{At: 1500 * time.Millisecond, For: time.Second, Action: action(t, cluster.Kill, "leader", 3)}}}
	c := config(t, 3, 3*time.Second, p)
	c.Machine, c.Settle = changroberts.Detecting, time.Second
	v := runInTime(t, &c)
	if v.Outcome != cluster.Disagreed || !strings.Contains(v.Reason, fmt.Sprintf("agreement is not so %v after the healing: process ", c.Settle)) {
		t.Errorf("%s: %s", v.Outcome, v.Reason)
	}
}

// TestUnannounced: of an election in which only the winner learns of it, the
// smallest initiator is asked.
func TestUnannounced(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	c := config(t, 3, time.Second, cluster.Plan{})
	c.Machine, c.Initiators = changroberts.Classic, spec.SetOf(2, 3)
	v := runCluster(t, c)
	if v.Outcome != cluster.Agreed || len(v.Judged) != 1 || v.Judged[0].Name != "top-won" || *v.Reports[1].Leader != 2 || *v.Reports[2].Leader == 3 {
		t.Errorf("%s: %s %+v %+v", v.Outcome, v.Reason, v.Judged, v.Reports)
	}
}

// TestAnyoneWins: of an election in which none has priority, whoever wins is the right one.
func TestAnyoneWins(t *testing.T) {
	testsize.Test(t)
	c := config(t, 3, time.Second, cluster.Plan{})
	c.Machine = itairodeh.Finite
	v := runCluster(t, c)
	if v.Outcome != cluster.Agreed || !strings.Contains(v.Reason, "one process followed itself") || len(v.Judged) != 3 || v.Judged[0].Name != "one-leader" {
		t.Errorf("%s: %s %+v %+v", v.Outcome, v.Reason, v.Judged, v.Reports)
	}
}

// TestSomeStayDown: without a way back the others agree on the largest that is
// left.
func TestSomeStayDown(t *testing.T) {
	p := cluster.Plan{Events: []cluster.Event{{At: 1500 * time.Millisecond, Action: action(t, cluster.Kill, "leader", 3)}}}
	c := config(t, 3, 2*time.Second, p)
	v := runInTime(t, &c)
	wantAgreed(t, v, 2, 2)
	if !slices.Equal(v.Down, []spec.ID{3}) {
		t.Errorf("down: %v", v.Down)
	}
	if v.Seconds < 2.85 { // the calm is one of 850 ms after the healing
		t.Errorf("over after %v s", v.Seconds)
	}
}

// TestFailure: a process that somebody else kills has failed.
func TestFailure(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	c := config(t, 3, 2*time.Second, cluster.Plan{})
	c.Settle = time.Second
	script := `if [ "$3" = 2 ]; then sleep 1; echo 'panic: it broke' >&2; exit 7; fi; exec "$0" node "$@"`
	c.Program = []string{"/bin/sh", "-c", script, c.Program[0]}
	v := runCluster(t, c)
	if v.Outcome != cluster.Disagreed || v.Reason != "process 2 ended by itself, exit status 7: panic: it broke" || !slices.Equal(v.Failures, []string{v.Reason}) {
		t.Errorf("%s: %s %v", v.Outcome, v.Reason, v.Failures)
	}
}

// TestBreakdown: a process that breaks has the exit status of bad input, and is
// no bad input. Nor is one that was accepted and is refused when it comes back.
func TestBreakdown(t *testing.T) {
	testsize.Test(t)
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	back := cluster.Plan{Events: []cluster.Event{{At: 2 * time.Second, For: 500 * time.Millisecond, Action: action(t, cluster.Kill, "2", 3)}}}
	for _, c := range []struct {
		plan         cluster.Plan
		script, want string
	}{
		{cluster.Plan{}, `sleep 1; echo 'panic: it broke' >&2; echo 'goroutine 1' >&2; exit 2`, "process 2 ended by itself, exit status 2: panic: it broke"},
		{cluster.Plan{}, `sleep 1; echo 'fatal error: out of memory' >&2; echo 'goroutine 1' >&2; exit 2`, "process 2 ended by itself, exit status 2: fatal error: out of memory"},
		{back, `if [ -e "$0.before" ]; then echo 'mc: error: the memory is torn' >&2; exit 2; fi; touch "$0.before"; exec sleep 100`,
			"process 2 ended by itself, exit status 2: mc: error: the memory is torn"},
	} {
		config := config(t, 3, 3*time.Second, c.plan)
		config.Settle = time.Second
		program := filepath.Join(t.TempDir(), "mc")
		if err := os.Symlink(config.Program[0], program); err != nil {
			t.Fatal(err)
		}
		config.Program = []string{"/bin/sh", "-c", `if [ "$3" = 2 ]; then ` + c.script + `; fi; exec "$0" node "$@"`, program}
		v := runCluster(t, config)
		if v.Outcome != cluster.Disagreed || v.Reason != c.want || !slices.Equal(v.Failures, []string{c.want}) || len(v.Judged) == 0 || !v.Judged[0].Holds {
			t.Errorf("%s: %s %v, judged %+v", v.Outcome, v.Reason, v.Failures, v.Judged)
		}
		if text, err := os.ReadFile(filepath.Join(config.Dir, "process-2.stderr")); err != nil || len(text) == 0 {
			t.Errorf("what it said is %q: %v", text, err)
		}
	}
}

// TestBadEnds: a process that does not end well leaves no verdict in peace.
func TestBadEnds(t *testing.T) {
	c := config(t, 2, time.Second, cluster.Plan{})
	c.Program = []string{"/bin/sh", "-c", `"$0" node "$@" & trap 'kill $!; wait $!; [ "$3" = 2 ] && exit 4; exit 0' TERM; wait $!`, c.Program[0]}
	v := runCluster(t, c)
	if v.Outcome != cluster.Unknown || !strings.HasPrefix(v.Reason, "process 2 did not end well, exit status 4: ") || !v.Judged[0].Holds {
		t.Errorf("%s: %s %+v", v.Outcome, v.Reason, v.Judged)
	}
	text, err := os.ReadFile(filepath.Join(c.Dir, "verdict.json"))
	if err != nil || !strings.Contains(string(text), `"outcome": ""`) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestKilledFromOutside: what a process wrote is not taken for the reason.
func TestKilledFromOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	c := config(t, 3, 1500*time.Millisecond, cluster.Plan{})
	c.Settle = time.Second
	c.Program = []string{"/bin/sh", "-c", `if [ "$3" = 2 ]; then echo 'it began' >&2; sleep 1; kill -9 $$; fi; exec "$0" node "$@"`, c.Program[0]}
	if v := runCluster(t, c); v.Reason != "process 2 was ended from outside, signal: killed" {
		t.Errorf("%s: %s", v.Outcome, v.Reason)
	}
}

// TestRefusal: what the processes refuse is an error of the input.
func TestRefusal(t *testing.T) {
	c := config(t, 3, time.Minute, cluster.Plan{})
	c.Timers = map[string]time.Duration{"T_ok": time.Millisecond}
	_, err := cluster.Run(t.Context(), c)
	var input *cluster.InputError
	if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), "timer T_ok lasts 1ms, and must last longer than 100ms") {
		t.Errorf("%v", err)
	}
	c = config(t, 3, time.Minute, cluster.Plan{})
	c.Program = append(c.Program, "--no-such-flag")
	_, err = cluster.Run(t.Context(), c)
	var refused *cluster.RefusedError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "does not run: unknown flag: --no-such-flag") {
		t.Errorf("%v", err)
	}
}

// TestInterrupted: the verdict says so, and no process is left.
func TestInterrupted(t *testing.T) {
	c := config(t, 3, time.Hour, cluster.Plan{})
	ctx, cancel := context.WithCancel(t.Context())
	c.Tell = func(o cluster.Occasion) {
		if o.What == "agreed" {
			cancel()
		}
	}
	v, err := cluster.Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	if v.Outcome != cluster.Interrupted || len(v.Judged) > 0 {
		t.Errorf("%s %v", v.Outcome, v.Judged)
	}
	wantEnds(t, c)
	if out, err := exec.Command("pgrep", "-f", c.Dir).Output(); err == nil {
		t.Errorf("left behind: %s", out)
	}
}

// TestKilledClusterTakesItsProcessesAlong: not even kill -9 of mc leaves any.
func TestKilledClusterTakesItsProcessesAlong(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux kills them")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	cmd := exec.Command(self, "cluster", "bully", "--n", "2", "--duration", "1h", "--dir", dir)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(stderr)
	for said.Scan() && !strings.Contains(said.Text(), "all 2 live processes follow 2") {
	}
	if exec.Command("pgrep", "-f", dir).Run() != nil {
		t.Fatal("no process is there to be left behind")
	}
	cmd.Process.Kill()
	cmd.Wait()
	for deadline := time.Now().Add(20 * time.Second); exec.Command("pgrep", "-f", dir).Run() == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("processes are left behind")
		}
	}
}
