// Honest runs clusters that do nothing wrong, and has mc conform judge each. If that refutes one
// of them, it is a false alarm.
//
//	go run ./bench/honest                    # 200 runs, two at a time: a quarter of an hour
//	go run ./bench/honest -runs 12 -seed 7   # fewer, and others
//	go run ./bench/honest -keep alarms       # keep the run directories of alarms
//
// Runs go through all algorithms of the catalogue, all transports and all plans of faults. Of 184
// runs in a row no two have the same algorithm and plan, and of 552 no two have the same
// transport as well (lock step has no bare datagrams). Each is a run of mc cluster and one of mc
// conform RUN_DIR, as at a terminal, which judges its logs, its capture, and each by the other.
//
// It exits with 1 if there is an alarm, or if a run cannot be judged.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"time"
)

func main() {
	var o options
	flag.IntVar(&o.runs, "runs", 200, "how many runs")
	flag.IntVar(&o.workers, "at-once", 2, "how many of them at a time")
	flag.Uint64Var(&o.seed, "seed", 1, "which runs: number 1 has this seed, the next ones those behind it")
	flag.DurationVar(&o.length, "duration", 3*time.Second, "how long the faults of each run last")
	flag.StringVar(&o.keep, "keep", "", "keep the run directories of alarms in this folder")
	flag.BoolVar(&o.verbose, "v", false, "print a line for every run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	t, err := run(ctx, o, os.Stdout)
	if err == nil && t.bad() > 0 {
		err = fmt.Errorf("%d of %d runs raise an alarm or cannot be judged", t.bad(), t.runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "honest:", err)
		os.Exit(1)
	}
}

type options struct {
	runs, workers int
	seed          uint64
	length        time.Duration
	keep          string
	verbose       bool
}

// run makes all runs and prints what became of them.
func run(ctx context.Context, o options, out io.Writer) (*tally, error) {
	if o.runs < 1 || o.workers < 1 || o.length < time.Second {
		return nil, fmt.Errorf("-runs %d, -at-once %d, -duration %v: give 1, 1 and 1s or more", o.runs, o.workers, o.length)
	}
	dir, err := os.MkdirTemp("", "honest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	mc := filepath.Join(dir, "mc")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", mc, "interleave/cmd/mc").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, text)
	}
	t := &tally{}
	if err := t.all(ctx, o, mc, dir, out); err != nil {
		return t, err
	}
	t.print(out)
	return t, nil
}

// all makes the runs, some at a time.
func (t *tally) all(ctx context.Context, o options, mc, dir string, out io.Writer) error {
	seeds := make(chan uint64)
	go func() {
		defer close(seeds)
		for k := range o.runs {
			select {
			case seeds <- o.seed + uint64(k):
			case <-ctx.Done():
				return
			}
		}
	}()
	var mu sync.Mutex
	var workers sync.WaitGroup
	var failed error
	for range o.workers {
		workers.Go(func() {
			for seed := range seeds {
				v, err := drawn(seed, o.length).judge(ctx, mc, dir, o.keep)
				mu.Lock()
				if err == nil {
					t.add(v, o.verbose, out)
				} else if failed == nil {
					failed = fmt.Errorf("seed %d: %w", seed, err)
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return failed
}
