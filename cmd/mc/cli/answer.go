package cli

import (
	"fmt"
	"strings"

	"interleave/properties"
)

// answer is what becomes of a property, as a row of a sweep says it.
type answer struct {
	word  string
	steps int // of a shortest counterexample, or to the goal of a cover; anySteps: any number, or there are none
}

const anySteps = -1

// The words of answers.
const (
	wordHolds        = "holds"
	wordReached      = "reached"
	wordNever        = "never"
	wordBounded      = "bounded"
	wordInconclusive = "inconclusive"
	wordViolated     = "violated"
	wordAny          = "any" // number of messages
)

func (a answer) String() string {
	if a.steps == anySteps {
		return a.word
	}
	return fmt.Sprintf("%s in %d", a.word, a.steps)
}

// loud returns the word as it is told where it was found; numbers stay as they are.
func (a answer) loud() string {
	if strings.IndexAny(a.word, "0123456789") == 0 {
		return a.word
	}
	return strings.ToUpper(a.word)
}

// meets reports whether an answer that was found is the expected one.
func (a answer) meets(expected answer) bool {
	return a.word == expected.word && (expected.steps == anySteps || a.steps == expected.steps)
}

// answerOf returns what was found of a property.
func answerOf(f properties.Finding) answer {
	cover := f.Kind == properties.CoverKind
	switch {
	case f.Name == properties.MessagesBounded.Name && f.Messages != nil:
		return answer{messages(f.Messages), anySteps}
	case f.Verdict == properties.Verified && cover:
		return answer{wordReached, f.Depth}
	case f.Verdict == properties.Violated && cover:
		return answer{wordNever, anySteps}
	case f.Verdict == properties.Violated:
		return answer{wordViolated, f.Depth}
	case f.Verdict == properties.Verified:
		return answer{wordHolds, anySteps}
	case f.Verdict == properties.Bounded:
		return answer{wordBounded, anySteps}
	}
	return answer{wordInconclusive, anySteps}
}

// messages says what parseMessages reads.
func messages(m *properties.MessageCount) string {
	if m.Unbounded {
		return fmt.Sprintf("%d to %s", m.Least, wordAny)
	}
	return fmt.Sprintf("%d to %d", m.Least, m.Most)
}
