// Package explain says why a counterexample is one. Of takes a trace that breaks a
// property and finds
//
//   - among the shortest runs that break it one with the fewest context switches,
//     where a switch is a step of another process than the step before;
//   - the steps that matter, its causal slice: see Explanation.Matters;
//   - the point of no return: the last state from which the violation could still be
//     averted, which is to say from which some fair run breaks nothing;
//   - one sentence.
//
// It looks at states one by one with the handlers alone, and only at so many: what
// it cannot tell it leaves open. Runs for ever, and those that send too much, are
// told as they are: none of their steps is faded, and no point of no return is looked for.
package explain
