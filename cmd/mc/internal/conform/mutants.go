package conform

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

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
