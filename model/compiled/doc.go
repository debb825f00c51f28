// Package compiled searches worlds fast. A System computes the steps of a model.Reference from tables.
//
// Every local state and every inbox gets a number when it is first met, and a global state is these
// numbers, packed into a few words (layout.go). Three things are learned, each once: what a process
// in a local state does with an event (only here does its handler run), what an inbox becomes with a
// message, and what it becomes without one. After that a step is a few look-ups and changes
// of bits, and the search never calls a handler. If a state needs something that has not
// been learned yet, Learn runs, alone; if a field of the layout overflows, all states are
// packed again.
//
// Where messages are sets and all local steps can be learned before the search, the number
// of an inbox is the bit set of its messages, and no inbox is looked up: see flat.go. Where
// each of these messages is in one inbox at a time, its place takes fewer bits than the
// set: see dense.go.
//
// What a step depends on beyond that (who is live, what is in flight from whom) is looked
// at in each state, outside the tables: see expander.met. The masks are compiled from the rules
// of the world (enabled.go).
//
// Begin to read with system.go, tables.go and expand.go.
package compiled
