// Package interpret runs a PlusCal algorithm as it is written, statement by statement,
// without its translation. A step begins at a label, executes one statement after another,
// each with the values that the ones before left, and ends at the next label.
//
// Its states are those of the translation, so that the two can be compared. Both use package
// pluscal for the syntax, and package eval for expressions. What the translation does by
// primes, UNCHANGED, EXCEPT, the branches of pc and the division of bodies into actions is
// done here by plain execution.
package interpret
