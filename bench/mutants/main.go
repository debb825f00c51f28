// Mutants prints how soon a simulation finds the planted bugs of the catalogue:
//
//	go run ./bench/mutants                                                  # each in the world where a search finds it: some minutes
//	go run ./bench/mutants -n 5 bully/mended ble/mended token-ring/mended   # what docs/simulate.md shows
//
// A mutant gets the smallest world of its ladder in which a search shows by a run that it lacks a property, or that world
// with more processes. The simulation judges that property. It is an error if it finds as much in the original, in as many
// runs, and, without -n, if it does not find it in time: some bugs need a small world. Mutants that no search tells from their
// original by one state or step are named.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/catalog"
)

func main() {
	var o options
	flag.IntVar(&o.n, "n", 0, "number of processes; 0: that of the world where a search finds the bug")
	flag.DurationVar(&o.limit, "limit", time.Minute, "how long a simulation may take")
	flag.IntVar(&o.states, "states", 0, "how many states a search may meet, by which worlds are chosen; 0: a number that suits the algorithm")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var originals []spec.Machine
	for _, m := range catalog.Machines {
		if flag.NArg() == 0 || slices.Contains(flag.Args(), m.Traits().Name) {
			originals = append(originals, m)
		}
	}
	if len(originals) < flag.NArg() {
		fmt.Fprintln(os.Stderr, "mutants: give full names of algorithms, as in bully/mended")
		os.Exit(2)
	}
	if err := run(ctx, originals, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

type options struct {
	n, states int
	limit     time.Duration
}

// run prints a line for each mutant that a simulation can find, and names the others.
func run(ctx context.Context, originals []spec.Machine, o options, out io.Writer) error {
	fmt.Fprintf(out, "| mutant | world | property | run | steps | seconds |\n|---|---|---|--:|--:|--:|\n")
	var others, missed []string
	for _, m := range originals {
		mutants := slices.DeleteFunc(slices.Clone(catalog.Mutants), func(mutant spec.Machine) bool {
			original, _ := spec.Original(mutant.Traits().Name)
			return original != m.Traits().Name
		})
		killed, err := properties.KillMutants(ctx, m, mutants, properties.Options{Catalogue: election.Catalogue, MaxStates: o.states, Workers: runtime.GOMAXPROCS(0)})
		if err != nil {
			return err
		}
		for i, k := range killed {
			name := mutants[i].Traits().Name
			if !k.Killed || !judged(k.Finding) {
				others = append(others, name)
				continue
			}
			c := k.Config
			if o.n > 0 {
				c.N, c.Ring = o.n, nil
			}
			line, err := find(ctx, m, mutants[i], c, k.Finding.Property, o.limit)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if line == "" {
				missed, line = append(missed, name), fmt.Sprintf("none | | over %.0f", o.limit.Seconds())
			}
			fmt.Fprintf(out, "| %s | %s | %s | %s |\n", name, worldOf(m, c), k.Finding.Name, line)
		}
	}
	if others != nil {
		fmt.Fprintf(out, "\nNo search tells these from their original by one state or step: %s.\n", strings.Join(others, ", "))
	}
	if missed != nil && o.n == 0 {
		return fmt.Errorf("not found in %v: %s", o.limit, strings.Join(missed, ", "))
	}
	return ctx.Err()
}

// judged reports whether a run shows what was found.
func judged(f *properties.Finding) bool {
	return f.Verdict == properties.Violated && f.Trace != nil &&
		slices.Contains([]properties.Kind{properties.InvariantKind, properties.QuiescentKind, properties.EveryStepKind}, f.Kind)
}

// find returns which run of a mutant violates a property, after how many steps of all runs, and how many seconds it took;
// empty: none did in time.
func find(ctx context.Context, original, mutant spec.Machine, c model.Config, p properties.Property, limit time.Duration) (string, error) {
	o := properties.SimulateOptions{For: limit, Seed: 1, Workers: runtime.GOMAXPROCS(0), Catalogue: election.Catalogue}
	began := time.Now()
	s, err := properties.Simulate(ctx, mutant, c, []properties.Property{p}, o)
	took := time.Since(began)
	if err != nil || s.Verdict != properties.Violated {
		return "", err
	}
	o.For, o.Runs = 0, s.Stats.Runs
	same, err := properties.Simulate(ctx, original, c, []properties.Property{p}, o)
	switch {
	case err != nil:
		return "", err
	case same.Verdict == properties.Violated:
		return "", fmt.Errorf("the original lacks %s there, too", p.Name)
	}
	return fmt.Sprintf("%d | %d | %.2f", s.Run, s.Stats.Steps, took.Seconds()), nil
}

// worldOf returns the number of processes and what differs from the algorithm's own world.
func worldOf(m spec.Machine, c model.Config) string {
	words := []string{fmt.Sprintf("n=%d", c.N)}
	home, err := model.Home(m, c.N)
	for _, axis := range model.Axes {
		if value := c.Value(axis); err == nil && axis != "n" && value != home.Value(axis) {
			words = append(words, axis+"="+value)
		}
	}
	return strings.Join(words, " ")
}
