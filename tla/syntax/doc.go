// Package syntax reads TLA+ text: a lexer whose tokens know their line and
// column, the syntax tree, and a parser for modules and expressions.
//
// The parser climbs by operator precedence. Junction lists, bulleted by /\ or
// \/, are told by column: an item ends before the first token that is not to
// the right of its bullet. Everything in TLA+'s grammar is read, proofs apart,
// which are skipped; whether a name has a meaning is not asked here.
//
// Every function takes untrusted text. Errors are of type *Error and say where;
// nesting is bounded by MaxDepth.
package syntax
