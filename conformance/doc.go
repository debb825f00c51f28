// Package conformance is where real runs are compared with what was verified.
//
//	report, err := conformance.CheckLogs(logs, conformance.LogOptions{Find: find, Budget: conformance.AnyFaults})
//
// CheckLogs reads the logs of all processes of a run (impl.Record) and says
// whether they are a behaviour of the algorithm: each step is the one that
// Machine.Step takes from the state before, each message that is handled was sent by a
// step before, and timers, suspicions and restarts come as the model lets them.
//
// # In which order
//
// There is no global clock. The logs are read side by side: a line is
// explained once the sends are that it depends on, and a process that waits for one of
// those lets the others go on. So the lines are explained in an order in which every
// message is sent before it is handled: a linear extension of the vector clocks.
// If all wait, no such order exists. The times in the logs are not looked at.
//
// Each line is looked at once. What is kept is one state for each process, the
// messages that were sent and not handled yet, and a bit for each that was handled.
//
// # What it cannot see
//
// A log that ends too early looks like a crash: the report counts it as one. A
// hash chain without a key shows accidents, and clumsy hands; somebody who
// computes it anew is found out only if what the log then says is no behaviour of
// the algorithm. Times, delays and what a breach says are the word of the
// process. Which process the detector takes for live is taken from the log.
package conformance
