// Package strikebully is the Bully election told with three timers, as in
// university lecture notes, after H. Garcia-Molina, "Elections in a distributed
// computing system", IEEE Transactions on Computers C-31(1), 1982.
//
// A process whose coordinator has not responded for T1 sends ELECTION to
// everyone above it, and waits T2 for an ANSWER. Without one it declares itself
// and sends COORDINATOR to everyone below it. With one it waits T3 for a
// COORDINATOR, and begins again if none comes. Whoever receives an ELECTION
// answers it and begins an election of its own.
//
// Published follows the notes to the letter. It begins anew on every ELECTION,
// whether or not it holds an election already, so that elections multiply from
// process to process; the highest process waits T2 for answers that nobody can
// send; and a COORDINATOR from an election long over is believed. The notes
// leave it to a comment that the winner follows itself: here it does.
//
// Mended begins an election only when idle, declares the highest process at
// once, forgets its leader when it begins, and so can tell a stale COORDINATOR.
package strikebully
