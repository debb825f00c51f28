// Package eval gives TLA+ modules their meaning: it resolves names, checks arities and
// levels, and compiles expressions to closures.
//
// An operator that is not recursive is compiled anew at each use, with its parameters bound
// to the expressions of its arguments. So a primed parameter, or an action as an argument,
// means what substitution says it means. All bound names of one compiled expression have
// slots in one frame; a recursive operator, or a function with too many values to enumerate,
// runs on a copy of the frame.
//
// An action becomes a chain of closures, each of which calls the next one for every way to
// satisfy its part. Conjunctions are evaluated from left to right, and the first x' = e or
// x' \in S gives x' its value, as in TLC.
//
// Nothing here reads a file, a clock or chance. An expression without a value is an *Error
// with the position and the definitions that led there. Inside the package errors are
// panics, which every exported function recovers: closures that return only a value are
// fast.
package eval
