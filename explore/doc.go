// Package explore searches a graph of packed integer states. It knows nothing
// of processes or messages: a System hands it states of a few words each and,
// for a state, the steps that lead out of it.
//
// The search is breadth-first and exact. Every state is stored whole, so no
// collision of hashes can hide one, and states are numbered in the order in
// which they are found; a level of the search is a range of numbers. Storage is
// a few large arrays without pointers: the garbage collector has nothing to
// scan. Parents are not stored: the parent of a state is the lowest-numbered
// state of the level before that has a step to it, and Path finds it again.
//
// A System may learn. Expand only reads and may run on several goroutines at
// once; where it meets something that it has not learned yet it says so, and
// the search calls Learn, alone, between batches. So the tables need no locks,
// and since the batches do not depend on the number of workers, neither does
// anything that the search reports.
//
// States carry marks, numbered bits that the System sets on a state or a step
// while it is expanded ("this property is false here"). The search remembers
// the first bearer of each mark, which is one at the least depth.
package explore
