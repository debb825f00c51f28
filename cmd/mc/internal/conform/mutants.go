package conform

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance/matrix"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// everyMutant is the value of --mutants that asks for those of every algorithm.
const everyMutant = "all"

// runMatrix shows which layer kills which mutant.
func runMatrix(ctx context.Context, u *ui.UI, known names.Table, algorithm string, json bool) error {
	args := []string{algorithm}
	if algorithm == everyMutant {
		args = nil
	}
	originals, err := known.Mutated(args)
	if err != nil {
		return fmt.Errorf("--mutants: %w", err)
	}
	verify := matrix.Layer{Name: "verify", Kill: func(ctx context.Context, original, mutant spec.Machine) (string, error) {
		return verifies(ctx, known, original, mutant)
	}}
	layers := append([]matrix.Layer{verify}, matrix.Layers...)
	var all []matrixReport
	for _, m := range originals {
		r := matrixReport{Algorithm: m.Traits().Name}
		if r.Mutants, err = matrix.Fill(ctx, m, known.MutantsOf(m), layers); err == nil {
			r.Forgeries, err = matrix.Forge(ctx, m)
		}
		if ctx.Err() != nil {
			return u.Interrupted()
		}
		if err != nil {
			return ui.Trouble(err)
		}
		all = append(all, r)
		if !json {
			tellMatrix(u, m, r.Mutants, layers)
			tellForged(u, r.Forgeries)
		}
	}
	if err := printMatrix(u, all, layers, json); err != nil {
		return err
	}
	switch {
	case slices.ContainsFunc(all, matrixReport.hole):
		return ui.ExitViolated
	case slices.ContainsFunc(all, matrixReport.undecided):
		return ui.ExitInconclusive
	}
	return nil
}

// matrixReport is what the layers see of an algorithm's mutants, and of what is forged
// of honest runs of it.
type matrixReport struct {
	Algorithm string          `json:"algorithm"`
	Mutants   []matrix.Row    `json:"mutants"`
	Forgeries []matrix.Forged `json:"forgeries"`
}

func (r matrixReport) hole() bool {
	return slices.ContainsFunc(r.Mutants, matrix.Row.Hole) || slices.ContainsFunc(r.Forgeries, func(f matrix.Forged) bool { return len(f.Holes) > 0 })
}

func (r matrixReport) undecided() bool {
	return slices.ContainsFunc(r.Mutants, matrix.Row.Undecided) || slices.ContainsFunc(r.Forgeries, func(f matrix.Forged) bool { return f.Unknown > 0 })
}

// verifies is the layer of mc mutants: a property that the original has, and the
// mutant lacks.
func verifies(ctx context.Context, known names.Table, original, mutant spec.Machine) (how string, err error) {
	results, err := properties.KillMutants(ctx, original, []spec.Machine{mutant}, properties.Options{Catalogue: election.Catalogue, Workers: runtime.GOMAXPROCS(0)}, known.Own...)
	switch {
	case err != nil || ctx.Err() != nil:
		return "", cmp.Or(err, ctx.Err())
	case results[0].Undecided():
		return "", &matrix.UndecidedError{Limit: report.Unfinished(original, results[0])}
	case !results[0].Killed:
		return "", nil
	}
	return results[0].Finding.Name, nil
}

// tellMatrix shows which layers kill which mutants of an algorithm.
func tellMatrix(u *ui.UI, m spec.Machine, rows []matrix.Row, layers []matrix.Layer) {
	u.Hanging("", ui.Title.Render(m.Traits().Name)+": "+m.Traits().Doc)
	head := []string{"MUTANT"}
	for _, l := range layers {
		head = append(head, l.Name)
	}
	table := ui.NewTable(append(head, "WHAT IT DOES")...)
	for _, r := range rows {
		_, name := spec.Original(r.Mutant)
		cells := []string{name}
		for _, l := range layers {
			switch {
			case l.Name == "verify" && r.Killed[l.Name] != "":
				cells = append(cells, r.Killed[l.Name])
			case r.Killed[l.Name] != "":
				cells = append(cells, "killed")
			case r.Limits[l.Name] != "":
				cells = append(cells, "undecided")
			default:
				cells = append(cells, "-")
			}
		}
		what := r.Doc
		switch {
		case r.Hole():
			what = "SURVIVES: " + what
		case r.Undecided():
			what = "UNDECIDED: " + what
		case len(r.Killed) == 0:
			what = "assumed to survive: " + r.Survives
		}
		table.Row(append(cells, what)...)
	}
	fmt.Fprintln(u.Out, u.Lines(table))
	fmt.Fprintln(u.Out)
}

// tellForged shows at how many places a forgery is seen.
func tellForged(u *ui.UI, rows []matrix.Forged) {
	table := ui.NewTable(slices.Concat([]string{"FORGERY", "places"}, matrix.ForgedLayers(), []string{"WHAT NO LAYER SEES"})...)
	for _, r := range rows {
		if r.Places == 0 {
			continue
		}
		cells := []string{r.Forgery, fmt.Sprint(r.Places)}
		for _, l := range matrix.ForgedLayers() {
			n, looks := r.Killed[l]
			cells = append(cells, map[bool]string{true: fmt.Sprint(n), false: "-"}[looks])
		}
		var left []string
		if len(r.Holes) > 0 {
			left = append(left, fmt.Sprintf("%d SURVIVE: %s", len(r.Holes), r.Holes[0]))
		}
		if r.Honest > 0 {
			left = append(left, fmt.Sprintf("%d may be true: %s", r.Honest, strings.Join(r.Why, "; ")))
		}
		if r.Unknown > 0 {
			left = append(left, fmt.Sprintf("%d not decided: too many ways", r.Unknown))
		}
		table.Row(append(cells, strings.Join(left, "; "))...)
	}
	fmt.Fprintln(u.Out, u.Lines(table))
	fmt.Fprintln(u.Out)
}

// printMatrix prints what each layer kills, and what nothing does, in all algorithms. Those of each were told when
// they were known, but for JSON.
func printMatrix(u *ui.UI, all []matrixReport, layers []matrix.Layer, json bool) error {
	if json {
		return u.PrintJSON(all)
	}
	var rows []matrix.Row
	for _, r := range all {
		rows = append(rows, r.Mutants...)
	}
	for _, l := range layers {
		n := 0
		for _, r := range rows {
			if r.Killed[l.Name] != "" {
				n++
			}
		}
		fmt.Fprintf(u.Out, "%-7s kills %d of %s\n", l.Name, n, ui.Count(len(rows), "mutant"))
	}
	for _, r := range rows {
		switch {
		case r.Hole():
			fmt.Fprintf(u.Out, "%s %s\n", ui.Bad.Render("SURVIVES"), r.Mutant)
		case r.Undecided():
			fmt.Fprintf(u.Out, "%s %s\n", ui.Bad.Render("UNDECIDED"), r.Mutant)
			for _, l := range layers {
				if limit := r.Limits[l.Name]; limit != "" {
					fmt.Fprintf(u.Out, "  %s: %s\n", l.Name, limit)
				}
			}
		}
	}
	for _, r := range all {
		for _, f := range r.Forgeries {
			for _, hole := range f.Holes {
				fmt.Fprintf(u.Out, "%s %s, %s, %s\n", ui.Bad.Render("SURVIVES"), r.Algorithm, f.Forgery, hole)
			}
			if f.Unknown > 0 {
				fmt.Fprintf(u.Out, "%s %s, %s, at %s: there are more ways than are looked at\n", ui.Bad.Render("UNDECIDED"), r.Algorithm, f.Forgery, ui.Count(f.Unknown, "place"))
			}
		}
	}
	return nil
}
