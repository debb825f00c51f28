// Package logs compares the logs of real runs with what was verified.
//
//	report, err := logs.Check(all, logs.Options{Find: find, Budget: logs.AnyFaults})
//
// Check reads the logs of all processes of a run (runlog.Record) and says whether they are a
// behaviour of the algorithm: each step is the one that Machine.Step takes from the state
// before, each message that is handled was sent by an earlier step, and timers, suspicions and
// restarts come as the model allows.
//
// # In which order logs are read
//
// There is no global clock. The logs are read side by side. A line is explained once the
// sends that it depends on are; a process that waits for one of those lets the others go
// on. So every message is sent before it is handled: the order is a linear extension of
// the vector clocks. If all processes wait, there is no such order. The times in the logs
// are not used.
//
// Each line is looked at once. What is kept is one state for each process, the messages
// that were sent and are not handled yet, and a bit for each that was handled.
//
// # What it cannot see
//
// A log that ends too early looks like a crash, and the report counts it as one. A hash
// chain without a key detects accidents and clumsy changes. If somebody recomputes the
// chain, this is detected only if the log is then no behaviour of the algorithm. For times,
// delays and breaches, the word of the process is taken; and so it is for which processes
// its detector takes for live.
//
// Begin to read with check.go, the logs side by side; process.go, step.go, order.go and link.go
// check a line. The tests are those of package conformance.
package logs
