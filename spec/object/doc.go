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
// A func is in a text by its name; what it captures is not. Nor are variables of packages, what is shared by pointers
// into the middle of something, the capacity of slices and what they share, the content of channels (which are refused), the time and
// chance. Audits find much of that, and fields of Ignore that do matter: other histories with the same text
// take the same steps, and have to do the same. They are samples, and so a pass names what it assumes.
package object
