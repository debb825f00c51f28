// Package conformance is what the comparisons of real runs with a model have in common: their
// verdict, and how a field differs from what it has to be.
//
// The comparisons are packages below it: logs and captures judge what a run has left behind,
// drive and lockstep perform runs of the model, matrix tries what each of them detects, and
// gotest writes a run as a Go test. The tests of logs and captures stand here: they judge the
// same runs by both.
package conformance
