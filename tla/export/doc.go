// Package export writes algorithms and traces in the formats of other tools.
//
// Algorithm writes a Go algorithm in a world as a TLA+ module: tables of what its handlers
// do, and the world around them. Run makes a trace of TLA+ values of a run of a Go
// algorithm. Trace writes such a trace as a TLA+ module that takes this run and no other,
// and ITF writes it in the informal trace format of Apalache (its ADR 015).
//
// A table says what a step results in, not how the handler computes it. Fairness and the
// properties of whole runs are left out; lock-step rounds and clocks have no tables. A
// character of a string that does not print is written as JSON escapes it; in TLA+ that is
// another string, and no two become the same.
package export
