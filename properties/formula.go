package properties

import (
	"fmt"
	"strings"

	"interleave/explore/ltl"
	"interleave/model"
	"interleave/properties/internal/plan"
)

// Eventually states that in every fair run holds returns nil in some state.
func Eventually(name, doc string, holds func(w *model.World) error) Property {
	return temporally(name, doc, "<>p", atoms{"p": holds})
}

// EventuallyAlways states that in every fair run holds returns nil from some point on.
func EventuallyAlways(name, doc string, holds func(w *model.World) error) Property {
	return temporally(name, doc, "<>[]p", atoms{"p": holds})
}

// AlwaysEventually states that in every fair run holds returns nil again and again.
func AlwaysEventually(name, doc string, holds func(w *model.World) error) Property {
	return temporally(name, doc, "[]<>p", atoms{"p": holds})
}

// LeadsTo states that in every fair run, if cause returns nil in a state, effect returns nil in
// that state or a later one.
func LeadsTo(name, doc string, cause, effect func(w *model.World) error) Property {
	return temporally(name, doc, "p ~> q", atoms{"p": cause, "q": effect})
}

// Temporal states that a formula of package ltl is true of every fair run. Its atoms are those
// given, and otherwise up(p) and rest.
func Temporal(name, doc, formula string, given map[string]func(w *model.World) error) (Property, error) {
	return Predicates{}.Temporal(name, doc, formula, given)
}

// Temporal states that a formula of package ltl is true of every fair run. Its atoms are those
// given, and otherwise those that Names lists.
func (v Predicates) Temporal(name, doc, formula string, given map[string]func(w *model.World) error) (Property, error) {
	f, err := ltl.Parse(formula)
	if err != nil {
		return Property{}, fmt.Errorf("the formula %q: %w", formula, err)
	}
	p := Property{Name: name, Doc: doc, Kind: LivenessKind, runs: func(int) *ltl.Formula { return f }, text: formula, given: given, known: v}
	if err := p.Speaks(model.MaxN); err != nil {
		return Property{}, err
	}
	return p, nil
}

// Formula states that a formula is true of every fair run. The text is also the name of the
// property. Its atoms are properties of states by their names, and otherwise those that Names lists.
//
// recoverable(ATOM) is no formula, but may be written in its place: it is a Recoverable.
func (v Predicates) Formula(text string, ofStates ...Property) (Property, error) {
	given := atoms{}
	for _, p := range ofStates {
		given[p.Name] = p.state
	}
	if atom, ok := strings.CutPrefix(text, recoverable); ok && strings.HasSuffix(atom, ")") {
		return v.recoverable(text, strings.TrimSuffix(atom, ")"), given)
	}
	p, err := v.Temporal(text, "a formula of yours", text, given)
	if err == nil && !p.runs(1).Temporal() {
		return Property{}, fmt.Errorf("the formula %q: it says nothing of what happens later on: put [] or <> before it", text)
	}
	return p, err
}

// recoverable begins the name of a Recoverable that is about an atom of a formula.
const recoverable = "recoverable("

// OfAtom is the name of the Recoverable that is about an atom.
func OfAtom(atom string) string { return recoverable + atom + ")" }

// recoverable states that an atom of a formula can always be reached.
func (v Predicates) recoverable(text, atom string, given atoms) (Property, error) {
	p := Property{Name: text, Kind: RecoverableKind, goal: atom, given: given, known: v}
	if err := p.Speaks(model.MaxN); err != nil {
		return Property{}, err
	}
	holds := p.meaning(atom)
	q := Recoverable(text, "from every state "+atom+" can be reached without a further fault", func(w *model.World) bool { return holds(w) == nil })
	p.Doc, p.state = q.Doc, q.state
	return p, nil
}

// Unnamed reports whether the name of a property is its formula.
func (p Property) Unnamed() bool { return p.text != "" && p.text == p.Name }

func temporally(name, doc, formula string, given atoms) Property {
	p, err := Temporal(name, doc, formula, given)
	if err != nil {
		panic(err)
	}
	return p
}

// Speaks refuses the formula of a user if it has an atom that is no predicate of n processes. The
// error is an *AtomError.
func (p Property) Speaks(n int) error {
	if p.text == "" && p.goal == "" {
		return nil
	}
	for _, atom := range p.Atoms() {
		if p.given[atom] != nil {
			continue
		}
		if reason := p.known.missing(atom, n); reason != "" {
			if p.goal != "" {
				return &AtomError{p.Name, len(recoverable) + 1, atom, reason}
			}
			return &AtomError{p.text, ltl.Column(p.text, atom), atom, reason}
		}
	}
	return nil
}

// Atoms lists the predicates of which the formula of a Liveness property speaks, of one process, or a Recoverable.
func (p Property) Atoms() []string {
	switch {
	case p.goal != "":
		return []string{p.goal}
	case p.Kind != LivenessKind:
		return nil
	}
	return p.runs(1).Atoms()
}

// over returns what a Liveness property states about n processes.
func (p Property) over(n int) *plan.Runs { return plan.NewRuns(p.runs(n), p.meaning) }

// meaning returns the predicate that an atom of the formula of p is.
func (p Property) meaning(atom string) func(w *model.World) error {
	if holds := p.given[atom]; holds != nil {
		return holds
	}
	return p.known.named(atom)
}

// EndsWell returns a predicate of quiescent states: whether a Liveness property is true of
// every run that comes to rest there. If sure, the property is false of every run that comes to
// rest in another quiescent state; otherwise only some such run may break it. The predicate is
// nil if where runs end does not decide the property, even if all runs end.
func (p Property) EndsWell(r *model.Reference) (endsWell func(s model.State) bool, sure bool) {
	runs := p.over(r.Config().N).Oppose()
	if runs.Against == nil || !runs.EndsDecide(r.Config()) {
		return nil, false
	}
	return func(s model.State) bool { return !runs.MayEndBadly(r.World(s)) }, runs.Formula.Tail()
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

// ForEach states that a formula is true of every fair run for each process, which stands for p in
// it. Its atoms are those that Names lists.
func (v Predicates) ForEach(name, doc, formula string) Property {
	return Property{Name: name, Doc: doc, Kind: LivenessKind, known: v, runs: func(n int) *ltl.Formula { return forEach(n, formula) }}
}

// forEach is the conjunction of a formula for each of n processes.
func forEach(n int, format string) *ltl.Formula {
	all := make([]*ltl.Formula, n)
	for i := range all {
		all[i] = mustParse(strings.ReplaceAll(format, "(p)", fmt.Sprintf("(%d)", i+1)))
	}
	return ltl.And(all...)
}
