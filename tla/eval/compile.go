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
	case *syntax.Junction, *syntax.Quantified, *syntax.Square:
		return condition{c, p}.of(e).code()
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

// boolean compiles an expression that must be TRUE or FALSE. Its values are remembered
// if that is worth it.
func (c *compiler) boolean(x syntax.Expr, p place) truth {
	around, first := c.enter(x, p)
	t := condition{c, p}.of(x)
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
