package eval

import (
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// enabled compiles ENABLED x: whether some next state satisfies an action.
func (c *compiler) enabled(x syntax.Expr, p place) truth {
	if p.primed || c.init {
		p.site(x).fail("ENABLED inside of a predicate of initial states, or primed, is not supported")
	}
	p.within = p.sc.module.with
	found := c.slot()
	around := c.reads
	c.reads = reads{}
	do := c.action(x, p, nil, func(e *env) bool {
		e.frame[found] = value.Bool(true)
		return false
	})
	size := len(c.spec.vars) + len(c.virtual)
	c.reads.next = 0 // the next values of variables are bound here
	around.add(c.reads)
	c.reads = around
	return func(e *env) bool {
		next := e.next
		e.next = make([]value.Value, size)
		e.frame[found] = value.Bool(false)
		do(e)
		e.next = next
		return e.frame[found] == value.Bool(true)
	}
}

// own returns what a variable of an instance is inside of ENABLED, or nil for other
// entities. If the instance is around ENABLED and substitutes something for the
// variable, it is a separate variable: the next values of variables are bound inside of
// ENABLED, where nothing is substituted (L. Lamport, Specifying Systems, section 17.8).
// Without a prime, it has the value of the substitute.
func (c *compiler) own(x entity, p place) *variable {
	op, ok := x.(*operator)
	if !ok || op.of == nil || !p.within.inside(op.of) {
		return nil
	}
	v, ok := c.virtual[op]
	if !ok {
		if c.virtual == nil {
			c.virtual = map[entity]*variable{}
		}
		v = &variable{op.name, len(c.spec.vars) + len(c.virtual)}
		c.virtual[op] = v
	}
	return v
}

// inside reports whether a substitution is inside of another, or is the other.
func (s *substitution) inside(of *substitution) bool {
	for ; s != nil; s = s.around {
		if s == of {
			return true
		}
	}
	return false
}

// real returns what an entity is at p: primed, a variable of an instance may be one of
// ENABLED.
func (c *compiler) real(x entity, p place) entity {
	if p.primed {
		if v := c.own(x, p); v != nil {
			return v
		}
	}
	return x
}
