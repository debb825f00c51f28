// Package link is the two ends of what messages go through between two processes, each of
// which may crash and come back: sequence numbers and retransmission (Link), which
// incarnations of a peer there are (Peer), and the handshake in which the two meet. It has
// neither clock nor socket nor log, and knows nothing of algorithms.
//
// Begin with incarnations.go.
package link
