package eval

import (
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// asked is what an evaluator knows of the set of which a place in a module asked last
// whether something is its element. What stands inside of quantifiers asks of one set
// again and again: then it is worth an index.
type asked struct {
	set   *value.Set
	times int
	index *value.Index // nil: not yet
}

// fewElements is up to how many elements are as well looked through.
const fewElements = 8

// index returns the index of a set, if a place has asked often enough; or nil.
func (m *memory) index(asker int, of value.Value) *value.Index {
	s, ok := of.(*value.Set)
	if !ok || len(s.Elems) <= fewElements || m == nil || m.naive {
		return nil
	}
	a := placed(&m.asked, asker)
	if a.set != s {
		*a = asked{set: s}
	}
	if a.times++; a.times*8 > len(s.Elems) && a.index == nil {
		a.index = value.NewIndex(s)
	}
	return a.index
}

// member compiles x \in S, or x \notin S if that is is false. A pair is not even made
// where S has an index.
func (c *compiler) member(e syntax.Expr, args []syntax.Expr, is bool, p place) truth {
	c.goesThrough(args[0], p)
	at := p.site(e)
	asker := c.spec.asks
	c.spec.asks++
	if t, ok := args[0].(*syntax.Tuple); ok && len(t.Elems) == 2 {
		x, y, set := c.expr(t.Elems[0], p), c.expr(t.Elems[1], p), c.expr(args[1], p)
		c.reads.weight += weigh(t)
		return func(e *env) bool {
			pair := [2]value.Value{value.Explicit(x(e)), value.Explicit(y(e))}
			of := set(e)
			e.at = at
			if index := e.memory.index(asker, of); index != nil {
				return index.ContainsPair(pair) == is
			}
			return value.Contains(of, value.NewTuple(pair[0], pair[1])) == is
		}
	}
	x, set := c.expr(args[0], p), c.expr(args[1], p)
	constant, site := c.fixed, c.spec.sites
	c.spec.sites++
	return func(e *env) bool {
		v, of := x(e), set(e)
		e.at = at
		if index := e.memory.index(asker, of); index != nil {
			return index.Contains(value.Explicit(v)) == is
		}
		if s, ok := of.(*value.Functions); ok && constant && e.memory.known() != nil {
			return e.memory.amongFunctions(site, s, v) == is
		}
		return value.Contains(of, v) == is
	}
}

// amongFunctions reports whether f is an element of a set of functions, always the same.
// Of a value that many functions take it is remembered whether they may.
func (m *memory) amongFunctions(site int, s *value.Functions, f value.Value) bool {
	t := m.cache(site)
	return s.ContainsIf(f, func(v value.Value) bool {
		n, ok := m.values.Find(v)
		if !ok || value.SelfNumbered(n) {
			return value.Contains(s.To, v)
		}
		k := things{uint64(n), 0}
		if is := t.lookUp(k); is != nil {
			return bool(is.(value.Bool))
		}
		is := value.Contains(s.To, v)
		t.put(k, value.Bool(is))
		return is
	})
}
