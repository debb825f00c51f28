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
