package eval

import (
	"maps"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// enabled compiles ENABLED x: whether some next state satisfies an action.
func (c *compiler) enabled(x syntax.Expr, p place) truth {
	if p.primed || c.init {
		c.site(x, p).fail("ENABLED inside of a predicate of initial states, or primed, is not supported")
	}
	found := c.slot()
	before, around := c.virtual, c.reads
	c.reads = reads{}
	inside, vals := c.virtually(x, p)
	c.virtual = inside
	do := c.action(x, p, nil, func(e *env) bool {
		e.frame[found] = value.Bool(true)
		return false
	})
	c.virtual = before
	// What a step makes of variables is bound here, and so are variables of its own.
	c.reads.next = 0
	c.reads.cur &= 1<<(len(c.spec.vars)+len(before)) - 1
	around.add(c.reads)
	c.reads = around
	return func(e *env) bool {
		cur, next := e.cur, e.next
		if len(vals) > 0 {
			e.cur = append(cur[:len(cur):len(cur)], run(e, vals)...)
		}
		e.next = make([]value.Value, len(e.cur))
		e.frame[found] = value.Bool(false)
		do(e)
		e.cur, e.next = cur, next
		return e.frame[found] == value.Bool(true)
	}
}

// virtually is how ENABLED sees the variables of an instance that expressions are
// put in place of: as variables of their own, which begin with the values of these
// expressions. For what a step could make of them is bound inside of ENABLED, where
// nothing is put in place of anything (L. Lamport, Specifying Systems, section 17.8).
func (c *compiler) virtually(x syntax.Expr, p place) (inside map[entity]*variable, vals []code) {
	inside = maps.Clone(c.virtual)
	m := p.sc.module
	for _, name := range c.spec.variablesOf(m.tree) {
		y := m.scope.lookup(name)
		if _, plain := y.(*variable); plain || y == nil || inside[y] != nil {
			continue
		}
		if inside == nil {
			inside = map[entity]*variable{}
		}
		vals = append(vals, c.apply(y, name, x, nil, p))
		inside[y] = &variable{name, len(c.spec.vars) + len(inside)}
	}
	return inside, vals
}

// real returns what an entity is here: a variable of its own, if ENABLED sees it so.
func (c *compiler) real(x entity) entity {
	if v, ok := c.virtual[x]; ok {
		return v
	}
	return x
}
