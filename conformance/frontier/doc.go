// Package frontier says in which ways one process of an algorithm can stand,
// given what it was seen to send and what was sent to it.
//
// All that is known of a run is a sequence of packets, in the order in which one
// tap saw them. What the processes did between is hidden: which messages they
// handled and when, which timers expired, whom they suspected. A Life is one
// incarnation of one process, with its frontier: every local state that it can be
// in after some hidden steps that explain the packets so far. A packet of the
// process cuts the frontier to the ways that send it; if none is left, nothing
// explains the packet.
//
// # Why each process by itself is enough
//
// Processes act upon each other through messages alone, and every message passes the tap
// before it is delivered. So what a process may have handled when the tap
// sees a packet of it was seen before that packet: it has to be caused by it. The
// order of the tap is thus one in which every message is sent before it is
// handled, and given the packets, what one process does in hiding says nothing of
// what another does. If every Life has an explanation, put their steps
// in the order of the packets, each hidden step just before the packet of its process
// that follows: that is a run of the model (complete: nothing is refused that
// has a run). And of any run of the model that the tap could have seen so, the steps of one
// process are an explanation of its Life (sound: nothing is accepted that has none).
//
// Nothing is judged that the model leaves open: an armed timer may expire at any
// moment, any process may be suspected and the suspicion withdrawn. Who suspects
// wrongly, or waits too short a time, is not found out here.
//
// # Order
//
// The tap may see packets of one process to different receivers in another order
// than they were sent, so the numbers of messages tell the order of sends: what is sent and not
// yet seen is owed. The frontier is not closed under hidden steps: it holds the
// first state on each way that explains the packets so far, and the next packet of the process
// takes it further. Of messages that may overtake each other or be lost, a state is forgotten if
// the same one is reached with fewer of them handled: whoever has more to hear can do all that the
// other can.
package frontier
