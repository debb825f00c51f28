// Package model puts an algorithm into a world and makes a graph of it, for
// package explore to search.
//
// # The world
//
// A Config is everything that a check assumes: how many processes, who begins,
// how messages travel, who may crash, what failure detectors and timers tell.
// Its zero value is the mildest world. A global State is, for each process, its
// Local state (what the algorithm remembers, which timers are armed, whether it
// is up) and its Inbox (what is on its way to it). Two global states are equal
// if and only if these are; nothing else is counted, so the counts are there
// for others to reproduce. How many processes crashed is seen from who is down;
// what else went wrong is counted in the Env, as far as a budget limits it.
//
// A step is one process handling one event, with all its sends; or a crash; or,
// with Split, the one cut short by the other. What a crashed process was sent
// vanishes, unless it may come back; what it sent stays on its way. Messages may
// be lost, copied, or cut off by a division of the network; with clocks, time
// may go on by a tick (timed.go); in lock step all processes take their turn in
// one step (rounds.go). Which events the world offers is told in
// Reference.events; whether the process takes one is up to its handler.
//
// # Said twice
//
// Reference tells all this on plain values and calls the handlers at every
// step. It is the definition, and what replays a trace.
//
// System says the same at the speed of a table. Every local state and every
// inbox that turns up gets a number, and a global state is these numbers, packed
// into a few words (layout). Three things are learned, each once: what a
// process in a local state does with an event (its handler runs only here),
// what an inbox becomes with a message, and what it becomes without. After that
// a step is a few look-ups and changes of bits, and the search never sees a
// handler. The states that the search is at may need something not learned yet;
// then Learn runs, alone, and if a field of the layout overflows all states are
// packed anew.
//
// Where messages are sets and all local steps can be learned before the search,
// the number of an inbox is the set of its messages, and the steps come without
// look-ups of inboxes: see flat. Where each of these messages is in one inbox at a
// time, its place takes fewer bits than the set: see dense.
//
// What a step reads of the world at large (who is live, what is in flight from
// whom) is looked at in each state, outside the tables: see expander.mayHappen.
//
// Symbolic has the same local steps, learned in advance, as events on vectors:
// one place for each local state, one for the messages to each receiver or of
// each content. A step of the System is a step of exactly one event.
//
// Direct gives the Reference to the same search. Tests compare the two, and
// both with an explorer written by someone else. Lock-step rounds and clocks
// have no tables yet and take Direct, which is some twenty times slower.
package model
