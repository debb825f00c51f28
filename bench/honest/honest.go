package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"interleave/spec"
	"interleave/spec/catalog"
)

// honest is a run of a cluster that does what it should.
type honest struct {
	seed      uint64
	machine   spec.Machine
	n         int
	transport []string // flags of mc cluster
	plan      plan
	length    time.Duration
}

// plan is what goes wrong in a run.
type plan struct {
	name   string
	faults string   // of the network, as plans have them
	events []string // those that begin an event with {at: T, every: P, for: D are given times
}

var plans = []plan{
	{"quiet", "", nil},
	{"loss", "loss: 10%", nil},
	{"disorder", "duplicate: 10%, reorder: 10%, delay: 0..15ms", nil},
	{"leader dies", "", []string{"kill: leader"}},
	{"some die", "loss: 5%", []string{"kill: some"}},
	{"partition", "", []string{`partition: "some | others"`}},
	{"pause", "", []string{"pause: random", `cut: "random -> others"`}},
	{"everything", "loss: 10%, duplicate: 10%, reorder: 10%, delay: 0..15ms", []string{"kill: random", "pause: leader", `partition: "leader | others"`}},
}

var transports = [][]string{{"--transport", "udp"}, {"--transport", "tcp"}, {"--transport", "udp", "--datagrams"}}

// drawn returns the run of a seed. The numbers of algorithms, transports and plans
// have no common divisor, so seeds in a row go through all combinations.
func drawn(seed uint64, length time.Duration) honest {
	chance := rand.New(rand.NewPCG(seed, 1))
	of := func(n int) int { return int(seed % uint64(n)) }
	h := honest{
		seed: seed, machine: catalog.Machines[of(len(catalog.Machines))], transport: transports[of(len(transports))],
		plan: plans[of(len(plans))], length: length,
	}
	if len(h.transport) > 2 && h.lockStep() { // there nothing may be lost
		h.transport = transports[0]
	}
	for h.n == 0 || h.machine.Traits().CheckN(h.n) != nil {
		h.n = 2 + chance.IntN(4)
	}
	return h
}

func (h honest) lockStep() bool { return h.machine.Traits().Handles.Has(spec.Round) }

// text is the plan as mc cluster reads it. Nobody can join lock step later, so who
// is killed there stays down.
func (h honest) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nseed: %d\n", h.seed)
	if h.plan.faults != "" {
		b.WriteString("faults:\n  " + strings.ReplaceAll(h.plan.faults, ", ", "\n  ") + "\n")
	}
	for i, event := range h.plan.events {
		if i == 0 {
			b.WriteString("events:\n")
		}
		times := fmt.Sprintf("at: %v, every: %v, for: %v", h.length/5+time.Duration(i)*h.length/10, h.length/3, h.length/7)
		if strings.HasPrefix(event, "kill") && h.lockStep() {
			times = fmt.Sprintf("at: %v", h.length/4)
		}
		fmt.Fprintf(&b, "  - {%s, %s}\n", times, event)
	}
	return b.String()
}

func (h honest) String() string {
	return fmt.Sprintf("seed %d: %s, n %d, %s, %s", h.seed, h.machine.Traits().Name, h.n, strings.Join(h.transport[1:], " "), h.plan.name)
}

// verdict is what mc conform says of a run.
type verdict struct {
	run     honest
	said    string // CONFORMS, REFUTED, UNKNOWN or noRun; else why it cannot be judged
	reason  string
	packets int
	steps   int
	took    time.Duration // by mc conform
}

// judge makes the run, and has it judged.
func (h honest) judge(ctx context.Context, mc, dir, keep string) (v verdict, err error) {
	home := filepath.Join(dir, fmt.Sprint("run-", h.seed))
	file := home + ".yaml"
	if err := os.WriteFile(file, []byte(h.text()), 0o644); err != nil {
		return v, err
	}
	defer os.RemoveAll(home)
	args := append([]string{"cluster", h.machine.Traits().Name, "--n", fmt.Sprint(h.n), "--plan", file, "--duration", h.length.String(),
		"--delta", "25ms", "--settle", "2s", "--dir", home}, h.transport...)
	// That the processes do not agree after all (1) is no matter here.
	// Others mean that there was no run: on a busy machine lock step begins without a process.
	if text, err := exec.CommandContext(ctx, mc, args...).CombinedOutput(); status(err) == 4 {
		return verdict{run: h, said: noRun, reason: string(text)}, ctx.Err()
	} else if err != nil && status(err) != 1 {
		return v, fmt.Errorf("mc %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	began := time.Now()
	text, err := exec.CommandContext(ctx, mc, "conform", home, "--json").Output()
	v = verdict{run: h, took: time.Since(began)}
	if v.read(text, err); v.said == unjudged && silent(home) {
		v.said = noRun
	}
	if v.said == "CONFORMS" || keep == "" {
		return v, ctx.Err()
	}
	if err := os.MkdirAll(keep, 0o777); err != nil {
		return v, err
	}
	return v, os.CopyFS(filepath.Join(keep, filepath.Base(home)), os.DirFS(home))
}

// noRun is said of a run that did not come about, or where nobody sent anything: on a
// busy machine the first message may come later than the first fault.
const noRun = "NO RUN"

const unjudged = "CANNOT BE JUDGED"

// silent reports whether the logs of a run say that nobody sent anything.
func silent(home string) bool {
	logs, err := filepath.Glob(filepath.Join(home, "process-*.ndjson"))
	for _, log := range logs {
		text, failed := os.ReadFile(log)
		if err = errors.Join(err, failed); bytes.Contains(text, []byte(`"sends":`)) {
			return false
		}
	}
	return err == nil && len(logs) > 0
}

// status is the exit status of a command, -1 if it has none.
func status(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// report is what there is to read in that of mc conform --json.
type report struct {
	Verdict string `json:"verdict"`
	Logs    struct {
		Steps      int `json:"steps"`
		Refutation any `json:"refutation"`
	} `json:"logs"`
	Capture struct {
		Packets     struct{ Total int } `json:"packets"`
		Reason      string              `json:"reason"`
		Unexplained any                 `json:"unexplained"`
	} `json:"capture"`
	Both struct {
		Discrepancies []string `json:"discrepancies"`
	} `json:"both"`
}

// read reads what mc conform printed, and how it ended.
func (v *verdict) read(text []byte, ended error) {
	var r report
	var exit *exec.ExitError
	switch errors.As(ended, &exit); {
	case exit != nil && len(text) == 0:
		v.said, v.reason = unjudged, string(exit.Stderr)
		return
	case json.Unmarshal(text, &r) != nil:
		v.said, v.reason = unjudged, fmt.Sprintf("no report: %v %.200s", ended, text)
		return
	}
	v.said, v.packets, v.steps = r.Verdict, r.Capture.Packets.Total, r.Logs.Steps
	if (v.said == "CONFORMS") != (ended == nil) {
		v.said = fmt.Sprintf("%s, AND %v", v.said, ended)
	}
	if v.said != "CONFORMS" {
		why, _ := json.Marshal([]any{r.Logs.Refutation, r.Capture.Unexplained, r.Capture.Reason, r.Both.Discrepancies})
		v.reason = string(why)
	}
}
