// Package model says what it means to put an algorithm into a world.
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
// off by a partition of the network. With clocks, time may advance by a tick (timers.go).
// In lock step, all processes take their turn in one step (rounds.go).
//
// What the world lets happen is data: see Rules. Whether a process takes an event is up to its handler.
//
// # Said several times
//
// Reference computes the steps on plain values, and calls the handlers at every step. It
// is the definition, and replays traces. Interpreted gives it to package explore for a search.
//
// Package compiled computes the same steps from tables, and package diagram has them as events on
// decision diagrams. Tests compare the three, and the first two with an explorer written by
// someone else. Lock-step rounds and clocks have neither yet and are interpreted, which is some
// twenty times slower.
//
// Begin to read with config.go, state.go, rules.go and reference.go.
package model
