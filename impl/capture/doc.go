// Package capture writes what processes send each other into packet captures. It reads
// captures of any origin: our own, those of tcpdump and Wireshark, and live ones from the
// loopback interface.
//
// A capture of ours is a pcapng file with two interfaces: "sent", what processes handed to
// the network, and "delivered", what the network handed on. The headers below our frames
// (Ethernet, IPv4, UDP or TCP) are made up, with right lengths and checksums, so that any
// tool can follow them. The file ends in the counts of packets of both interfaces: one
// without them was cut.
//
// A Reader splits a file into packets, and a TCP stream into frames. It says of each what it
// is, or why it is no frame. Captures are not trusted: whatever a file contains, reading it
// ends in packets and one error, and takes little memory.
//
// Nothing else of ours uses gopacket.
package capture
