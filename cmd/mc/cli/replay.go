package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"interleave/model"
	"interleave/properties"
)

func (t *tool) newReplay() *cobra.Command {
	var fullStates bool
	cmd := &cobra.Command{
		Use:   "replay TRACE",
		Short: "Repeat a saved trace through the handlers, without the explorer",
		Long: `Repeat a saved trace step by step through the algorithm's handlers, without the
explorer, and confirm or refute each step and the final violation.

Exit status 0: confirmed. 2: the file is no trace as mc wrote it.
4: refuted; the algorithm, or mc itself, is not what it was when the trace was written.`,
		Example: "  mc verify bully/published --timers any --trace-out bad.json\n  mc replay bad.json",
		Args:    oneArgument("a trace file", "mc verify ALGORITHM --trace-out FILE writes one"),
		RunE:    func(_ *cobra.Command, args []string) error { return t.runReplay(args[0], fullStates) },
	}
	cmd.Flags().BoolVar(&fullStates, "full-states", false, "print whole states, not only what changes")
	return cmd
}

func (t *tool) runReplay(file string, fullStates bool) error {
	trace, readErr := readTrace(file)
	if readErr != nil && isCertificate(file) {
		return hinted{fmt.Errorf("%s: it is a certificate, not a trace", file), "confirm it with mc certify " + file}
	}
	if readErr != nil && !errors.Is(readErr, model.ErrEdited) {
		return hinted{fmt.Errorf("%s: %w", file, readErr), "write a trace with mc verify ALGORITHM --trace-out FILE"}
	}
	machine, err := t.machines.find(trace.Algorithm)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	reference, run, reason, err := properties.Replay(machine, trace)
	if readErr != nil {
		return edited(file, err)
	}
	var refuted *model.ReplayError
	switch {
	case errors.As(err, &refuted), errors.Is(err, properties.ErrHolds):
	case err != nil:
		return fmt.Errorf("%s: its world: %w", file, err)
	}
	fmt.Fprintf(t.out, "%s: %s, %s\n\n", styleTitle.Render(trace.Algorithm), trace.Property, steps(len(trace.Steps)))
	for _, a := range trace.Config.Assumptions(machine) {
		fmt.Fprintf(t.out, "  %s\n", a)
	}
	fmt.Fprintln(t.out)
	if len(run.States) > 0 {
		t.tellRun(reference, run, trace, fullStates)
	}
	if err != nil {
		fmt.Fprintf(t.out, "\n%s %v\n", styleBad.Render("REFUTED"), err)
		return hinted{exitStatus(exitContradicted), ""}
	}
	t.tellForEver(reference, run, trace)
	if p, err := properties.Find(machine, trace.Property); err == nil {
		t.tellCourses(reference, run, []properties.Finding{{Property: p}})
	}
	where := "at the end"
	if trace.Loop > 0 {
		where = "of the run for ever"
	}
	fmt.Fprintf(t.out, "  because %s\n\n%s every step, and that %s is false %s\n", reason, styleGood.Render("CONFIRMED"), trace.Property, where)
	return nil
}

func readTrace(file string) (*model.Trace, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	defer f.Close()
	return model.ReadTrace(f)
}

// edited names the place in an edited trace if the replay stumbled over it.
func edited(file string, replayErr error) error {
	err := fmt.Errorf("%s: %w", file, model.ErrEdited)
	if replayErr != nil {
		err = fmt.Errorf("%s: the trace was edited after it was written: %w", file, replayErr)
	}
	return hinted{err, "write it anew with mc verify ALGORITHM --trace-out FILE"}
}
