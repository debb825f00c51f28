// Package itairodeh is the election on an anonymous ring of A. Itai and M. Rodeh, "Symmetry breaking in
// distributed networks", Information and Computation 88(1), 1990 (first in FOCS 1981), as told by W.
// Fokkink and J. Pang, "Simplifying Itai-Rodeh leader election for anonymous rings", ENTCS 128(6), 2005.
//
// Processes have no names. They know how many they are, and each can send to the next on the ring. In
// each round those that are still active choose identities at random, and send them round the ring. An
// identity that is smaller than that of an active process goes no further; a process that sees a larger
// one becomes passive. A message counts its hops, so a process knows its own when it comes back; and it
// has a bit that says whether an active process had the same identity. If none had, its process is the
// leader; else it begins another round.
//
// Published has round numbers, and does not care in which order messages arrive; they grow without end. Finite
// has none: Fokkink and Pang found that fifo links make them superfluous. So it has finitely many states.
//
// At most one process wins. That one does holds with probability 1 only: processes may choose
// the same again and again, and that is a run, too. No deterministic algorithm elects on such a ring.
package itairodeh
