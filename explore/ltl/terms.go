package ltl

import "slices"

// term is the number of a formula in negation normal form. The number with the last bit flipped
// is that of its negation.
type term int

const (
	no  term = 0
	yes term = 1
)

// node is a term's operator and operands. A temporal one is U or R: <>p is
// true U p and []p is false R p. An atom or its negation has its number in a.
type node struct {
	op   op
	a, b term
}

// terms keeps each term once. Comments on conjunctions and untils hold for disjunctions and
// releases as well, by negation; so does the code.
type terms struct {
	nodes   []node
	steady  []bool // seen to be true of a run if and only if it is true of its rest from any position on
	numbers map[node]term
	known   map[[2]term]bool // whether the first entails the second
}

func newTerms() *terms {
	t := &terms{numbers: map[node]term{}, known: map[[2]term]bool{}}
	t.keep(node{op: falsity})
	return t
}

// keep returns the term of false, an atom, & or U. A new one is stored with its negation, which
// is true, a negated atom, | or R.
func (t *terms) keep(n node) term {
	if x, ok := t.numbers[n]; ok {
		return x
	}
	negation := node{opposite[n.op], n.a ^ 1, n.b ^ 1}
	switch n.op {
	case falsity, atom, not:
		negation.a, negation.b = n.a, n.b
	}
	x := term(len(t.nodes))
	steady := t.speaksOfInfinity(n)
	t.nodes = append(t.nodes, n, negation)
	t.steady = append(t.steady, steady, steady)
	t.numbers[n], t.numbers[negation] = x, x^1
	return x
}

// speaksOfInfinity computes steady for false, an atom, & or U.
func (t *terms) speaksOfInfinity(n node) bool {
	switch n.op {
	case falsity:
		return true
	case and:
		return t.steady[n.a] && t.steady[n.b]
	case until: // <>[]p
		inner := t.nodes[n.b]
		return n.a == yes && inner.op == release && inner.a == no
	}
	return false
}

var opposite = map[op]op{
	truth: falsity, falsity: truth, atom: not, not: atom,
	and: or, or: and, until: release, release: until,
}

// of returns the term of a formula. The number of an atom is its index in atoms.
func (t *terms) of(f *Formula, atoms []string) term {
	args := make([]term, len(f.args))
	for i, g := range f.args {
		args[i] = t.of(g, atoms)
	}
	switch f.op {
	case falsity:
		return no
	case atom:
		return t.keep(node{op: atom, a: term(slices.Index(atoms, f.name))})
	case not:
		return args[0] ^ 1
	case and:
		return t.and(args...)
	case or:
		return t.or(args...)
	case implies:
		return t.or(args[0]^1, args[1])
	case iff:
		return t.or(t.and(args[0], args[1]), t.and(args[0]^1, args[1]^1))
	case eventually:
		return t.until(yes, args[0])
	case always:
		return t.release(no, args[0])
	case until:
		return t.until(args[0], args[1])
	case release:
		return t.release(args[0], args[1])
	case weakUntil:
		return t.release(args[1], t.or(args[0], args[1]))
	case leadsTo:
		return t.release(no, t.or(args[0]^1, t.until(yes, args[1])))
	}
	return yes
}

func (t *terms) or(xs ...term) term { return t.and(negations(xs)...) ^ 1 }

func (t *terms) release(x, y term) term { return t.until(x^1, y^1) ^ 1 }

func negations(xs []term) []term {
	negated := slices.Clone(xs)
	for i := range negated {
		negated[i] ^= 1
	}
	return negated
}

// and returns the conjunction of terms, without those that another one entails.
func (t *terms) and(xs ...term) term {
	xs = t.gather(t.flat(and, xs))
	for i := 0; i < len(xs); {
		others := slices.Delete(slices.Clone(xs), i, i+1)
		switch {
		case xs[i] == no || t.oneEntails(others, xs[i]^1):
			return no
		case xs[i] == yes || t.oneEntails(others, xs[i]):
			xs = others
		default:
			i++
		}
	}
	if len(xs) == 0 {
		return yes
	}
	whole := xs[0]
	for _, x := range xs[1:] {
		whole = t.keep(node{and, whole, x})
	}
	return whole
}

// flat returns the operands of & or |, and the operands of those with the same operator, sorted
// and each once.
func (t *terms) flat(o op, xs []term) []term {
	var operands []term
	for _, x := range xs {
		if n := t.nodes[x]; n.op == o {
			operands = append(operands, t.flat(o, []term{n.a, n.b})...)
		} else {
			operands = append(operands, x)
		}
	}
	slices.Sort(operands)
	return slices.Compact(operands)
}

// gather replaces []p and []q in a conjunction by [](p & q).
func (t *terms) gather(xs []term) []term {
	var bodies, rest []term
	for _, x := range xs {
		if n := t.nodes[x]; n.op == release && n.a == no && !t.steady[x] {
			bodies = append(bodies, n.b)
		} else {
			rest = append(rest, x)
		}
	}
	if len(bodies) < 2 {
		return xs
	}
	rest = append(rest, t.release(no, t.and(bodies...)))
	slices.Sort(rest)
	return rest
}

// until returns x U y, or a shorter equivalent.
func (t *terms) until(x, y term) term {
	n := t.nodes[y]
	switch end := t.ends(y); {
	case t.entails(x, y), t.steady[y]:
		return y
	case n.op == until && t.entails(x, n.a): // p U (p U q)
		return y
	case x == yes && end != y: // <>(p | q U r)
		return t.until(yes, end)
	}
	return t.keep(node{until, x, y})
}

// ends returns the disjunction x with each p U q in it replaced by q.
func (t *terms) ends(x term) term {
	xs := t.flat(or, []term{x})
	for i, x := range xs {
		if n := t.nodes[x]; n.op == until {
			xs[i] = n.b
		}
	}
	return t.or(xs...)
}

func (t *terms) oneEntails(xs []term, y term) bool {
	return slices.ContainsFunc(xs, func(x term) bool { return t.entails(x, y) })
}

// entails reports whether y is seen to hold wherever x does. It may say false though y does.
func (t *terms) entails(x, y term) bool {
	if x == y || x == no || y == yes {
		return true
	}
	pair := [2]term{x, y}
	result, ok := t.known[pair]
	if !ok {
		result = t.entailsParts(x, y) || t.entailsParts(y^1, x^1)
		t.known[pair] = result
	}
	return result
}

// entailsParts decides by the operands of y.
func (t *terms) entailsParts(x, y term) bool {
	m, n := t.nodes[x], t.nodes[y]
	same := func() bool { return m.op == n.op && t.entails(m.a, n.a) && t.entails(m.b, n.b) }
	switch n.op {
	case and:
		return t.entails(x, n.a) && t.entails(x, n.b)
	case or:
		return t.entails(x, n.a) || t.entails(x, n.b)
	case until:
		return same() || t.entails(x, n.b)
	case release:
		return same() || t.entails(x, n.a) && t.entails(x, n.b)
	}
	return false
}
