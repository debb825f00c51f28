// Package compare holds TLA+ modules against other tellings of the same
// algorithm, state by state.
//
// Algorithm compares a module with a Go algorithm in a world. A Pair says which
// state of the module a state of the Go algorithm is. The two agree, which is to
// say that this is a bisimulation, if the initial states are the same and, out of
// every state that can be reached, the same states are. Otherwise there is a
// shortest run to where they part, told in the words of both sides.
//
// Visibly compares them by what is seen of some variables, and leaves out steps that
// change nothing of that, on either side.
//
// Steps are compared by where they lead, not by their names: that a message is
// received here, and handled there, is the same thing.
package compare
