// Package drive makes real processes do what a model does, one thing at a time,
// and sees whether they do the same.
//
//	report, err := drive.Cover(ctx, changroberts.Classic, model.Config{N: 3}, drive.Options{})
//
// The processes are nodes of package impl, each with a UDP socket on loopback, a
// log and, where the world has recoveries, a folder of stable storage. What
// each takes for the addresses of its peers are sockets of the driver, which is
// their network: nothing arrives that it does not pass on. It is their clock as
// well: they are told to reckon with delays of an hour, so that nothing they wait for
// comes by itself, and get the cue when it shall (impl.Cue). A crash is
// that: the process can neither send nor log from then on.
//
// After each step everything is compared: what the process logged, the frames that
// came to the driver, decoded, the states, leaders and armed timers of all
// processes, and what is on its way. Before that a process is asked for a sign of life, which
// comes after all that it had to send, so nothing comes late.
//
// # What is covered
//
// Cover explores the model and takes a set of runs that goes through every class of
// local steps: a process, its local state, and what it handles there, which decide
// what it does. Not everything that the model does can real processes be made to
// do; those steps are left out, and what cannot be reached without them is listed
// with the reason. The model has more behaviours than the runtime there, not fewer: links
// never copy, and nothing that was sent to a former life arrives in the next.
//
// # What it cannot see
//
// Model and process share the handlers, so that it says nothing of the algorithm:
// it tests what is around them. The lengths of timers, the detector's deadlines and
// the repetition of lost frames are not looked at here; lockstep does that.
package drive
