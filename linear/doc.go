// Package linear judges whether a run is linearizable: whether what clients asked of it, and were answered, is
// what one sequential object answers (spec.Object).
//
// A History has the requests of a run, in which steps they were taken, and in which steps they were answered. Of a
// run of a checked world, hand it the steps one after the other (Take, Crash). Of real processes, package
// impl/runcheck makes it from the logs. Judge searches for an order that explains the answers, with the library
// github.com/anishathalye/porcupine.
//
// What is not known is taken neither for a violation nor for its absence:
//
//   - A request without an answer took effect or did not. So did a request whose process crashed. When it is back, it may
//     answer that nevertheless, unless Answers says that it does not.
//   - An answer in the last line of a log, or before a restart, may have been kept back by a kill. If that matters, the run
//     is undecided.
//   - If an output answers one of several requests and nobody knows which, they count as not answered. If some order
//     explains the rest, the history is undecided.
//   - Steps at the same time are in no order.
//   - A log without an end is undecided, unless its process is known to have been killed. So are logs that lack messages
//     that were handled. Answers that no order explains are a violation even so.
//   - Of logs, the times of their lines are the order of their steps. This assumes one clock: that of one machine, which is
//     not set back during the run. Logs in which a message arrives before it is sent are undecided. If the clocks of
//     several machines differ by less than a message takes, nothing shows it.
//
// A request is made when its step takes it, and answered when its step outputs the answer. How long clients
// wait besides is not counted: the object is judged where it meets the processes, as in the model.
package linear
