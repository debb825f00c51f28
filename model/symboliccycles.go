package model

import (
	"slices"

	"interleave/explore/dd"
)

// Endless returns the states of a set, which is kept, from which a run inside it
// need not end: none, if there is no cycle. It takes away the states that lead
// out of it only, by the events that may be part of a cycle.
func (y *Symbolic) Endless(s dd.Set) dd.Set {
	events := y.circling(s)
	return y.greatest(s, func(core dd.Set) dd.Set { return y.sources(events, core, core) })
}

// greatest returns the largest part of a set that next leaves as it is, where
// next returns less and less of it. Next is given sets that are kept.
func (y *Symbolic) greatest(s dd.Set, next func(core dd.Set) dd.Set) dd.Set {
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

// sources returns the states of a set that some events lead into another. Both
// are kept.
func (y *Symbolic) sources(events []*SymbolicEvent, s, into dd.Set) dd.Set {
	f := y.Forest
	all := f.Keep(dd.Empty)
	for _, e := range events {
		f.Replace(&all, f.Union(all, f.Source(e.Event, s, into)))
	}
	f.Drop(all)
	return all
}

// circling returns the events that may be part of a cycle in a set of states
// that is kept. In most worlds without a cycle none is left, and no state need
// be looked at.
func (y *Symbolic) circling(s dd.Set) []*SymbolicEvent {
	possible := func(e *SymbolicEvent) bool { return y.Forest.Enabled(e.Event, s) != dd.Empty }
	return y.restored(y.restored(y.Events, func(e *SymbolicEvent) bool { return e.traffic != nil }), possible)
}

// restored returns those of some events, as far as they are worth a look, whose
// effects others of them restore.
func (y *Symbolic) restored(events []*SymbolicEvent, worth func(e *SymbolicEvent) bool) []*SymbolicEvent {
	var all []*traffic
	for _, e := range events {
		if worth(e) {
			all = append(all, e.traffic)
		}
	}
	found := y.sys.restored(all, y.Loose || y.sys.absorbs())
	return slices.DeleteFunc(slices.Clone(events), func(e *SymbolicEvent) bool { return !found[e.traffic] })
}
