// Package interpret runs a PlusCal algorithm as it is written, statement by
// statement, without its translation: a step begins at a label, does one
// statement after another, with the values that the ones before left, and ends
// where the next label stands.
//
// Its states are those of the translation, so that the two can be compared. Both
// rest on package pluscal for the syntax, and on package eval for expressions;
// what primes, UNCHANGED, EXCEPT, the branches of pc and the cutting of bodies
// into actions do in the translation is done here by plain execution.
package interpret
