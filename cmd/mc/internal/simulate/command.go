// Package simulate is mc simulate.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/coverage"
	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
)

// options is what the command line of mc simulate says.
type options struct {
	world.World
	report.Form
	props     []properties.Property
	simulate  properties.SimulateOptions
	scheduler string
	json      bool
	traceOut  string
	cover     string // where a profile of the handlers is to be written
}

// Command returns the verb simulate.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	o := &options{}
	o.simulate.Catalogue = election.Catalogue
	var axes world.Flags
	var props, again []string
	cmd := &cobra.Command{
		Use:   "simulate ALGORITHM",
		Short: "Take random runs of a configuration that is too large to explore",
		Long: `Take random runs of a configuration that is too large to explore, and judge its states and
steps, up to the first run that violates a property. That run is made smaller, replayed
through the handlers and shown, as by mc verify. It need not be a shortest.

A simulation verifies nothing. It says what its runs have met, so that you can judge how
much they tell. Properties of whole runs (mc help formulas) are not judged; runs that do
become quiescent are counted. With --then-verify, searches from some of their states look for
what can follow, so that recoverables are judged, too.

The same --seed and --runs give the same output, with any number of workers.

Exit status: 0 nothing is found; 1 a property is violated; 2 bad input; 3 interrupted, or no run came to its end.`,
		Example:           "  mc simulate paxos --n 5 --runs 2000\n  mc simulate two-phase-commit --n 6 --crashes 1 --property atomicity --scheduler faults --for 500ms\n  mc simulate bully/published --n 5 --timers any --seed 7 --trace-out found.json\n  mc simulate lock --n 4 --scheduler pct --depth 3 --runs 1000\n  mc simulate bully/published --n 4 --crashes 1 --split --recoverable agreement --then-verify=2000",
		Args:              ui.OneArgument("an algorithm", "mc list shows the algorithms"),
		ValidArgsFunction: known.Complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("seed") {
				o.simulate.Seed = rand.Uint64N(1_000_000_000)
			}
			if cmd.Flags().Changed("for") && !cmd.Flags().Changed("runs") {
				o.simulate.Runs = 0
			}
			for _, atom := range again {
				props = append(props, properties.OfAtom(strings.TrimSpace(atom)))
			}
			if err := o.complete(known, args[0], axes, props); err != nil {
				return err
			}
			return run(cmd.Context(), u, o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	axes.Declare(f)
	ui.Group(f, ui.Properties, func(f *pflag.FlagSet) {
		f.StringSliceVar(&props, "property", nil, "judge only these properties (see mc list)")
		f.StringSliceVar(&again, "recoverable", nil, "judge that these can always be reached again without a further fault, with --then-verify: words of which formulas speak, as in agreement, leads(2)")
	})
	ui.Group(f, "Runs", func(f *pflag.FlagSet) {
		f.StringVar(&o.scheduler, "scheduler", properties.MixedScheduler.String(), "how steps are chosen: any step (uniform), by random priorities that change at a few moments (pct), faults at random moments and in rare combinations (faults), from where an earlier run met something new (coverage), or each in turn (mixed)")
		f.IntVar(&o.simulate.Depth, "depth", 3, "pct: a bug that needs so many steps in order is found with a probability that the report bounds")
		f.IntVar(&o.simulate.Runs, "runs", 10_000, "how many runs to take; with --for any number by default")
		f.IntVar(&o.simulate.Steps, "steps", 1000, "how many steps a run may have")
		f.DurationVar(&o.simulate.For, "for", 0, "end the runs after this time, as in 90s; one that is cut off does not count, and a search of --then-verify is not cut off")
		f.Uint64Var(&o.simulate.Seed, "seed", 0, "repeat the runs of this seed; by default one is drawn")
		f.IntVar(&o.simulate.ThenVerify, "then-verify", 0, "search all that can follow where runs came to rest or did not, and from states on the way, up to this many states each; alone: 10000")
		f.Lookup("then-verify").NoOptDefVal = "10000"
		f.IntVar(&o.simulate.Workers, "workers", runtime.GOMAXPROCS(0), "goroutines; the results do not depend on it")
		f.BoolVar(&o.simulate.Direct, "direct", false, "call the handlers again at every step, without tables: slow, for comparison")
	})
	ui.Group(f, ui.Output, func(f *pflag.FlagSet) {
		f.BoolVar(&o.json, "json", false, "print the report as JSON")
		f.BoolVar(&o.FullStates, "full-states", false, "print whole states in a trace, not only what changes")
		f.BoolVar(&o.Mermaid, "mermaid", false, "draw a trace as a sequence diagram in a Markdown mermaid block")
		f.BoolVar(&o.Sequence, "sequence", false, "draw a trace as a sequence diagram for a terminal; mc draw has more forms")
		f.StringVar(&o.traceOut, "trace-out", "", "write the counterexample to this file, for mc replay")
		f.StringVar(&o.cover, "cover", "", "write to this file which lines of the handlers ran, as a profile for go tool cover; needs an mc that is built with -cover")
	})
	for flag, values := range map[string][]string{
		"network": model.NetworkNames, "detector": model.DetectorNames, "timers": model.TimingNames, "start": model.StartNames,
		"scheduler": properties.SchedulerNames,
	} {
		ui.OneOf(cmd, flag, values)
	}
	return cmd
}

// complete fills in o from the flags, and refuses what means nothing.
func (o *options) complete(known names.Table, name string, axes world.Flags, props []string) (err error) {
	m, err := known.Find(name)
	if err != nil {
		return err
	}
	if o.World, err = world.New(m, axes); err != nil {
		return err
	}
	o.Form.Machine = m
	if o.props, err = known.FindProperties(o.World.Machine, props); err != nil {
		return err
	}
	scheduler := slices.Index(properties.SchedulerNames, o.scheduler)
	o.simulate.Scheduler = properties.Scheduler(max(scheduler, 0))
	s := &o.simulate
	switch {
	case scheduler < 0:
		return fmt.Errorf("--scheduler: %q is not one of %s", o.scheduler, strings.Join(properties.SchedulerNames, ", "))
	case o.AllRings:
		return errors.New("--ring all: a simulation is of one ring: give one, as in --ring descending")
	case s.Runs < 1 && s.For == 0:
		return fmt.Errorf("--runs: %d is out of range: give 1 or more", s.Runs)
	case s.Runs < 0:
		return fmt.Errorf("--runs: %d is negative: leave it out", s.Runs)
	case s.Steps < 1 || s.Steps > properties.MostSimulateSteps:
		return fmt.Errorf("--steps: %d is out of range: give 1 to %d", s.Steps, properties.MostSimulateSteps)
	case s.Depth < 1 || s.Depth > properties.MostSimulateDepth:
		return fmt.Errorf("--depth: %d is out of range: give 1 to %d", s.Depth, properties.MostSimulateDepth)
	case s.For < 0:
		return fmt.Errorf("--for: %v is negative: leave it out for no limit", s.For)
	case s.ThenVerify < 0 || s.ThenVerify > properties.MostThenVerify:
		return fmt.Errorf("--then-verify: %d is out of range: give up to %d", s.ThenVerify, properties.MostThenVerify)
	case s.ThenVerify == 0 && slices.ContainsFunc(o.props, func(p properties.Property) bool { return p.Kind == properties.RecoverableKind }):
		return errors.New("a run does not show what can follow it: for a recoverable add --then-verify")
	case o.Mermaid && o.Sequence:
		return errors.New("--mermaid and --sequence are two forms of the same: give one")
	case o.json && (o.Mermaid || o.Sequence || o.FullStates):
		return errors.New("--full-states, --mermaid and --sequence mean nothing with --json, which has all of it: leave them out")
	}
	if o.cover != "" {
		s.OnlyReached = true
		if err := coverage.Ready(o.World.Machine); err != nil {
			return err
		}
	}
	return limits.Check(s.Workers, 0, 0, 0)
}

// command returns the command that repeats the simulation.
func (o *options) command(s *properties.Simulation) string {
	parts := []string{o.World.Command("simulate")}
	for _, p := range o.props {
		parts = append(parts, "--property "+ui.ShellWord(p.Name))
	}
	if s.Scheduler != properties.MixedScheduler {
		parts = append(parts, "--scheduler "+s.Scheduler.String())
	}
	if o.simulate.Depth != 3 {
		parts = append(parts, fmt.Sprintf("--depth %d", o.simulate.Depth))
	}
	if s.MaxSteps != 1000 {
		parts = append(parts, fmt.Sprintf("--steps %d", s.MaxSteps))
	}
	if s.ThenVerify > 0 {
		parts = append(parts, fmt.Sprintf("--then-verify=%d", s.ThenVerify))
	}
	if o.simulate.Direct {
		parts = append(parts, "--direct")
	}
	return strings.Join(append(parts, fmt.Sprintf("--runs %d --seed %d", s.Stats.Runs, s.Seed)), " ")
}

func run(ctx context.Context, u *ui.UI, o *options) error {
	if err := errors.Join(ui.Writable("--trace-out", o.traceOut), ui.Writable("--cover", o.cover)); err != nil {
		return err
	}
	progress, began := ui.NewProgress(u), time.Now()
	o.simulate.Progress, o.simulate.Slow = progress.Runs, progress.Slow
	s, err := properties.Simulate(ctx, o.World.Machine, o.Config, o.props, o.simulate)
	progress.Clear()
	if err != nil {
		return world.AsFlag(err)
	}
	said, wrote := coverage.Write(context.WithoutCancel(ctx), o.cover, o.World.Machine)
	wrote = errors.Join(o.writeTrace(s), wrote)
	if !o.json {
		tell(u, o, s)
	} else if err := u.PrintJSON(s); err != nil {
		return err
	}
	took := time.Since(began).Seconds() // on standard error: the same seed prints the same
	fmt.Fprintf(u.Err, "mc: %s in %s\n", ui.Steps(int(s.Stats.Steps)), ui.Seconds(took))
	if s.Verdict == properties.Violated && o.traceOut != "" && wrote == nil {
		fmt.Fprintf(u.Err, "mc: wrote the counterexample to %s; repeat it with: mc replay %s\n", o.traceOut, ui.ShellWord(o.traceOut))
	}
	for _, line := range said {
		fmt.Fprintf(u.Err, "mc: %s\n", line)
	}
	switch {
	case errors.As(wrote, new(syscall.Errno)): // such as a full disk
		return ui.Trouble(wrote)
	case wrote != nil:
		return wrote
	case s.Verdict == properties.Violated:
		return ui.ExitViolated
	case ctx.Err() != nil:
		return u.Interrupted()
	case s.Stats.Runs == 0:
		fmt.Fprintln(u.Err, "mc: no run came to its end in this time: give --for more, or fewer --steps")
		return ui.ExitInconclusive
	}
	return nil
}

// writeTrace writes the counterexample, if there is one.
func (o *options) writeTrace(s *properties.Simulation) error {
	for _, f := range s.Findings {
		if f.Trace == nil || o.traceOut == "" {
			continue
		}
		if err := f.Trace.WriteFile(o.traceOut); err != nil {
			return fmt.Errorf("--trace-out: %w", err)
		}
	}
	return nil
}
