// Package frontier finds the local states that a process can be in, given the packets that
// it was seen to send and that were sent to it.
//
// All that is known of a run is a sequence of packets, in the order in which one tap saw
// them. The steps in between are hidden: which messages the processes handled and when,
// which timers expired, whom they suspected, which actions they did, and what their handlers chose. A Incarnation is one incarnation of one process. Its
// frontier holds every local state that it can be in after some hidden steps that explain
// the packets so far. A packet of the process reduces the frontier to the ways that send
// it; if none is left, nothing explains the packet.
//
// # Why each process can be looked at by itself
//
// Processes affect each other only through messages, and every message passes the tap before
// it is delivered. So when the tap sees a packet of a process, it has already seen every
// message that the process had handled before it sent that packet. The order of the tap is
// thus one in which every message is sent before it is handled; and given the packets, the
// hidden steps of one process do not depend on those of another.
//
// If every Incarnation has an explanation, put all their steps in the order of the packets, each
// hidden step just before the next packet of its process: that is a run of the model. So
// nothing is accepted that no run of the model explains. Conversely, in every run of the
// model that the tap could have seen so, the steps of each process explain its Incarnation. So
// nothing is refused that has such a run.
//
// What the model leaves open is not judged: an armed timer may expire at any moment, and any
// process may be suspected and the suspicion withdrawn. A wrong suspicion, or a timeout that
// is too short, is not found here.
//
// A client may ask for an action with any value of its type. The declared ones are hidden steps, and others
// cannot be guessed: World.Undeclared says of which processes something may be missing for that.
//
// # Order
//
// The tap may see packets from one process to different receivers in another order than they
// were sent. The numbers of messages give the order of sends; a message that was sent may be
// unseen yet.
//
// The frontier is not closed under hidden steps: on each way it holds the first state that
// explains the packets so far, and the next packet of the process takes it further. Where
// messages may overtake each other or be lost, a state is forgotten if the same state is
// reached with fewer of them handled: with more messages still to come, a process can do
// all that it can do with fewer.
//
// Begin to read with incarnation.go, then way.go and hidden.go.
package frontier
