package plan

import (
	"iter"

	"interleave/explore"
	"interleave/model"
)

// Answer is what came of a question.
type Answer struct {
	Findings []Finding // by property; after them that on NoPanic, unless that holds
	Stats    Stats
	States   iter.Seq[model.State] // every explored state; nil unless they were to be kept

	partial partial // for the next search
	stopped *stop   // of an explicit search that was to be quick, and was not: then there is nothing else
}

// Finding is what is known of one property.
type Finding struct {
	Verdict  explore.Verdict
	Why      string        // why it is false, or not decided
	Depth    int           // steps in Trace; of a Cover, to the goal; -1: not known
	Trace    *model.Trace  // a counterexample
	Run      *model.Run    // that of a Trace that goes on forever
	Messages *MessageCount // of a Messages property
	Lost     int           // of a Recoverable that is violated: states, as far as known, from which the goal cannot be reached
	MoreLost bool          // there may be more of these, and a shorter run to one
	Witness  *model.Trace  // of a Cover: a run to the goal, with Question.Keep or a lossy store
	CutShort bool          // undecided since runs are cut short by a bound, which no other search would change
	Luck     Luck          // of a Trace that goes on forever
	ByEnds   bool          // it follows from where runs end, and none cycles; known with Question.Keep
}

// Luck is what the answers that handlers choose have to do with a run that goes on forever.
type Luck uint8

const (
	NoLuck   Luck = iota // nothing is chosen again and again, or a run may go on like this whatever is chosen
	SomeLuck             // something is, and more is not known
	OnlyLuck             // only choices keep a violation going: with probability 1 there is none
)
