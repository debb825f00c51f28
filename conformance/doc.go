// Package conformance is what the comparisons of real runs with a model have in common: their
// verdict, and how a field differs from what it has to be.
//
// The comparisons are packages below it: logs and captures judge what a run has left behind,
// drive and lockstep perform runs of the model, matrix tries what each of them detects, and
// gotest writes a run as a Go test.
package conformance
