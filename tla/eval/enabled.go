package eval

import (
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// enabled compiles ENABLED x: whether some next state satisfies an action.
func (c condition) enabled(x syntax.Expr) truth {
	p := c.p
	if p.primed || c.init {
		p.site(x).fail("ENABLED inside of a predicate of initial states, or primed, is not supported")
	}
	p.within = p.sc.module.with
	found := c.slot()
	around := c.reads
	c.reads = reads{}
	do := action{c.compiler, p, nil, func(e *env) bool {
		if !e.changes() {
			return true
		}
		e.frame[found] = value.Bool(true)
		return false
	}}.of(x)
	size := len(c.spec.vars) + len(c.byOperator)
	c.reads.next = 0 // the next values of variables are bound here
	around.add(c.reads)
	c.reads = around
	return func(e *env) bool {
		next, pending := e.next, e.pending
		e.next, e.pending = make([]value.Value, size), nil
		e.frame[found] = value.Bool(false)
		do(e)
		e.next, e.pending = next, pending
		return e.frame[found] == value.Bool(true)
	}
}

// instanceVariables are the variables of instances, inside of ENABLED.
type instanceVariables struct{ byOperator map[entity]*variable }

// own returns what a variable of an instance is inside of ENABLED, or nil for other
// entities. If the instance is around ENABLED and substitutes something for the
// variable, it is a separate variable: the next values of variables are bound inside of
// ENABLED, where nothing is substituted (L. Lamport, Specifying Systems, section 17.8).
// Without a prime, it has the value of the substitute.
func (n *instanceVariables) own(x entity, p place) *variable {
	op, ok := x.(*operator)
	if !ok || op.of == nil || !p.within.inside(op.of) {
		return nil
	}
	v, ok := n.byOperator[op]
	if !ok {
		if n.byOperator == nil {
			n.byOperator = map[entity]*variable{}
		}
		v = &variable{op.name, len(p.sc.module.spec.vars) + len(n.byOperator)}
		n.byOperator[op] = v
	}
	return v
}

// real returns what an entity is at p: primed, a variable of an instance may be one of
// ENABLED.
func (n *instanceVariables) real(x entity, p place) entity {
	if p.primed {
		if v := n.own(x, p); v != nil {
			return v
		}
	}
	return x
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

// divide returns the components of a tuple, through definitions.
func (n *instanceVariables) divide(f Formula) (parts []Formula) {
	switch x := f.x.(type) {
	case *syntax.Tuple:
		for _, elem := range x.Elems {
			parts = append(parts, n.divide(f.inner(elem))...)
		}
		return parts
	case *syntax.Ref:
		if y, _, _ := resolve(x, f.p); n.own(y, f.p) != nil {
			break
		}
		if inner, ok := f.unfolded(); ok {
			return n.divide(inner)
		}
	}
	return []Formula{f}
}
