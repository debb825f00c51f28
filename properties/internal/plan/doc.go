// Package plan answers what is asked of one world. A Question holds the configuration, the
// properties and the limits; Question.Answer chooses how to search, searches, and judges.
//
// The engines are siblings behind one interface, in explicit.go, diagrams.go and auto.go: states one
// by one; decision diagrams, of the world or of an over-approximation; and the others in turn. What a
// search knows in the end is its evidence, from which verdict.go draws the verdicts, the same way
// for all. What it found without deciding everything is a partial result, a value that the next
// search is given.
//
// The package knows properties only as far as a search needs them: what to watch for, the
// automaton of a formula, and a function that judges a run once more by the handlers. Package
// properties has the rest.
package plan
