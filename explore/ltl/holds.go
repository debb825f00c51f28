package ltl

// Holds reports whether f holds of the run whose letters are numbered from 0 to
// length-1 and then again from loop to length-1, for ever; at reports whether
// the letter with number i has an atom. It goes by what the operators mean, not
// by an automaton.
func (f *Formula) Holds(length, loop int, at func(i int, atom string) bool) bool {
	if loop < 0 || loop >= length {
		panic("ltl: the loop of a run starts outside of it")
	}
	return lasso{length, loop, at}.values(f)[0]
}

// lasso is a run that comes back to the position loop.
type lasso struct {
	length, loop int
	at           func(i int, atom string) bool
}

// values returns, for each position, whether f holds from there on.
func (l lasso) values(f *Formula) []bool {
	args := make([][]bool, len(f.args))
	for i, g := range f.args {
		args[i] = l.values(g)
	}
	arg := func(n, i int) bool { return args[n][i] }
	switch f.op {
	case eventually:
		return l.least(func(i int, next bool) bool { return arg(0, i) || next })
	case until:
		return l.least(func(i int, next bool) bool { return arg(1, i) || arg(0, i) && next })
	case always:
		return l.greatest(func(i int, next bool) bool { return arg(0, i) && next })
	case weakUntil:
		return l.greatest(func(i int, next bool) bool { return arg(1, i) || arg(0, i) && next })
	case release:
		return l.greatest(func(i int, next bool) bool { return arg(1, i) && (arg(0, i) || next) })
	case leadsTo:
		return l.values(Always(Implies(f.args[0], Eventually(f.args[1]))))
	}
	values := make([]bool, l.length)
	for i := range values {
		values[i] = f.now(func(n int) bool { return arg(n, i) }, func() bool { return l.at(i, f.name) })
	}
	return values
}

// now gives the value of a formula without temporal operator of its own, from
// those of its operands at the same position.
func (f *Formula) now(arg func(n int) bool, atomic func() bool) bool {
	switch f.op {
	case truth, falsity:
		return f.op == truth
	case atom:
		return atomic()
	case not:
		return !arg(0)
	case implies:
		return !arg(0) || arg(1)
	case iff:
		return arg(0) == arg(1)
	}
	for n := range f.args {
		if arg(n) == (f.op == or) {
			return f.op == or
		}
	}
	return f.op == and
}

// least returns the least values with v[i] = step(i, v[i+1]).
func (l lasso) least(step func(i int, next bool) bool) []bool {
	return l.solve(make([]bool, l.length), step)
}

// greatest returns the greatest values with v[i] = step(i, v[i+1]).
func (l lasso) greatest(step func(i int, next bool) bool) []bool {
	v := make([]bool, l.length)
	for i := range v {
		v[i] = true
	}
	return l.solve(v, step)
}

// solve goes backwards over the run, and once more for what went round the loop.
func (l lasso) solve(v []bool, step func(i int, next bool) bool) []bool {
	for range 2 {
		next := v[l.loop]
		for i := l.length - 1; i >= 0; i-- {
			v[i] = step(i, next)
			next = v[i]
		}
	}
	return v
}
