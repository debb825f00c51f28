package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/explore"
	"interleave/properties"
	"interleave/properties/election"
)

// comparable refuses what means nothing where several worlds are compared.
func (o *options) comparable(flags flags) error {
	if !o.Fairness && o.Detectors == "" {
		return nil
	}
	switch {
	case o.Fairness && o.Detectors != "":
		return errors.New("--explain-fairness and --detectors are two questions: ask one at a time")
	case o.Detectors != "" && o.Detectors != "all":
		return fmt.Errorf("--detectors: %q is not a set of detectors: give all, or one as --detector", o.Detectors)
	case o.Detectors != "" && flags.axes.Given("detector") != "":
		return errors.New("--detectors: all of them are compared: leave --detector out")
	case o.Undecided != nil:
		return errors.New("--undecided is about one verdict, and several are compared: leave it out")
	case o.traceOut != "" || o.pass != "":
		return errors.New("--trace-out and --certificate are about one world, and several are compared: leave them out")
	}
	return nil
}

// explainFairness answers --explain-fairness.
func explainFairness(ctx context.Context, u *ui.UI, o *options, p *ui.Progress) error {
	props := o.Props
	if props == nil {
		if err := election.Check(o.World.Machine, o.Config, nil); err != nil {
			p.Clear()
			return err
		}
		props, _ = election.Standard(o.World.Machine, o.Config)
		props = slices.DeleteFunc(props, func(p properties.Property) bool { return p.Kind != properties.LivenessKind })
	}
	all := []properties.Needs{}
	for _, prop := range props {
		n, err := properties.ExplainFairness(ctx, o.World.Machine, o.Config, prop, o.Check)
		if err != nil {
			p.Clear()
			return world.AsFlag(err)
		}
		all = append(all, n)
	}
	p.Clear()
	if o.json {
		return errors.Join(u.PrintJSON(all), explained(all))
	}
	tellWorld(u, o)
	for _, n := range all {
		tellNeeds(u, o, n)
	}
	fmt.Fprintln(u.Out, ui.Faint.Render("repeat with: "+o.Command()))
	return explained(all)
}

// explained returns the status: of the worst of what has no answer.
func explained(all []properties.Needs) (status error) {
	for _, n := range all {
		switch {
		case n.Finding == nil:
			if slices.ContainsFunc(n.Needed, func(n properties.Need) bool { return !n.Decided() }) {
				status = ui.ExitInconclusive
			}
		case n.Finding.Verdict == properties.Violated:
			return ui.ExitViolated
		default:
			status = ui.ExitInconclusive
		}
	}
	return status
}

func tellNeeds(u *ui.UI, o *options, n properties.Needs) {
	fmt.Fprintf(u.Out, "%s: %s\n", ui.Title.Render(n.Name), n.Property.Doc)
	switch {
	case n.Why != "":
		fmt.Fprintf(u.Out, "  %s\n\n", n.Why)
		if n.Finding.Trace != nil {
			report.PrintTrace(u, o.Form, []properties.Finding{*n.Finding}, false)
		}
		return
	case len(n.Needed) == 0:
		fmt.Fprintf(u.Out, "  needs no fairness, except that a run goes on as long as it can\n")
	}
	if n.Stronger {
		fmt.Fprintf(u.Out, "  is VIOLATED with the fairness of this world; with more, it holds:\n")
	}
	for _, need := range n.Needed {
		fmt.Fprintf(u.Out, "  %s\n", needed(need))
	}
	if len(n.Spare) > 0 {
		fmt.Fprintf(u.Out, "  needs no fairness of %s\n", strings.Join(n.Spare, ", "))
	}
	fmt.Fprintln(u.Out)
	for _, need := range n.Needed {
		if need.Without.Trace != nil {
			less := "Without fairness of " + need.Kind
			if need.Owed == explore.Strong {
				less = "With only weak fairness of " + need.Kind
			}
			fmt.Fprintf(u.Out, "%s\n", ui.Title.Render(less+":"))
			report.PrintTrace(u, o.Form, []properties.Finding{need.Without}, false)
		}
	}
}

// needed says what is needed, and what happens otherwise.
func needed(n properties.Need) string {
	otherwise := "without it"
	if n.Owed == explore.Strong {
		otherwise = "with only weak fairness"
	}
	if !n.Decided() {
		return fmt.Sprintf("may need %s fairness of %s: %s, nothing is decided: %s", n.Owed, n.Kind, otherwise, n.Without.Why)
	}
	return fmt.Sprintf("needs %s fairness of %s: %s, after %s: %s", n.Owed, n.Kind, otherwise, ui.Steps(n.Without.Depth), n.Without.Why)
}

// compareDetectors answers --detectors all.
func compareDetectors(ctx context.Context, u *ui.UI, o *options, p *ui.Progress) error {
	l, err := properties.DetectorLattice(ctx, o.World.Machine, o.Config, o.Props, o.Check)
	p.Clear()
	if errors.Is(err, properties.ErrNoDetector) {
		return fmt.Errorf("--detectors: %s: %w: leave it out", o.World.Machine.Traits().Name, err)
	}
	if err != nil {
		return world.AsFlag(err)
	}
	var status error
	if slices.ContainsFunc(l.Properties, func(r properties.Rung) bool { return !r.Decided }) {
		status = ui.ExitInconclusive
	}
	if l.Panics() {
		status = ui.ExitViolated
	}
	if o.json {
		return errors.Join(u.PrintJSON(l), status)
	}
	tellWorld(u, o)
	tellLattice(u, o, l)
	fmt.Fprintln(u.Out, ui.Faint.Render("repeat with: "+o.Command()))
	return status
}

func tellLattice(u *ui.UI, o *options, l *properties.Lattice) {
	head := []string{"PROPERTY"}
	for _, d := range l.Detectors {
		head = append(head, strings.ToUpper(d.String()))
	}
	rows := ui.NewTable(append(head, "WEAKEST")...)
	for _, r := range l.Properties {
		row := []string{r.Name}
		for _, f := range r.Findings {
			row = append(row, report.AnswerOf(f).Word)
		}
		rows.Row(append(row, weakest(l, r))...)
	}
	fmt.Fprintf(u.Out, "%s\n\n", u.Lines(rows))
	for at, d := range l.Detectors {
		var below []properties.Finding
		for _, r := range l.Properties {
			if r.Below() == at {
				below = append(below, r.Findings[at])
			}
		}
		for _, same := range report.Runs(below) {
			fmt.Fprintf(u.Out, "%s\n", ui.Title.Render(fmt.Sprintf("With detector %v:", d)))
			report.PrintTrace(u, o.Form, same, false)
		}
	}
}

// weakest says which detector is the weakest that is enough, as far as that is
// decided.
func weakest(l *properties.Lattice, r properties.Rung) string {
	switch {
	case r.Weakest < 0 && r.Decided:
		return "no detector is enough"
	case r.Weakest < 0:
		return "not decided"
	case !r.Decided:
		return fmt.Sprintf("%v, or a weaker one: not decided", l.Detectors[r.Weakest])
	}
	return l.Detectors[r.Weakest].String()
}

// tellWorld prints the algorithm and the assumptions.
func tellWorld(u *ui.UI, o *options) {
	fmt.Fprintf(u.Out, "%s: %s\n\n", ui.Title.Render(o.World.Machine.Traits().Name), o.World.Machine.Traits().Doc)
	for _, a := range o.Config.Assumptions(o.World.Machine) {
		if o.Detectors == "" || !strings.HasPrefix(a, "detector ") {
			u.Assume([]string{a})
		}
	}
	fmt.Fprintln(u.Out)
}
