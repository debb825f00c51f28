package trace

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/saved"
	"interleave/cmd/mc/internal/ui"
	"interleave/spec"
)

// textOptions is what the command line of mc text says.
type textOptions struct {
	step, against, process int
}

// unasked is a step that the command line does not name. The state before all steps is 0.
const unasked = -1

// Text returns the verb text.
func Text(u *ui.UI, known names.Table) *cobra.Command {
	o := textOptions{}
	cmd := &cobra.Command{
		Use:   "text TRACE",
		Short: "Of existing code: show the objects of a saved trace, as the checker tells them apart",
		Long: `Replay a saved trace of existing code, and show its objects as texts: a line for each
part, with its path and its value; ^ and a path is a pointer to what stands there.
Objects with the same text are the same state.

Without --step, the parts of all objects in the run are listed, those with the most
values first. A part that counts on, and cannot matter, keeps states apart that are
alike: let the Code ignore it.

With --step, the text of the object is shown that took the step, as it is after it.
With --against, it is shown what differs between the object after --against and after
--step.

Exit status: 0 shown; 2 the file is not a trace of existing code; 4 it does not replay.`,
		Example: "  mc text bad.json\n  mc text bad.json --step 7\n  mc text bad.json --step 7 --against 3 --process 2",
		Args:    ui.OneArgument("a trace file", "mc verify ALGORITHM --trace-out FILE writes one"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runText(u, known, args[0], o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&o.step, "step", unasked, "show an object after so many steps; 0: at first")
	f.IntVar(&o.against, "against", unasked, "with --step: show what has changed since so many steps")
	f.IntVar(&o.process, "process", 0, "with --step: the object of this process; by default of the one that takes the step")
	return cmd
}

func runText(u *ui.UI, known names.Table, file string, o textOptions) error {
	if o.step == unasked && (o.against != unasked || o.process != 0) {
		return errors.New("--against and --process mean nothing without --step")
	}
	c, err := saved.Confirm(known, file)
	if err != nil {
		return err
	}
	code := c.Machine.Traits().Code
	if code == nil {
		return ui.Hint(fmt.Errorf("%s: the states of %s are values, and have no text", file, c.Trace.Algorithm), "mc replay "+ui.ShellWord(file)+" --full-states shows them")
	}
	if o.step == unasked {
		report.PrintFields(u, code.Fields())
		return nil
	}
	p := spec.ID(o.process)
	if o.process == 0 && o.step > 0 && o.step <= len(c.Trace.Steps) {
		p = c.Run.Steps[o.step-1].Event.Process
	}
	text, err := textAfter(c, "--step", o.step, p)
	if err != nil {
		return err
	}
	if o.against == unasked {
		fmt.Fprint(u.Out, strings.Join(text, ""))
		return nil
	}
	before, err := textAfter(c, "--against", o.against, p)
	if err != nil {
		return err
	}
	tellDifference(u, before, text)
	return nil
}

// textAfter returns the lines of the text of an object after a step, which a flag names.
func textAfter(c *saved.Run, flag string, step int, p spec.ID) ([]string, error) {
	if step < 0 || step >= len(c.Run.States) {
		return nil, fmt.Errorf("%s: the run has steps 1 to %d, and 0 is the state before them", flag, len(c.Run.States)-1)
	}
	locals := c.Run.States[step].Locals
	if p < 1 || int(p) > len(locals) {
		return nil, fmt.Errorf("--process: name one of the processes 1 to %d", len(locals))
	}
	text, err := c.Machine.Traits().Code.Text(locals[p-1].State)
	if err != nil {
		return nil, fmt.Errorf("%s: process %v has no object after step %d: it is down", flag, p, step)
	}
	lines := strings.SplitAfter(strings.ReplaceAll(text, "\t", " "), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, ".")
	}
	return lines, nil
}

// tellDifference prints the lines that only one of two texts has. Parts stand in the same order in both.
func tellDifference(u *ui.UI, before, after []string) {
	in := func(lines []string) map[string]bool {
		set := map[string]bool{}
		for _, line := range lines {
			set[line] = true
		}
		return set
	}
	was, is := in(before), in(after)
	changed := false
	for len(before) > 0 || len(after) > 0 {
		switch {
		case len(before) > 0 && !is[before[0]]:
			fmt.Fprint(u.Out, ui.Bad.Render("-")+" "+before[0])
			before, changed = before[1:], true
		case len(after) > 0 && !was[after[0]]:
			fmt.Fprint(u.Out, ui.Good.Render("+")+" "+after[0])
			after, changed = after[1:], true
		default: // in both
			before, after = before[min(1, len(before)):], after[min(1, len(after)):]
		}
	}
	if !changed {
		fmt.Fprintln(u.Out, "no difference")
	}
}
