// Package eval gives TLA+ modules their meaning: names are resolved, arities and
// levels checked, and expressions compiled to closures.
//
// Operators that are not recursive are compiled anew where they are used, with
// their parameters bound to the expressions given: so a primed parameter, and an
// action handed to an operator, mean what substitution says they mean. All bound
// names of one compiled expression have slots in one frame; a recursive operator
// or a function with too many values to spell out runs on a copy of the frame.
//
// An action becomes a chain of closures, each of which calls the next one for
// every way to satisfy its part: conjunctions are taken from left to right, and
// the first x' = e or x' \in S met gives x' its value, as in TLC.
//
// Nothing here reads a file, a clock or chance. An expression that has no value
// is an *Error with the position and the definitions that led there. Inside the
// package errors are panics, which every exported function recovers: closures that
// return a value alone are what makes evaluation fast.
package eval
