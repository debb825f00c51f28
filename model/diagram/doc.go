// Package diagram has a world as events on decision diagrams, of package dd. A System has the local
// steps of a compiled.System, learned in advance, as events on vectors: one place for each local
// state, and one for the messages to each receiver or of each content. A step of the compiled system
// is a step of exactly one event.
//
// An over-approximating System is of a world that can do more: see overapprox.go.
//
// Begin to read with system.go and events.go.
package diagram
