package conformance

import (
	"cmp"
	"maps"
	"slices"

	"interleave/impl/runlog"
	"interleave/spec"
)

// ears is what logs say of the messages that lives of processes took in.
type ears struct {
	took  map[hearing]bool
	holds map[pair]held // the first message from a process that a life refuses still
}

// held is a message that is refused, and the event that this is.
type held struct {
	name  runlog.Name
	event spec.Event
}

// hearing is a message that a life handled.
type hearing struct {
	by   lifeName
	name runlog.Name
}

// pair is a life, and a process that sends to it.
type pair struct {
	by   lifeName
	from spec.ID
}

func newEars() ears { return ears{map[hearing]bool{}, map[pair]held{}} }

// handled records that a life handled a message, and so refuses none before it.
func (e *ears) handled(by lifeName, name runlog.Name) {
	e.took[hearing{by, name}] = true
	if p := (pair{by, name.From}); compareNames(name, e.holds[p].name) >= 0 {
		delete(e.holds, p)
	}
}

// refused records that a life refused a message. That holds up those behind it until it is handled.
func (e *ears) refused(by lifeName, name runlog.Name, event spec.Event) {
	p := pair{by, name.From}
	if _, holds := e.holds[p]; !holds {
		e.holds[p] = held{name, event}
	}
}

// wentOn records that a life, in a state in which it refuses some events, went on to something else
// than a message. What waits is tried again before that, so it has taken what it does not refuse
// in that state, and holds up nothing with it.
func (e *ears) wentOn(by lifeName, refuses func(spec.Event) bool) {
	for p, h := range e.holds {
		if p.by == by && !refuses(h.event) {
			delete(e.holds, p)
		}
	}
}

// holdsUp reports whether a life refuses a message, or one before it from the same process.
func (e *ears) holdsUp(by lifeName, name runlog.Name) bool {
	first, ok := e.holds[pair{by, name.From}]
	return ok && compareNames(name, first.name) >= 0
}

// denied requires a log to have as handled what its process took in, unless it refuses it still. A
// link that keeps order loses nothing while both its ends live: so that is every message up to the
// last one that the process acknowledged, or has handled. In lock step a message may be too late.
func (b *both) denied() {
	if b.unordered || b.round > 0 {
		return
	}
	byLife := func(c, d direction) int { return cmp.Compare(c.to.incarnation, d.to.incarnation) }
	for _, d := range slices.SortedFunc(maps.Keys(b.flows), byLife) {
		fl := b.flows[d]
		named := func(number uint64) runlog.Name {
			return runlog.Name{From: d.from.id, Incarnation: d.from.incarnation, Sequence: number}
		}
		last := fl.taken
		for place, number := range fl.places {
			if b.ears.took[hearing{d.to, named(number)}] {
				last = max(last, place)
			}
		}
		for place, number := range fl.places {
			if name := named(number); place <= last && !b.ears.took[hearing{d.to, name}] && !b.ears.holdsUp(d.to, name) {
				b.lie(name, "message %d of process %v, incarnation %d, was taken in by incarnation %d of process %v, by what that acknowledged or handled, and no log says that it handled it",
					number, d.from.id, d.from.incarnation, d.to.incarnation, d.to.id)
			}
		}
	}
}
