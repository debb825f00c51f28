package syntax

import (
	"fmt"
	"strings"
)

// Pos is a place in a text. Lines and columns count from 1; a tab leads to the
// next column that is 1 more than a multiple of 8, as in TLA+'s own tools.
type Pos struct{ Line, Col int }

func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// Error is an error in a text, and its position.
type Error struct {
	File string
	Pos  Pos
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%v: %s", e.File, e.Pos, e.Text) }

// Kind is the kind of a token.
type Kind uint8

// Kinds of tokens. Reserved words of TLA+ are Keywords; words of PlusCal are
// Names.
const (
	EOF     Kind = iota
	Name         // also @
	Keyword      // MODULE, IF, CHOOSE, ENABLED, WF_, ...
	Number       // as written: 12, 1.5, \b101, \hFF
	String       // Text holds what is between the quotes, escapes resolved
	Symbol       // operators and punctuation, as written
	Rule         // four dashes or more
	End          // four equality signs or more
)

// Token is one word of a text.
type Token struct {
	Kind   Kind
	Text   string
	Pos    Pos
	Offset int // of its first byte in the text
	Length int // in bytes
}

// Is reports whether t is the symbol or keyword text.
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

// keywords are the words that TLA+ reserves. Those of proofs are among them.
var keywords = words(`
	ASSUME ASSUMPTION AXIOM CASE CHOOSE CONSTANT CONSTANTS DOMAIN ELSE ENABLED
	EXCEPT EXTENDS IF IN INSTANCE LET LOCAL MODULE OTHER SUBSET THEN THEOREM
	UNCHANGED UNION VARIABLE VARIABLES WITH LAMBDA RECURSIVE LEMMA PROPOSITION
	COROLLARY ACTION BY DEF DEFINE DEFS HAVE HIDE NEW OBVIOUS OMITTED ONLY PICK
	PROOF PROVE QED STATE SUFFICES TAKE TEMPORAL USE WITNESS`)

// symbols are the operators and punctuation that are no words; of two that
// both fit, the longer one comes first.
var symbols = strings.Fields(`
	(\X) -+-> ... ::= <=> |-> [=] >>_ (+) (-) (.) (/)
	~> => =< =| == /= /\ \/ <= <- << <> <: >= >> -> -- -| -. |- |= || ++ ** //
	^^ ^+ ^* ^# %% ## && $$ ?? !! @@ .. :: := :> [] ]_
	# $ % & ' ( ) * + , - . / : ; < = > ? [ ] ^ { | } ~ ! \`)

// commands are the operators written as a backslash and letters.
var commands = words(`
	\A \AA \E \EE \X \approx \asymp \bigcirc \bullet \cap \cdot \circ \cong \cup
	\div \doteq \equiv \geq \gg \in \intersect \land \leq \ll \lnot \lor \neg
	\notin \o \odot \ominus \oplus \oslash \otimes \prec \preceq \propto \sim
	\simeq \sqcap \sqcup \sqsubset \sqsubseteq \sqsupset \sqsupseteq \star
	\subset \subseteq \succ \succeq \supset \supseteq \times \union \uplus \wr`)
