// Package ltl has linear temporal logic over named predicates of states, for
// checking liveness.
//
// Parse reads a Formula; Holds says what it means on one run. There is no next.
// Without it no formula can tell a run from the same run with some positions
// repeated, so stuttering and steps that the formula does not speak of are free.
package ltl
