// Package twophasecommit is two-phase commit, after J. Gray, "Notes on data base operating systems",
// 1978, and P. Bernstein, V. Hadzilacos, N. Goodman, "Concurrency control and recovery in database
// systems", 1987, chapter 7.
//
// Process 1 coordinates; all others are participants. When a client asks for it, the coordinator
// asks the participants to PREPARE. Each votes as it likes. If all vote YES, the coordinator
// commits, else it aborts, and so it does if a vote does not come in time. Then it tells the others.
// Whoever has voted YES is uncertain until it learns the outcome. What a process has voted and
// decided is in its log, which a crash does not wipe out.
//
// Published is the basic protocol: a participant that is uncertain waits for the coordinator.
// Mended is the same with cooperative termination, also of that book: it asks all others, and whoever
// knows the outcome, or has not voted and so may still abort, answers.
//
// No process decides anything but what all others decide, in either variant. Both block if the
// coordinator is down and all others are uncertain. No protocol of two phases avoids that.
package twophasecommit
