// Package model puts an algorithm into a world, and makes a graph of its states for
// package explore to search.
//
// # The world
//
// A Config is everything that a check assumes: how many processes there are, who begins,
// how messages travel, who may crash, what failure detectors and timers tell. Its zero
// value is the mildest world. A global State is, for each process, its Local state (what
// the algorithm remembers, which timers are armed, whether it is up) and its Inbox (the
// messages in flight to it). Two global states are equal if and only if these are, so
// others can reproduce the counts of states. How many processes have crashed is seen from
// who is down; other faults are counted in the Env, as far as a budget limits them.
//
// A step is one process handling one event, with all its sends; or a crash; or, with
// Split, the first cut short by the second. Messages to a crashed process vanish, unless
// it may come back; messages from it stay in flight. Messages may be lost, copied, or cut
// off by a partition of the network. With clocks, time may advance by a tick (timed.go).
// In lock step, all processes take their turn in one step (rounds.go). The events that the
// world offers are in Reference.events; whether a process takes one is up to its handler.
//
// # Said twice
//
// Reference computes the steps on plain values, and calls the handlers at every step. It
// is the definition, and replays traces.
//
// System computes the same steps from tables. Every local state and every inbox gets a
// number when it is first met, and a global state is these numbers, packed into a few
// words (layout.go). Three things are learned, each once: what a process in a local state
// does with an event (only here does its handler run), what an inbox becomes with a
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
// at in each state, outside the tables: see expander.met.
//
// Symbolic has the same local steps, learned in advance, as events on vectors: one place
// for each local state, and one for the messages to each receiver or of each content. A
// step of the System is a step of exactly one event.
//
// Direct gives the Reference to the same search. Tests compare the two, and both with an
// explorer written by someone else. Lock-step rounds and clocks have no tables yet and use
// Direct, which is some twenty times slower.
//
// Begin to read with config.go, state.go and reference.go, which are the meaning; then
// system.go, tables.go and expand.go, which are the speed.
package model
