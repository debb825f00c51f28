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
// at in each state, outside the tables: see current.met. The masks are compiled from the rules
// of the world (enabled.go).
//
// From the bottom up, the parts are:
//
//	Tables      what is known of one process, by number
//	world       what these share: the algorithm, its configuration, the tables themselves
//	actions     numbers what happens
//	LocalSteps  the tables of all processes: learns them, closes them, finds what may be part of a cycle
//	StepGroup   local steps that differ only in the local state, as diagrams take them
//	reader      looks local steps up while certain processes are live
//	faults      what may happen to messages and the network, and what may cut a step short
//	layout      where the numbers of a state are in its words
//	rowMaker    rows of the tables in the form that a search reads; a lane is where one process is in a state
//	current     the state that is expanded, and what its steps depend on
//	expander    adds the steps out of it, with the help of flat and dense where these forms exist
//	watcher     asks the watches
//	reduction   leaves out steps
//	System      all of these, as explore.Search takes them
package compiled
