package dd

import (
	"slices"
)

// Event is a kind of step. It may happen where all its functions are defined, and it changes the
// places that it looks at, each independently.
type Event struct {
	parts []part
	id    uint32
}

// part is what an event does to one place.
type part struct {
	level int
	next  func(value uint32) (uint32, bool)
	known []uint32 // by value: unasked, never, or the next value + 2
}

const (
	unasked = iota
	never
	answers
)

// eventOps is how many operations of the cache belong to one event: image,
// image in a saturation, source, enabled, grown.
const eventOps = 5

// NewEvent returns an event that does nothing yet.
func (f *Forest) NewEvent() *Event {
	f.events++
	return &Event{id: opEvents + eventOps*(f.events-1)}
}

// At has the event look at one more place. Next returns the new value of the place, and whether
// the event can happen with the old one. Places are added in order.
func (e *Event) At(level int, next func(value uint32) (uint32, bool)) {
	if n := len(e.parts); n > 0 && e.parts[n-1].level >= level {
		panic("dd: the places of an event are out of order")
	}
	e.parts = append(e.parts, part{level: level, next: next})
}

func (p *part) ask(f *Forest, value uint32) (uint32, bool) {
	if int(value) >= len(p.known) {
		old := cap(p.known)
		p.known = append(p.known, make([]uint32, int(value)+1-len(p.known))...)
		f.asked += int64(cap(p.known)-old) * 4
	}
	if p.known[value] == unasked {
		if f.heed(); f.err != nil {
			return 0, false
		}
		p.known[value] = never
		if next, ok := p.next(value); ok {
			p.known[value] = next + answers
		}
	}
	return p.known[value] - answers, p.known[value] >= answers
}

// at returns the part of e for a level, or nil if e does not look at that.
func (e *Event) at(level int) *part {
	for i := range e.parts {
		if e.parts[i].level >= level {
			if e.parts[i].level == level {
				return &e.parts[i]
			}
			return nil
		}
	}
	return nil
}

// Next returns the value to which e changes a value at a level, and whether e can happen with
// that.
func (f *Forest) Next(e *Event, level int, value uint32) (uint32, bool) {
	if p := e.at(level); p != nil {
		return p.ask(f, value)
	}
	return value, true
}

func (e *Event) first() int { return e.parts[0].level }
func (e *Event) last() int  { return e.parts[len(e.parts)-1].level }

// Image returns the vectors that e leads to from those of s.
func (f *Forest) Image(e *Event, s Set) Set { return f.fire(e, s, nil) }

// fire returns the image of s under e, saturated by the events of sat unless that is nil.
func (f *Forest) fire(e *Event, s Set, sat *saturation) Set {
	level := f.level(s)
	if s == Empty || level > e.last() || f.err != nil {
		return s
	}
	op := e.id
	if sat != nil {
		op++
	}
	if t, ok := f.recall(op, uint32(s), 0); ok {
		return t
	}
	f.pin(s)
	r := f.newRow()
	p := e.at(level)
	for i := range f.nodes[s].size {
		a := f.arcs[f.nodes[s].first+i]
		if p != nil {
			value, ok := p.ask(f, a.value)
			if !ok {
				continue
			}
			a.value = value
		}
		if a.child = f.fire(e, a.child, sat); a.child != Empty {
			r.arcs = append(r.arcs, a)
		}
	}
	f.gather(r)
	if sat != nil {
		sat.finish(level, r)
	}
	t := f.build(level, r)
	f.unpin()
	return f.remember(op, uint32(s), 0, t)
}

// grown returns s and the image of s under e. Down to the first place that e changes, it makes no
// nodes for the image alone. Nor does it look up a node again to which nothing is added, which
// would take most of the time.
func (f *Forest) grown(e *Event, s Set) Set {
	level := f.level(s)
	if s == Empty || level > e.last() || f.err != nil {
		return s
	}
	op := e.id + 4
	if t, ok := f.recall(op, uint32(s), 0); ok {
		return t
	}
	f.pin(s)
	r := f.newRow()
	p, more := e.at(level), false
	for i := range f.nodes[s].size {
		a := f.arcs[f.nodes[s].first+i]
		child, next, ok := a.child, a.value, true
		if p != nil {
			next, ok = p.ask(f, a.value)
		}
		if ok && next == a.value {
			a.child = f.grown(e, child)
			more = more || a.child != child
		}
		r.arcs = append(r.arcs, a)
		if ok && next != a.value {
			if a = (arc{next, f.fire(e, child, nil)}); a.child != Empty {
				r.arcs = append(r.arcs, a)
				more = true
			}
		}
	}
	t := s
	if more {
		f.gather(r)
		t = f.node(level, r.arcs)
	}
	f.release(r)
	f.unpin()
	return f.remember(op, uint32(s), 0, t)
}

// Enabled returns the vectors of s in which e may happen.
func (f *Forest) Enabled(e *Event, s Set) Set {
	if s == Empty || f.err != nil {
		return Empty
	}
	level := f.level(s)
	if level > e.last() {
		return s
	}
	op := e.id + 3
	if t, ok := f.recall(op, uint32(s), 0); ok {
		return t
	}
	f.pin(s)
	r := f.newRow()
	p := e.at(level)
	for i := range f.nodes[s].size {
		a := f.arcs[f.nodes[s].first+i]
		if p != nil {
			if _, ok := p.ask(f, a.value); !ok {
				continue
			}
		}
		if a.child = f.Enabled(e, a.child); a.child != Empty {
			r.arcs = append(r.arcs, a)
		}
	}
	t := f.build(level, r)
	f.unpin()
	return f.remember(op, uint32(s), 0, t)
}

// Source returns the vectors of s from which e leads into another set.
func (f *Forest) Source(e *Event, s, into Set) Set {
	if s == Empty || into == Empty || f.err != nil {
		return Empty
	}
	level := f.level(s)
	if level > e.last() {
		return f.Intersect(s, into)
	}
	op := e.id + 2
	if t, ok := f.recall(op, uint32(s), uint32(into)); ok {
		return t
	}
	f.pin(s)
	f.pin(into)
	r := f.newRow()
	p := e.at(level)
	for i := range f.nodes[s].size {
		a := f.arcs[f.nodes[s].first+i]
		value, ok := a.value, true
		if p != nil {
			value, ok = p.ask(f, a.value)
		}
		if !ok {
			continue
		}
		if a.child = f.Source(e, a.child, f.child(into, value)); a.child != Empty {
			r.arcs = append(r.arcs, a)
		}
	}
	t := f.build(level, r)
	f.unpin()
	f.unpin()
	return f.remember(op, uint32(s), uint32(into), t)
}

// Strategy is a way to compute the reachable states.
type Strategy uint8

const (
	Chain    Strategy = iota // event after event, until nothing is new
	Saturate                 // node after node, from the last level up
)

func (s Strategy) String() string { return [...]string{"chaining", "saturation"}[s] }

// MarshalText writes the strategy in words.
func (s Strategy) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Reach returns everything that the events lead to from s, including s; Empty if Err.
func (f *Forest) Reach(strategy Strategy, events []*Event, s Set) Set {
	f.Keep(s)
	all := s
	if strategy == Saturate {
		sat := newSaturation(f, events)
		all = sat.set(s)
	} else {
		all = f.chain(events, s)
	}
	f.Drop(s)
	if f.err != nil {
		return Empty
	}
	return all
}

func (f *Forest) chain(events []*Event, s Set) Set {
	all := f.Keep(s)
	for more := true; more && f.err == nil; {
		more = false
		for _, e := range events {
			if after := f.grown(e, all); after != all {
				f.Replace(&all, after)
				more = true
			}
		}
	}
	f.Drop(all)
	return all
}

// saturation has the events by the first level that they look at.
type saturation struct {
	forest *Forest
	events [][]*Event
}

func newSaturation(f *Forest, events []*Event) *saturation {
	sat := &saturation{f, make([][]*Event, f.levels)}
	for _, e := range events {
		sat.events[e.first()] = append(sat.events[e.first()], e)
	}
	clear(f.cache) // its results are of other events
	return sat
}

// set returns s with everything that the events which look at no level above that of s lead to.
func (sat *saturation) set(s Set) Set {
	f := sat.forest
	if s == Empty || s == end || f.err != nil {
		return s
	}
	if t, ok := f.recall(opSaturate, uint32(s), 0); ok {
		return t
	}
	f.pin(s)
	r := f.newRow()
	for i := range f.nodes[s].size {
		a := f.arcs[f.nodes[s].first+i]
		a.child = sat.set(a.child)
		r.arcs = append(r.arcs, a)
	}
	sat.finish(f.level(s), r)
	t := f.build(f.level(s), r)
	f.unpin()
	return f.remember(opSaturate, uint32(s), 0, t)
}

// finish adds to a row everything that the events which look at its level first lead to. The
// children are finished.
func (sat *saturation) finish(level int, r *row) {
	events := sat.events[level]
	if len(events) == 0 || len(r.arcs) == 0 {
		return
	}
	f := sat.forest
	r.seen = append(r.seen, make([]Set, len(r.arcs))...)
	for i := r.unseen(); i >= 0 && f.err == nil; i = r.unseen() {
		value, child, before := r.arcs[i].value, r.arcs[i].child, r.seen[i]
		r.seen[i] = child
		fresh := f.news(child, before, depthOfNews)
		f.pin(fresh)
		for _, e := range events {
			next, ok := e.parts[0].ask(f, value)
			if !ok {
				continue
			}
			if s := f.fire(e, fresh, sat); s != Empty {
				f.pin(s)
				f.add(r, next, s)
				f.unpin()
			}
		}
		f.unpin()
	}
}

// unseen returns the first arc whose child has changed since it was looked at; -1 if there is
// none.
func (r *row) unseen() int {
	for i, a := range r.arcs {
		if a.child != r.seen[i] {
			return i
		}
	}
	return -1
}

// add adds a set to the child of a value in a row.
func (f *Forest) add(r *row, value uint32, s Set) {
	i, found := slices.BinarySearchFunc(r.arcs, arc{value: value}, compareArcs)
	if !found {
		r.arcs = slices.Insert(r.arcs, i, arc{value, s})
		r.seen = slices.Insert(r.seen, i, Empty)
		return
	}
	r.arcs[i].child = f.Union(r.arcs[i].child, s)
}
