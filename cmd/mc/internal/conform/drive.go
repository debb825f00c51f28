package conform

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/conformance/drive"
	"interleave/model/picture"
	"interleave/spec"
)

// driveOptions is what the command line says of mc conform --drive.
type driveOptions struct {
	algorithm  string
	real       string
	axes       world.Flags
	maxStates  int
	exhaustive bool
	traceOut   string
}

// onlyDrive are the flags of mc conform that mean nothing without --drive;
// sharedDrive are axes of the world that it has flags for anyway.
var (
	onlyDrive   = []string{"initiators", "partitions", "detector", "suspicions", "timers", "start", "bound", "split", "real", "max-states", "exhaustive", "trace-out"}
	sharedDrive = []string{"n", "ring", "network", "losses", "duplicates", "crashes", "recoveries"}
)

func (s *driveOptions) flags(f *pflag.FlagSet) {
	ui.Group(f, "The world of --drive, in addition to the flags above", func(f *pflag.FlagSet) {
		s.axes.Declare(f, onlyDrive...)
		f.StringVar(&s.real, "real", "", "what the processes run: a mutant of the algorithm; by default the algorithm itself")
		f.IntVar(&s.maxStates, "max-states", drive.DefaultMaxStates, "stop after this many states of the model")
		f.BoolVar(&s.exhaustive, "exhaustive", false, "exit with 3 if some kind of step is not covered")
		f.StringVar(&s.traceOut, "trace-out", "", "if they disagree, write the run to this file, for mc replay")
	})
}

// asked reports whether the command line asks to drive, and refuses flags that
// mean nothing then, or otherwise.
func (s *driveOptions) asked(cmd *cobra.Command, args []string) (bool, error) {
	changed := cmd.Flags().Changed
	if !changed("drive") {
		for _, name := range onlyDrive {
			if changed(name) {
				return false, fmt.Errorf("--%s means nothing without --drive", name)
			}
		}
		return false, nil
	}
	if err := alone(cmd, args, "drive", "logs", "live", "follow", "algorithm"); err != nil {
		return true, err
	}
	for _, axis := range sharedDrive {
		if changed(axis) {
			*s.axes.Values[axis] = strings.Trim(cmd.Flags().Lookup(axis).Value.String(), "[]")
		}
	}
	return true, nil
}

// alone refuses an argument, and flags, that mean nothing with a flag by which nothing that
// ran is judged.
func alone(cmd *cobra.Command, args []string, flag string, others ...string) error {
	if len(args) > 0 {
		return fmt.Errorf("--%s judges nothing that ran: leave out %s", flag, args[0])
	}
	for _, name := range others {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s means nothing with --%s", name, flag)
		}
	}
	return nil
}

func runDrive(ctx context.Context, u *ui.UI, known names.Table, s *driveOptions, json bool) error {
	m, err := known.Find(s.algorithm)
	if err != nil {
		return fmt.Errorf("--drive: %w", err)
	}
	w, err := world.New(m, s.axes)
	if err != nil {
		return err
	}
	options := drive.Options{MaxStates: s.maxStates}
	switch {
	case w.AllRings:
		return errors.New("--ring all is many worlds: give one, as in --ring descending")
	case s.maxStates < 1:
		return fmt.Errorf("--max-states: %d is not a number of states: give 1 or more", s.maxStates)
	}
	if s.real != "" {
		if options.Real, err = known.Find(s.real); err != nil {
			return fmt.Errorf("--real: %w", err)
		}
		if original, _ := spec.Original(options.Real.Traits().Name); original != m.Traits().Name {
			return fmt.Errorf("--real: %s is not a mutant of %s", options.Real.Traits().Name, m.Traits().Name)
		}
	}
	if err := ui.Writable("--trace-out", s.traceOut); err != nil {
		return err
	}
	r, err := drive.Cover(ctx, m, w.Config, options)
	var impossible *drive.ImpossibleError
	switch {
	case errors.As(err, &impossible):
		return fmt.Errorf("--drive: %w", err)
	case err != nil && ctx.Err() != nil:
		return u.Interrupted()
	case err != nil:
		return ui.Trouble(err)
	}
	err = printDrive(u, m, r, json)
	if err == nil && s.traceOut != "" && r.Trace != nil {
		if err = r.Trace.WriteFile(s.traceOut); err == nil {
			fmt.Fprintf(u.Err, "mc: wrote %s\n", s.traceOut)
		}
	}
	switch {
	case err != nil:
		return err
	case r.Disagreement != nil:
		return ui.ExitViolated
	case r.Verdict != drive.Agrees, s.exhaustive && r.Classes.Covered < r.Classes.Total:
		return ui.ExitInconclusive
	}
	return nil
}

// printDrive prints what came of driving real processes through a model.
func printDrive(u *ui.UI, m spec.Machine, r *drive.Report, json bool) error {
	if json {
		return u.PrintJSON(r)
	}
	over := "links over UDP"
	if r.Datagrams {
		over = "bare UDP datagrams"
	}
	runs := r.Algorithm
	if r.Real != "" {
		runs = r.Real
	}
	fmt.Fprintf(u.Out, "%s: %d real processes of %s on %s, driven through %s of the model\n\n", ui.Title.Render(r.Algorithm), r.Config.N, runs, over, ui.Count(r.States, "state"))
	u.Assume(r.Config.Assumptions(m))
	fmt.Fprintln(u.Out)
	for _, k := range r.Kinds {
		note := never(k.Performed)
		if k.Performed == 0 && !k.Possible {
			note = "  the model never takes it"
		}
		tellKind(u, k.Kind, k.Performed, note)
	}
	fmt.Fprintf(u.Out, "\n  classes of local steps %s of %s, in %s and %s\n", ui.Comma(r.Classes.Covered), ui.Comma(r.Classes.Total), ui.Count(r.Runs, "run"), ui.Count(r.Steps, "step"))
	if r.Panics > 0 {
		fmt.Fprintf(u.Out, "  a handler panics in %s of these steps, in the model and in the real process\n", ui.Comma(r.Panics))
	}
	if r.Refusals.Total > 0 {
		fmt.Fprintf(u.Out, "  what a process refuses in the model it refused in %s of %s classes\n", ui.Comma(r.Refusals.Covered), ui.Comma(r.Refusals.Total))
	}
	tellUncovered(u, r)
	if d := r.Disagreement; d != nil {
		fmt.Fprintf(u.Out, "\n%s %v\n", ui.Bad.Render("DISAGREES"), d)
		return nil
	}
	switch {
	case r.Interrupted:
		fmt.Fprintf(u.Out, "\n%s: all that was driven agrees, but it was interrupted\n", ui.Doubt.Render("INCONCLUSIVE"))
	case r.Runs == 0:
		fmt.Fprintf(u.Out, "\n%s: there is nothing that real processes can be made to do\n", ui.Doubt.Render("INCONCLUSIVE"))
	case r.Verdict != drive.Agrees:
		fmt.Fprintf(u.Out, "\n%s: all that was driven agrees, but the model has more states than --max-states\n", ui.Doubt.Render("INCONCLUSIVE"))
	case len(r.Uncovered) > 0:
		fmt.Fprintf(u.Out, "\n%s every step that real processes can be made to take\n", ui.Good.Render("AGREES"))
	default:
		fmt.Fprintf(u.Out, "\n%s in every class of local steps\n", ui.Good.Render("AGREES"))
	}
	return nil
}

// maxTold is how many of the classes that were not covered are shown of each
// reason.
const maxTold = 3

// tellUncovered lists what was not covered, by reason.
func tellUncovered(u *ui.UI, r *drive.Report) {
	var reasons []string
	of := map[string][]string{}
	for _, left := range r.Uncovered {
		if of[left.Reason] == nil {
			reasons = append(reasons, left.Reason)
		}
		of[left.Reason] = append(of[left.Reason], left.Class)
	}
	for _, reason := range reasons {
		fmt.Fprintf(u.Out, "  %s not covered: %s\n", ui.Comma(len(of[reason])), reason)
		for i, class := range of[reason] {
			if i == maxTold {
				fmt.Fprintf(u.Out, "    and %s more (--json lists all)\n", ui.Comma(len(of[reason])-i))
				break
			}
			fmt.Fprintf(u.Out, "    %s\n", picture.OneLine(class))
		}
	}
}
