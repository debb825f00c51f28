package plan

import (
	"errors"
	"fmt"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// Question is what is asked of one world. Nothing changes it: a search within other limits is
// another question.
type Question struct {
	Machine    spec.Machine
	Config     model.Config
	Reference  *model.Reference // of the machine in that world
	Properties []Property
	NoPanic    Property // of every step; there is a finding only if it is false, or that is not known
	Instead    []string // what to ask instead, where a bound cuts runs short

	Engine      Engine
	Diagram     Diagram // of the symbolic engine
	Schedule    Schedule
	Continue    bool // do not stop at the first violation
	Direct      bool // without tables
	OnlyReached bool // no handler is called for a step that no run takes
	Keep        bool // keep the states, and a Witness of each goal
	Reduce      bool // leave out orders that make no difference, if possible
	Workers     int

	MaxStates int    // 0: no limit
	MaxDepth  int    // 0: no limit
	Memory    int64  // bytes for states and tables; 0: no limit
	Spill     string // a folder for what is past Memory
	Store     explore.Store

	Progress func(explore.Stats)
	Judging  func(explore.Look)
	Growth   func(Growth)
}

// Property is a property as a search sees it.
type Property struct {
	Name  string
	Doc   string
	Kind  Kind
	Watch model.Watch // the states or steps to look for: violations, or goals of a Cover or a Recoverable; none of Liveness and Messages
	Runs  *Runs       // Liveness
	Most  int         // Messages: in a whole run; negative: any finite number

	Uncounted bool // a violation of it is no reason to stop
	MayStay   bool // undecided

	// False returns why the property is false at the end of a run that the handlers made, or, unless
	// loop is 0, of the infinite run that repeats the steps from that number on; nil if it is true.
	False func(run *model.Run, loop int) error

	// Lost returns why the goal of a Recoverable cannot be reached from a state, by the handlers alone; nil if it can, or
	// if it is not known. It is not sure if more than that many states can follow.
	Lost func(s model.State, most int) (why error, sure bool)
}

// local reports whether p is about single states or steps.
func (p Property) local() bool {
	return p.Kind == Invariant || p.Kind == Quiescent || p.Kind == EveryStep
}

// Kind is the form of a property.
type Kind uint8

const (
	Invariant   Kind = iota // holds in every reachable state
	Quiescent               // holds in every reachable quiescent state, where nothing except a crash can happen any more
	EveryStep               // holds on every step
	Cover                   // holds in some reachable state
	Liveness                // of every fair run
	Messages                // no run sends more than a number of messages
	Recoverable             // from every reachable state some state can be reached, without further faults
)

func (k Kind) String() string {
	return [...]string{"invariant", "quiescent", "on every step", "cover", "liveness", "messages", "recoverable"}[k]
}

// MarshalText writes the kind in words.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// OfWhatFollows reports whether a violation is about what cannot follow a state. Of existing code that rests on which objects are
// taken for one, and no run shows it.
func (k Kind) OfWhatFollows() bool { return k == Quiescent || k == Recoverable }

// code is what is known of existing code; nil if the machine is none.
func (q *Question) code() spec.Code { return q.Reference.Traits().Code }

// within is the question for a search of a number of states.
func (q *Question) within(states int) *Question {
	less := *q
	less.MaxStates = states
	return &less
}

// beside is the question for a search beside something that holds memory.
func (q *Question) beside(held int64) *Question {
	if q.Memory == 0 {
		return q
	}
	const least = 16 << 20
	less := *q
	less.Memory = max(q.Memory-held, least)
	return &less
}

// property returns the property that finding i is about: NoPanic after the last.
func (q *Question) property(i int) Property {
	if i == len(q.Properties) {
		return q.NoPanic
	}
	return q.Properties[i]
}

// markOf returns the mark of property i.
func (q *Question) markOf(i int) uint8 {
	if i == len(q.Properties) {
		return model.PanicMark
	}
	return uint8(i)
}

// workers is how many there are: fewer than asked for if their copies of the tables would take
// much of the memory. forStates sets memory aside only for the first two.
func (q *Question) workers() int {
	const each = 8 << 20
	if q.Memory == 0 {
		return q.Workers
	}
	return min(q.Workers, 2+int(q.Memory/16/each))
}

// nothing returns an undecided finding on each property, and why it is undecided.
func (q *Question) nothing(why string) []Finding {
	findings := make([]Finding, len(q.Properties))
	for i := range findings {
		findings[i].Why = why
	}
	return findings
}

// open returns the names of the properties that are not decided, and that another search is to decide.
func (q *Question) open(findings []Finding) (names []string) {
	for i, f := range findings {
		if p := q.property(i); f.Verdict == explore.Inconclusive && !f.CutShort && !p.Uncounted && !p.MayStay {
			names = append(names, p.Name)
		}
	}
	return names
}

// marks are what a search looks for: the properties in their order, and then the predicates in the
// formulas about runs.
type marks struct {
	watches []model.Watch
	atoms   uint64    // the marks of predicates
	of      [][]uint8 // by property: those of its predicates
}

// marks returns what a search looks for. A reduction keeps the ends of runs, but not what happens
// on the way.
func (q *Question) marks(reducing bool) marks {
	m := marks{watches: make([]model.Watch, len(q.Properties)), of: make([][]uint8, len(q.Properties))}
	for i, p := range q.Properties {
		m.watches[i] = p.Watch
		switch p.Kind {
		case Recoverable:
			goal := p.Watch
			m.watches[i].Quiescent, m.watches[i].State = true, func(w *model.World) bool { return !goal.State(w) }
			m.add(i, goal)
			continue
		case Liveness:
		default:
			continue
		}
		m.watches[i] = p.Runs.watch()
		if reducing {
			continue
		}
		for _, holds := range p.Runs.Atoms {
			m.add(i, model.Watch{State: func(w *model.World) bool { return holds(w) == nil }})
		}
	}
	return m
}

// add adds a predicate that property i speaks of.
func (m *marks) add(i int, w model.Watch) {
	m.of[i] = append(m.of[i], uint8(len(m.watches)))
	m.atoms |= 1 << len(m.watches)
	m.watches = append(m.watches, w)
}

// ContradictionError says that the tool contradicts itself: it has a bug, or a handler is not
// deterministic.
type ContradictionError struct{ Reason string }

func (e *ContradictionError) Error() string {
	return fmt.Sprintf("interleave contradicts itself: %s. A handler that goes by more than it is given (chance, time, variables of its own) can do that; if there is none, please report this", e.Reason)
}

// notRepeated is the error for a run that was not recorded. It contradicts the search, unless a
// trace cannot have such a run.
func notRepeated(run string, err error) error {
	if lost := (*model.RoundTripError)(nil); errors.As(err, &lost) {
		return lost
	}
	return &ContradictionError{fmt.Sprintf("%s does not replay: %v", run, err)}
}
