package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// spinBytes is less than SPIN takes for a state of any of the worlds above, stored as it is, with
// a place for it in a table without room to spare (TestSpinBytes). So of more states than spinHolds
// it cannot hold all in 8 GiB.
const (
	spinBytes = 50
	spinHolds = 8 << 30 / spinBytes
)

// catalogue is the elections without dice whose processes have finitely many states (those of ble count on),
// each in the world in which it is a row of the tables above, or else with a crash in a world that
// its defects or its diagrams suit.
var catalogue = []growing{
	{"chang-roberts/classic --ring ascending", 9},
	{"chang-roberts/textbook --ring descending --network fifo", 11},
	{"chang-roberts/naive --crashes 1 --network set", 4},
	{"chang-roberts/detecting --crashes 1", 4},
	{"bully/mended --crashes 1 --network set --timers just", 4},
	{"bully/published --crashes 1 --network set --timers just", 4},
	{"bully/unguarded --crashes 1 --network set --timers just", 4},
	{"strike-bully/mended --crashes 1 --network set --timers just", 4},
	{"strike-bully/published --crashes 1 --network set --timers just", 4},
	{"fast-bully/mended --crashes 1", 4},
	{"fast-bully/published --crashes 1", 4},
	{"token-ring/mended --crashes 1", 3},
	{"token-ring/published-a --crashes 1", 2},
	{"token-ring/published-b --crashes 1", 2},
	{"sync-ring/published --crashes 1", 8},
	{"sync-ring/asynchronous --ring descending", 14},
	{"sync-bully/mended --crashes 1", 8},
	{"sync-bully/published --crashes 1", 8},
	{"sync-bully/deadline2 --crashes 1", 8},
}

// growing is a world of an algorithm, of growing size.
type growing struct {
	mc   string // arguments of mc verify, without size
	from int    // a size that SPIN holds
}

// checked is what mc verify says of one size.
type checked struct {
	Verdict    string `json:"verdict"`
	Properties []struct {
		Verdict string `json:"verdict"`
	} `json:"properties"`
	Stats struct {
		States     int  `json:"distinct_states"`
		Overapprox int  `json:"overapprox_states"`
		Complete   bool `json:"complete"`
	} `json:"stats"`

	refused    string // what mc says of a size that it does not take
	user, wall time.Duration
	peak       int64 // bytes
}

// beyond prints, for each algorithm, what mc says of the least size that SPIN cannot hold in 8 GiB,
// and of those before it that it is not known to hold; of the largest, if mc does not take that one.
func (b *bench) beyond(out io.Writer, only string, limit time.Duration) error {
	fmt.Fprintf(out, "| world | N | states | more than SPIN holds | verdict | properties decided | user s | wall s | peak MiB |\n")
	fmt.Fprintln(out, "|---|--:|--:|---|---|--:|--:|--:|--:|")
	chosen := slices.DeleteFunc(slices.Clone(catalogue), func(g growing) bool { return !strings.Contains(g.mc, only) })
	if len(chosen) == 0 {
		return fmt.Errorf("-only: no algorithm has %q in its name", only)
	}
	for _, g := range chosen {
		if err := b.grow(out, g, limit); err != nil {
			return fmt.Errorf("%s: %w", g.mc, err)
		}
	}
	return nil
}

func (b *bench) grow(out io.Writer, g growing, limit time.Duration) error {
	var last checked
	more := "" // of the last one
	for n := g.from; ; n++ {
		c, err := b.check(fmt.Sprintf("%s --n %d --continue --mem 8GiB --timeout %v", g.mc, n, limit))
		if err != nil {
			return fmt.Errorf("%d processes: %w", n, err)
		}
		if c.refused != "" {
			if n == g.from {
				return fmt.Errorf("%d processes: %s", n, c.refused)
			}
			if more == "no" { // else it was told
				last.tell(out, g.mc, n-1, "no; of one more, "+c.refused)
			}
			return nil
		}
		if !c.Stats.Complete { // how many there are at least, is for the explicit engine to say
			few, err := b.check(fmt.Sprintf("%s --n %d --continue --engine explicit --property one-leader --max-states %d --mem 16GiB --timeout %v", g.mc, n, spinHolds+1, limit))
			if err != nil {
				return fmt.Errorf("%d processes: %w", n, err)
			}
			c.Stats.States, c.Stats.Complete = max(c.Stats.States, few.Stats.States), few.Stats.Complete
		}
		switch {
		case c.Stats.States > spinHolds:
			more = "yes"
		case c.Stats.Complete:
			more = "no"
		default:
			more = "not known"
		}
		if more != "no" || c.undecided() > 0 {
			c.tell(out, g.mc, n, more)
		}
		if more == "yes" || c.undecided() > 0 {
			return nil
		}
		last = c
	}
}

// tell prints a row.
func (c checked) tell(out io.Writer, world string, n int, more string) {
	states := commas(c.Stats.States)
	switch {
	case !c.Stats.Complete && c.Stats.Overapprox > 0:
		states = fmt.Sprintf("%s to %s", states, commas(c.Stats.Overapprox))
	case !c.Stats.Complete:
		states += " or more"
	}
	fmt.Fprintf(out, "| `%s` | %d | %s | %s | %s | %d of %d | %.1f | %.1f | %d |\n", world, n, states, more, c.Verdict,
		len(c.Properties)-c.undecided(), len(c.Properties), c.user.Seconds(), c.wall.Seconds(), c.peak>>20)
}

// undecided is how many properties have no verdict.
func (c checked) undecided() (n int) {
	for _, p := range c.Properties {
		if p.Verdict == "INCONCLUSIVE" {
			n++
		}
	}
	return n
}

// check runs mc verify.
func (b *bench) check(args string) (c checked, err error) {
	command := exec.Command(b.mc, strings.Fields("verify "+args+" --json")...)
	began := time.Now()
	out, err := command.Output()
	c.wall = time.Since(began)
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return c, err
	}
	c.user = command.ProcessState.UserTime()
	if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.peak = usage.Maxrss << 10
	}
	const violated, refused, inconclusive = 1, 2, 3 // exit status
	switch command.ProcessState.ExitCode() {
	case 0, violated, inconclusive:
		return c, json.Unmarshal(out, &c)
	case refused:
		c.refused, _, _ = strings.Cut(string(failed.Stderr), "\n")
		return c, nil
	}
	return c, fmt.Errorf("%w\n%s", err, failed.Stderr)
}
