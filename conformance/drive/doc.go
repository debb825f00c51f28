// Package drive makes real processes take the steps of a model, one at a time, and compares
// what they do with it.
//
//	report, err := drive.Cover(ctx, changroberts.Classic, model.Config{N: 3}, drive.Options{})
//
// The processes are nodes of package impl, each with a UDP socket on loopback, a log and,
// where the world has recoveries, a folder of stable storage. The addresses that a process
// has for its peers belong to sockets of the driver. So the driver is the network: nothing
// arrives that it does not pass on. It is the clock, too: the processes are configured for
// delays of an hour, so that no timer of theirs expires by itself, and the driver tells
// them when one does (impl.Trigger). After a crash a process neither sends nor logs.
//
// After each step everything is compared: what the process logged, the decoded frames that
// came to the driver, the states, leaders and armed timers of all processes, and the
// messages in flight. Before that, the process is asked for a sign of life, which comes
// after everything that it had to send, so nothing comes late. The states in which
// processes begin are compared, too.
//
// # What is covered
//
// Cover explores the model and chooses runs that go through every class of local steps. A
// class is a process, its local state, and what it handles there; together these decide
// what it does. Some steps of the model cannot be forced on real processes. They are left
// out, and what cannot be reached without them is listed with the reason. In those places
// the model has more behaviours than the runtime, not fewer: links never copy, and nothing
// that was sent to a former incarnation arrives in the next.
//
// What a process refuses in the model is no step of it. At the end of a run each process is given
// what it refuses there, and has to refuse it, too.
//
// # What it cannot see
//
// Model and process share the handlers, so this says nothing about the algorithm: it tests
// what is around it. Not tested here are the lengths of timers, the deadlines of the
// detector and the retransmission of lost frames; package lockstep does that.
//
// Begin to read with drive.go, then testbed.go and listen.go (the processes), and compare.go.
package drive
