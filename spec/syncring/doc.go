// Package syncring is the ring election of E. Chang and R. Roberts, "An improved
// algorithm for decentralized extrema-finding in circular configurations of
// processes", CACM 22(5), 1979, as the program that university lecture notes
// make of it.
//
// Every process sends a vote for itself to the next. Each swallows the votes
// that are smaller than its own ID and passes the larger ones on, so that only
// the largest comes all the way round. Then it goes round once more, decided:
// whoever reads it knows the leader, passes it on and returns.
//
// Published runs the program in lock-step rounds, as the notes do; Asynchronous
// runs the same program on messages that take their time.
//
// The program is not quite the prose beside it, where a process joins when a
// vote reaches it: here everybody votes, also one that has passed a larger vote
// on already. One that has returned reads nothing any more, so there is one
// election and no other. Nothing is done about crashes.
package syncring
