// Package paxos is single-decree Paxos, after L. Lamport, "Paxos made simple", ACM SIGACT News 32(4),
// 2001: processes agree on one of the values that clients propose.
//
// Every process is a proposer, an acceptor and a learner. A proposer begins a ballot, with a number that no other
// uses: it asks the acceptors to promise that they accept nothing in smaller ballots. With its promise
// an acceptor tells what it has accepted in the largest ballot so far. When a majority has promised, the
// proposer asks the acceptors to accept the value of the largest of those ballots, or that of its own client if there is
// none. A value that a majority accepts in one ballot is chosen, and the proposer tells the learners. A proposer that
// waits too long begins another ballot, larger than any it has heard of.
//
// SingleDecree is that. An acceptor keeps on stable storage what it has promised and accepted, and a proposer the
// largest ballot that it has begun. Volatile keeps nothing, as do programs that leave this sentence of the paper out.
// It agrees as long as nobody comes back after a crash.
//
// Two proposers may outbid each other forever, so it is not certain that anything is chosen. No
// deterministic algorithm could ensure that if nothing is known about time.
package paxos
