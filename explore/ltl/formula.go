package ltl

import (
	"fmt"
	"slices"
	"strings"
)

// Formula is an immutable formula of linear temporal logic without next. It is about one run,
// which is an infinite word of letters; a letter says which atoms are true.
type Formula struct {
	op   op
	name string // of an atom
	args []*Formula
}

// op is an operator, written as String writes it.
type op string

const (
	truth      op = "true"
	falsity    op = "false"
	atom       op = "atom"
	not        op = "!"
	always     op = "[]"
	eventually op = "<>"
	until      op = "U"
	release    op = "R"
	weakUntil  op = "W"
	and        op = "&"
	or         op = "|"
	implies    op = "->"
	iff        op = "<->"
	leadsTo    op = "~>"
)

// True holds of every run.
func True() *Formula { return &Formula{op: truth} }

// False holds of no run.
func False() *Formula { return &Formula{op: falsity} }

// Atom holds of a run whose first letter has the atom. It panics if Parse would
// not read the name as an atom.
func Atom(name string) *Formula {
	if n := wordLength(name); n == 0 || n != len(name) || reserved(name) {
		panic(fmt.Sprintf("ltl: %q is no name of an atom", name))
	}
	return &Formula{op: atom, name: name}
}

// Not holds where f does not.
func Not(f *Formula) *Formula { return apply(not, f) }

// And holds where each of f does; of no formula it is True.
func And(f ...*Formula) *Formula {
	switch len(f) {
	case 0:
		return True()
	case 1:
		return f[0]
	}
	return apply(and, slices.Clone(f)...)
}

// Or holds where one of f does; of no formula it is False.
func Or(f ...*Formula) *Formula {
	switch len(f) {
	case 0:
		return False()
	case 1:
		return f[0]
	}
	return apply(or, slices.Clone(f)...)
}

// Implies holds where b does or a does not.
func Implies(a, b *Formula) *Formula { return apply(implies, a, b) }

// Eventually holds of a run if f holds of it from some position on.
func Eventually(f *Formula) *Formula { return apply(eventually, f) }

// Always holds of a run if f holds of it from every position on.
func Always(f *Formula) *Formula { return apply(always, f) }

// Until holds of a run if b holds from some position on, and a from every one
// before it.
func Until(a, b *Formula) *Formula { return apply(until, a, b) }

// Release holds of a run if b holds from every position on, or from every one
// up to and including the first from which a holds.
func Release(a, b *Formula) *Formula { return apply(release, a, b) }

func apply(o op, args ...*Formula) *Formula { return &Formula{op: o, args: args} }

// Atoms returns the names of the atoms of f, each once, in order.
func (f *Formula) Atoms() []string {
	var names []string
	if f.op == atom {
		names = append(names, f.name)
	}
	for _, g := range f.args {
		names = append(names, g.Atoms()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Antecedents returns the formulas that some run must satisfy so that f does not hold
// vacuously: a for a -> b, <>a for [](a -> b) and a ~> b; and if b has an arrow itself, a
// together with the antecedent of that. It looks at every arrow on whose truth f depends,
// except under ! and <->.
func (f *Formula) Antecedents() []*Formula {
	switch f.op {
	case implies:
		return append(f.args[:1:1], meanwhile(f.args[0], f.args[1].Antecedents())...)
	case leadsTo:
		return later(append(f.args[:1:1], meanwhile(f.args[0], later(f.args[1].Antecedents()))...))
	case and, or:
		return f.eachAntecedents()
	case always, eventually, until, weakUntil, release:
		return later(f.eachAntecedents())
	}
	return nil
}

// eachAntecedents returns the Antecedents of all operands.
func (f *Formula) eachAntecedents() []*Formula {
	var all []*Formula
	for _, g := range f.args {
		all = append(all, g.Antecedents()...)
	}
	return all
}

// later returns, for each of the formulas, that it comes true now or later.
func later(all []*Formula) []*Formula {
	var some []*Formula
	for _, f := range all {
		if f.op != eventually {
			f = Eventually(f)
		}
		some = append(some, f)
	}
	return some
}

// meanwhile returns, for each of the formulas, that it is true together with f.
func meanwhile(f *Formula, all []*Formula) []*Formula {
	var some []*Formula
	for _, g := range all {
		some = append(some, And(f, g))
	}
	return some
}

// Match reports whether f has a certain form, and returns the part of f for each atom of the
// form. If an atom occurs twice in the form, f must have the same part in both places.
func (f *Formula) Match(form *Formula) (map[string]*Formula, bool) {
	parts := map[string]*Formula{}
	return parts, f.match(form, parts)
}

func (f *Formula) match(form *Formula, parts map[string]*Formula) bool {
	if form.op == atom {
		old, met := parts[form.name]
		parts[form.name] = f
		return !met || old.String() == f.String()
	}
	return f.op == form.op && slices.EqualFunc(f.args, form.args, func(a, b *Formula) bool { return a.match(b, parts) })
}

// String returns f as Parse reads it, with no more parentheses than needed.
func (f *Formula) String() string {
	switch f.op {
	case atom:
		return f.name
	case truth, falsity:
		return string(f.op)
	case not, always, eventually:
		return string(f.op) + f.operand(0)
	}
	operands := make([]string, len(f.args))
	for i := range operands {
		operands[i] = f.operand(i)
	}
	return strings.Join(operands, " "+string(f.op)+" ")
}

// operand returns the operand with this index, in parentheses if Parse wants them.
func (f *Formula) operand(i int) string {
	g := f.args[i]
	bare := g.op.binding() > f.op.binding() ||
		f.op.binding() == unary && g.op.binding() == unary ||
		f.op == implies && g.op == implies && i == 1 ||
		f.op == iff && g.op == iff && i == 0
	if bare {
		return g.String()
	}
	return "(" + g.String() + ")"
}

const unary = 4

// binding says how tightly an operator binds. The arrows all bind the same, and
// so do U, R and W: there is no agreement on which comes first, so Parse wants
// parentheses.
func (o op) binding() int {
	switch o {
	case implies, iff, leadsTo:
		return 0
	case or:
		return 1
	case and:
		return 2
	case until, release, weakUntil:
		return 3
	case not, always, eventually:
		return unary
	}
	return 5
}

// Conjuncts returns the formulas whose conjunction is f; f alone, if it is not a conjunction.
func (f *Formula) Conjuncts() []*Formula {
	if f.op != and {
		return []*Formula{f}
	}
	var all []*Formula
	for _, g := range f.args {
		all = append(all, g.Conjuncts()...)
	}
	return all
}

// Temporal reports whether f depends on more than the first letter.
func (f *Formula) Temporal() bool {
	switch f.op {
	case always, eventually, until, release, weakUntil, leadsTo:
		return true
	}
	return slices.ContainsFunc(f.args, (*Formula).Temporal)
}

// Tail reports whether the form of f shows that its truth does not depend on any finite beginning
// of the word.
func (f *Formula) Tail() bool {
	switch f.op {
	case eventually:
		return f.args[0].op == always
	case always:
		return f.args[0].op == eventually
	case not, and, or, implies, iff:
		for _, g := range f.args {
			if !g.Tail() {
				return false
			}
		}
		return true
	}
	return f.op == truth || f.op == falsity
}
