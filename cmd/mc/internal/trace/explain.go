package trace

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/saved"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance/drive"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/properties/explain"
)

// explainOptions is what the command line of mc explain says.
type explainOptions struct {
	states  int
	mermaid bool
}

// Explain returns the verb explain.
func Explain(u *ui.UI, known names.Table) *cobra.Command {
	o := explainOptions{}
	cmd := &cobra.Command{
		Use:   "explain TRACE",
		Short: "Explain a counterexample: which steps matter, and the point of no return",
		Long: `Replay a saved trace through the handlers, and explain why it violates its property:

  - of all runs as short, the one with the fewest switches between processes is shown
  - steps that do not matter are faint, and marked with a dot where there are no colours
  - the point of no return is marked: before it, some fair run would have violated nothing
  - one sentence says what went wrong, in terms of the property

For each question, at most --states states are explored; what could not be answered is
said. An infinite run, which loops forever or ends in a quiescent state, is shown as it is.

Exit status: 0 explained; 2 the file is not a trace written by mc; 3 interrupted; 4 the
trace does not replay.`,
		Example: "  mc verify bully/published --crashes 1 --split --property agreement --trace-out bad.json\n  mc explain bad.json",
		Args:    ui.OneArgument("a trace file", "mc verify ALGORITHM --trace-out FILE writes one"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.states < 1 {
				return fmt.Errorf("--states: %d is out of range: give a number above 0", o.states)
			}
			return runExplain(cmd.Context(), u, known, args[0], o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&o.states, "states", explain.DefaultStates, "explore at most this many states for each question")
	f.BoolVar(&o.mermaid, "mermaid", false, "draw the run in a Markdown mermaid block")
	return cmd
}

func runExplain(ctx context.Context, u *ui.UI, known names.Table, file string, o explainOptions) error {
	c, err := saved.Confirm(known, file)
	if err != nil {
		return err
	}
	if c.Trace.Property == drive.Property {
		return fmt.Errorf("%s: it shows a real process that disagrees with the model, not a violated property: mc replay --real repeats it", file)
	}
	e, err := explain.Of(ctx, c.Machine, c.Trace, explain.Options{States: o.states}, known.Own...)
	if ctx.Err() != nil {
		return u.Interrupted()
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(u.Out, "%s: %s\n\n", ui.Title.Render(c.Trace.Algorithm), c.Machine.Traits().Doc)
	u.Assume(c.Trace.Config.Assumptions(c.Machine))
	fmt.Fprintln(u.Out)
	tellExplanation(u, e, o)
	return nil
}

func tellExplanation(u *ui.UI, e *explain.Explanation, o explainOptions) {
	report.Draw(u, e.Picture(), o.mermaid)
	fmt.Fprintln(u.Out)
	u.Hanging("  ", picture.OneLine(e.Sentence())+".")
	fmt.Fprintln(u.Out)
	var idle []string
	for i, matters := range e.Matters {
		if !matters {
			idle = append(idle, fmt.Sprint(i+1))
		}
	}
	u.Hanging("  switches  ", switched(e))
	switch {
	case e.Trace.Loop > 0:
		u.Hanging("  slice     ", "not computed for "+infinite(e)+": "+unfair(e))
	case e.Property.Kind == properties.RecoverableKind:
		u.Hanging("  slice     ", "not computed for a property of what can be reached")
	case e.Property.Kind == properties.MessagesKind:
		u.Hanging("  slice     ", "not computed when messages are counted: every message sent counts")
	case idle == nil:
		u.Hanging("  slice     ", "every step matters")
	default:
		u.Hanging("  slice     ", fmt.Sprintf("%s not matter: %s", ui.Plural(len(idle), "step does", "steps do"), strings.Join(idle, ", ")))
	}
	u.Hanging("  no return ", returned(e))
	switch {
	case e.OnlyLuck:
		u.Hanging("  luck      ", properties.OnlyLuck)
	case e.Unlooked:
		u.Hanging("  luck      ", "it is not known whether only choices keep this going: raise --states")
	}
}

// switched says how often the run goes from one process to another.
func switched(e *explain.Explanation) string {
	text := fmt.Sprintf("%s between processes", ui.Plural(e.Switches, "switch", "switches"))
	switch {
	case !e.Fewest && e.Trace.Loop > 0:
		return text + "; " + infinite(e) + " is not reordered"
	case e.Property.Kind == properties.RecoverableKind:
		return text + "; a run to where something is out of reach is not reordered"
	case !e.Fewest:
		return text + "; it is not known whether a run as short has fewer: raise --states"
	case e.Were > e.Switches:
		return fmt.Sprintf("%s, %d in the given trace: no run as short has fewer", text, e.Were)
	}
	return text + ": no run as short has fewer"
}

// infinite says what kind of infinite run it is.
func infinite(e *explain.Explanation) string {
	if e.Trace.Loop > len(e.Run.Steps) {
		return "a run that ends in a quiescent state"
	}
	return "a run that loops forever"
}

// unfair says why an infinite run may not count without a step.
func unfair(e *explain.Explanation) string {
	if e.Trace.Loop > len(e.Run.Steps) {
		return "without a step that seems not to matter, something may still have to happen at its end, and the run would not count"
	}
	return "a step that seems not to matter may be one that fairness demands, and without it the run would not count"
}

// returned says where the point of no return is.
func returned(e *explain.Explanation) string {
	switch {
	case !e.Known && (e.Trace.Loop > 0 || e.Property.Kind == properties.LivenessKind || e.Property.Kind == properties.MessagesKind):
		return "not computed for a property of whole runs"
	case !e.Known:
		return "not known: raise --states, or remove the bound of the world"
	case e.Property.Kind == properties.RecoverableKind && e.Turn == 0:
		return "it is out of reach from the beginning"
	case e.Property.Kind == properties.RecoverableKind:
		return fmt.Sprintf("step %d: before it, it could still be reached without a further fault; after it, it cannot", e.Turn)
	case e.Turn == 0:
		return "every fair run violates it, from the beginning"
	}
	return fmt.Sprintf("step %d: before it, some fair run would have violated nothing; after it, none would", e.Turn)
}
