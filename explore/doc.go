// Package explore searches a graph of packed integer states. It knows nothing of processes or
// messages: a System gives it states of a few words each and, for a state, the steps that lead
// out of it.
//
// The search is breadth-first and exact. Every state is stored whole, so no hash collision can
// hide one. States are numbered in the order in which they are found, so a level of the search is
// a range of numbers. Storage is a few large arrays without pointers, so the garbage collector
// has nothing to scan. A large hash table grows to the size that the levels so far predict, at
// least twofold and at most eightfold. Parents are not stored: the parent of a state is the
// lowest-numbered state of the level before that has a step to it, and Path finds it again.
//
// A System may learn. Expand only reads, and may run on several goroutines at once. If it needs
// something that has not been learned yet it says so, and the search calls Learn between batches,
// while no Expand runs. So the tables need no locks. Batches do not depend on the number of
// workers, and so neither does anything that the search reports.
//
// # When memory is not enough
//
// With Options.Spill, a search goes on on disk. A level is then a file of states in the order of
// their words, and duplicates are found for a whole level at once, by merging it with all states
// visited before. This order differs from the one in memory: of several states at the least depth
// that have a mark, another may be the first. All counts are the same. Questions that need all
// states in memory, above all the search for cycles, are refused unless no step leads back. The
// files belong to one search of one process, which removes them at its end. If it is killed they
// stay behind, and nobody reads them. A deep graph of narrow levels is slow on disk, since each
// level is compared with all before it, except for blocks that can be skipped.
//
// If even that is too much, Options.Store gives up exactness: for visited states it keeps only
// fingerprints, or bits in an array, and it keeps two levels whole. A violation found in this way
// is real, but a new state may be taken for a visited one, so the search never ends Exhausted.
// Stats.Loss estimates how many states it has omitted. All orders and limits are as in an exact
// search.
//
// # Marks and runs
//
// States have marks: numbered bits that the System sets on a state or a step while it is expanded
// ("this property is false here"). The search remembers the first bearer of each mark, which is
// one at the least depth.
//
// Questions about runs are asked after the search. FairRuns finds the strongly connected
// components in which a fair run may stay, by expanding each state once more. Accepted looks for
// a lasso in the product of these with an automaton. Both work by the numbers of states, so they
// need the states in memory, and four bytes more for each. If there is memory to spare, the
// successors of all states are kept; otherwise each question expands it again.
//
// Begin to read with system.go, then search.go and store.go; liveness.go for runs.
package explore
