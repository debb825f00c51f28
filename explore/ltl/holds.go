package ltl

import "slices"

// Holds reports whether f holds of the run whose letters are numbered from 0 to length-1 and then
// again from loop to length-1, forever; at reports whether the letter with number i has an atom.
// It evaluates the operators by their definitions, without an automaton.
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

// values returns, for each position, whether f holds from there on. This is the least fixed point
// for eventually and until, and the greatest for always, weak until and release.
func (l lasso) values(f *Formula) []bool {
	args := make([][]bool, len(f.args))
	for n, g := range f.args {
		args[n] = l.values(g)
	}
	if f.op == leadsTo {
		return l.values(Always(Implies(f.args[0], Eventually(f.args[1]))))
	}
	stays := f.op == always || f.op == weakUntil || f.op == release
	values := slices.Repeat([]bool{stays}, l.length)
	for range 2 { // backwards, and once more for what goes round the loop
		next := values[l.loop]
		for i := l.length - 1; i >= 0; i-- {
			next = l.value(f, i, func(n int) bool { return args[n][i] }, next)
			values[i] = next
		}
	}
	return values
}

// value returns whether f holds from position i on, given whether its operands
// do, and whether f does from the next position on.
func (l lasso) value(f *Formula, i int, arg func(n int) bool, next bool) bool {
	switch f.op {
	case truth:
		return true
	case atom:
		return l.at(i, f.name)
	case not:
		return !arg(0)
	case implies:
		return !arg(0) || arg(1)
	case iff:
		return arg(0) == arg(1)
	case eventually:
		return arg(0) || next
	case always:
		return arg(0) && next
	case until, weakUntil:
		return arg(1) || arg(0) && next
	case release:
		return arg(1) && (arg(0) || next)
	}
	for n := range f.args { // of & and |
		if arg(n) == (f.op == or) {
			return f.op == or
		}
	}
	return f.op == and
}
