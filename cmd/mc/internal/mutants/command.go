// Package mutants is mc mutants.
package mutants

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/supervisor"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// options is what the command line of mc mutants says.
type options struct {
	originals []spec.Machine
	check     properties.Options
	timeout   time.Duration
	json      bool
}

// Command returns the verb mutants.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "mutants [ALGORITHM]",
		Short: "Plant bugs in an algorithm and show which property finds each",
		Long: `Plant bugs in an algorithm, one at a time, and look in small worlds for a property that
holds for the algorithm and is violated by the mutant: those that mc verify checks, and
those of an mc of your own. Without an argument, all algorithms with mutants are tried.

A mutant that SURVIVES is a gap in the properties: every search came to its end, and nothing
tells the mutant from the algorithm. It is UNDECIDED if a search ended at a limit: of states,
of time, or the bound of the world. An author who says why nothing can kill a mutant is
believed (spec.Algorithm.Survives), and the mutant assumed to survive.

Exit status: 0 all killed, or assumed to survive; 1 a mutant survives; 2 there are none, or
other bad input; 3 a mutant is undecided, and none survives.`,
		Example: "  mc mutants bully\n  mc verify bully/mended~gullible --network set --timers any",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := limits.Check(o.check.Workers, o.check.MaxStates, 0, o.timeout); err != nil {
				return err
			}
			if o.originals, err = known.Mutated(args); err != nil {
				return err
			}
			return run(cmd.Context(), u, known, o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	ui.Group(f, ui.Limits, func(f *pflag.FlagSet) {
		f.IntVar(&o.check.MaxStates, "max-states", 0, "end each search after this many states; 0: a limit that suits the algorithm")
		f.DurationVar(&o.timeout, "timeout", 0, "stop after this time, as in 90s; 0: no limit")
		f.IntVar(&o.check.Workers, "workers", runtime.GOMAXPROCS(0), "goroutines; the results do not depend on it")
	})
	ui.Group(f, ui.Output, func(f *pflag.FlagSet) {
		f.BoolVar(&o.json, "json", false, "print JSON")
	})
	return cmd
}

// summary is what mc mutants prints of one algorithm.
type summary struct {
	Algorithm string                    `json:"algorithm"`
	Mutants   []properties.MutantResult `json:"mutants"`
	Killed    int                       `json:"killed"`
	Explained int                       `json:"explained"` // assumed to survive, for their authors say why
	Survivors int                       `json:"survivors"`
	Undecided int                       `json:"undecided"`
}

// add counts the mutants of another summary, too.
func (r *summary) add(s summary) {
	r.Mutants = append(r.Mutants, s.Mutants...)
	r.Killed, r.Explained = r.Killed+s.Killed, r.Explained+s.Explained
	r.Survivors, r.Undecided = r.Survivors+s.Survivors, r.Undecided+s.Undecided
}

func run(ctx context.Context, u *ui.UI, known names.Table, o options) error {
	ctx, cancel := limits.Timed(ctx, o.timeout)
	defer cancel()
	var reports []summary
	total := summary{Algorithm: "all"}
	for _, m := range o.originals {
		r, err := tryMutants(ctx, u, known, m, o)
		if err != nil {
			return err
		}
		reports = append(reports, r)
		total.add(r)
		if !o.json {
			tellMutants(u, m, r)
		}
	}
	if o.json {
		if err := u.PrintJSON(reports); err != nil {
			return err
		}
	} else if len(reports) > 1 {
		total.tell(u.Out)
	}
	switch {
	case total.Survivors > 0:
		return ui.ExitViolated
	case total.Undecided > 0:
		return ui.ExitInconclusive
	}
	return nil
}

func tryMutants(ctx context.Context, u *ui.UI, known names.Table, m spec.Machine, o options) (summary, error) {
	r := summary{Algorithm: m.Traits().Name}
	progress := ui.NewProgress(u)
	progress.Prefix = "mutants of " + r.Algorithm + ": "
	supervisor.Doing(supervisor.Work{What: "mc mutants " + r.Algorithm, Before: progress.TakeAway()})
	progress.Follow(&o.check)
	o.check.Catalogue = election.Catalogue
	var err error
	r.Mutants, err = properties.KillMutants(ctx, m, known.MutantsOf(m), o.check, known.Own...)
	progress.Clear()
	if err != nil {
		return r, err
	}
	for _, d := range r.Mutants {
		switch {
		case d.Killed:
			r.Killed++
		case d.Survives != "":
			r.Explained++
		case d.Undecided():
			r.Undecided++
		default:
			r.Survivors++
		}
	}
	return r, nil
}

func tellMutants(u *ui.UI, m spec.Machine, r summary) {
	u.Hanging("", ui.Title.Render(r.Algorithm)+": "+m.Traits().Doc)
	rows := ui.NewTable("MUTANT", "KILLED BY", "IN THE WORLD", "WHAT IT DOES")
	for _, d := range r.Mutants {
		killer, where := "", ""
		switch {
		case d.Killed:
			killer, where = d.Finding.Name, report.WorldOf(m, d.Config)
			if d.Finding.Verdict == properties.Violated && d.Finding.Trace != nil {
				killer += fmt.Sprintf(" in %d", d.Finding.Depth)
			} else if d.Finding.Verdict == properties.Inconclusive {
				killer += " undecided"
			}
		case d.Survives != "":
			killer, where = "nothing, assumed", d.Survives
		case d.Undecided():
			killer, where = "UNDECIDED", report.Unfinished(m, d)
		default:
			killer, where = "SURVIVES", ui.Count(d.Tried, "world")
		}
		rows.Row(d.Mutant, killer, where, d.Doc)
	}
	fmt.Fprintln(u.Out, u.Lines(rows))
	r.tell(u.Out)
	fmt.Fprintln(u.Out)
}

func (r summary) tell(w io.Writer) {
	fmt.Fprintf(w, "%s: %d of %d mutants killed", r.Algorithm, r.Killed, len(r.Mutants))
	if r.Explained > 0 {
		fmt.Fprintf(w, ", %d assumed to survive", r.Explained)
	}
	if r.Survivors > 0 {
		fmt.Fprintf(w, ", %d survive", r.Survivors)
	}
	if r.Undecided > 0 {
		fmt.Fprintf(w, ", %d undecided", r.Undecided)
	}
	fmt.Fprintln(w)
}
