package cli

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"interleave/conformance/matrix"
	"interleave/properties"
	"interleave/spec"
)

// everyMutant is the value of --mutants that asks for those of every algorithm.
const everyMutant = "all"

// runMatrix shows which layer kills which mutant.
func (t *tool) runMatrix(ctx context.Context, algorithm string, json bool) error {
	args := []string{algorithm}
	if algorithm == everyMutant {
		args = nil
	}
	originals, err := t.machines.mutated(args)
	if err != nil {
		return fmt.Errorf("--mutants: %w", err)
	}
	layers := append([]matrix.Layer{{Name: "verify", Kill: verifies}}, matrix.Layers...)
	var all []matrix.Row
	for _, m := range originals {
		rows, err := matrix.Fill(ctx, m, t.machines.mutantsOf(m), layers)
		if err != nil {
			return troubled{err}
		}
		all = append(all, rows...)
		if !json {
			t.tellMatrix(m, rows, layers)
		}
	}
	if json {
		if err := t.printJSON(all); err != nil {
			return err
		}
	} else {
		t.tellKilled(all, layers)
	}
	if slices.ContainsFunc(all, matrix.Row.Hole) {
		return exitStatus(exitViolated)
	}
	return nil
}

// verifies is the layer of mc mutants: a property that the original has, and the
// mutant lacks.
func verifies(ctx context.Context, original, mutant spec.Machine) (how string, err error) {
	deaths, err := properties.Kill(ctx, original, []spec.Machine{mutant}, properties.Options{Workers: runtime.GOMAXPROCS(0)})
	if err != nil || !deaths[0].Killed {
		return "", err
	}
	return deaths[0].Finding.Name, nil
}

func (t *tool) tellMatrix(m spec.Machine, rows []matrix.Row, layers []matrix.Layer) {
	fmt.Fprintf(t.out, "%s: %s\n", styleTitle.Render(m.Traits().Name), m.Traits().Doc)
	head := []string{"MUTANT"}
	for _, l := range layers {
		head = append(head, l.Name)
	}
	table := newTable(append(head, "WHAT IT DOES")...)
	for _, r := range rows {
		_, name := spec.Original(r.Mutant)
		cells := []string{name}
		for _, l := range layers {
			switch {
			case l.Name == "verify" && r.Killed[l.Name] != "":
				cells = append(cells, r.Killed[l.Name])
			case r.Killed[l.Name] != "":
				cells = append(cells, "killed")
			default:
				cells = append(cells, "-")
			}
		}
		what := r.Doc
		switch {
		case r.Hole():
			what = "SURVIVES: " + what
		case len(r.Killed) == 0:
			what = "nothing can kill it: " + r.Survives
		}
		table.Row(append(cells, what)...)
	}
	fmt.Fprintln(t.out, untrailed(table))
	fmt.Fprintln(t.out)
}

// tellKilled counts what each layer kills.
func (t *tool) tellKilled(rows []matrix.Row, layers []matrix.Layer) {
	for _, l := range layers {
		n := 0
		for _, r := range rows {
			if r.Killed[l.Name] != "" {
				n++
			}
		}
		fmt.Fprintf(t.out, "%-7s kills %d of %s\n", l.Name, n, count(len(rows), "mutant"))
	}
	for _, r := range rows {
		if r.Hole() {
			fmt.Fprintf(t.out, "%s %s\n", styleBad.Render("SURVIVES"), r.Mutant)
		}
	}
}
