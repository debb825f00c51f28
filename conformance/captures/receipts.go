package captures

import (
	"cmp"
	"maps"
	"slices"

	"interleave/impl/runlog"
	"interleave/spec"
)

// receipts are what logs say of the messages that incarnations took in.
type receipts struct {
	took  map[receipt]bool
	holds map[pair]held // the first message from a process that an incarnation refuses still
}

// held is a message that is refused, and the event that this is.
type held struct {
	name  runlog.Name
	event spec.Event
}

// receipt is a message that an incarnation handled.
type receipt struct {
	by   incarnation
	name runlog.Name
}

// pair is an incarnation, and a process that sends to it.
type pair struct {
	by   incarnation
	from spec.ID
}

func newReceipts() receipts { return receipts{map[receipt]bool{}, map[pair]held{}} }

// handled records that an incarnation handled a message, and so refuses none before it.
func (r *receipts) handled(by incarnation, name runlog.Name) {
	r.took[receipt{by, name}] = true
	if p := (pair{by, name.From}); name.Compare(r.holds[p].name) >= 0 {
		delete(r.holds, p)
	}
}

// refused records that an incarnation refused a message. That holds up those behind it until it is handled.
func (r *receipts) refused(by incarnation, name runlog.Name, event spec.Event) {
	p := pair{by, name.From}
	if _, holds := r.holds[p]; !holds {
		r.holds[p] = held{name, event}
	}
}

// wentOn records that an incarnation, in a state in which it refuses some events, went on to something else
// than a message. What waits is tried again before that, so it has taken what it does not refuse
// in that state, and holds up nothing with it.
func (r *receipts) wentOn(by incarnation, refuses func(spec.Event) bool) {
	for p, h := range r.holds {
		if p.by == by && !refuses(h.event) {
			delete(r.holds, p)
		}
	}
}

// holdsUp reports whether an incarnation refuses a message, or one before it from the same process.
func (r *receipts) holdsUp(by incarnation, name runlog.Name) bool {
	first, ok := r.holds[pair{by, name.From}]
	return ok && name.Compare(first.name) >= 0
}

// denied requires a log to have as handled what its process took in, unless it refuses it still. A
// link that keeps order loses nothing while both its ends live: so that is every message up to the
// last one that the process acknowledged, or has handled. In lock step a message may be too late.
func (c *crosscheck) denied() {
	if c.unordered || c.round > 0 {
		return
	}
	byReceiver := func(c, d direction) int { return cmp.Compare(c.to.number, d.to.number) }
	for _, d := range slices.SortedFunc(maps.Keys(c.flows), byReceiver) {
		fl := c.flows[d]
		named := func(number uint64) runlog.Name {
			return runlog.Name{From: d.from.id, Incarnation: d.from.number, Sequence: number}
		}
		last := fl.taken
		for place, number := range fl.places {
			if c.receipts.took[receipt{d.to, named(number)}] {
				last = max(last, place)
			}
		}
		for place, number := range fl.places {
			if name := named(number); place <= last && !c.receipts.took[receipt{d.to, name}] && !c.receipts.holdsUp(d.to, name) {
				c.contradict(name, "message %d of process %v, incarnation %d, was taken in by incarnation %d of process %v, by what that acknowledged or handled, and no log says that it handled it",
					number, d.from.id, d.from.number, d.to.number, d.to.id)
			}
		}
	}
}
