// Package impl is where an algorithm runs for real: the same spec.Machine that
// package model explores, one process of it, on sockets and a clock.
//
//	transport, err := impl.NewUDP(impl.Addresses{Listen: "127.0.0.1:7001", Peers: peers})
//	node, err := impl.New(impl.Config{Machine: bully.Mended, ID: 1, Ring: ring, Transport: transport})
//	err = node.Run(ctx)
//
// One goroutine takes a packet, a timer or a suspicion, calls Machine.Step,
// writes the step to the log, and carries out its effects, in this order. There
// is no second copy of any algorithm here.
//
// # What the model assumes, and what is done for it
//
// Links keep their promise of order, and lose nothing while both ends live: a
// link numbers its messages, wants them acknowledged, and sends them again
// (link.go). It does so for every algorithm, also for those whose model is a bag or a
// set, because a model without losses has none; fifo is one of the orders of a
// bag. Config.Datagrams turns it off, for algorithms that were checked with
// losses, copies and reordering; copies are still dropped.
//
// A process that comes back has a new incarnation. Its peers drop what they
// had sent to the former one and do not know to have arrived: the model's drop,
// of messages to a process that is down. What the former incarnation had sent is
// handled until the new one has shown that it is up (meet.go), as in the model's fifo, where a
// queue outlives its sender; on bare datagrams also after that, as in a bag. A
// crash takes along what it had not sent again: to see that in a model, take losses.
//
// Time is a promise that the network makes: no message takes longer than
// Config.Delta. Timers are checked against it before anything starts, and
// whenever it is seen broken, the log says so (Breach): the assumption failed then,
// not the algorithm. A message says when it was first sent; so the clocks of
// machines have to agree to well within delta, as those of one machine do.
//
// The failure detector counts on delta, too. It is perfect only while delta
// holds; a suspicion that was wrong is a breach.
//
// In lock step, rounds begin at the same moment by everybody's clock. A message
// belongs to the round it was sent in, and one that comes after its round is
// over is dropped, and is a breach.
//
// # What is left out
//
// Byzantine peers, membership that changes, encryption: a key says who may
// speak, not who may listen.
package impl
