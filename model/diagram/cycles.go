package diagram

import (
	"slices"

	"interleave/explore/dd"
	"interleave/model/compiled"
)

// Endless returns the states of a set, which is kept, from which an infinite run may stay inside
// it; none, if there is no cycle. It repeatedly removes the states from which no event that may
// be part of a cycle leads to the rest.
func (y *System) Endless(s dd.Set) dd.Set {
	events := y.onCycles(s)
	return y.greatest(s, func(core dd.Set) dd.Set { return y.sources(events, core, core) })
}

// greatest returns the greatest fixed point of next within s, where next returns a subset of its
// argument. Next is given sets that are kept.
func (y *System) greatest(s dd.Set, next func(core dd.Set) dd.Set) dd.Set {
	f := y.Forest
	core := f.Keep(s)
	for f.Err() == nil {
		before := core
		if f.Replace(&core, next(core)); core == before {
			break
		}
	}
	f.Drop(core)
	return core
}

// sources returns the states of s that some events lead into another set. Both sets are kept.
func (y *System) sources(events []*Event, s, into dd.Set) dd.Set {
	f := y.Forest
	all := f.Keep(dd.Empty)
	for _, e := range events {
		f.Replace(&all, f.Union(all, f.Source(e.Event, s, into)))
	}
	f.Drop(all)
	return all
}

// onCycles returns the events that may be part of a cycle in a set of states, which is kept. In
// most worlds without a cycle there are none, and no state has to be examined.
func (y *System) onCycles(s dd.Set) []*Event {
	possible := func(e *Event) bool { return y.Forest.Enabled(e.Event, s) != dd.Empty }
	return y.restored(y.restored(y.Events, func(e *Event) bool { return e.traffic != nil }), possible)
}

// restored returns those events whose effects other events restore. Only those that are worth it
// are considered.
func (y *System) restored(events []*Event, worth func(e *Event) bool) []*Event {
	var all []*compiled.Traffic
	for _, e := range events {
		if worth(e) {
			all = append(all, e.traffic)
		}
	}
	found := y.sys.Restored(all, y.Overapprox)
	return slices.DeleteFunc(slices.Clone(events), func(e *Event) bool { return !found[e.traffic] })
}
