package tla

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/tla"
	tlacompare "interleave/tla/compare"
	"interleave/tla/eval"
	"interleave/tla/value"
)

// compareOptions are what mc tla compare is asked.
type compareOptions struct {
	moduleFiles
	algorithm   string
	direction   string
	translation bool
	jar         string // of the TLA+ tools
	visible     []string
	compare     tlacompare.Options
}

// directions are the values of --direction.
var directions = map[string]tlacompare.Direction{"both": tlacompare.Both, "go": tlacompare.GoRefines, "tla": tlacompare.TLARefines}

func newCompare(u *ui.UI, known names.Table) *cobra.Command {
	o := &compareOptions{}
	cmd := &cobra.Command{
		Use:   "compare MODULE.tla",
		Short: "Compare a module with its Go algorithm, with its PlusCal, or with TLC",
		Long: `Compare a module of the catalogue with its Go algorithm, state by state. The module's
configuration sets the number of processes and crashes, for both. They agree if they have
the same initial states and, from each state, the same next states: a bisimulation. If
not, a shortest run to the first difference is shown.

With --translation, the PlusCal algorithm is run statement by statement instead of the Go
algorithm, and compared with its translation. This works for any module.

With --tlc-jar, the module is compared with the state graph that TLC finds. This works for
any module, and needs java and the jar of the TLA+ tools.

With --visible, only these variables are compared, and steps that change none of them do
not count: either side may take several where the other takes one. They agree if their
graphs are divergence-sensitive stuttering bisimilar. Then the visible variables have the
same temporal properties, except those with a next operator.

With --direction go, the module may do more than the algorithm; with tla, the
algorithm may do more than the module.

Exit status: 0 they agree; 1 they do not; 2 bad input; 3 not everything was compared.`,
		Example: "  mc tla compare tla/ChangRoberts.tla\n  mc tla compare tla/ChangRoberts.tla --translation\n  mc tla compare tla/ChangRoberts.tla --visible state,inbox\n  mc tla compare tla/Bully.tla --with 'bully/mended~deaf'",
		Args:    ui.OneArgument("a module", "name a file, as in mc tla compare tla/ChangRoberts.tla"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.take(args)
			return runCompare(cmd.Context(), u, known, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.config, "config", "", "the configuration (default MODULE.cfg beside the module)")
	f.StringVar(&o.algorithm, "with", "", "another algorithm with the same state type, such as a mutant (default the module's own)")
	f.BoolVar(&o.translation, "translation", false, "compare the translation with the PlusCal algorithm, not with Go")
	f.StringVar(&o.jar, "tlc-jar", "", "compare with the state graph of TLC, run from this jar of the TLA+ tools, not with Go")
	f.StringSliceVar(&o.visible, "visible", nil, "compare only these variables, and skip steps that change none of them")
	f.StringVar(&o.direction, "direction", "both", "both: neither may do more; go: the algorithm refines the module; tla: the other way")
	f.IntVar(&o.compare.MaxStates, "max-states", 0, "compare so many states at most; 0: all")
	return cmd
}

func runCompare(ctx context.Context, u *ui.UI, known names.Table, o *compareOptions) error {
	var ok bool
	if o.compare.Direction, ok = directions[o.direction]; !ok {
		return ui.Hint(fmt.Errorf("--direction: %q is not a direction", o.direction), "it is both, go or tla")
	}
	switch {
	case o.translation && o.algorithm != "":
		return errors.New("--with names a Go algorithm, and --translation compares with none: leave one out")
	case o.jar != "" && o.algorithm != "":
		return errors.New("--with names a Go algorithm, and --tlc-jar compares with none: leave one out")
	case o.visible != nil && (o.translation || o.jar != ""):
		return errors.New("--visible is for the comparison with Go, where steps need not be the same: leave it out, or --translation and --tlc-jar")
	case o.visible != nil && o.compare.Direction != tlacompare.Both:
		return errors.New("--visible compares in both directions: leave --direction out")
	case o.jar != "" && o.translation:
		return errors.New("--translation and --tlc-jar are two comparisons: make one after the other")
	}
	if err := limits.Check(1, o.compare.MaxStates, 0, 0); err != nil {
		return err
	}
	m, err := tla.OpenWithin(ctx, o.module, o.config, 0)
	if errors.As(err, new(*eval.OutOfBudget)) {
		return u.Interrupted()
	}
	if err != nil {
		return untranslated(o.module, o.withoutConfig(err))
	}
	defer m.Limit(ctx, 0)()
	var r *tlacompare.Result
	title, other := "", "the algorithm"
	switch {
	case o.translation:
		title = "the translation of " + m.Module + " and its algorithm"
		r, err = tlacompare.Translation(ctx, o.module, m, o.compare)
	case o.jar != "":
		title, other = m.Module+" here and by TLC", "TLC"
		r, err = tlacompare.TLC(ctx, o.jar, o.module, m, o.compare)
	default:
		r, err = compareWithGo(ctx, u, known, m, o)
	}
	if errors.As(err, new(*eval.OutOfBudget)) {
		return u.Interrupted()
	}
	if err != nil {
		return withRemedy(err)
	}
	if title != "" {
		fmt.Fprintf(u.Out, "%s\n", ui.Title.Render(title))
	}
	if note := standingNote(o.module); note != "" && !o.translation {
		fmt.Fprintf(u.Out, "  note: %s\n", note)
	}
	fmt.Fprintf(u.Out, "\n%s and %s of %s compared, %s of the module\n\n", ui.Count(r.States, "state"), ui.Count(r.Steps, "step"), other, ui.Count(r.Images, "state"))
	return tellComparison(u, o, r, other)
}

func compareWithGo(ctx context.Context, u *ui.UI, known names.Table, m *tla.Model, o *compareOptions) (*tlacompare.Result, error) {
	pair, err := tlacompare.Find(m.Module)
	if err != nil {
		return nil, ui.Hint(err, "mc tla compare --translation compares any module with its PlusCal")
	}
	if o.algorithm != "" {
		machine, err := known.Find(o.algorithm)
		if err != nil {
			return nil, err
		}
		if pair, err = pair.With(machine); err != nil {
			return nil, err
		}
	}
	compared := func() (*tlacompare.Result, error) { return tlacompare.Algorithm(ctx, m, pair, o.compare) }
	if o.visible != nil {
		compared = func() (*tlacompare.Result, error) { return tlacompare.Visibly(ctx, m, pair, o.visible, o.compare) }
	}
	r, err := compared()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(u.Out, "%s\n\n", ui.Title.Render(m.Module+" and "+pair.Machine.Traits().Name))
	u.Assume(r.Config.Assumptions(pair.Machine))
	return r, nil
}

func tellComparison(u *ui.UI, o *compareOptions, r *tlacompare.Result, other string) error {
	switch {
	case r.Difference != nil:
		tellDifference(u, r.Difference, other)
		fmt.Fprintln(u.Out, ui.Bad.Render("THEY DIFFER"))
		return ui.ExitViolated
	case !r.Complete:
		fmt.Fprintf(u.Out, "%s: they agree as far as they were compared, which is not everything\n", ui.Doubt.Render("BOUNDED"))
		return ui.ExitInconclusive
	case r.States == 0:
		fmt.Fprintf(u.Out, "%s: there is no initial state, so nothing was compared\n", ui.Doubt.Render("INCONCLUSIVE"))
		return ui.ExitInconclusive
	}
	found := agreementOf[o.compare.Direction]
	if o.visible != nil {
		found = "what is seen of " + strings.Join(o.visible, ", ") + " is the same but for stuttering"
	}
	fmt.Fprintf(u.Out, "%s: %s\n", ui.Good.Render("THEY AGREE"), strings.ReplaceAll(found, "the algorithm", other))
	if r.Config.Bound > 0 {
		fmt.Fprintf(u.Out, "%s: on both sides no process goes beyond %d, see bound above\n", ui.Doubt.Render("BOUNDED"), r.Config.Bound)
	}
	return nil
}

// agreementOf says what was found of each direction.
var agreementOf = map[tlacompare.Direction]string{
	tlacompare.Both:       "they begin alike, and from every state they go to the same states",
	tlacompare.GoRefines:  "whatever the algorithm does, the module allows",
	tlacompare.TLARefines: "whatever the module does, the algorithm allows",
}

func tellDifference(u *ui.UI, d *tlacompare.Difference, first string) {
	side, other := first, "the module"
	if !d.ByGo {
		side, other = other, side
	}
	trace := tla.Trace{Variables: d.Variables}
	for i, s := range d.Run {
		trace.States = append(trace.States, s.State)
		label := "initially"
		if i > 0 {
			label = s.Deed + "   (" + s.TLA + ")"
		}
		fmt.Fprintf(u.Out, "%4d  %s\n", i, label)
		tellChanges(u, &trace, i)
	}
	if d.Deed == "" {
		fmt.Fprintf(u.Out, "  %s can begin so, and %s cannot\n", side, other)
	} else {
		fmt.Fprintf(u.Out, "  then %s can do this, and %s cannot go there\n      %s\n", side, other, d.Deed)
	}
	last := len(d.Run)
	trace.States = append(trace.States, d.After)
	tellChanges(u, &trace, last)
	if d.Nearest != nil {
		fmt.Fprintf(u.Out, "  the nearest state to that to which %s can go:\n", other)
		trace.States = [][]value.Value{d.After, d.Nearest}
		tellChanges(u, &trace, 1)
	}
	fmt.Fprintln(u.Out)
}

func tellChanges(u *ui.UI, trace *tla.Trace, at int) {
	lines := trace.Changes(at, false)
	if len(lines) == 0 {
		lines = []string{"nothing changes"}
	}
	for _, line := range lines {
		fmt.Fprintf(u.Out, "      %s\n", line)
	}
}
