// Package ltl has linear temporal logic over named predicates of states, and its translation
// into automata, for checking liveness. A system has a run on which a formula fails if and only
// if its product with the automaton of the negation has an accepted cycle.
//
// Parse reads a Formula; Holds defines what it means on one run. There is no next operator.
// Without it no formula can tell a run from the same run with some positions repeated, so
// stuttering, and steps that change no predicate of the formula, make no difference.
//
// Automaton translates in three stages. First, a formula becomes a term in negation normal
// form; equal terms are kept once, each beside its negation, and rewritten where a shorter term
// is equivalent. Second, terms become states by the tableau of Gerth, Peled, Vardi and Wolper
// ("Simple on-the-fly automatic verification of linear temporal logic", 1995), with two ideas
// of Couvreur ("On-the-fly verification of linear temporal logic", 1999): a state is identified
// by what it requires of its letter and of the rest of the word, and it is accepting for each
// until that it does not postpone. Third, states that no accepted run needs are removed, and
// equivalent ones merged.
//
// There are no weights and no past operators, and automata are not minimal: labels are on
// states, so an automaton has a few more states than one with labels on transitions. The number
// of states may grow exponentially with the formula.
//
// Begin to read with formula.go, then automaton.go.
package ltl
