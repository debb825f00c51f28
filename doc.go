// Package interleave checks distributed algorithms written in Go: every
// interleaving of deliveries, timeouts and crashes that a small configuration
// allows, over the handlers that run in production.
//
// The root holds no code. Read spec (the words an election is written in), then
// spec/changroberts, then model (the world it runs in); explore searches,
// properties judges, and cmd/mc is the command line.
package interleave
