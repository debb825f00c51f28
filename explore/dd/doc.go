// Package dd holds sets of vectors of small integers as decision diagrams, and
// searches a graph whose states are such vectors.
//
// A Set is the root of a diagram: a node has a level, the place in the vector
// that it reads, and an arc for each value that may stand there. Equal sets
// have equal roots, for a Forest keeps each node once. A set of 10¹² states may
// have a thousand nodes; what an operation costs goes by nodes, not by states.
//
// Steps are Events. An Event reads and changes some places, each for itself: it
// is a partial function for each of these places, and it may happen where all
// are defined. The functions are asked only for values that turn up, and once.
//
// Reach finds all that can be reached, by one of two strategies that differ in
// nothing but cost. Chain lets one event after the other happen wherever it
// can, until nothing is new. Saturate (Ciardo, Marmorstein, Siminiceanu,
// "Saturation Unbound", 2003) finishes every node before it is used in a higher
// one, and when a node has grown, shows the events little more than what is new.
//
// FairRuns looks at what runs do for ever: in which vectors a fair run may stay,
// and, in product with an automaton of package ltl, a fair run that this accepts.
//
// Memory is bounded: nodes that nothing holds any more are collected, and when
// that does not help, or the context ends, operations return empty sets and Err
// says why. A caller holds a set with Keep; what it does not keep is gone with
// the next operation.
package dd
