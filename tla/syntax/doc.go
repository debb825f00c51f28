// Package syntax reads TLA+ text. It has a lexer, whose tokens have a line and a column,
// the syntax tree, and a parser of modules and expressions.
//
// Expressions are read by operator precedence. Junction lists, with bullets /\ or \/, are
// read by column: an item ends before the first token that is not to the right of its
// bullet. The parser knows all of TLA+'s grammar, but skips proofs. It does not check that
// a name has a meaning.
//
// The text need not be trusted. Errors are of type *Error and have a position. MaxDepth
// bounds the nesting.
package syntax
