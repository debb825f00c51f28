// Package picture draws runs. Of turns a run into a Picture, which is plain data: a lane for each
// process, its events, where each message comes from and what becomes of it, and which leader
// each process follows after each step. Every drawing is made from that:
//
//	Text     a sequence diagram for a terminal
//	Mermaid  one in the language of Mermaid, which GitHub draws
//	SVG      a space-time diagram that stands alone
//	ShiViz   a log with vector clocks
//	DOT      a graph of causes and effects, for Graphviz
//
// A Picture has JSON tags, for pages that draw it themselves.
//
// Begin to read with picture.go and of.go; each drawing has a file of its own.
package picture
