package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"
)

// tally is the outcome of runs.
type tally struct {
	figures
	of map[string]*figures // by algorithm
}

// figures are the sums over some runs.
type figures struct {
	runs, none, alarms, inconclusive, unusable, packets, steps int
	took, longest                                              time.Duration
}

// bad is how many runs were refuted or could not be judged.
func (f figures) bad() int { return f.alarms + f.unusable }

func (f *figures) count(v verdict) {
	f.runs++
	switch v.said {
	case "CONFORMS":
	case noRun:
		f.none++
	case "REFUTED":
		f.alarms++
	case "UNKNOWN":
		f.inconclusive++
	default:
		f.unusable++
	}
	f.packets += v.packets
	f.steps += v.steps
	f.took += v.took
	f.longest = max(f.longest, v.took)
}

// add counts a run, and tells what is not as it should be.
func (t *tally) add(v verdict, verbose bool, out io.Writer) {
	if t.of == nil {
		t.of = map[string]*figures{}
	}
	name := v.run.machine.Traits().Name
	if t.of[name] == nil {
		t.of[name] = &figures{}
	}
	t.count(v)
	t.of[name].count(v)
	if verbose || v.said != "CONFORMS" {
		fmt.Fprintf(out, "%v: %s %s\n", v.run, v.said, v.reason)
	}
}

// print prints a line for each algorithm, and one for all.
func (t *tally) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "algorithm\truns\tno run\talarms\tinconclusive\tnot judged\tpackets\tsteps\tseconds\tlongest\t")
	line := func(name string, f figures) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.2f\t\n", name, f.runs, f.none, f.alarms, f.inconclusive, f.unusable, f.packets, f.steps, f.took.Seconds(), f.longest.Seconds())
	}
	for _, name := range slices.Sorted(maps.Keys(t.of)) {
		line(name, *t.of[name])
	}
	line("all", t.figures)
	w.Flush()
}
