package model

import (
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"sync"

	"interleave/spec"
)

// maxStabilizing bounds how many messages may arrive before a stable round is over: an algorithm that
// never falls silent does not stabilize.
const maxStabilizing = 10_000

// Stabilize returns the world that follows if nothing fails any more and every message in flight
// arrives, before any process begins anything by itself. A bound on the state does not apply
// here, nor in StableRounds.
func (w *World) Stabilize() *World {
	w.lookedInside = true
	if w.stabilized != nil {
		return w.stabilized
	}
	r := *w.reference
	r.cache = r.stabilized
	r.config.Bound = 0
	for b := Crashes; b < Budgets; b++ { // the rules stay, but none is met that spends of a budget
		if b != Recoveries { // which say what becomes of messages to the crashed
			*r.config.limit(b) = 0
		}
	}
	w.stabilized = newWorld(&r, r.cache.stabilize(&r, w.source.Plain()))
	return w.stabilized
}

// StableRounds yields the worlds that follow a stabilized world if the processes go on in lock step: in
// each round, every live process begins what it may begin, its timers expire, and all messages
// that this sends arrive. The rounds are numbered from 1.
func (w *World) StableRounds(rounds int) iter.Seq2[int, *World] {
	w.lookedInside = true
	r := *w.reference // others may use it at the same time
	return func(yield func(int, *World) bool) {
		s := w.source.Plain()
		for round := 1; round <= rounds; round++ {
			for p := range s.live().All() {
				s = stir(&r, s, p)
			}
			s = r.cache.stabilize(&r, s)
			if !yield(round, newWorld(&r, s)) {
				return
			}
		}
	}
}

// Locals returns the local states, number 1 first, as a comparable value; false if a message is
// in flight, too.
func (w *World) Locals() (locals [MaxN]Local, alone bool) {
	s := w.source.Plain()
	copy(locals[:], s.Locals)
	w.lookedInside = true
	return locals, !slices.ContainsFunc(s.Inboxes, func(in Inbox) bool { return len(in) > 0 })
}

// stabilizedCache remembers what states stabilize to. Most states of a search are passed by others on their
// way to their stable states, or soon pass one of these. Several goroutines may share it; nil remembers nothing.
type stabilizedCache struct {
	shards [cacheShards]cacheShard
}

// cacheShard remembers some of them, so that goroutines seldom wait for the same lock.
type cacheShard struct {
	mutex sync.Mutex
	known []stable // direct-mapped
}

// passed is a state passed on the way to a stable state, and its hash.
type passed struct {
	State
	place uint64
}

// stable is the state that another stabilizes to, and after how many arrivals.
type stable struct {
	from, to State
	arrivals int
}

const (
	cacheShards = 1 << 6
	shardSize   = 1 << 8
)

var cacheSeed = maphash.MakeSeed()

func (m *stabilizedCache) pass(s State) passed {
	if m == nil {
		return passed{State: s}
	}
	return passed{s, s.hash(cacheSeed)}
}

func (m *stabilizedCache) recall(at passed) (to State, arrivals int, ok bool) {
	if m == nil {
		return State{}, 0, false
	}
	var r stable
	m.with(at.place, func(known *stable) { r = *known })
	if !r.from.Equal(at.State) { // compare the whole state, as another may have the same hash
		return State{}, 0, false
	}
	return r.to, r.arrivals, true
}

// with calls do with what is remembered for a hash, under a lock.
func (m *stabilizedCache) with(place uint64, do func(*stable)) {
	shard := &m.shards[place%cacheShards]
	shard.mutex.Lock()
	defer shard.mutex.Unlock()
	if shard.known == nil {
		shard.known = make([]stable, shardSize)
	}
	do(&shard.known[place/cacheShards%shardSize])
}

// keep remembers that all passed states stabilize to the same state, the last of them after
// arrivals+1 arrivals.
func (m *stabilizedCache) keep(way []passed, to State, arrivals int) {
	if m == nil {
		return
	}
	for _, at := range slices.Backward(way) {
		arrivals++
		m.with(at.place, func(known *stable) { *known = stable{at.State, to, arrivals} })
	}
}

// stabilize returns what s becomes when everything happens that has to happen, except what a process
// begins by itself. It goes process by process, and by messages in their canonical order.
func (m *stabilizedCache) stabilize(r *Reference, s State) State {
	var way []passed
	for range maxStabilizing {
		at := m.pass(s)
		if end, more, ok := m.recall(at); ok && len(way)+more <= maxStabilizing {
			m.keep(way, end, more)
			return end
		}
		next, ok := arrival(r, s)
		if !ok {
			m.keep(way, s, 0)
			return s
		}
		way = append(way, at)
		s = next
	}
	return s
}

// arrival returns s after the first step that stabilize lets happen.
func arrival(r *Reference, s State) (State, bool) {
	for p := range r.all.All() {
		for e, rule := range r.events(s, p) {
			if kind := e.Step.Kind; kind == spec.Timeout || kind == spec.Act {
				continue
			}
			if steps := onlyOutcome(r, s, p, e, rule); len(steps) > 0 && !steps[0].Unfair && steps[0].Panic == "" {
				return steps[0].After, true
			}
		}
		dropped, found := s, false
		r.messageFaults(s, p, func(step Step) bool {
			if !step.Unfair {
				dropped, found = step.After, true
			}
			return !found
		})
		if found {
			return dropped, true
		}
	}
	for _, step := range r.surroundings(s) {
		if !step.Unfair && step.Event.Action != Tick {
			return step.After, true
		}
	}
	return s, false
}

// onlyOutcome returns the outcomes of an event that comes to one thing. What follows from a state may not be up to a choice.
func onlyOutcome(r *Reference, s State, p spec.ID, e Event, rule Rule) []Step {
	steps, _ := r.outcomes(s, p, e, rule)
	for _, step := range steps {
		if step.Event.Step.Choices != nil {
			panic(&LimitError{fmt.Sprintf("process %v chooses, in %s, so there is no single state to which this one stabilizes: leave out what is said of stabilized states", p, r.Describe(step.Event))})
		}
	}
	return steps
}

// stir returns s after p began what it may begin and its timers expired.
func stir(r *Reference, s State, p spec.ID) State {
	for e, rule := range r.events(s, p) {
		if kind := e.Step.Kind; kind != spec.Act && kind != spec.Timeout || rule.Optional {
			continue
		}
		if steps := onlyOutcome(r, s, p, e, rule); len(steps) > 0 && steps[0].Panic == "" {
			s = steps[0].After
		}
	}
	return s
}
