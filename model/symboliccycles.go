package model

import (
	"slices"

	"interleave/explore/dd"
)

// Endless returns the states of a set from which a run inside it need not end:
// none, if there is no cycle. It takes away, again and again, the states that
// lead out of it only, by the events that may be part of a cycle.
func (y *Symbolic) Endless(s dd.Set) dd.Set {
	f := y.Forest
	core := f.Keep(s)
	events := y.circling(s)
	for f.Err() == nil {
		more := f.Keep(dd.Empty)
		for _, e := range events {
			f.Replace(&more, f.Union(more, f.Source(e.Event, core, core)))
		}
		same := more == core
		f.Replace(&core, more)
		f.Drop(more)
		if same {
			break
		}
	}
	f.Drop(core)
	return core
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
	found := y.sys.restored(all)
	return slices.DeleteFunc(slices.Clone(events), func(e *SymbolicEvent) bool { return !found[e.traffic] })
}
