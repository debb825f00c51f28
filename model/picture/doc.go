// Package picture turns a run into something to look at. Of makes a Picture of
// it, plain data: a lane for each process, what happens in each, where each
// message comes from and what becomes of it, and who leads in whose eyes after
// each step. Every way of drawing starts from that one:
//
//	Text     a sequence diagram for a terminal
//	Mermaid  one in the language of Mermaid, which GitHub draws
//	SVG      a space-time diagram that stands alone
//	ShiViz   a log with vector clocks
//	DOT      what comes from what, for Graphviz
//
// A Picture has JSON tags, for pages that draw it themselves.
package picture
