// Package syntax reads TLA+ text: a lexer whose tokens know their line and column, the
// syntax tree, and a parser for modules and expressions.
//
// The parser climbs by operator precedence. Junction lists, bulleted by /\ or \/, are
// recognised by column: an item ends before the first token that is not to the right of its
// bullet. It reads all of TLA+'s grammar, except proofs, which it skips; it does not check
// whether a name has a meaning.
//
// Every function takes untrusted text. Errors are of type *Error and have a position;
// nesting is bounded by MaxDepth.
package syntax
