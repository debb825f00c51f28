// Package certificate writes a pass down, and confirms it without the engines
// that found it.
//
// A certificate is a set of states, written out. If every initial state is in
// the set, and every step out of a state in the set leads to one in the set,
// then the set has every reachable state in it, wherever it came from; and what
// holds everywhere in it holds. That is all that Check looks at, state by
// state, with the handlers called anew at each step by model.Reference: no
// search, no tables, no diagrams, no judgement of Verify. What is left to be
// trusted are the Reference, the predicates of the properties, and this package.
//
// Where no step leads round in a circle, every run comes to rest; with that,
// termination and what holds eventually are confirmed too. The set may have
// more in it than can be reached, so that it proves of no state that it can be
// reached: for a Cover the certificate has a run, which is repeated. How many
// messages runs send is not confirmed, nor is what a bound cuts off.
//
// # The file
//
// A stream of zstd, in which follow one another
//
//	a line of JSON, the Header;
//	a line of JSON for each local state of process 1, for each of its inboxes,
//	    for each local state of process 2, and so on, then for each environment;
//	for each state a row, the numbers of its parts in that order, all of them as
//	    wide as the largest needs, the highest byte first; the rows ascend;
//	the SHA-256 of all this.
//
// Since the rows ascend, a set has one form only, and a state that is in it
// twice is noticed.
package certificate
