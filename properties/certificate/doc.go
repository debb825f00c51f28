// Package certificate writes a pass down, and confirms it without the engines that found it.
//
// A certificate is a list of states, an inductive invariant. If every initial state is in the
// set, and every step out of a state in the set leads to a state in the set, then the set
// contains every reachable state, wherever it came from; so what holds in all its states holds.
// Check examines just that, state by state, with model.Reference, which calls the handlers at
// each step. It uses no search, no tables, no diagrams, and no judgement of Verify. What remains
// to be trusted are the Reference, the predicates of the properties, and this package.
//
// If the steps form no cycle, every run becomes quiescent; so termination, and what holds eventually,
// are confirmed too. From where a Recoverable can be reached is found by going back from the states that satisfy it. The set may contain states that cannot be reached, so it does not prove any
// state reachable: for a Cover the certificate has a run, which is replayed. How many messages
// runs send is not confirmed, nor is anything beyond a bound.
//
// # The file
//
// A zstd stream of, in this order,
//
//	a line of JSON, the Header;
//	of existing code, a line of JSON for each history that makes local states: see below;
//	a line of JSON for each local state of process 1, for each of its inboxes,
//	    for each local state of process 2, and so on, then for each environment;
//	for each state a row, the numbers of its parts in that order, each in four
//	    bytes, the highest first; the rows ascend;
//	the SHA-256 of all this.
//
// The state of existing code (see package spec/object) is an object, and only the events that led to it make it again. A
// history is a boot of a process from a disk, or goes on with an earlier one by an event. Check repeats them all, and takes only local
// states that come of that. What is taken for granted of the code it puts to the test, as Verify does.
//
// Since the rows ascend, a set has only one form, and a duplicate state is noticed.
package certificate
