package properties

import (
	"fmt"
	"strings"

	"interleave/explore/ltl"
	"interleave/model"
)

// temporal is what a Liveness property states about the runs of some processes: a formula over
// predicates of states, each of which returns nil where it is true.
type temporal struct {
	formula *ltl.Formula
	names   []string
	atoms   []func(w *model.World) error
	against *ltl.Automaton // of the runs on which the formula is false; see oppose
	marks   []uint8        // of a search, by atom
}

// over returns what a Liveness property states about n processes.
func (p Property) over(n int) *temporal {
	t := &temporal{formula: p.runs(n)}
	t.names = t.formula.Atoms()
	for _, name := range t.names {
		t.atoms = append(t.atoms, p.given.of(name))
	}
	return t
}

// oppose makes the automaton of the runs on which the formula is false, and
// returns t. It is nil if the formula is too large for that.
func (t *temporal) oppose() *temporal {
	t.against = ltl.Not(t.formula).Automaton(t.names)
	return t
}

// EndsWell returns a predicate of quiescent states: whether a Liveness property is true of
// every run that comes to rest there. If sure, the property is false of every run that comes to
// rest in another quiescent state; otherwise only some such run may break it. The predicate is
// nil if where runs end does not decide the property, even if all runs end.
func (p Property) EndsWell(r *model.Reference) (endsWell func(s model.State) bool, sure bool) {
	t := p.over(r.Config().N).oppose()
	if t.against == nil || !t.endsDecide(r.Config()) {
		return nil, false
	}
	return func(s model.State) bool { return !t.watch().State(r.World(s)) }, t.formula.Tail()
}

// endsDecide reports whether it is enough to know where runs end, if all do.
func (t *temporal) endsDecide(c model.Config) bool {
	return c.Bound == 0 && c.Fairness.Unfair == nil && len(t.formula.Antecedents()) == 0
}

// unlessVacuous returns f as Verified, unless it holds vacuously: if no run is fair, or none
// satisfies an antecedent of the formula. isMet asks the engine whether an automaton accepts a
// fair run.
func (t *temporal) unlessVacuous(f Finding, isMet func(a *ltl.Automaton) (bool, error)) (Finding, error) {
	for _, presupposed := range append(t.formula.Antecedents(), ltl.True()) {
		a := presupposed.Automaton(t.names)
		if a == nil {
			f.Why = fmt.Sprintf("it holds, but whether it says anything is not known: %v is too large", presupposed)
			return f, nil
		}
		switch met, err := isMet(a); {
		case err != nil:
			return f, err
		case !met:
			f.Why = fmt.Sprintf("it holds, but says nothing: no fair run satisfies %v", presupposed)
			return f, nil
		}
	}
	f.Verdict = Verified
	return f, nil
}

// watch marks the quiescent states in which a run that ends there may violate the property. It
// does violate it, if the property depends only on the end of a run.
func (t *temporal) watch() model.Watch {
	return model.Watch{Quiescent: true, State: func(w *model.World) bool { return t.against.Rests(t.letter(w)) }}
}

// letter returns which atoms are true in a state.
func (t *temporal) letter(w *model.World) (letter uint64) {
	for i, holds := range t.atoms {
		if holds(w) == nil {
			letter |= 1 << i
		}
	}
	return letter
}

// formula is the same for any number of processes.
func formula(text string) func(n int) *ltl.Formula {
	f := mustParse(text)
	return func(int) *ltl.Formula { return f }
}

func mustParse(text string) *ltl.Formula {
	f, err := ltl.Parse(text)
	if err != nil {
		panic(err)
	}
	return f
}

// forEach is the conjunction of a formula for each of n processes.
func forEach(n int, format string) *ltl.Formula {
	all := make([]*ltl.Formula, n)
	for i := range all {
		all[i] = mustParse(strings.ReplaceAll(format, "(p)", fmt.Sprintf("(%d)", i+1)))
	}
	return ltl.And(all...)
}
