// Package pluscal reads algorithms written in PlusCal, in C-syntax and in P-syntax, and
// translates them to TLA+ as the PlusCal manual defines it (L. Lamport, "A PlusCal User's
// Manual", version 1.8).
//
// The stages of a translation:
//
//	Find       where the algorithm is in a module, and where its translation belongs
//	Parse      its syntax tree; an expression is the list of its tokens
//	bind       which names are bound, and by what
//	expand     macros are expanded, missing labels added or reported, and names that
//	           mean two things made different
//	Translate  the text of the translation
//	Update     the module with the translation in its place
//
// A translation only puts a prime or a subscript behind a name, and an argument in the place
// of a parameter. So an expression is kept as its tokens, and parsed only to know what its
// names stand for. A bound name that would hide another, which TLA+ refuses, is changed.
//
// The translation has the variables, names, actions and states of that by the translator of
// the TLA+ tools.
package pluscal
