package eval

import "interleave/tla/syntax"

// level says what an expression depends on.
type level uint8

const (
	constantLevel level = iota // no state
	stateLevel                 // one state
	actionLevel                // a step
	temporalLevel              // a run
)

func (l level) String() string {
	return [...]string{"a constant expression", "an expression about a state", "an action", "a temporal formula"}[l]
}

// rounds is the state of a look at a definition and at all those that it uses.
type rounds struct {
	round  int         // in which no operator is looked at twice
	open   int         // the number of operators being looked at, one within another
	within []*operator // those that were looked at and are not checked
	unsure bool        // the one being looked at uses one that is not checked
}

// levelOf returns the level of an operator applied to constants. A recursive one is looked
// at again until its level does not rise, and so are those that were looked at inside of it.
// An operator is checked once the levels of all that it uses are final: at once, or together
// with the outermost.
func (op *operator) levelOf() level {
	r := &op.scope.module.spec.rounds
	switch {
	case op.checked:
		return op.level
	case op.open || r.open > 0 && op.round == r.round:
		op.asked, r.unsure = true, true
		return op.level
	}
	around := r.unsure
	op.open = true
	r.open++
	defer func() { op.open, r.open = false, r.open-1 }() // also if it fails
	if r.open == 1 {
		r.round++
		r.within = nil
	}
	for again := true; again; {
		op.asked, r.unsure = false, false
		before, primed := op.level, op.primes
		op.look()
		if again = op.asked && (op.level > before || op.primes != primed); again {
			r.round++
		}
	}
	op.round = r.round
	if op.checked = !r.unsure; !op.checked {
		r.within = append(r.within, op)
	}
	r.unsure = around || !op.checked
	if r.open == 1 {
		for _, x := range r.within {
			x.checked = true
		}
	}
	return op.level
}

// look computes the level of an operator from the known levels of others.
func (op *operator) look() {
	inner := op.scope.inner()
	for _, p := range op.params {
		inner.names[p.Name] = &parameter{p.Arity}
	}
	if op.function {
		inner.names[op.name] = &parameter{}
	}
	op.level = max(op.level, levels{inner, &op.primes}.of(op.body))
	if op.of != nil {
		op.level = max(op.level, stateLevel)
	}
}

// levels computes the levels of expressions in a scope. If an expression without
// variables is primed, it notes that in primes: in a definition the expression may
// contain parameters.
type levels struct {
	sc     *scope
	primes *bool
}

func levelOf(e syntax.Expr, sc *scope) level { return levels{sc, new(bool)}.of(e) }

func (l levels) in(sc *scope) levels { l.sc = sc; return l }

func (l levels) fail(e syntax.Expr, format string, args ...any) {
	(&site{file: l.sc.module.tree.File, pos: e.Pos()}).fail(format, args...)
}

// most returns the highest level of some expressions; nil ones do not count.
func (l levels) most(all ...syntax.Expr) (most level) {
	for _, e := range all {
		if e != nil {
			most = max(most, l.of(e))
		}
	}
	return most
}

// plain is most, and fails if one of them is temporal.
func (l levels) plain(all ...syntax.Expr) level {
	most := l.most(all...)
	if most == temporalLevel {
		for _, e := range all {
			if e != nil && l.of(e) == temporalLevel {
				l.fail(e, "a temporal formula where a value is expected")
			}
		}
	}
	return most
}

// bind returns the levels inside of a binder, and that of its sets.
func (l levels) bind(bounds ...syntax.Bound) (levels, level) {
	var most level
	inner := l.sc.inner()
	for _, b := range bounds {
		if b.Set != nil {
			most = max(most, l.plain(b.Set))
		}
		for _, id := range b.Names {
			inner.names[id.Name] = &parameter{}
		}
	}
	return l.in(inner), most
}

// of returns the level of an expression, or fails if its parts do not fit.
func (l levels) of(e syntax.Expr) level {
	switch e := e.(type) {
	case *syntax.Numeral, *syntax.Text:
		return constantLevel
	case *syntax.Current:
		if l.sc.lookup("@") == nil {
			l.fail(e, "@ stands outside of EXCEPT")
		}
		return constantLevel
	case *syntax.Ref:
		return l.ref(e)
	case *syntax.Lambda:
		l.fail(e, "a LAMBDA stands where a value is expected")
	case *syntax.Let:
		return l.let(e)
	case *syntax.If, *syntax.Junction, *syntax.Label:
		return l.most(syntax.Parts(e)...)
	case *syntax.Case:
		most := l.most(e.Other)
		for _, a := range e.Arms {
			most = max(most, l.most(a.Cond, a.Body))
		}
		return most
	case *syntax.SetOf, *syntax.Tuple, *syntax.Product, *syntax.Functions, *syntax.Select:
		return l.plain(syntax.Parts(e)...)
	case *syntax.Index:
		return max(l.plain(e.Fn), l.plain(e.Args...))
	case *syntax.Record:
		return l.record(e)
	case *syntax.Except:
		return l.except(e)
	case *syntax.Quantified:
		inner, most := l.bind(e.Bounds...)
		if e.Symbol == `\AA` || e.Symbol == `\EE` {
			most = temporalLevel
		}
		return max(most, inner.of(e.Body))
	case *syntax.Choose:
		return l.bound(e.Body, e.Bound)
	case *syntax.Filter:
		return l.bound(e.Body, e.Bound)
	case *syntax.Image:
		return l.bound(e.Body, e.Bounds...)
	case *syntax.Function:
		return l.bound(e.Body, e.Bounds...)
	case *syntax.Square:
		l.subscripted(e.Action, e.Sub)
		return actionLevel
	case *syntax.Fair:
		l.subscripted(e.Action, e.Sub)
		return temporalLevel
	}
	l.fail(e, "%T is not supported", e)
	return 0
}

func (l levels) let(e *syntax.Let) level {
	inner := l.sc.inner()
	letDefs(e.Defs, inner)
	for _, x := range inner.names {
		if op, ok := x.(*operator); ok {
			op.levelOf()
		}
	}
	return l.in(inner).of(e.Body)
}

// bound is the level of a value inside of a binder.
func (l levels) bound(body syntax.Expr, bounds ...syntax.Bound) level {
	inner, most := l.bind(bounds...)
	return max(most, inner.plain(body))
}

// subscripted checks the parts of [A]_v and the like.
func (l levels) subscripted(action, sub syntax.Expr) {
	if l.plain(sub) > stateLevel {
		l.fail(sub, "the subscript is an action; it has to be about one state")
	}
	l.plain(action)
}

func (l levels) record(e *syntax.Record) (most level) {
	seen := map[string]bool{}
	for _, f := range e.Fields {
		if seen[f.Name] {
			l.fail(e, "field %s stands twice", f.Name)
		}
		seen[f.Name] = true
		most = max(most, l.plain(f.Value))
	}
	return most
}

func (l levels) except(e *syntax.Except) level {
	most := l.plain(e.Fn)
	inner := l.sc.inner()
	inner.names["@"] = &parameter{}
	for _, u := range e.Updates {
		for _, args := range u.Path {
			most = max(most, l.plain(args...))
		}
		most = max(most, l.in(inner).plain(u.Value))
	}
	return most
}

// ref is the level of an operator's application; it checks arity and primes first.
func (l levels) ref(r *syntax.Ref) level {
	x, args, inner := resolve(r, place{sc: l.sc})
	last := r.Steps[len(r.Steps)-1]
	n, ok := arityOf(x)
	if !ok {
		l.fail(r, "%s is an instance, not a value", last.Name)
	}
	if n != len(args) {
		(&site{file: l.sc.module.tree.File, pos: r.At}).wrongNumber(last.Name, n, len(args))
	}
	if b, ok := x.(*builtin); ok && b.name == "ENABLED" {
		l.primes = new(bool) // primes inside of it concern only it
	}
	most, primes := inner, false
	for i, a := range args {
		if k := argumentArity(x, i); k > 0 {
			if op, ok := operatorArgument(a, k, l.sc).(*operator); ok {
				most = max(most, op.levelOf())
				primes = primes || op.primes
			}
			continue
		}
		most = max(most, l.of(a))
	}
	if primes && most == stateLevel {
		most = actionLevel
	}
	switch x := x.(type) {
	case *variable:
		return stateLevel
	case *constant:
		return most
	case *argument:
		return max(most, x.level())
	case *operator:
		own := x.levelOf()
		if x.primes {
			*l.primes = true
			if most == stateLevel {
				most = actionLevel
			}
		}
		return max(most, own)
	case *builtin:
		return l.builtin(r, x.name, most)
	}
	return most
}

// level is the level of the expression that an argument stands for. A name that is
// defined by itself has the level of the rest; that it has no value is found when it is
// compiled.
func (a *argument) level() level {
	switch {
	case a.place.primed:
		return actionLevel
	case a.checking:
		return constantLevel
	}
	a.checking = true
	defer func() { a.checking = false }()
	return levelOf(a.expr, a.place.sc)
}

func (l levels) builtin(r *syntax.Ref, name string, most level) level {
	switch name {
	case "'":
		if most >= actionLevel {
			l.fail(r, "%v is primed; only an expression about one state can be", most)
		}
		if most == constantLevel {
			*l.primes = true
		}
		return most * 2
	case "UNCHANGED":
		if most >= actionLevel {
			l.fail(r, "UNCHANGED of %v; only an expression about one state can be", most)
		}
		return actionLevel
	case "ENABLED":
		if most > actionLevel {
			l.fail(r, "ENABLED of a temporal formula")
		}
		return stateLevel
	case "[]", "<>", "~>", "-+->":
		return temporalLevel
	case `\equiv`, "=>", "~":
		return most
	}
	if most == temporalLevel {
		l.fail(r, "a temporal formula where %s needs a value", name)
	}
	return most
}

// argumentArity returns the arity that an entity requires of its argument i.
func argumentArity(x entity, i int) int {
	switch x := x.(type) {
	case *operator:
		return x.params[i].Arity
	case *builtin:
		if i < len(x.opArgs) {
			return x.opArgs[i]
		}
	}
	return 0
}
