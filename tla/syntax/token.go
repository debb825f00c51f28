package syntax

import (
	"fmt"
	"strings"
)

// Pos is a position in a text. Lines and columns count from 1. As in TLA+'s own tools, a
// tab moves to the next column that is 1 more than a multiple of 8.
type Pos struct{ Line, Col int }

func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// Error is an error in a text, with its position.
type Error struct {
	File string
	Pos  Pos
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%v: %s", e.File, e.Pos, e.Text) }

// Kind is the kind of a token.
type Kind uint8

// Kinds of tokens. The reserved words of TLA+ are Keywords, those of PlusCal are Names.
const (
	EOF     Kind = iota
	Name         // also @
	Keyword      // MODULE, IF, CHOOSE, ENABLED, WF_, ...
	Number       // as written: 12, 1.5, \b101, \hFF
	String       // Text is what is between the quotes, without escapes
	Symbol       // operators and punctuation, as written
	Rule         // four dashes or more
	End          // four equality signs or more
)

// Token is a word of a text.
type Token struct {
	Kind   Kind
	Text   string
	Pos    Pos
	Offset int // of its first byte in the text
	Length int // in bytes
}

// Is reports whether t is a certain symbol or keyword.
func (t Token) Is(text string) bool {
	return (t.Kind == Symbol || t.Kind == Keyword) && t.Text == text
}

// String describes t for an error message.
func (t Token) String() string {
	switch t.Kind {
	case EOF:
		return "the end of the text"
	case String:
		return fmt.Sprintf("the string %q", t.Text)
	case Rule:
		return "----"
	case End:
		return "===="
	}
	return t.Text
}

// keywords are the words that TLA+ reserves, those of proofs included.
var keywords = words(`
	ASSUME ASSUMPTION AXIOM CASE CHOOSE CONSTANT CONSTANTS DOMAIN ELSE ENABLED
	EXCEPT EXTENDS IF IN INSTANCE LET LOCAL MODULE OTHER SUBSET THEN THEOREM
	UNCHANGED UNION VARIABLE VARIABLES WITH LAMBDA RECURSIVE LEMMA PROPOSITION
	COROLLARY ACTION BY DEF DEFINE DEFS HAVE HIDE NEW OBVIOUS OMITTED ONLY PICK
	PROOF PROVE QED STATE SUFFICES TAKE TEMPORAL USE WITNESS`)

// symbols are the operators and the punctuation that are no words. If one begins with
// another, it comes first.
var symbols = strings.Fields(`
	(\X) -+-> ... ::= <=> |-> [=] >>_ (+) (-) (.) (/)
	~> => =< =| == /= /\ \/ <= <- << <> <: >= >> -> -- -| -. |- |= || ++ ** //
	^^ ^+ ^* ^# %% ## && $$ ?? !! @@ .. :: := :> [] ]_
	# $ % & ' ( ) * + , - . / : ; < = > ? [ ] ^ { | } ~ ! \`)

// commands are the operators that are written as a backslash and letters.
var commands = words(`
	\A \AA \E \EE \X \approx \asymp \bigcirc \bullet \cap \cdot \circ \cong \cup
	\div \doteq \equiv \geq \gg \in \intersect \land \leq \ll \lnot \lor \neg
	\notin \o \odot \ominus \oplus \oslash \otimes \prec \preceq \propto \sim
	\simeq \sqcap \sqcup \sqsubset \sqsubseteq \sqsupset \sqsupseteq \star
	\subset \subseteq \succ \succeq \supset \supseteq \times \union \uplus \wr`)
