package report

import (
	"fmt"
	"strings"

	"interleave/properties"
)

// Answer is what becomes of a property, as a row of a sweep says it.
type Answer struct {
	Word  string
	Steps int // of a shortest counterexample, or to the goal of a cover; anySteps: any number, or there are none
}

// AnySteps is the number of steps where any will do, or there are none.
const AnySteps = -1

// The words of answers.
const (
	Holds        = "holds"
	Reached      = "reached"
	Never        = "never"
	Bounded      = "bounded"
	Inconclusive = "inconclusive"
	Violated     = "violated"
	AnyNumber    = "any" // number of messages
)

func (a Answer) String() string {
	if a.Steps == AnySteps {
		return a.Word
	}
	return fmt.Sprintf("%s in %d", a.Word, a.Steps)
}

// Loud returns the word as it is told where it was found; numbers stay as they are.
func (a Answer) Loud() string {
	if strings.IndexAny(a.Word, "0123456789") == 0 {
		return a.Word
	}
	return strings.ToUpper(a.Word)
}

// Meets reports whether an answer that was found is the expected one.
func (a Answer) Meets(expected Answer) bool {
	return a.Word == expected.Word && (expected.Steps == AnySteps || a.Steps == expected.Steps)
}

// AnswerOf returns what was found of a property.
func AnswerOf(f properties.Finding) Answer {
	cover := f.Kind == properties.CoverKind
	switch {
	case f.Name == properties.MessagesBounded.Name && f.Messages != nil:
		return Answer{MessagesInWords(f.Messages), AnySteps}
	case f.Verdict == properties.Verified && cover:
		return Answer{Reached, f.Depth}
	case f.Verdict == properties.Violated && cover:
		return Answer{Never, AnySteps}
	case f.Verdict == properties.Violated:
		return Answer{Violated, f.Depth}
	case f.Verdict == properties.Verified:
		return Answer{Holds, AnySteps}
	case f.Verdict == properties.Bounded:
		return Answer{Bounded, AnySteps}
	}
	return Answer{Inconclusive, AnySteps}
}

// MessagesInWords says what parseMessages reads.
func MessagesInWords(m *properties.MessageCount) string {
	if m.Unbounded {
		return fmt.Sprintf("%d to %s", m.Least, AnyNumber)
	}
	return fmt.Sprintf("%d to %d", m.Least, m.Most)
}
