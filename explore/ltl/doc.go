// Package ltl has linear temporal logic over named predicates of states, and
// its translation into automata, for checking liveness: a system has a run on
// which a formula fails if its product with the automaton of the negation has a
// cycle that is accepted.
//
// Parse reads a Formula; Holds says what it means on one run. There is no next.
// Without it no formula can tell a run from the same run with some positions
// repeated, so stuttering and steps that the formula does not speak of are free.
//
// Automaton translates in three stages. A formula becomes a term: negations
// inside, equal terms kept once, each beside its negation, rewritten where a
// shorter term says the same. Terms become states by the tableau of Gerth,
// Peled, Vardi and Wolper ("Simple on-the-fly automatic verification of linear
// temporal logic", 1995), with two thoughts of Couvreur ("On-the-fly
// verification of linear temporal logic", 1999): a state is what it asks of its
// letter and of the rest of the word, and is accepting for an until that it does
// not put off. Last, states that no accepted run needs go, and equal ones merge.
//
// What is left out: weights, the past, and the best of automata. Labels sit on
// states, so an automaton has a few states more than one with labels on
// transitions, and the number of states may grow exponentially with the formula.
package ltl
