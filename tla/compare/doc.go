// Package compare compares TLA+ modules with other versions of the same algorithm, state by
// state.
//
// Algorithm compares a module with a Go algorithm in a world. A Pair says which state of the
// module a state of the Go algorithm is. The two agree if their initial states are the same
// and, from every state that can be reached, the same states follow: this is a bisimulation.
// Otherwise there is a shortest run to the difference, in the terms of both sides.
//
// Visibly compares them by the values of some variables, and leaves out steps that change
// none of these, on either side.
//
// Steps are compared by the states they lead to, not by their names: that a message is
// received here, and handled there, makes no difference.
package compare
