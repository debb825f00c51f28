package frontier

import (
	"errors"
	"slices"

	"interleave/spec"
)

// ErrLimit says that a process has more ways than may be considered: then nothing is
// known.
var ErrLimit = errors.New("there are more ways than may be looked at")

// World is what all incarnations of a run have in common. It stores the steps of the algorithm
// that were taken.
type World struct {
	Machine    spec.Machine
	Ring       []spec.ID
	Unordered  bool // messages may overtake each other, and be lost
	Duplicates bool // Unordered: a message may be handled any number of times
	Limit      int  // ways that one search may consider; 0: DefaultLimit
	Work       int  // hidden steps that all searches together may try; 0: no limit
	Ahead      int  // how many sends a process may be ahead of those that the tap has seen; 0: DefaultAhead

	// Gaps says that messages which the tap has not seen may have been handled. They
	// may be anything that their sender could have sent to their receiver, within what
	// was explored.
	Gaps bool

	// Narrow says that of ways which differ only in what was read, one is enough.
	// Explanations are then right, but some may be missed.
	Narrow bool

	// Stop is called now and then: its error ends a search. nil: go on.
	Stop func() error

	// Undeclared are the processes of which a client may have asked, at some moment, for something with a
	// value that is not declared. That is not looked for: what nothing explains may come of it.
	Undeclared spec.Set

	// Short says that something was left out which would not have been with more Ahead.
	Short bool

	Peak   int // ways in the largest frontier so far
	Looked int // ways considered so far, in all searches
	Tried  int // hidden steps tried so far, likewise

	traits  spec.Traits
	steps   map[stepKey][]stepped
	learned int  // of steps
	crowded bool // some step has more outcomes than may be looked at
	said    map[[2]spec.ID]*table
}

// MaxAsking bounds the processes of an algorithm that asks who is up: every set of
// processes is tried.
const MaxAsking = 12

// DefaultLimit and DefaultAhead are used if a World sets no limit.
const (
	DefaultLimit = 1 << 18
	DefaultAhead = 8
)

// stepKey is the input of a step, but for the answers to what its handler chooses.
type stepKey struct {
	self    spec.ID
	state   any
	kind    spec.EventKind
	from    spec.ID
	message any
	timer   spec.Timer
	peer    spec.ID
	began   bool
	live    spec.Set
	action  uint8
	value   any
}

// stepped is what comes of a step with some answers.
type stepped struct {
	choices []int
	after   any
	fx      spec.Effects
}

// Begin prepares a world for use.
func (w *World) Begin() *World {
	w.traits, w.steps = w.Machine.Traits(), map[stepKey][]stepped{}
	if w.said == nil {
		w.said = map[[2]spec.ID]*table{}
	}
	if w.Limit == 0 {
		w.Limit = DefaultLimit
	}
	if w.Ahead == 0 {
		w.Ahead = DefaultAhead
	}
	return w
}

// maxLearned bounds the number of steps that are stored, and maxAnswers how often the handler of one is asked for an
// outcome.
const maxLearned, maxAnswers = 1 << 20, 1 << 12

// step returns all that may come of an event, which says nothing of choices: one outcome for each answer to them, none
// if the machine refuses, or panics.
func (w *World) step(self spec.ID, state any, e spec.Event) (outcomes []stepped) {
	left := maxAnswers
	if e.Kind == spec.Round { // with an inbox it cannot be looked up
		return w.answer(self, state, e, &left)
	}
	key := stepKey{self, state, e.Kind, e.From, e.Message, e.Timer, e.Peer, e.Initiator, e.Live, e.Action, e.Value}
	outcomes, known := w.steps[key]
	if !known {
		outcomes = w.answer(self, state, e, &left)
		if w.learned += 1 + len(outcomes); w.learned <= maxLearned {
			w.steps[key] = outcomes
		}
	}
	return outcomes
}

// answer returns what comes of an event with each continuation of its choices.
func (w *World) answer(self spec.ID, state any, e spec.Event, left *int) (outcomes []stepped) {
	if *left--; *left < 0 {
		w.crowded = true
		return nil
	}
	after, fx := w.Machine.Step(self, w.Ring, state, e)
	if fx.Choose == 0 && w.taken(fx) {
		outcomes = append(outcomes, stepped{e.Choices, after, fx})
	}
	for answer := range fx.Choose {
		chosen := e
		chosen.Choices = append(slices.Clip(e.Choices), answer)
		outcomes = append(outcomes, w.answer(self, state, chosen, left)...)
	}
	return outcomes
}

// declared reports whether there is no other value for an action than those that it declares.
func declared(act spec.ActionTraits) bool {
	_, boolean := act.Values[0].(bool)
	return act.ReadValue == nil || boolean && len(act.Values) == 2
}

// taken reports whether a handler took its step: it did not refuse, and made no error.
func (w *World) taken(fx spec.Effects) bool {
	return !fx.Refused && fx.Panic == "" && fx.StrayTimer(len(w.traits.Rules)) == ""
}

// liveSets returns the sets of processes that may be thought up, if a process asks for
// that; if it only sends to the next that is up, at most one besides itself.
func (w *World) liveSets(self spec.ID) []spec.Set {
	sets := []spec.Set{spec.SetOf(self)}
	if !w.traits.Oracle {
		for q := range spec.UpTo(len(w.Ring)).Without(self).All() {
			sets = append(sets, spec.SetOf(self, q))
		}
		return sets
	}
	for q := range spec.UpTo(len(w.Ring)).Without(self).All() {
		for _, s := range sets {
			sets = append(sets, s.With(q))
		}
	}
	return sets
}

// Said returns how many different messages were sent, or could have been.
func (w *World) Said() (n int) {
	for _, t := range w.said {
		n += len(t.values)
	}
	return n
}

// Like returns a world in which the same messages can have been sent.
func (w *World) Like(other *World) *World {
	w.said = other.said
	return w
}

// say records that a message can be sent.
func (w *World) say(from, to spec.ID, content any) {
	if !w.Gaps {
		return
	}
	t := w.said[[2]spec.ID{from, to}]
	if t == nil {
		t = &table{}
		w.said[[2]spec.ID{from, to}] = t
	}
	t.place(content)
}

// hearsay yields the messages that a process can have sent to another.
func (w *World) hearsay(from, to spec.ID, yield func(content any)) {
	if t := w.said[[2]spec.ID{from, to}]; t != nil {
		for _, content := range t.values {
			yield(content)
		}
	}
}
