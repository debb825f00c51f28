// Package explore searches a graph of packed integer states. It knows nothing
// of processes or messages: a System hands it states of a few words each and,
// for a state, the steps that lead out of it.
//
// The search is breadth-first and exact. Every state is stored whole, so no
// collision of hashes can hide one, and states are numbered in the order in
// which they are found; a level of the search is a range of numbers. Storage is
// a few large arrays without pointers: the garbage collector has nothing to
// scan. The table that finds states again, once it is large, grows to as many as
// the levels so far foretell, at least twofold and at most eightfold. Parents are
// not stored: the parent of a state is the lowest-numbered state of the level
// before that has a step to it, and Path finds it again.
//
// A System may learn. Expand only reads and may run on several goroutines at
// once; where it meets something that it has not learned yet it says so, and
// the search calls Learn, alone, between batches. So the tables need no locks,
// and since the batches do not depend on the number of workers, neither does
// anything that the search reports.
//
// Where the memory ends, a search may go on on disk (Options.Spill). A level is
// then a file of states in the order of their words, and duplicates are found
// not one by one but for a whole level at once, by merging it with all that was
// visited before. That order is another than the one in memory, so of several
// bearers of a mark at the least depth another may come first; all counts are the
// same. What takes every state at hand, a look for cycles above all, is refused
// unless no step leads back. The files belong to one search of one process, which
// removes them at its end; if it is killed they stay behind, and nobody reads
// them. A deep graph of narrow levels is slow on disk: each level is compared
// with all before, as far as blocks cannot be skipped.
//
// Where even that is too much, Options.Store gives up exactness: of states that
// were visited it keeps fingerprints, or bits in an array, and only two levels
// whole. What it finds is found, but it may have taken a new state for one that
// it had visited, so that its search never ends Exhausted: Stats.Loss estimates
// how many states it has omitted. All orders and limits are as in an exact search.
//
// What is true of runs, not of states, is asked afterwards: FairRuns finds the
// strongly connected components in which a fair run may stay, by expanding each
// state once more, and Accepted looks in the product of these with an automaton
// for a lasso. That is so by number of state, so it takes the states in memory, and
// four bytes more for each; if there is memory, what was seen of a state is kept,
// else each question expands it anew.
//
// States carry marks, numbered bits that the System sets on a state or a step
// while it is expanded ("this property is false here"). The search remembers
// the first bearer of each mark, which is one at the least depth.
package explore
