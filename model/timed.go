package model

import (
	"slices"

	"interleave/spec"
)

// tick returns s one tick later.
func (r *Reference) tick(s State) State {
	later := s.clone()
	for i, in := range s.Inboxes {
		later.Inboxes[i] = slices.Clone(in)
		for k, e := range in {
			later.Inboxes[i][k].Age = min(e.Age+1, uint8(r.config.Delta))
		}
		later.Locals[i].tick(r.rules.durations)
	}
	return later
}

// tick lets armed timers age up to when they expire, and a crash up to when it is noticed.
// Those that Init sets run from the start of the process on: the two are one moment.
func (l *Local) tick(d durations) {
	switch l.Status {
	case Down:
		l.Ages.Down = min(l.Ages.Down+1, d.notice)
	case Up:
		for t := range l.Ages.Timers {
			if l.Timers>>t&1 != 0 {
				l.Ages.Timers[t] = min(l.Ages.Timers[t]+1, d.timers[t])
			}
		}
	}
}

// urgent reports whether a message has to arrive, or a timer to expire, in this tick. A message
// that the handler refuses has arrived, and waits while time goes on, as do the messages behind
// it in a queue.
func (r *Reference) urgent(s State) bool {
	for p := range r.all.All() {
		l, in := s.local(p), s.inbox(p)
		for t := range spec.Timer(spec.MaxTimers) {
			if l.Timers>>t&1 != 0 && l.Ages.Timers[t] >= r.rules.durations.timers[t] && !r.refuses(s, p, spec.Event{Kind: spec.Timeout, Timer: t}) {
				return true
			}
		}
		for place := range in.deliverable(r.config.Network) {
			e := in[place]
			if int(e.Age) >= r.config.Delta && !r.waits(s, p, e) {
				return true
			}
		}
	}
	return false
}
