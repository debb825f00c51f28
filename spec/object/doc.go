// Package object puts existing Go code under a checker, unchanged: a core whose state is in pointers, maps and unexported
// fields, and that is handed its events one by one, as the RawNode of a Raft is.
//
// A Code says how such an object boots from its disk, handles an event, and what of it is for others to see. A state of the
// process is the canonical text of its object, by reflection: objects with the same text are the same. An object is never
// copied. It is made again by handing the events that once led to its state to one that boots. So the code is called once
// for each step of one process, and all combinations of processes, losses and crashes go by tables.
//
// # What a text cannot see
//
// A func is in a text by its name: neither what it captures nor the types of a generic one are. Nor are
// variables of packages, pointers into the middle of something, the capacity of slices and what they share, the bits of a NaN, the time,
// chance, the order in which a map is walked through, and what goroutines do later. Channels, unsafe pointers and numbers that stand
// for pointers are refused.
//
// Two things find much of that. Steps are taken twice: that finds time, chance, maps and most variables of
// packages. And audits let other histories that lead to the same text take the same steps, which have to come out the same: that
// finds what tells two objects apart that one history did not lead to, and fields of Ignore that do matter. TestHideouts has an example of each.
//
// Neither finds all. A history goes its own way for its last sixteen events only, and four are tried; besides there are some
// hundred walks of up to sixty-four events. A goroutine may do something after its object is no longer used. So a pass names
// what it assumes, and in how many tests that held.
package object
