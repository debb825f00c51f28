// Package capture writes what processes send each other into packet captures
// and reads it back from captures of any origin: our own, those of tcpdump and
// Wireshark, and live ones from the loopback interface.
//
// A capture of ours is a pcapng file with two interfaces: "sent", what processes
// handed to the network, and "delivered", what the network handed on. The headers
// below our frames (Ethernet, IPv4, UDP or TCP) are made up, with right lengths and
// checksums, so that any tool follows them. The file ends in the counts of packets of
// both interfaces: one without them was cut.
//
// A Reader takes a file apart by packet, a TCP stream by frame, and says of each
// what it is or why it is none. What is behind a capture is not believed: whatever
// a file says, reading it ends in packets and one error, and takes little memory.
//
// Nothing else of ours uses gopacket.
package capture
