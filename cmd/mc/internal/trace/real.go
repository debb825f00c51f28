package trace

import (
	"context"
	"errors"
	"fmt"

	"interleave/cmd/mc/internal/saved"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance/drive"
	"interleave/spec"
)

// tellReal makes real processes take the run of a trace, and shows what they say.
func tellReal(ctx context.Context, u *ui.UI, c *saved.Run) error {
	done, err := drive.Replay(ctx, c.Machine, c.Machine, c.Trace, c.Run)
	var impossible *drive.ImpossibleError
	if errors.As(err, &impossible) {
		fmt.Fprintf(u.Out, "\n%s for real processes: %v\n", ui.Doubt.Render("IMPOSSIBLE"), err)
		return ui.ExitInconclusive
	}
	fmt.Fprintf(u.Out, "\n%s %d processes on UDP sockets, one step at a time\n\n", ui.Title.Render("REAL"), c.Trace.Config.N)
	for i, p := range done {
		who := "all"
		if p.Process != spec.None {
			who = fmt.Sprintf("process %v", p.Process)
		}
		about := ""
		if c.Machine.Traits().Elects {
			about = leadersOf(p)
		}
		fmt.Fprintf(u.Out, "  %3d  %-10s %-44s %s\n", i, who, p.Text, about)
	}
	var d *drive.Disagreement
	switch {
	case errors.As(err, &d):
		fmt.Fprintf(u.Out, "\n%s %v\n", ui.Bad.Render("DISAGREES"), d)
		return ui.ExitContradicted
	case err != nil && ctx.Err() != nil:
		return u.Interrupted()
	case err != nil:
		return ui.Trouble(err)
	}
	fmt.Fprintf(u.Out, "\n%s by real processes: their logs, frames, states and timers agree with every step\n", ui.Good.Render("SHOWN"))
	return nil
}

// leadersOf tells whom the processes follow, in their own words.
func leadersOf(p drive.Performed) string {
	text := ""
	for i, leader := range p.Leaders {
		said := leader.String()
		switch {
		case !p.Live.Has(spec.ID(i + 1)):
			said = "down"
		case leader == spec.None:
			said = "-"
		}
		text += fmt.Sprintf("%d:%s ", i+1, said)
	}
	if text == "" {
		return ""
	}
	return "follow " + text[:len(text)-1]
}
