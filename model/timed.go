package model

import "slices"

// tick returns s one tick later; false if something has to happen before, or
// if time changes nothing.
func (r *Reference) tick(s State) (State, bool) {
	if r.config.Timers != Timed || r.urgent(s) {
		return s, false
	}
	later := s.clone()
	for i, in := range s.Inboxes {
		later.Inboxes[i] = slices.Clone(in)
		for k := range in {
			later.Inboxes[i][k].Age++
		}
		later.Locals[i].tick(r.durations.notice)
	}
	return later, !later.Equal(s)
}

// tick lets armed timers age, and a crash, up to when it is noticed.
func (l *Local) tick(notice uint8) {
	if l.Status == Down {
		l.Ages.Down = min(l.Ages.Down+1, notice)
	}
	for t := range l.Ages.Timers {
		if l.Timers>>t&1 != 0 {
			l.Ages.Timers[t]++
		}
	}
}

// urgent reports whether a message has to arrive, or a timer to expire, in this
// tick.
func (r *Reference) urgent(s State) bool {
	for i, l := range s.Locals {
		for t := range l.Ages.Timers {
			if l.Timers>>t&1 != 0 && l.Ages.Timers[t] >= r.durations.timers[t] {
				return true
			}
		}
		if slices.ContainsFunc(s.Inboxes[i], func(e Envelope) bool { return int(e.Age) >= r.config.Delta }) {
			return true
		}
	}
	return false
}
