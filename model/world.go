package model

import (
	"iter"

	"interleave/internal/cell"
	"interleave/spec"
)

// World is a global state as a property sees it. It is valid during one call.
type World struct {
	reference  *Reference
	traits     *spec.Traits
	n          int
	live       spec.Set
	initiators spec.Set
	quiescent  bool
	unsure     bool              // whether it is quiescent
	leaders    [MaxN + 1]spec.ID // none for crashed processes
	source     Source
	stabilized *World // once it was asked for

	lookedInside bool    // an inbox was looked into
	viewed       bool    // views of local states were looked at
	lookedOn     bool    // it was asked whether anything can happen
	looked       ReadSet // what else was asked for, besides who is live, begins, and follows whom
}

// ReadSet says which parts of a world were looked at, besides who is live, begins of its own accord, and follows whom.
type ReadSet uint8

const (
	ReadStatus   ReadSet            = 1 << iota // who has started
	ReadIdleness                                // who waits for something
	ReadLocals                                  // whole local states
	ReadInboxes                                 // messages in flight, and the budgets
	ReadSets     = ReadInboxes << 1             // number of sets
)

// Source has the parts of a world that a property seldom asks for. A State is one of itself.
type Source interface {
	Local(p spec.ID) Local
	Value(p spec.ID) any // the State of the Local, as a property sees it
	Inbox(p spec.ID) Inbox
	Plain() State
}

// Reference is the meaning that all worlds of a check have in common.
func (w *World) Reference() *Reference { return w.reference }

// N is the number of processes, crashed ones included.
func (w *World) N() int { return w.n }

// Live is the set of processes that are not down.
func (w *World) Live() spec.Set { return w.live }

// Initiators is the set of live processes that may begin of their own accord.
func (w *World) Initiators() spec.Set { return w.initiators }

// Leader is the leader in the eyes of p; none if p is down.
func (w *World) Leader(p spec.ID) spec.ID { return w.leaders[p] }

// Suppose returns the world in which p follows another leader, and everything else is the same.
// It is for questions about what would be; no property needs it. A call counts as having looked
// at all of w.
func (w *World) Suppose(p, leader spec.ID) *World {
	w.lookedInside, w.lookedOn = true, true
	v := *w
	v.leaders[p] = leader
	return &v
}

// Top is the process that ought to be elected: the largest live one, or the smallest initiator,
// depending on the algorithm; none if there is no such process, or any may be elected.
func (w *World) Top() spec.ID {
	switch w.traits.Wins {
	case spec.SmallestInitiator:
		return w.initiators.Min()
	case spec.Anyone:
		return spec.None
	}
	return w.live.Max()
}

// InitiatorsWin reports whether only an initiator ought to be elected.
func (w *World) InitiatorsWin() bool { return w.traits.Wins == spec.SmallestInitiator }

// Unannounced reports whether only the winner learns who won.
func (w *World) Unannounced() bool { return w.traits.Unannounced }

// Started reports whether p has taken its first step, or needs none. A crashed
// process counts as started.
func (w *World) Started(p spec.ID) bool {
	w.looked |= ReadStatus
	return w.source.Local(p).Status != Booting
}

// Quiescent reports whether nothing except a crash can happen any more.
func (w *World) Quiescent() bool {
	w.lookedOn = true
	if w.unsure {
		w.looked |= ReadLocals | ReadInboxes
		r := *w.reference // others may use it at the same time
		w.quiescent, w.unsure = r.Quiescent(w.source.Plain()), false
	}
	return w.quiescent
}

// State is what p remembers, a value of the algorithm's own type; if p is down, what is stable of that, or nil.
func (w *World) State(p spec.ID) any {
	w.looked |= ReadLocals
	return w.source.Value(p)
}

// View is a view of what p remembers; nil if that is nothing.
func (w *World) View(p spec.ID, view func(state any) any) any {
	w.viewed = true
	if state := w.source.Value(p); state != nil {
		return view(state)
	}
	return nil
}

// Idle reports whether p waits for nothing.
func (w *World) Idle(p spec.ID) bool {
	w.looked |= ReadIdleness
	l := w.source.Local(p)
	return l.Status == Down || w.traits.Idle(l.State)
}

// Inbox is the messages in flight to p.
func (w *World) Inbox(p spec.ID) Inbox {
	w.lookedInside = true
	return w.source.Inbox(p)
}

// Kept returns a copy of w that stays valid. A call counts as having looked at all of w, since nobody
// sees what the copy is asked.
func (w *World) Kept() *World {
	w.lookedInside, w.lookedOn = true, true
	return w.Again()
}

// Again returns a copy of w that stays valid, of which the same question is asked again: that counts as no look at w. It
// holds nothing of what was remembered of other states, which may be much.
func (w *World) Again() *World {
	v, r := *w, *w.reference
	r.stabilized, r.cache = nil, nil
	v.reference, v.source, v.stabilized = &r, w.source.Plain(), nil
	return &v
}

// InFlight yields every message in flight.
func (w *World) InFlight() iter.Seq[spec.Sent] {
	return func(yield func(spec.Sent) bool) {
		for p := range spec.UpTo(w.n).All() {
			for _, e := range w.Inbox(p) {
				if !yield(spec.Sent{From: e.From, To: p, Message: cell.Value(e.Message)}) {
					return
				}
			}
		}
	}
}

// newWorld returns the view of a plain state, as if it were known that it is not quiescent.
func newWorld(r *Reference, s State) *World {
	w := &World{}
	w.Open(r, r.config.N, s)
	for p := range r.all.All() {
		l := s.Local(p)
		leader := spec.None
		if l.Status != Down {
			leader = r.traits.Leader(l.State)
		}
		w.Add(p, &l, leader)
	}
	w.unsure = false
	return w
}

// Open makes w the view of a state that source has, of which nothing was read yet. Each process has to be added.
func (w *World) Open(r *Reference, n int, source Source) {
	w.reference, w.traits, w.n, w.source = r, r.traits, n, source
	w.live, w.initiators, w.quiescent, w.unsure, w.stabilized = 0, 0, false, true, nil
}

// SetQuiescent says whether the state is quiescent, so that nobody need find out.
func (w *World) SetQuiescent(quiescent bool) { w.quiescent, w.unsure = quiescent, false }

// Unread forgets what was read.
func (w *World) Unread() { w.looked, w.lookedInside, w.lookedOn, w.viewed = 0, false, false, false }

// Reads is what was read. Whether the state is quiescent is not part of it unless that was not known.
func (w *World) Reads() ReadSet {
	if w.viewed {
		return w.ReadsBesideViews() | ReadLocals
	}
	return w.ReadsBesideViews()
}

// ReadsBesideViews is what was read, but for what was seen by View only.
func (w *World) ReadsBesideViews() ReadSet {
	if w.lookedInside {
		return w.looked | ReadLocals | ReadInboxes
	}
	return w.looked
}

// LookedInside reports whether an inbox was looked into.
func (w *World) LookedInside() bool { return w.lookedInside }

// LookedOn reports whether it was asked whether anything can happen.
func (w *World) LookedOn() bool { return w.lookedOn }

// Add adds a process, and whom it follows.
func (w *World) Add(p spec.ID, l *Local, leader spec.ID) {
	w.leaders[p] = leader
	if l.Status != Down {
		w.live = w.live.With(p)
	}
	if l.Initiator {
		w.initiators = w.initiators.With(p)
	}
}
