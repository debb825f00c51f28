package eval

import (
	"slices"
	"sort"
	"sync/atomic"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// apply compiles an entity applied to arguments.
func (c *compiler) apply(x entity, name string, e syntax.Expr, args []syntax.Expr, p place) code {
	at := p.site(e)
	if x == nil {
		at.fail("unknown name %s", name)
	}
	x = c.real(x, p)
	if n, ok := arityOf(x); !ok || n != len(args) {
		at.wrongNumber(name, n, len(args))
	}
	switch x := x.(type) {
	case *constant:
		if x.val == nil {
			at.fail("constant %s is given no value by the configuration", x.name)
		}
		return given(x.val)
	case *variable:
		return c.variable(x, at, p.primed)
	case *local:
		if p.primed && x.worth {
			at.fail("what is primed here is known by its value only: not supported")
		}
		slot := x.slot
		c.reads.slots = append(c.reads.slots, slot)
		return func(e *env) value.Value { return e.frame[slot] }
	case *argument:
		return c.argument(x, p)
	case *operator:
		return c.operator(x, e, args, p)
	case *builtin:
		return c.builtin(x, e, args, p)
	}
	at.fail("%s has no value here", name)
	return nil
}

func (c *compiler) variable(x *variable, at *site, primed bool) code {
	i := x.index
	c.reads.read(x, primed)
	if primed {
		return func(e *env) value.Value {
			v := e.next[i]
			if v == nil {
				at.fail("%s' is used before it has a value", x.name)
			}
			return v
		}
	}
	return func(e *env) value.Value {
		v := e.cur[i]
		if v == nil {
			at.fail("%s is used before it has a value", x.name)
		}
		return v
	}
}

// at returns the context of the argument that a parameter stands for, if the parameter
// is at p.
func (a *argument) at(p place) place {
	inner := a.place
	inner.primed = p.primed
	if inner.within != p.within { // it was bound outside of ENABLED
		inner.within = inner.sc.module.with
	}
	return inner
}

// argument compiles the argument that a parameter stands for, or reads it from its
// slot.
func (c *compiler) argument(x *argument, p place) code {
	around := c.reads.weight
	f := c.expr(x.expr, x.at(p))
	if x.slot < 0 || p.primed || c.told {
		return f
	}
	x.weight, c.reads.weight = c.reads.weight-around, around+1
	slot := x.slot
	return func(e *env) value.Value {
		v := e.frame[slot]
		if v == nil {
			v = f(e)
			e.frame[slot] = v
		}
		return v
	}
}

// entry is the arguments whose slots are emptied at the entry of a definition.
type entry []*argument

// entered compiles code for a definition. Inside it, an argument in a slot has the
// weight of reading the slot; the weight of computing it is counted once.
func entered[T any](c *compiler, n entry, f func(e *env) T) func(e *env) T {
	if len(n) == 0 {
		return f
	}
	for _, a := range n {
		c.reads.weight += a.weight
	}
	return func(e *env) T {
		for _, a := range n {
			e.frame[a.slot] = nil
		}
		return f(e)
	}
}

// step is code for an action. It restores the slots afterwards, since the action may be
// entered again before it is left.
func (n entry) step(f step) step {
	if len(n) == 0 {
		return f
	}
	return func(e *env) bool {
		var room [4]value.Value
		old := room[:0]
		for _, a := range n {
			old = append(old, e.frame[a.slot])
			e.frame[a.slot] = nil
		}
		more := f(e)
		for i, a := range n {
			e.frame[a.slot] = old[i]
		}
		return more
	}
}

// keeps reports whether the value of an argument may be kept while the definition is
// evaluated.
func (c *compiler) keeps(e syntax.Expr, p place) bool {
	switch e := e.(type) {
	case *syntax.Numeral, *syntax.Text, *syntax.Current:
		return false
	case *syntax.Ref:
		if len(e.Steps) == 1 && e.Steps[0].Args == nil {
			switch p.sc.lookup(e.Steps[0].Name).(type) {
			case *operator:
			default:
				return false
			}
		}
	}
	most := levelOf(e, p.sc)
	return most == constantLevel || most == stateLevel && !c.init && !p.primed
}

// bind binds the parameters of an operator to arguments.
func (c *compiler) bind(op *operator, args []syntax.Expr, p place) (*scope, entry) {
	inner := op.scope.bind(op.params, args, p)
	var enter entry
	for i, param := range op.params {
		if a, ok := inner.names[param.Name].(*argument); ok && c.keeps(args[i], p) {
			a.slot = c.slot()
			enter = append(enter, a)
		}
	}
	return inner, enter
}

// inside is the context of the body of a definition that is used at e.
func (op *operator) inside(sc *scope, e syntax.Expr, p place) place {
	from := p.site(e)
	if from.deep > maxNest {
		from.fail("the definitions used here are nested more than %d deep%s", maxNest, p.sc.module.spec.cycle())
	}
	return place{sc: sc, primed: p.primed, within: p.within, name: op.name, from: from}
}

func (c *compiler) operator(op *operator, e syntax.Expr, args []syntax.Expr, p place) code {
	switch {
	case op.function:
		return c.function(op.body.(*syntax.Function), op.inside(op.scope, e, p), op.name)
	case op.recursive:
		return c.recurse(op, e, args, p)
	case op.isConstant():
		return c.once(op, e, p)
	}
	inner, enter := c.bind(op, args, p)
	return entered(c, enter, c.expr(op.body, op.inside(inner, e, p)))
}

// isConstant reports whether an operator is a definition with a single value.
func (op *operator) isConstant() bool {
	return op.global && len(op.params) == 0 && op.levelOf() == constantLevel && fixed(op.scope)
}

// fixed reports whether no name of a scope stands for an argument, or for something
// that depends on one.
func fixed(sc *scope) bool {
	if sc.module.with.open {
		return false
	}
	for ; sc != nil; sc = sc.around {
		for _, x := range sc.names {
			switch x.(type) {
			case *argument, *local, *parameter:
				return false
			}
		}
	}
	return true
}

// cell holds the value of a constant expression once it is computed.
type cell struct {
	size int
	code code
	val  atomic.Pointer[value.Value]
}

// once compiles a constant definition, which is evaluated at its first use.
func (c *compiler) once(op *operator, e syntax.Expr, p place) code {
	if op.whole == nil {
		own := &compiler{spec: c.spec, depth: c.depth}
		op.whole = &cell{} // a recursive operator used in it may use it, too
		op.whole.code = own.expr(op.body, op.inside(op.scope, e, place{sc: p.sc, name: p.name, from: p.from}))
		op.whole.size = own.slots
	}
	w, at := op.whole, p.site(e)
	return func(e *env) value.Value {
		if v := w.val.Load(); v != nil {
			return *v
		}
		if e.depth >= MaxRecursion {
			at.fail("the definitions used here are nested more than %d deep%s", MaxRecursion, c.spec.cycle())
		}
		v := w.code(&env{frame: make([]value.Value, w.size), depth: e.depth + 1, track: e.track, meter: e.meter})
		w.val.Store(&v)
		return v
	}
}

// recursion is the code of a recursive operator.
type recursion struct {
	params []int // their slots
	lo, hi int   // the slots of the names bound inside
	code   code
	scope  *scope
}

// MaxRecursion bounds the depth of calls of recursive operators and functions.
const MaxRecursion = 5000

// deeper is the environment of a call, with its own frame.
func (e *env) deeper(at *site) *env {
	if e.depth >= MaxRecursion {
		at.fail("the recursion is deeper than %d calls", MaxRecursion)
	}
	e.meter.stack(e.depth, at)
	e.tick()
	inner := *e
	inner.frame, inner.aside = slices.Clone(e.frame), nil
	inner.depth++
	return &inner
}

// recurse compiles a call of a recursive operator. Its code is compiled once in each
// scope that defines it.
func (c *compiler) recurse(op *operator, e syntax.Expr, args []syntax.Expr, p place) code {
	at := p.site(e)
	if p.primed && op.levelOf() > constantLevel {
		at.fail("recursive operator %s, which is about a state, is primed: not supported", op.name)
	}
	if op.levelOf() > stateLevel {
		at.fail("recursive operator %s is an action: not supported", op.name)
	}
	r := c.recursions[op]
	c.reads.weight += large
	if r != nil {
		c.reads.open = true // it is not compiled yet
	} else {
		r = c.recursion(op, e, p)
	}
	given := c.exprs(args, p)
	return func(e *env) value.Value {
		if e.depth >= MaxRecursion {
			at.fail("the recursion is deeper than %d calls", MaxRecursion)
		}
		e.meter.stack(e.depth, at)
		e.tick()
		// The caller may be inside of the same definition: its bound names are saved.
		// The arguments are put on top of that, as some may call, too.
		base := len(e.aside)
		e.aside = append(e.aside, e.frame[r.lo:r.hi]...)
		for _, arg := range given {
			v := arg(e)
			e.aside = append(e.aside, v)
		}
		for i, v := range e.aside[len(e.aside)-len(given):] {
			e.frame[r.params[i]] = v
		}
		e.depth++
		v := r.code(e)
		e.depth--
		copy(e.frame[r.lo:r.hi], e.aside[base:])
		e.aside = e.aside[:base]
		e.at = at
		return v
	}
}

// recursion compiles a recursive operator.
func (c *compiler) recursion(op *operator, e syntax.Expr, p place) *recursion {
	r := &recursion{scope: op.scope.inner(), lo: c.slots}
	for _, param := range op.params {
		if param.Arity > 0 {
			p.site(e).fail("recursive operator %s takes an operator as an argument: not supported", op.name)
		}
		l := &local{c.slot(), true}
		r.params = append(r.params, l.slot)
		r.scope.names[param.Name] = l
	}
	if c.recursions == nil {
		c.recursions = map[*operator]*recursion{}
	}
	c.recursions[op] = r
	defer delete(c.recursions, op)
	around := c.reads
	c.reads = reads{}
	r.code = c.expr(op.body, op.inside(r.scope, e, place{sc: p.sc, within: p.within, name: p.name, from: p.from}))
	r.hi = c.slots
	if len(c.recursions) == 1 { // all its reads are known
		c.reads.open = false
		r.code, _ = c.remember(r.code)
	}
	around.add(c.reads)
	c.reads = around
	return r
}

func (c *compiler) builtin(b *builtin, e syntax.Expr, args []syntax.Expr, p place) code {
	if b.special != nil {
		r, _ := e.(*syntax.Ref)
		return b.special(c, r, args, p)
	}
	if t := (condition{c, p}).builtin(b, e, args); t != nil {
		return t.code()
	}
	at := p.site(e)
	codes, fn := c.exprs(args, p), b.fn
	switch {
	case b.fn1 != nil:
		fn, x := b.fn1, codes[0]
		return func(e *env) value.Value {
			v := x(e)
			e.at = at
			return fn(v)
		}
	case b.fn2 != nil:
		fn, x, y := b.fn2, codes[0], codes[1]
		return func(e *env) value.Value {
			v, w := x(e), y(e)
			e.at = at
			return fn(v, w)
		}
	case b.made != nil:
		fn := b.made
		return func(e *env) value.Value {
			var args [2]value.Value
			for i, arg := range codes {
				args[i] = arg(e)
			}
			e.at = at
			return fn(e.memory.known(), args[0], args[1])
		}
	case fn == nil:
		return given(b.val)
	}
	return func(e *env) value.Value {
		vals := run(e, codes)
		e.at = at
		return fn(vals)
	}
}

// let binds what LET defines. A definition without parameters is evaluated at
// most once.
func (c *compiler) let(x *syntax.Let, p place) (*scope, entry) {
	inner := p.sc.inner()
	letDefs(x.Defs, inner)
	var enter entry
	for name, y := range inner.names {
		op, ok := y.(*operator)
		if !ok || len(op.params) > 0 || op.recursive || op.function {
			continue
		}
		a := &argument{expr: op.body, place: place{sc: inner, within: p.within, name: name, from: p.site(x)}, slot: -1}
		if l := op.levelOf(); l == constantLevel || l == stateLevel && !c.init && !p.primed {
			a.slot = c.slot()
			enter = append(enter, a)
		}
		defer func() { inner.names[name] = a }()
	}
	return inner, enter
}

func sortedBy(names []string) []int {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return names[order[i]] < names[order[j]] })
	return order
}

// callable compiles an operator that is passed to another one, as a function of values.
func (c *compiler) callable(arg syntax.Expr, n int, p place) func(e *env, args ...value.Value) value.Value {
	x := c.spec.replaced(operatorArgument(arg, n, p.sc), false)
	inner := p.sc.inner()
	slots := make([]int, n)
	refs := make([]syntax.Expr, n)
	for i := range slots {
		slots[i] = c.slot()
		name := " " + string(rune('a'+i))
		inner.names[name] = &local{slots[i], !p.primed}
		refs[i] = syntax.NewRef(arg.Pos(), name)
	}
	f := c.apply(x, "an operator", arg, refs, p.in(inner))
	return func(e *env, args ...value.Value) value.Value {
		e.tick()
		for i, slot := range slots {
			e.frame[slot] = args[i]
		}
		return f(e)
	}
}
