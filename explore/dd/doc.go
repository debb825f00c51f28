// Package dd holds sets of vectors of small integers as decision diagrams, and searches a graph
// whose states are such vectors.
//
// A Set is the root of a diagram. A node has a level, which is the place in the vector that it
// reads, and an arc for each value that may be there. A Forest keeps each node once, so equal
// sets have equal roots. A set of 10¹² states may have a thousand nodes; the cost of an operation
// depends on the nodes, not on the states.
//
// Steps are Events. An Event reads and changes some places, each independently of the others: it
// is a partial function for each of these places, and it may happen where all of them are
// defined. A function is called only for values that occur, and once for each.
//
// Reach finds everything that can be reached, by one of two strategies that differ only in cost.
// Chain applies one event after the other wherever it can happen, until nothing is new. Saturate
// (Ciardo, Marmorstein, Siminiceanu, "Saturation Unbound", 2003) completes every node before it
// is used in a higher one. When a node has grown, it applies the events to little more than what
// is new.
//
// FairRuns is about infinite runs: it finds the vectors in which a fair run may stay and, in a
// product with an automaton of package ltl, a fair run that the automaton accepts.
//
// Memory is bounded. Nodes that nothing holds any more are collected. If that does not help, or
// the context ends, operations return empty sets and Err says why. A caller holds a set with
// Keep; a set that is not kept may be gone after the next operation.
//
// Begin to read with forest.go, then events.go, where steps and Reach are.
package dd
