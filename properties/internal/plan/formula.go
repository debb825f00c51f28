package plan

import (
	"context"
	"fmt"

	"interleave/explore"
	"interleave/explore/ltl"
	"interleave/model"
)

// Runs is what a Liveness property states about the runs of some processes: a formula over
// predicates of states, each of which returns nil where it is true.
type Runs struct {
	Formula *ltl.Formula
	Names   []string // of the Atoms
	Atoms   []func(w *model.World) error
	Against *ltl.Automaton // of the runs on which the formula is false; nil: it is too large
}

// NewRuns returns what a formula states, given the meaning of its atoms.
func NewRuns(f *ltl.Formula, meaning func(atom string) func(w *model.World) error) *Runs {
	r := &Runs{Formula: f, Names: f.Atoms()}
	for _, name := range r.Names {
		r.Atoms = append(r.Atoms, meaning(name))
	}
	return r
}

// Oppose makes the automaton Against, and returns r.
func (r *Runs) Oppose() *Runs {
	r.Against = ltl.Not(r.Formula).Automaton(r.Names)
	return r
}

// Letter returns which atoms are true in a state.
func (r *Runs) Letter(w *model.World) (letter uint64) {
	for i, holds := range r.Atoms {
		if holds(w) == nil {
			letter |= 1 << i
		}
	}
	return letter
}

// MayEndBadly reports whether a run that ends in a quiescent state may violate the property. It does
// violate it, if the property depends only on the end of a run.
func (r *Runs) MayEndBadly(w *model.World) bool { return r.Against.Rests(r.Letter(w)) }

func (r *Runs) watch() model.Watch {
	return model.Watch{Quiescent: true, State: r.MayEndBadly}
}

// EndsDecide reports whether it is enough to know where runs end, if all do.
func (r *Runs) EndsDecide(c model.Config) bool {
	return c.Bound == 0 && c.Fairness.Unfair == nil && len(r.Formula.Antecedents()) == 0
}

// unlessVacuous returns a finding that a formula is true of all fair runs, unless it holds
// vacuously: if no run is fair, or none satisfies an antecedent of the formula.
func (r *Runs) unlessVacuous(ctx context.Context, runs fairRuns) (Finding, error) {
	for _, presupposed := range append(r.Formula.Antecedents(), ltl.True()) {
		a := presupposed.Automaton(r.Names)
		if a == nil {
			return Finding{Why: fmt.Sprintf("it holds, but whether it says anything is not known: %v is too large", presupposed)}, nil
		}
		switch met, err := runs.accepts(ctx, a); {
		case err != nil:
			return Finding{}, err
		case !met:
			return Finding{Why: fmt.Sprintf("it holds, but says nothing: no fair run satisfies %v", presupposed)}, nil
		}
	}
	return Finding{Verdict: explore.Verified}, nil
}
