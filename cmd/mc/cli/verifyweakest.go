package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"interleave/explore"
	"interleave/properties"
)

// comparable refuses what means nothing where several worlds are compared.
func (o *verifyOptions) comparable(flags verifyFlags) error {
	if !o.fairness && o.detectors == "" {
		return nil
	}
	switch {
	case o.fairness && o.detectors != "":
		return errors.New("--explain-fairness and --detectors are two questions: ask one at a time")
	case o.detectors != "" && o.detectors != "all":
		return fmt.Errorf("--detectors: %q is not a set of detectors: give all, or one as --detector", o.detectors)
	case o.detectors != "" && *flags.axes["detector"] != "":
		return errors.New("--detectors: all of them are compared: leave --detector out")
	case o.undecided != nil:
		return errors.New("--undecided is about one verdict, and several are compared: leave it out")
	case o.traceOut != "" || o.pass != "":
		return errors.New("--trace-out and --certificate are about one world, and several are compared: leave them out")
	}
	return nil
}

// explainFairness answers --explain-fairness.
func explainFairness(ctx context.Context, u *tool, o *verifyOptions, p *progress) error {
	props := o.props
	if props == nil {
		if err := properties.Check(o.machine, o.config, nil); err != nil {
			p.clear()
			return err
		}
		props, _ = properties.Standard(o.machine, o.config)
		props = slices.DeleteFunc(props, func(p properties.Property) bool { return p.Kind != properties.Liveness })
	}
	all := []properties.Needs{}
	for _, prop := range props {
		n, err := properties.ExplainFairness(ctx, o.machine, o.config, prop, o.check)
		if err != nil {
			p.clear()
			return asFlag(err)
		}
		all = append(all, n)
	}
	p.clear()
	if o.json {
		return errors.Join(u.printJSON(all), explained(all))
	}
	tellWorld(u, o)
	for _, n := range all {
		tellNeeds(u, o, n)
	}
	fmt.Fprintln(u.out, styleFaint.Render("repeat with: "+o.command()))
	return explained(all)
}

// explained returns the status: of the worst of what has no answer.
func explained(all []properties.Needs) (status error) {
	for _, n := range all {
		switch {
		case n.Finding == nil:
			if slices.ContainsFunc(n.Needed, func(n properties.Need) bool { return !n.Decided() }) {
				status = exitInconclusive
			}
		case n.Finding.Verdict == properties.Violated:
			return exitViolated
		default:
			status = exitInconclusive
		}
	}
	return status
}

func tellNeeds(u *tool, o *verifyOptions, n properties.Needs) {
	fmt.Fprintf(u.out, "%s: %s\n", styleTitle.Render(n.Name), n.Property.Doc)
	switch {
	case n.Why != "":
		fmt.Fprintf(u.out, "  %s\n\n", n.Why)
		if n.Finding.Trace != nil {
			tellTrace(u, o, []properties.Finding{*n.Finding}, false)
		}
		return
	case len(n.Needed) == 0:
		fmt.Fprintf(u.out, "  needs no fairness, except that a run goes on as long as it can\n")
	}
	if n.Stronger {
		fmt.Fprintf(u.out, "  is VIOLATED with the fairness of this world; with more, it holds:\n")
	}
	for _, need := range n.Needed {
		fmt.Fprintf(u.out, "  %s\n", needed(need))
	}
	if len(n.Spare) > 0 {
		fmt.Fprintf(u.out, "  needs no fairness of %s\n", strings.Join(n.Spare, ", "))
	}
	fmt.Fprintln(u.out)
	for _, need := range n.Needed {
		if need.Without.Trace != nil {
			less := "Without fairness of " + need.Kind
			if need.Owed == explore.Strong {
				less = "With only weak fairness of " + need.Kind
			}
			fmt.Fprintf(u.out, "%s\n", styleTitle.Render(less+":"))
			tellTrace(u, o, []properties.Finding{need.Without}, false)
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
	return fmt.Sprintf("needs %s fairness of %s: %s, after %s: %s", n.Owed, n.Kind, otherwise, steps(n.Without.Depth), n.Without.Why)
}

// compareDetectors answers --detectors all.
func compareDetectors(ctx context.Context, u *tool, o *verifyOptions, p *progress) error {
	l, err := properties.DetectorLattice(ctx, o.machine, o.config, o.props, o.check)
	p.clear()
	if errors.Is(err, properties.ErrNoDetector) {
		return fmt.Errorf("--detectors: %s: %w: leave it out", o.machine.Traits().Name, err)
	}
	if err != nil {
		return asFlag(err)
	}
	var status error
	if slices.ContainsFunc(l.Properties, func(r properties.Rung) bool { return !r.Decided }) {
		status = exitInconclusive
	}
	if l.Panics() {
		status = exitViolated
	}
	if o.json {
		return errors.Join(u.printJSON(l), status)
	}
	tellWorld(u, o)
	tellLattice(u, o, l)
	fmt.Fprintln(u.out, styleFaint.Render("repeat with: "+o.command()))
	return status
}

func tellLattice(u *tool, o *verifyOptions, l *properties.Lattice) {
	head := []string{"PROPERTY"}
	for _, d := range l.Detectors {
		head = append(head, strings.ToUpper(d.String()))
	}
	rows := newTable(append(head, "WEAKEST")...)
	for _, r := range l.Properties {
		row := []string{r.Name}
		for _, f := range r.Findings {
			row = append(row, answerOf(f).word)
		}
		rows.Row(append(row, weakest(l, r))...)
	}
	fmt.Fprintf(u.out, "%s\n\n", u.lines(rows))
	for at, d := range l.Detectors {
		var below []properties.Finding
		for _, r := range l.Properties {
			if r.Below() == at {
				below = append(below, r.Findings[at])
			}
		}
		for _, same := range runs(below) {
			fmt.Fprintf(u.out, "%s\n", styleTitle.Render(fmt.Sprintf("With detector %v:", d)))
			tellTrace(u, o, same, false)
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
func tellWorld(u *tool, o *verifyOptions) {
	fmt.Fprintf(u.out, "%s: %s\n\n", styleTitle.Render(o.machine.Traits().Name), o.machine.Traits().Doc)
	for _, a := range o.config.Assumptions(o.machine) {
		if o.detectors == "" || !strings.HasPrefix(a, "detector ") {
			u.assume([]string{a})
		}
	}
	fmt.Fprintln(u.out)
}
