// Package syncbully is the Bully election, after H. Garcia-Molina, "Elections in
// a distributed computing system", IEEE Transactions on Computers C-31(1), 1982,
// as the program in synchronous rounds that university lecture notes make of it.
//
// In the first round every process challenges everyone above it. Whoever hears
// from below answers; whoever hears from above shuts up. A process that hears
// nothing for a while, and need not shut up, tells all others that it leads, and
// returns.
//
// Published is that program as printed, with all that it gets wrong:
//
//   - "A while" is one round after the first. A challenge and its answer take
//     two, so that nobody has been answered when the deadline passes.
//   - A process begins its election once and never again: told to begin anew
//     when everyone above it has fallen silent, it sends nothing. It declares
//     itself after one more silent round instead.
//   - Largest is whoever has the largest ID of all, up or down. Its answer to a
//     challenge is decided already, before anything is.
//   - A branch that would begin an election by a misspelt name can never be
//     reached, and is left out here.
//   - A process that has returned is mute. Whoever still asks it hears nothing.
//   - A decided vote from below is answered, like any other from below.
//
// Deadline2 is Published with the deadline mended, and nothing else: it is two
// rounds. Mended is the same idea done with care.
package syncbully
