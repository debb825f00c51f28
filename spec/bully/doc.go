// Package bully is the textbook Bully election, after H. Garcia-Molina,
// "Elections in a distributed computing system", IEEE Transactions on
// Computers C-31(1), 1982, as retold in lecture notes.
//
// A process that finds no live leader challenges everyone above it. Whoever
// hears a challenge answers OK and holds an election of its own. A challenger
// that hears nothing within a timeout declares itself, and tells all others.
//
// Published follows the notes to the letter: it believes any COORDINATOR, and
// having heard OK it waits forever. Mended refuses a coordinator below itself
// and a stale one, forgets its leader when it holds an election, and waits for
// the COORDINATOR no longer than a second timeout. Unguarded is Published
// without the rule that a process already holding an election starts no other.
package bully
