// Package impl runs one process of an algorithm for real, on sockets and a clock: the
// same spec.Machine that package model explores.
//
//	port, err := transport.NewUDP(transport.Addresses{Listen: "127.0.0.1:7001", Peers: peers})
//	node, err := impl.New(impl.Config{Machine: bully.Mended, ID: 1, Ring: ring, Transport: port})
//	err = node.Run(ctx)
//
// One goroutine takes a packet, a timer or a suspicion, calls Machine.Step, writes the
// step to the log, and carries out its effects, in this order. There is no second copy of
// any algorithm here.
//
// # The assumptions of the model, and how they are kept
//
// Links keep order, and lose nothing while both ends live: a link numbers its messages,
// waits for acknowledgements, and sends again (package link). It does so for every algorithm,
// even if its model's network is a bag or a set: a model without losses loses nothing, and
// fifo is one of the orders of a bag. Config.Datagrams turns it off, for algorithms that
// were checked with losses, copies and reordering; copies are still dropped.
//
// A process that comes back has a new incarnation. Its peers drop the messages to the
// former one that they do not know to have arrived: this is the model's drop of messages
// to a process that is down. Messages from the former incarnation are handled until the
// new one has shown that it is up (link/handshake.go), as in the model's fifo, where a queue outlives
// its sender; on bare datagrams also after that, as in a bag. A crash loses messages that
// the process would have sent again: to see that in a model, take losses.
//
// Time is a promise of the network: no message takes longer than Config.Delta. Timers are
// checked against it before anything starts, and whenever it is seen broken, the log says
// so (Breach): then the assumption failed, not the algorithm. A message says when it was
// first sent, so the clocks of several machines have to agree to well within delta.
//
// The failure detector depends on delta, too. It is perfect only while delta holds; a wrong
// suspicion is a breach.
//
// In lock step, rounds begin at the same moment by every clock. A message belongs to the
// round it was sent in. One that comes after that round is over is dropped, and is a breach.
//
// # What is left out
//
// Byzantine peers, membership that changes, encryption: a key says who may speak, not who
// may listen.
//
// # Where to read
//
// Begin with node.go, the loop, and step.go, a step; then receive.go and package link,
// which is what peers know of each other. A Node is built of parts, each on top of the one
// before: journal.go, network.go, step.go.
package impl
