// Package pluscal reads algorithms written in PlusCal, in C-syntax and in
// P-syntax, and translates them to TLA+ as the PlusCal manual defines it (L.
// Lamport, "A PlusCal User's Manual", version 1.8).
//
// An algorithm goes through these hands:
//
//	Find       where it stands in a module, and where its translation belongs
//	Parse      its syntax tree; an expression is the list of its tokens
//	expand     macros are written out, missing labels added or complained of,
//	           names that mean two things told apart
//	Translate  the text of the translation
//	Update     the module with the translation in its place
//
// An expression is never parsed here: all that a translation does with it is to
// put a prime or a subscript behind a name. What is wrong inside it is found
// when the module is read as TLA+.
//
// The translation has the variables, names, actions and states of that by the
// translator of the TLA+ tools. Not read are the options that a module can give
// to that translator in a PlusCal options line.
package pluscal
