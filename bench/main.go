// Bench measures Interleave side by side with SPIN, in one run on one machine:
//
//	go run ./bench            # what is quick
//	go run ./bench -n 8,9     # these sizes of the PlusCal Chang-Roberts
//
// It needs spin and gcc on the path. Before it prints a time it checks that
// both have explored the same number of states. Times are of the processor, in
// user mode, for the whole of a process; of SPIN without the generation and
// compilation of its verifier. The machine may be busy: compare within one run.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	sizes := flag.String("n", "6,7,8", "numbers of processes")
	flag.Parse()
	if err := run(*sizes); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(sizes string) error {
	for _, tool := range []string{"spin", "gcc", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%w: install it", err)
		}
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	mc := filepath.Join(dir, "mc")
	if out, err := exec.Command("go", "build", "-o", mc, "./cmd/mc").CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./cmd/mc, in the root of the repository: %w\n%s", err, out)
	}
	fmt.Println("| N | states | engine | user s | wall s | peak MiB | bytes a state | against SPIN |")
	fmt.Println("|--:|--:|---|--:|--:|--:|--:|--:|")
	for text := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 2 || n > 16 {
			return fmt.Errorf("-n: %q is no number of processes: give 2 to 16", text)
		}
		if err := compare(dir, mc, n); err != nil {
			return err
		}
	}
	return nil
}

// measure is what one process took.
type measure struct {
	engine     string
	states     int
	user, wall time.Duration
	peak       int64 // bytes
}

// compare prints a row for each engine.
func compare(dir, mc string, n int) error {
	spin, err := runSpin(dir, n)
	if err != nil {
		return err
	}
	row := func(m measure) {
		fmt.Printf("| %d | %d | %s | %.2f | %.2f | %d | %.1f | %.1f× |\n", n, m.states, m.engine, m.user.Seconds(), m.wall.Seconds(),
			m.peak>>20, float64(m.peak)/float64(m.states), spin.user.Seconds()/max(m.user.Seconds(), 0.001))
	}
	row(spin)
	for _, flags := range []string{"--engine explicit --workers 1", "--engine explicit --workers 2", "--engine symbolic"} {
		m, err := runMC(mc, n, flags)
		if err != nil {
			return err
		}
		if m.states != spin.states {
			return fmt.Errorf("for N=%d mc %s has %d states, and SPIN has %d", n, flags, m.states, spin.states)
		}
		row(m)
	}
	return nil
}

func runMC(mc string, n int, flags string) (measure, error) {
	args := fmt.Sprintf("verify chang-roberts/classic --n %d --property S-self --json --mem 16GiB %s", n, flags)
	m, out, err := timed("mc "+flags, exec.Command(mc, strings.Fields(args)...))
	if err != nil {
		return m, err
	}
	var report struct {
		Verdict string `json:"verdict"`
		Stats   struct {
			States int `json:"distinct_states"`
		} `json:"stats"`
	}
	if err := json.Unmarshal(out, &report); err != nil || report.Verdict != "VERIFIED" {
		return m, fmt.Errorf("mc %s: %s, %w", args, report.Verdict, err)
	}
	m.states = report.Stats.States
	return m, nil
}

var (
	stored = regexp.MustCompile(`(\d+) states, stored`)
	noErrs = regexp.MustCompile(`errors: 0`)
)

// runSpin generates, compiles and runs SPIN's verifier.
func runSpin(dir string, n int) (measure, error) {
	model := filepath.Join(dir, "ring.pml")
	if err := os.WriteFile(model, []byte(promela(n)), 0o666); err != nil {
		return measure{}, err
	}
	for _, command := range []string{"spin -a ring.pml", "gcc -O3 -DSAFETY -DMEMLIM=20000 -o pan pan.c"} {
		c := exec.Command(strings.Fields(command)[0], strings.Fields(command)[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			return measure{}, fmt.Errorf("%s: %w\n%s", command, err, out)
		}
	}
	table := 20 + max(0, n-6)*2 // as large as the states need: SPIN does not grow it well
	pan := exec.Command(filepath.Join(dir, "pan"), "-m10000", fmt.Sprintf("-w%d", table))
	m, out, err := timed("SPIN -O3", pan)
	if err != nil {
		return m, err
	}
	count := stored.FindSubmatch(out)
	if count == nil || !noErrs.Match(out) {
		return m, fmt.Errorf("spin did not verify the model:\n%s", out)
	}
	m.states, err = strconv.Atoi(string(count[1]))
	m.states-- // the one before the initiators are chosen
	return m, err
}

func timed(engine string, c *exec.Cmd) (measure, []byte, error) {
	began := time.Now()
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return measure{}, nil, fmt.Errorf("%s: %w\n%s%s", engine, err, out, failed.Stderr)
	}
	if err != nil {
		return measure{}, nil, err
	}
	m := measure{engine: engine, wall: time.Since(began), user: c.ProcessState.UserTime()}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		m.peak = usage.Maxrss << 10
	}
	return m, out, nil
}

// promela returns our model of the PlusCal Chang-Roberts for SPIN, on the
// ascending ring, in the form that suits SPIN best of those tried: one process
// that chooses among all steps, each of them one d_step with constants.
func promela(n int) string {
	var b strings.Builder
	kind := "byte"
	if n > 8 {
		kind = "short"
	}
	fmt.Fprintf(&b, `/* Chang-Roberts as in the PlusCal specification: the smallest initiator wins. */
#define WAITS 0 /* before its first step */
#define CANDIDATE 1
#define LOST 2
#define WON 3
%[2]s msgs[%[1]d]; /* in flight to each process, a bit for each ID */
%[2]s initiators;
byte status[%[1]d];

active proctype ring() {
	byte i;
	atomic {
		do
		:: i < %[1]d -> if :: initiators = initiators | (1 << i) :: skip fi; i++
		:: else -> break
		od;
		i = 0
	}
end:	do
`, n, kind)
	for p := range n {
		next := (p + 1) % n
		fmt.Fprintf(&b, "	:: d_step { status[%[1]d] == WAITS && (initiators & %[2]d) -> status[%[1]d] = CANDIDATE; msgs[%[3]d] = msgs[%[3]d] | %[2]d }\n", p, 1<<p, next)
		fmt.Fprintf(&b, "	:: d_step { status[%[1]d] == WAITS && !(initiators & %[2]d) -> status[%[1]d] = LOST }\n", p, 1<<p)
		for id := range n {
			fmt.Fprintf(&b, "	:: d_step { status[%[1]d] != WAITS && (msgs[%[1]d] & %[2]d) -> msgs[%[1]d] = msgs[%[1]d] & ~%[2]d; ", p, 1<<id)
			fmt.Fprintf(&b, "if :: status[%[1]d] == LOST -> msgs[%[2]d] = msgs[%[2]d] | %[3]d ", p, next, 1<<id)
			switch {
			case id < p:
				fmt.Fprintf(&b, ":: else -> status[%[1]d] = LOST; msgs[%[2]d] = msgs[%[2]d] | %[3]d fi }\n", p, next, 1<<id)
			case id == p:
				fmt.Fprintf(&b, ":: else -> status[%d] = WON; assert(!(initiators & %d)) fi }\n", p, 1<<p-1)
			default:
				fmt.Fprintf(&b, ":: else fi }\n")
			}
		}
	}
	b.WriteString("	od\n}\n")
	return b.String()
}
