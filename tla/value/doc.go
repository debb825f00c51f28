// Package value has the values of TLA+: booleans, integers, strings, model values, sets and
// functions, with tuples and records among the functions.
//
// Every finite value has one canonical form: the elements of a Set are in order and
// different, a function over 1..n is a *Tuple, one over strings a *Record, any other a
// *Func. So two values are equal if and only if their forms are, and the empty tuple,
// sequence and function are one value. Large sets are enumerated only when somebody asks for
// their elements: an Interval, SUBSET S, [S -> T] and the like are kept as they were written.
//
// What TLA+ leaves open is an error, and so is what would take too much memory: functions
// panic with an *Error. Evaluators recover it and add a position.
package value
