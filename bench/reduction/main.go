// Reduction prints what mc verify --reduce leaves of the world of each algorithm:
//
//	go run ./bench/reduction                 # what docs/benchmarks.md shows
//	go run ./bench/reduction -most 2000000   # larger worlds: some minutes
//
// Each algorithm is explored twice in its own world, but with queues: in full and reduced. It has
// as many processes as fit the given number of states in full. It is an error if a verdict
// differs.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/catalog"
)

func main() {
	most := flag.Int("most", 300_000, "states in full, at most")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, catalog.Machines, *most, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "reduction:", err)
		os.Exit(1)
	}
}

// run prints a line for each machine in which something is left out, and why nothing is
// left out of the others.
func run(ctx context.Context, machines []spec.Machine, most int, out io.Writer) error {
	fmt.Fprintf(out, "| algorithm | N | states | reduced | × | steps a state | reduced |\n|---|--:|--:|--:|--:|--:|--:|\n")
	off := map[string][]string{} // by reason
	for _, m := range machines {
		name := m.Traits().Name
		full, less, n, err := largest(ctx, m, most)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case m.Traits().Handles.Has(spec.Round):
			off[rounds] = append(off[rounds], name)
		case less == nil:
			return fmt.Errorf("%s: two processes have more than %d states: give more by -most", name, most)
		case less.Stats.Reduction != properties.Reduced:
			off[less.Stats.Reduction] = append(off[less.Stats.Reduction], name)
		default:
			fmt.Fprintf(out, "| %s | %d | %d | %d | %.3g | %.1f | %.1f |\n", name, n,
				full.Stats.States, less.Stats.States, float64(full.Stats.States)/float64(less.Stats.States), steps(full), steps(less))
		}
	}
	fmt.Fprintf(out, "\nNothing is left out of the others:\n\n")
	for _, reason := range slices.Sorted(maps.Keys(off)) {
		fmt.Fprintf(out, "* %s: %s\n", strings.TrimPrefix(reason, "off: "), strings.Join(off[reason], ", "))
	}
	return ctx.Err()
}

// rounds is why nothing is left out where they are in lock step.
const rounds = "rounds in lock step leave no order"

// steps is how many there are out of a state, on average.
func steps(r *properties.Report) float64 {
	return float64(r.Stats.Transitions) / float64(r.Stats.States)
}

// largest explores a machine's own world with as many processes as take at most so
// many states, in full and reduced; nil if two take more.
func largest(ctx context.Context, m spec.Machine, most int) (full, less *properties.Report, n int, err error) {
	for size := 2; size <= model.MaxN; size++ {
		c, err := model.Home(m, size)
		if err != nil {
			return nil, nil, 0, err
		}
		c.Network = model.FIFO
		if c.Check(m) != nil || !c.HasTables() { // it has a size of its own, or rounds in lock step
			continue
		}
		props := judged(m, c)
		whole, err := properties.Verify(ctx, m, c, props, properties.Options{Engine: properties.Explicit, Continue: true, MaxStates: most})
		if err != nil {
			return nil, nil, 0, err
		}
		if !whole.Stats.Complete {
			break
		}
		reduced, err := properties.Verify(ctx, m, c, props, properties.Options{Engine: properties.Explicit, Continue: true, Reduce: true})
		if err != nil {
			return nil, nil, 0, err
		}
		for i, f := range whole.Findings {
			if got := reduced.Findings[i]; got.Verdict != f.Verdict {
				return nil, nil, 0, fmt.Errorf("with %d processes %s is %v, and reduced %v", size, f.Name, f.Verdict, got.Verdict)
			}
		}
		full, less, n = whole, reduced, size
	}
	return full, less, n, nil
}

// judged is those of the standard properties that a reduction may decide.
func judged(m spec.Machine, c model.Config) []properties.Property {
	of := []string{election.WinnerIsTop.Name, election.OneLeader.Name, election.Agreement.Name, election.AgreementOnTop.Name, election.TopWon.Name, properties.Termination.Name}
	standard, _ := election.Standard(m, c)
	return slices.DeleteFunc(standard, func(p properties.Property) bool { return !slices.Contains(of, p.Name) })
}
