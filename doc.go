// Package interleave checks distributed algorithms written in Go: every
// interleaving of deliveries, timeouts and crashes that a small configuration
// allows, over the handlers that run in production.
//
// The root holds no code. Read spec (what an algorithm is written with), then
// spec/changroberts (an example), then model (the world it runs in). Package explore
// searches, properties judges, impl runs the same handlers as real processes, conformance
// compares the two, and cmd/mc is the command line.
package interleave
