package eval

import (
	"math/bits"
	"strconv"
	"strings"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// code computes the value of an expression.
type code func(e *env) value.Value

// place is the context of an expression: the meaning of its names, whether it is
// primed, whether it is inside of ENABLED, and the definitions that it is in.
type place struct {
	sc     *scope
	primed bool
	within *substitution // inside of ENABLED: this substitution and those around it were done outside of it
	name   string
	from   *site
}

func (p place) in(sc *scope) place { p.sc = sc; return p }

// compiler compiles the expressions that share a frame.
type compiler struct {
	spec  *Spec
	slots int
	nodes int
	depth int
	init  bool // an action sets variables without a prime
	told  bool // the value is only for a message, and decides nothing
	instanceVariables
	premises

	reads  reads       // of the current expression, as far as it is compiled
	latest *remembered // the expression compiled last, if it is remembered
	fixed  bool        // the expression compiled last depends on nothing

	recursions map[*operator]*recursion // being compiled, one within another
}

// The limits of the size of nested definitions.
const (
	maxNodes = 3_000_000
	maxNest  = 3000
)

// site is the position of an expression.
func (p place) site(e syntax.Expr) *site {
	s := &site{p.sc.module.tree.File, e.Pos(), p.name, p.from, 0}
	if p.from != nil {
		s.deep = p.from.deep + 1
	}
	return s
}

func (c *compiler) slot() int {
	c.slots++
	return c.slots - 1
}

// grow notes that one more expression is compiled.
func (c *compiler) grow(e syntax.Expr, p place) {
	if c.nodes++; c.nodes > maxNodes {
		p.site(e).fail("the definitions used here grow beyond %d expressions", maxNodes)
	}
	if c.nodes%1024 == 0 {
		c.spec.heed(p.site(e))
	}
	if c.depth++; c.depth > maxNest {
		p.site(e).fail("the definitions used here are nested more than %d deep%s", maxNest, c.spec.cycle())
	}
}

// expr compiles an expression. Its values are remembered if that is worth it.
func (c *compiler) expr(e syntax.Expr, p place) code {
	defer c.setAside()()
	around, first := c.enter(e, p)
	f := c.evaluated(e, p)
	c.reads = c.reads.beyond(first)
	f, _ = c.remember(f)
	c.leave(around)
	return f
}

// remember wraps the code f of the expression of c.reads, so that its values are
// remembered if that is worth it, and reports whether it is.
func (c *compiler) remember(f code) (g code, worth bool) {
	r := &c.reads
	c.latest, c.fixed = nil, false
	switch n := r.things(); {
	case c.spec.naive || r.open || r.unknown || r.weight < 2:
		return f, false
	case n == 0:
		r.weight, c.fixed = 1, true
		return settled(c.spec.Values, f), true
	case c.init || r.weight < heavy || n > maxThings || bits.OnesCount64(r.cur) == len(c.spec.vars):
		return f, false // on all variables: no state comes twice
	}
	c.latest = r.note(c.spec)
	return c.latest.code(f), true
}

// enter begins an expression. It returns the reads of the surrounding expression, and
// the first slot of this one.
func (c *compiler) enter(e syntax.Expr, p place) (around reads, first int) {
	c.grow(e, p)
	around, first = c.reads, c.slots
	c.reads = reads{weight: weigh(e)}
	return around, first
}

// leave ends an expression, and adds its reads to those of the surrounding one.
func (c *compiler) leave(around reads) {
	around.add(c.reads)
	c.reads = around
	c.depth--
}

// evaluated compiles an expression without remembering its values.
func (c *compiler) evaluated(e syntax.Expr, p place) code {
	switch e := e.(type) {
	case *syntax.Numeral:
		return given(numeral(e, p))
	case *syntax.Text:
		return given(value.String(e.Value))
	case *syntax.Current:
		return c.apply(p.sc.lookup("@"), "@", e, nil, p)
	case *syntax.Ref:
		x, args, _ := resolve(e, p)
		return c.apply(x, e.Steps[len(e.Steps)-1].Name, e, args, p)
	case *syntax.Let:
		inner, enter := c.let(e, p)
		return entered(c, enter, c.expr(e.Body, p.in(inner)))
	case *syntax.If:
		return either(c.boolean(e.Cond, p), c.expr(e.Then, p), c.expr(e.Else, p))
	case *syntax.Case:
		return firstOf(c, e, p, func(body syntax.Expr) code { return c.expr(body, p) })
	case *syntax.Junction:
		return c.junction(e, p).code()
	case *syntax.Quantified:
		return c.quantified(e, p).code()
	case *syntax.Choose:
		return c.choose(e, p)
	case *syntax.SetOf:
		elems := c.exprs(e.Elems, p)
		return func(e *env) value.Value { return value.NewSet(run(e, elems)) }
	case *syntax.Filter:
		return c.filter(e, p)
	case *syntax.Image:
		return c.image(e, p)
	case *syntax.Tuple:
		elems := c.exprs(e.Elems, p)
		return func(e *env) value.Value { return value.NewTuple(run(e, elems)...) }
	case *syntax.Product:
		factors := c.exprs(e.Factors, p)
		return func(e *env) value.Value { return value.NewProduct(run(e, factors)...) }
	case *syntax.Function:
		return c.function(e, p, "")
	case *syntax.Functions:
		from, to := c.expr(e.From, p), c.expr(e.To, p)
		return func(e *env) value.Value { return value.NewFunctions(from(e), to(e)) }
	case *syntax.Record:
		return c.record(e, p)
	case *syntax.Except:
		return c.except(e, p)
	case *syntax.Index:
		return c.index(e, p)
	case *syntax.Select:
		return c.selection(e, p)
	case *syntax.Label:
		return c.expr(e.Body, p)
	case *syntax.Square:
		return c.square(e, p).code()
	case *syntax.Fair:
		p.site(e).fail("a fairness condition stands where a value is needed")
	}
	p.site(e).fail("%T is not supported", e)
	return nil
}

// given is the code of a value that is known.
func given(v value.Value) code { return func(*env) value.Value { return v } }

func (c *compiler) exprs(all []syntax.Expr, p place) []code {
	codes := make([]code, len(all))
	for i, e := range all {
		codes[i] = c.expr(e, p)
	}
	return codes
}

// run computes several values.
func run(e *env, codes []code) []value.Value {
	vals := make([]value.Value, len(codes))
	for i, c := range codes {
		vals[i] = c(e)
	}
	return vals
}

func numeral(e *syntax.Numeral, p place) value.Value {
	text, base := e.Text, 10
	if strings.HasPrefix(text, `\`) {
		base = map[byte]int{'b': 2, 'o': 8, 'h': 16}[text[1]|0x20]
		text = text[2:]
	}
	n, err := strconv.ParseInt(text, base, 64)
	if err != nil {
		p.site(e).fail("%s is no integer of 64 bits; others are not supported", e.Text)
	}
	return value.Int(n)
}

// firstOf compiles CASE: the first body whose condition is met, or else OTHER.
func firstOf[T any, F ~func(*env) T](c *compiler, x *syntax.Case, p place, compiled func(body syntax.Expr) F) F {
	var conds []truth
	var bodies []F
	for _, a := range x.Arms {
		conds = append(conds, c.boolean(a.Cond, p))
		bodies = append(bodies, compiled(a.Body))
	}
	var other F
	if x.Other != nil {
		other = compiled(x.Other)
	}
	at := p.site(x)
	return func(e *env) T {
		for i, cond := range conds {
			if cond(e) {
				return bodies[i](e)
			}
		}
		if other == nil {
			at.fail("no case applies, and there is no OTHER")
		}
		return other(e)
	}
}

func (c *compiler) record(x *syntax.Record, p place) code {
	names := make([]string, len(x.Fields))
	vals := make([]code, len(x.Fields))
	for i, f := range x.Fields {
		names[i], vals[i] = f.Name, c.expr(f.Value, p)
	}
	order := sortedBy(names)
	sorted := make([]string, len(names))
	codes := make([]code, len(names))
	for i, k := range order {
		sorted[i], codes[i] = names[k], vals[k]
	}
	if x.Set {
		return func(e *env) value.Value { return value.NewRecords(sorted, run(e, codes)) }
	}
	return func(e *env) value.Value { return value.SortedRecord(sorted, run(e, codes)) }
}

// selection compiles r.name.
func (c *compiler) selection(x *syntax.Select, p place) code {
	rec, name, at := c.expr(x.Rec, p), value.Value(value.String(x.Name)), p.site(x)
	return func(e *env) value.Value {
		r := rec(e)
		e.at = at
		return value.Apply(r, name)
	}
}

// index compiles f[x]. Most often f is a variable, or a part of one, and x a bound
// name.
func (c *compiler) index(x *syntax.Index, p place) code {
	fn, arg, at := c.expr(x.Fn, p), c.key(x.Args, p), p.site(x)
	apply := func(e *env, f, a value.Value) value.Value {
		e.at = at
		return value.Apply(f, a)
	}
	name, ok := c.named(x.Args[0], p).(*local)
	if !ok || len(x.Args) > 1 {
		return func(e *env) value.Value {
			f, a := fn(e), arg(e)
			if v := value.Nth(f, a); v != nil {
				return v
			}
			return apply(e, f, a)
		}
	}
	slot := name.slot
	if v, ok := c.named(x.Fn, p).(*variable); ok && !p.primed {
		i := v.index
		return func(e *env) value.Value {
			f, a := e.cur[i], e.frame[slot]
			if v := value.Nth(f, a); v != nil {
				return v
			}
			if f == nil {
				f = fn(e) // which fails with an error
			}
			return apply(e, f, a)
		}
	}
	return func(e *env) value.Value {
		f, a := fn(e), e.frame[slot]
		if v := value.Nth(f, a); v != nil {
			return v
		}
		return apply(e, f, a)
	}
}

// named returns the variable or bound name that an expression stands for, or nil.
func (c *compiler) named(x syntax.Expr, p place) entity {
	r, ok := x.(*syntax.Ref)
	if !ok {
		return nil
	}
	y, _, _ := resolve(r, p)
	switch y := c.real(y, p).(type) {
	case *local, *variable:
		return y
	case *argument:
		return c.named(y.expr, y.place)
	}
	return nil
}

// truth computes whether an expression is TRUE. Most of a module consists of
// conditions, so they become values only where a value is needed.
type truth func(e *env) bool

// code computes it as a value.
func (t truth) code() code {
	return func(e *env) value.Value { return value.Bool(t(e)) }
}

// truth is for code whose value must be TRUE or FALSE.
func (f code) truth(at *site) truth {
	return func(e *env) bool {
		v := f(e)
		b, ok := v.(value.Bool)
		if !ok {
			at.fail("%s where TRUE or FALSE is expected", value.Brief(v))
		}
		return bool(b)
	}
}

// boolean compiles an expression that must be TRUE or FALSE. Its values are remembered
// if that is worth it.
func (c *compiler) boolean(x syntax.Expr, p place) truth {
	around, first := c.enter(x, p)
	t := c.judged(x, p)
	c.reads = c.reads.beyond(first)
	if q := c.aboutOne(); q != nil {
		t = q.truth(t)
	} else if f, worth := c.remember(t.code()); worth {
		t = f.truth(p.site(x))
	}
	c.leave(around)
	return t
}

// aboutOne returns the condition of c.reads, if it depends on one thing and is to be
// remembered by that; nil otherwise.
func (c *compiler) aboutOne() *remembered {
	r := &c.reads
	if c.spec.naive || c.init || r.open || r.unknown || r.weight < light || r.things() != 1 || len(c.spec.vars) == 1 {
		return nil
	}
	c.latest, c.fixed = r.note(c.spec), false
	return c.latest
}

// judged compiles an expression that must be TRUE or FALSE, without remembering its
// values.
func (c *compiler) judged(x syntax.Expr, p place) truth {
	if c.premises.all != nil {
		f := Formula{x, p}.arrow()
		x, p = f.x, f.p
	}
	switch x := x.(type) {
	case *syntax.Junction:
		return c.junction(x, p)
	case *syntax.Quantified:
		return c.quantified(x, p)
	case *syntax.Square:
		return c.square(x, p)
	case *syntax.If:
		end := c.setAside()
		cond := c.boolean(x.Cond, p)
		end()
		defer c.choice()()
		return either(cond, c.boolean(x.Then, p), c.boolean(x.Else, p))
	case *syntax.Let:
		inner, enter := c.let(x, p)
		return entered(c, enter, c.boolean(x.Body, p.in(inner)))
	case *syntax.Label:
		return c.boolean(x.Body, p)
	case *syntax.Ref:
		if t := c.refTruth(x, p); t != nil {
			return t
		}
	}
	defer c.setAside()()
	return c.evaluated(x, p).truth(p.site(x))
}

// refTruth compiles a name whose definition is a condition; nil for other names.
func (c *compiler) refTruth(x *syntax.Ref, p place) truth {
	y, args, _ := resolve(x, p)
	y = c.real(y, p)
	if n, ok := arityOf(y); !ok || n != len(args) {
		return nil
	}
	switch y := y.(type) {
	case *argument:
		if y.slot < 0 || p.primed {
			return c.boolean(y.expr, y.at(p))
		}
	case *operator:
		if !y.function && !y.recursive && !y.isConstant() {
			inner, enter := c.bind(y, args, p)
			return entered(c, enter, c.boolean(y.body, y.inside(inner, x, p)))
		}
	case *builtin:
		return c.builtinTruth(y, x, args, p)
	}
	return nil
}

// builtinTruth compiles a builtin that returns TRUE or FALSE; nil for others.
func (c *compiler) builtinTruth(b *builtin, x syntax.Expr, args []syntax.Expr, p place) truth {
	switch {
	case b.logic != nil:
		if b.name != "=>" {
			defer c.setAside()()
		}
		return b.logic(c, x, args, p)
	case b.holds == nil:
		return nil
	}
	if b.name == `\subseteq` {
		c.goesThrough(args[0], p)
	}
	v, w, holds, at := c.expr(args[0], p), c.expr(args[1], p), b.holds, p.site(x)
	if w := c.literal(args[1], p); w != nil {
		against := func(e *env, a value.Value) bool {
			e.at = at
			return holds(a, w)
		}
		if text, ok := w.(value.String); ok && (b.name == "=" || b.name == "#") {
			return equals(v, text, b.name == "=", against)
		}
		return func(e *env) bool { return against(e, v(e)) }
	}
	return func(e *env) bool {
		a, b := v(e), w(e)
		e.at = at
		return holds(a, b)
	}
}

// equals compiles v = text, or v # text if is is false. If v is no string, other
// decides.
func equals(v code, text value.String, is bool, other func(e *env, a value.Value) bool) truth {
	return func(e *env) bool {
		a := v(e)
		if s, ok := a.(value.String); ok {
			return (s == text) == is
		}
		return other(e, a)
	}
}

// literal returns the value of a string or number literal, or of the empty sequence;
// nil for other expressions.
func (c *compiler) literal(x syntax.Expr, p place) value.Value {
	switch x := x.(type) {
	case *syntax.Text:
		return value.String(x.Value)
	case *syntax.Numeral:
		return numeral(x, p)
	case *syntax.Tuple:
		if len(x.Elems) == 0 {
			return value.Empty
		}
	}
	return nil
}

// goesThrough adds the weight of iterating over the value of a variable.
func (c *compiler) goesThrough(x syntax.Expr, p place) {
	if r, ok := x.(*syntax.Ref); ok {
		y, _, _ := resolve(r, p)
		if _, ok := c.real(y, p).(*variable); ok {
			c.reads.weight += large
		}
	}
}

// either is IF cond THEN then ELSE other, of a value, a condition or an action.
func either[T any, F ~func(e *env) T](cond truth, then, other F) F {
	return func(e *env) T {
		if cond(e) {
			return then(e)
		}
		return other(e)
	}
}

func (c *compiler) junction(x *syntax.Junction, p place) truth {
	if !x.And {
		defer c.choice()()
	}
	items := make([]truth, len(x.Items))
	for i, item := range x.Items {
		first := len(c.noted())
		items[i] = c.boolean(item, p)
		if and, ok := item.(*syntax.Junction); ok && !x.And && and.And {
			milder(c.noted()[first:])
		}
	}
	and := x.And
	return func(e *env) bool {
		for _, item := range items {
			if item(e) != and {
				return !and
			}
		}
		return and
	}
}

func (c *compiler) square(x *syntax.Square, p place) truth {
	var m *Premise
	if !x.Angle {
		m = c.supposes(x, p, "no step changes the subscript of [A]_v")
	} else {
		defer c.setAside()()
	}
	first := len(c.noted())
	action, same := c.boolean(x.Action, p), c.unchanged(x.Sub, p)
	for _, inner := range c.noted()[first:] {
		inner.Mild = inner.Mild || inner.choice && !inner.set // a step of which an action demands nothing may be rare
	}
	switch {
	case x.Angle:
		return func(e *env) bool { return !same(e) && action(e) }
	case m == nil:
		return func(e *env) bool { return same(e) || action(e) }
	}
	m.Mild = true
	return func(e *env) bool {
		if same(e) {
			return true
		}
		m.meet()
		return action(e)
	}
}

// unchanged compiles x' = x as a condition.
func (c *compiler) unchanged(x syntax.Expr, p place) func(e *env) bool {
	if p.primed {
		p.site(x).fail("an expression is primed twice")
	}
	var befores, afters []code
	at := p.site(x)
	for _, part := range c.divide(Formula{x, p}) {
		befores = append(befores, c.expr(part.x, part.p))
		part = part.primed()
		afters = append(afters, c.expr(part.x, part.p))
	}
	return func(e *env) bool {
		for i, before := range befores {
			v, w := before(e), afters[i](e)
			e.at = at
			if !value.Equal(v, w) {
				return false
			}
		}
		return true
	}
}
