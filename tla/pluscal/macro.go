package pluscal

import (
	"fmt"
	"slices"

	"interleave/tla/syntax"
)

// maxStatements bounds the statements of an algorithm once its macros are expanded;
// macros that use macros could make any number.
const maxStatements = 20_000

// maxWords bounds the words that replace the parameters of macros.
const maxWords = 200_000

// expander expands macros. A macro means the same wherever it is used: its names are not
// taken for those that are bound there, and what it is given not for those that it binds.
type expander struct {
	firstError
	macros     map[string]*Macro
	variables  map[string]bool // all of the algorithm, and self
	parameters []string        // of the macro that the current statement is in
	around     []string        // what is bound by with around it
	fresh      words
	statements int
	words      int
}

// expandMacros replaces each use of a macro by the macro's statements.
func expandMacros(file string, a *Algorithm) error {
	x := &expander{firstError: firstError{file: file}, macros: map[string]*Macro{}, variables: map[string]bool{"self": true}, fresh: a.words}
	for _, list := range a.declared() {
		for _, v := range list {
			x.variables[v.Name] = true
		}
	}
	for i := range a.Macros {
		m := &a.Macros[i]
		x.checkMacro(m)
		x.parameters = m.Parameters
		m.Body = x.list(m.Body) // with the macros before it
		x.macros[m.Name] = m
	}
	x.parameters = nil
	for _, body := range a.bodies() {
		*body = x.list(*body)
	}
	return x.err
}

func (x *expander) checkMacro(m *Macro) {
	if x.macros[m.Name] != nil {
		x.fail(m.Pos, "give one of them another name", "a second macro %s", m.Name)
	}
	for i, p := range m.Parameters {
		if slices.Contains(m.Parameters[:i], p) {
			x.fail(m.Pos, "give one of them another name", "macro %s has two parameters %s", m.Name, p)
		}
	}
	anyIn(m.Body, func(s *Statement) bool {
		if s.Label != nil {
			x.fail(s.Label.Pos, "put the label before the use of the macro", "a label in macro %s", m.Name)
		}
		if _, ok := s.Do.(*While); ok {
			x.fail(s.Pos, "write the while where the macro is used", "a while in macro %s, which needs a label", m.Name)
		}
		return x.err != nil
	})
}

// list returns a list with its macros expanded.
func (x *expander) list(list []Statement) []Statement {
	if list == nil || x.err != nil {
		return list
	}
	var out []Statement
	for _, s := range list {
		if x.statements++; x.statements > maxStatements {
			x.fail(s.Pos, "use procedures", "there are more than %d statements once the macros are written out", maxStatements)
			return nil
		}
		switch d := s.Do.(type) {
		case *Use:
			out = append(out, x.use(s, d)...)
			continue
		case *If:
			s.Do = &If{d.Test, x.list(d.Then), x.list(d.Else)}
		case *Either:
			e := &Either{}
			for _, b := range d.Branches {
				e.Branches = append(e.Branches, x.list(b))
			}
			s.Do = e
		case *While:
			s.Do = &While{d.Test, x.list(d.Body)}
		case *With:
			x.around = append(x.around, d.Name)
			s.Do = &With{d.Name, d.In, d.Value, x.list(d.Body), d.number}
			x.around = x.around[:len(x.around)-1]
		}
		out = append(out, s)
	}
	return out
}

// use returns the statements that s, the use of a macro, stands for.
func (x *expander) use(s Statement, u *Use) []Statement {
	m := x.macros[u.Macro]
	switch {
	case m == nil:
		x.fail(u.Pos, "define it before its use, in a macro or with :=", "there is no macro %s up to here", u.Macro)
		return nil
	case len(m.Parameters) != len(u.Arguments):
		x.fail(u.Pos, fmt.Sprintf("give it %d", len(m.Parameters)), "macro %s takes %s, and here %s",
			u.Macro, arguments(len(m.Parameters)), given(len(u.Arguments)))
		return nil
	}
	arguments := map[int]Expr{}
	for i, n := range m.numbers {
		arguments[n] = u.Arguments[i]
	}
	names := x.ownNames(u, m)
	c := &changer{
		expr:  func(e Expr) Expr { return x.substitute(u, e.rename(names, true), arguments) },
		part:  func(p Part) Part { return x.target(u, p, arguments) },
		bound: func(name string) string { return renamed(names, name) },
	}
	if x.statements += size(m.Body); x.statements > maxStatements {
		x.fail(s.Pos, "use procedures", "there are more than %d statements once the macros are written out", maxStatements)
		return nil
	}
	body := c.statements(m.Body)
	if len(body) == 0 {
		body = []Statement{{Pos: s.Pos, Do: &Skip{}}}
	}
	for i := range body {
		body[i].Pos = s.Pos
	}
	anyIn(body, func(inner *Statement) bool {
		if a, ok := inner.Do.(*Assert); ok {
			a.Used = s.Pos
		}
		return false
	})
	body[0].Label = s.Label
	return body
}

// ownNames returns other names for what a macro binds, where that would hide what is
// bound around its use or named in its arguments. It refuses a macro that names what only
// means something where it is used.
func (x *expander) ownNames(u *Use, m *Macro) map[string]string {
	hidden := map[string]bool{}
	for _, name := range x.around {
		hidden[name] = true
	}
	for _, e := range u.Arguments {
		e.eachName(func(t Token) { hidden[t.Text] = true })
	}
	names := map[string]string{}
	bound := func(name string) string {
		if hidden[name] && names[name] == "" {
			names[name] = x.fresh.fresh(name)
		}
		return name
	}
	look := func(t Token) {
		switch elsewhere := slices.Contains(x.around, t.Text) || slices.Contains(x.parameters, t.Text); {
		case t.bound == 0 && elsewhere && !x.variables[t.Text]:
			x.fail(u.Pos, "hand it over as an argument", "macro %s names %s, which means something only where the macro is used", m.Name, t.Text)
		case t.bound != 0 && !slices.Contains(m.numbers, t.bound):
			bound(t.Text)
		}
	}
	(&changer{expr: func(e Expr) Expr { e.eachName(look); return e }, bound: bound}).statements(m.Body)
	return names
}

// size counts statements, those inside of others included.
func size(list []Statement) int {
	n := 0
	anyIn(list, func(*Statement) bool {
		n++
		return false
	})
	return n
}

// substitute puts arguments for parameters, as far as there is room.
func (x *expander) substitute(u *Use, e Expr, arguments map[int]Expr) Expr {
	if x.err != nil {
		return e
	}
	out := e.substitute(arguments)
	for i, t := range out {
		if behind := i + 1; len(t.Sub) > 1 && behind < len(out) && out[behind].Is("(") {
			x.fail(u.Pos, "give it the name of an operator", "macro %s applies its parameter %s, and %s is no operator",
				u.Macro, t.Text, t.Sub.Text())
		}
	}
	if x.words += out.words(); x.words > maxWords {
		x.fail(u.Pos, "use definitions", "there are more than %d words once the macros are written out", maxWords)
	}
	return out
}

// target lets the macro assign to what its parameter stands for.
func (x *expander) target(u *Use, p Part, arguments map[int]Expr) Part {
	a, ok := arguments[p.bound]
	if !ok {
		return p
	}
	if !assignable(a) {
		x.fail(u.Pos, "give it a variable, as x or x[1]", "macro %s assigns to its parameter %s, and %s is nothing to assign to",
			u.Macro, p.Variable, a.Text())
		return p
	}
	for a[0].Sub != nil {
		a = append(append(Expr{}, a[0].Sub...), a[1:]...)
	}
	p.Variable, p.bound = a[0].Text, a[0].bound
	p.Sub = append(append(Expr{}, a[1:]...), p.Sub...)
	return p
}

// assignable reports whether e is a variable or a part of one.
func assignable(e Expr) bool {
	for e[0].Sub != nil {
		if !assignable(e[0].Sub) {
			return false
		}
		e = append(append(Expr{}, e[0].Sub...), e[1:]...)
	}
	if e[0].Kind != syntax.Name {
		return false
	}
	depth := 0
	for _, t := range e[1:] {
		switch {
		case closerOf(t.Token) != "":
			depth++
		case isCloser(t.Token):
			depth--
		case depth == 0 && !t.Is(".") && t.Kind != syntax.Name:
			return false
		}
	}
	return len(e) == 1 || e[1].Is("[") || e[1].Is(".")
}

// words counts the tokens of e, those that stand for others included.
func (e Expr) words() int {
	n := len(e)
	for _, t := range e {
		n += t.Sub.words()
	}
	return n
}
