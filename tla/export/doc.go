// Package export tells others, in their own formats, what Interleave knows.
//
// Algorithm writes a Go algorithm in a world as a TLA+ module: what its handlers
// do, learned as tables, and the world around them, written out. Run makes a
// trace of TLA+ values of a run of a Go algorithm; Trace writes one as a TLA+
// module that takes this run and no other, and ITF in the informal trace format
// of Apalache (its ADR 015).
//
// What handlers compute with is left out: a table says what comes of a step, not
// why. Left out, too, are fairness and what is asked of whole runs; lock-step
// rounds and clocks have no tables.
package export
