// Package explain says why a counterexample is one. Of takes a trace that breaks a
// property and finds
//
//   - among the shortest runs that break it one with the fewest context switches,
//     where a switch is a step of another process than the step before;
//   - the steps that matter, its causal slice: see Explanation.Matters;
//   - the point of no return: the last state from which the violation could still be
//     averted, that is, from which some fair run breaks nothing;
//   - one sentence that says what happened.
//
// It explores states one by one with the handlers, up to a limit, and leaves open what
// that does not decide. Infinite runs, and runs that send too many messages, are shown as
// they are: no step is faded, and there is no point of no return.
//
// Begin to read with explain.go.
package explain
