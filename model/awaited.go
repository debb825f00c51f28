package model

import (
	"slices"

	"interleave/spec"
)

// leaderless reports whether a process that follows leader may notice that it has no live leader.
func (r *Reference) leaderless(s State, leader spec.ID) bool {
	some := r.config.process(leader)
	if some == 0 {
		return true
	}
	if s.live().Has(leader) {
		return false
	}
	if r.config.Timers == Timed {
		return s.local(leader).Ages.Down == r.durations.notice
	}
	return !r.config.NoticesLate(r.traits) || !r.outstandingFrom(s, some)
}

// process returns the set of a process; the empty set if there is no such process. Nothing needs
// to be awaited from a leader that does not exist.
func (c Config) process(id spec.ID) spec.Set {
	if id < 1 || int(id) > c.N {
		return 0
	}
	return spec.SetOf(id)
}

// NoticesLate reports whether a crashed leader is noticed only after everything that it sent has
// arrived: in a flush world of an algorithm that takes silence for a crash.
func (c Config) NoticesLate(t spec.Traits) bool {
	return c.Timers == Flush && slices.ContainsFunc(t.Rules, func(r spec.TimerRule[any, any]) bool { return r.Silent != nil })
}

// Awaits reports whether something in the world waits for messages to arrive.
func (c Config) Awaits(t spec.Traits) bool {
	justified := func(r spec.TimerRule[any, any]) bool { return c.Timers.Justifies(r.Elects) }
	return c.Detector == Flushed || slices.ContainsFunc(t.Rules, justified)
}

// Justifies reports whether a timer may expire only when that is justified.
func (t Timing) Justifies(elects bool) bool { return t == Flush || t == Just || t == Mixed && elects }

// outstanding finds a message to q that has not arrived yet.
func (r *Reference) outstanding(s State, q spec.ID, which func(Envelope) bool) (_ Envelope, found bool) {
	for _, e := range s.inbox(q) {
		if which(e) && !r.waits(s, q, e) {
			return e, true
		}
	}
	return Envelope{}, false
}

// waits reports whether a message to q has arrived as far as is possible for now: q refuses it,
// or a message before it in the queue. Only its sender may wait for it.
func (r *Reference) waits(s State, q spec.ID, e Envelope) bool {
	if in := s.inbox(q); r.config.Network == FIFO {
		e = in[slices.IndexFunc(in, func(f Envelope) bool { return f.From == e.From })]
	}
	return r.refuses(s, q, spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message})
}

// refuses reports whether p, if it is up, refuses e.
func (r *Reference) refuses(s State, p spec.ID, e spec.Event) bool {
	l := s.local(p)
	if l.Status != Up {
		return false
	}
	_, fx := r.handle(l, p, s.live(), e)
	return fx.Refused
}

// outstandingFrom reports whether some message from the given processes has not arrived yet.
func (r *Reference) outstandingFrom(s State, senders spec.Set) bool {
	for q := range r.all.All() {
		if _, found := r.outstanding(s, q, func(e Envelope) bool { return senders.Has(e.From) }); found {
			return true
		}
	}
	return false
}

// mayExpire reports whether the armed timer t of p may expire in s.
func (r *Reference) mayExpire(s State, p spec.ID, t spec.Timer) bool {
	rule := r.traits.Rules[t]
	switch {
	case r.config.Timers == Timed:
		return s.local(p).Ages.Timers[t] == r.durations.timers[t]
	case !r.config.Timers.Justifies(rule.Elects):
		return true
	}
	var silent spec.Set
	if rule.Silent != nil {
		silent = rule.Silent(s.local(p).State, p, r.all)
	}
	if rule.AllDown && silent&s.live() != 0 {
		return false
	}
	for q := range s.live().All() {
		if rule.Owing != nil && rule.Owing(s.local(q).State, q, r.all).Has(p) {
			return false
		}
		if _, found := r.outstanding(s, q, func(e Envelope) bool { return rule.Awaited(p, e.From, q, e.Message) }); found {
			return false
		}
	}
	return r.config.Timers == Just || !r.outstandingFrom(s, silent&^s.live())
}

// report returns what the detector may report about q to p.
func (r *Reference) report(s State, p, q spec.ID) (kind spec.EventKind, ok bool) {
	up, suspected := s.live().Has(q), s.local(p).Suspected.Has(q)
	switch {
	case r.config.Detector == NoDetector:
		return 0, false
	case up && suspected:
		return spec.Restore, r.traits.Handles.Has(spec.Restore)
	case suspected:
		return 0, false
	case up:
		return spec.Suspect, r.config.Detector == Eventual && s.Env.Suspicions < uint8(r.config.Suspicions)
	case r.config.Detector == Flushed:
		_, found := r.outstanding(s, p, func(e Envelope) bool { return e.From == q })
		return spec.Suspect, !found
	}
	return spec.Suspect, true
}
