// Package pluscal reads algorithms written in PlusCal, in C-syntax and in P-syntax, and
// translates them to TLA+ as the PlusCal manual defines it (L. Lamport, "A PlusCal User's
// Manual", version 1.8).
//
// The stages of a translation:
//
//	Find       where the algorithm is in a module, and where its translation belongs
//	Parse      its syntax tree; an expression is the list of its tokens
//	expand     macros are expanded, missing labels added or reported, and names that
//	           mean two things made different
//	Translate  the text of the translation
//	Update     the module with the translation in its place
//
// Expressions are not parsed here: a translation only puts a prime or a subscript behind
// a name. Errors inside an expression are found when the module is read as TLA+.
//
// The translation has the variables, names, actions and states of that by the translator of
// the TLA+ tools. The options that a module can give to that translator in a PlusCal options
// line are not read.
package pluscal
