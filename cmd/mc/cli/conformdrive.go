package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/conformance/drive"
	"interleave/model/picture"
	"interleave/spec"
)

// driveSettings is what the command line says of mc conform --drive.
type driveSettings struct {
	algorithm  string
	real       string
	world      verifyFlags
	split      bool
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

func (s *driveSettings) flags(f *pflag.FlagSet) {
	s.world.axes = map[string]*string{}
	f.StringVar(&s.algorithm, "drive", "", "make real processes of this algorithm take every kind of local step of its model, in a world set by the flags of mc verify")
	for _, a := range axisHelp {
		if slices.Contains(onlyDrive, a.axis) {
			s.world.axes[a.axis] = f.String(a.axis, "", a.help)
		} else {
			s.world.axes[a.axis] = new(string)
		}
	}
	f.BoolVar(&s.split, "split", false, splitHelp)
	f.StringVar(&s.real, "real", "", "what the processes run: a mutant of the algorithm; by default the algorithm itself")
	f.IntVar(&s.maxStates, "max-states", drive.DefaultMaxStates, "stop after this many states of the model")
	f.BoolVar(&s.exhaustive, "exhaustive", false, "exit with 3 if some kind of step is not covered")
	f.StringVar(&s.traceOut, "trace-out", "", "if they disagree, write the run to this file, for mc replay")
}

// asked reports whether the command line asks to drive, and refuses flags that
// mean nothing then, or otherwise.
func (s *driveSettings) asked(cmd *cobra.Command, args []string) (bool, error) {
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
			*s.world.axes[axis] = strings.Trim(cmd.Flags().Lookup(axis).Value.String(), "[]")
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

func runDrive(ctx context.Context, u *tool, known machines, s *driveSettings, json bool) error {
	o := &verifyOptions{}
	o.config.Split = s.split
	var err error
	if o.machine, err = known.find(s.algorithm); err != nil {
		return fmt.Errorf("--drive: %w", err)
	}
	if err := o.world(s.world); err != nil {
		return err
	}
	options := drive.Options{MaxStates: s.maxStates}
	switch {
	case o.check.AllRings:
		return errors.New("--ring all is many worlds: give one, as in --ring descending")
	case s.maxStates < 1:
		return fmt.Errorf("--max-states: %d is not a number of states: give 1 or more", s.maxStates)
	}
	if s.real != "" {
		if options.Real, err = known.find(s.real); err != nil {
			return fmt.Errorf("--real: %w", err)
		}
		if original, _ := spec.Original(options.Real.Traits().Name); original != o.machine.Traits().Name {
			return fmt.Errorf("--real: %s is not a mutant of %s", options.Real.Traits().Name, o.machine.Traits().Name)
		}
	}
	if err := writable("--trace-out", s.traceOut); err != nil {
		return err
	}
	r, err := drive.Cover(ctx, o.machine, o.config, options)
	var impossible *drive.ImpossibleError
	switch {
	case errors.As(err, &impossible):
		return fmt.Errorf("--drive: %w", err)
	case err != nil && ctx.Err() != nil:
		return u.interrupted()
	case err != nil:
		return trouble(err)
	}
	if json {
		err = u.printJSON(r)
	} else {
		tellDrive(u, o, r)
	}
	if err == nil && s.traceOut != "" && r.Trace != nil {
		if err = r.Trace.WriteFile(s.traceOut); err == nil {
			fmt.Fprintf(u.err, "mc: wrote %s\n", s.traceOut)
		}
	}
	if err != nil {
		return err
	}
	return driveStatus(r, s.exhaustive)
}

// driveStatus is the exit status that a report means.
func driveStatus(r *drive.Report, exhaustive bool) error {
	switch {
	case r.Disagreement != nil:
		return exitViolated
	case r.Verdict != drive.Agrees, exhaustive && r.Classes.Covered < r.Classes.Total:
		return exitInconclusive
	}
	return nil
}

func tellDrive(u *tool, o *verifyOptions, r *drive.Report) {
	over := "links over UDP"
	if r.Datagrams {
		over = "bare UDP datagrams"
	}
	runs := r.Algorithm
	if r.Real != "" {
		runs = r.Real
	}
	fmt.Fprintf(u.out, "%s: %d real processes of %s on %s, driven through %s of the model\n\n", styleTitle.Render(r.Algorithm), r.Config.N, runs, over, count(r.States, "state"))
	u.assume(r.Config.Assumptions(o.machine))
	fmt.Fprintln(u.out)
	for _, k := range r.Kinds {
		note := never(k.Performed)
		if k.Performed == 0 && !k.Possible {
			note = "  the model never takes it"
		}
		tellKind(u, k.Kind, k.Performed, note)
	}
	fmt.Fprintf(u.out, "\n  classes of local steps %s of %s, in %s and %s\n", comma(r.Classes.Covered), comma(r.Classes.Total), count(r.Runs, "run"), count(r.Steps, "step"))
	if r.Panics > 0 {
		fmt.Fprintf(u.out, "  a handler panics in %s of these steps, in the model and in the real process\n", comma(r.Panics))
	}
	if r.Refusals.Total > 0 {
		fmt.Fprintf(u.out, "  what a process refuses in the model it refused in %s of %s classes\n", comma(r.Refusals.Covered), comma(r.Refusals.Total))
	}
	tellUncovered(u, r)
	if d := r.Disagreement; d != nil {
		fmt.Fprintf(u.out, "\n%s %v\n", styleBad.Render("DISAGREES"), d)
		return
	}
	switch {
	case r.Interrupted:
		fmt.Fprintf(u.out, "\n%s: all that was driven agrees, but it was interrupted\n", styleDoubt.Render("INCONCLUSIVE"))
	case r.Runs == 0:
		fmt.Fprintf(u.out, "\n%s: there is nothing that real processes can be made to do\n", styleDoubt.Render("INCONCLUSIVE"))
	case r.Verdict != drive.Agrees:
		fmt.Fprintf(u.out, "\n%s: all that was driven agrees, but the model has more states than --max-states\n", styleDoubt.Render("INCONCLUSIVE"))
	case len(r.Uncovered) > 0:
		fmt.Fprintf(u.out, "\n%s every step that real processes can be made to take\n", styleGood.Render("AGREES"))
	default:
		fmt.Fprintf(u.out, "\n%s in every class of local steps\n", styleGood.Render("AGREES"))
	}
}

// maxTold is how many of the classes that were not covered are shown of each
// reason.
const maxTold = 3

// tellUncovered lists what was not covered, by reason.
func tellUncovered(u *tool, r *drive.Report) {
	var reasons []string
	of := map[string][]string{}
	for _, left := range r.Uncovered {
		if of[left.Reason] == nil {
			reasons = append(reasons, left.Reason)
		}
		of[left.Reason] = append(of[left.Reason], left.Class)
	}
	for _, reason := range reasons {
		fmt.Fprintf(u.out, "  %s not covered: %s\n", comma(len(of[reason])), reason)
		for i, class := range of[reason] {
			if i == maxTold {
				fmt.Fprintf(u.out, "    and %s more (--json lists all)\n", comma(len(of[reason])-i))
				break
			}
			fmt.Fprintf(u.out, "    %s\n", picture.OneLine(class))
		}
	}
}
