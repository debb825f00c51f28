package model

import (
	"slices"

	"interleave/explore/dd"
	"interleave/spec"
)

// traffic is what an event changes that the rest of a cycle has to restore.
type traffic struct {
	downCase
	process spec.ID           // None: no process takes part
	to      map[uint32]uint32 // its local state after, by that before
	takes   []parcel
	puts    []parcel
}

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
// that is kept. What one spends for good, such as a crash, is not. In most
// worlds without a cycle none is left, and no state need be looked at.
func (y *Symbolic) circling(s dd.Set) []*SymbolicEvent {
	events := y.restored(slices.DeleteFunc(slices.Clone(y.Events), func(e *SymbolicEvent) bool { return e.traffic == nil }))
	return y.restored(slices.DeleteFunc(events, func(e *SymbolicEvent) bool { return y.Forest.Enabled(e.Event, s) == dd.Empty }))
}

// restored returns those of some events whose effects others of them restore.
// In a cycle nobody crashes or comes up again; so each set of processes that
// may be down is looked at by itself.
func (y *Symbolic) restored(events []*SymbolicEvent) []*SymbolicEvent {
	found := map[*SymbolicEvent]bool{}
	for _, down := range y.sys.downSets(y.sys.all) {
		some := slices.DeleteFunc(slices.Clone(events), func(e *SymbolicEvent) bool {
			return down.Has(e.traffic.process) || down&e.traffic.matter != e.traffic.down
		})
		for _, e := range y.restoring(some) {
			found[e] = true
		}
	}
	return slices.DeleteFunc(events, func(e *SymbolicEvent) bool { return !found[e] })
}

// restoring returns the most of some events that restore each other's effects:
// what one takes, another sends; what one sends, another takes, unless it may be
// absorbed; and their moves lead back to the local state. A cycle consists of
// such events.
func (y *Symbolic) restoring(events []*SymbolicEvent) []*SymbolicEvent {
	for {
		taken, sent := map[parcel]bool{}, map[parcel]bool{}
		for _, e := range events {
			for _, p := range e.traffic.takes {
				taken[p] = true
			}
			for _, p := range e.traffic.puts {
				sent[p] = true
			}
		}
		components := y.localComponents(events)
		var rest []*SymbolicEvent
		for _, e := range events {
			t := e.traffic
			if t.returns(components) && within(t.takes, sent) && (y.sys.config.Network == Set || within(t.puts, taken)) {
				rest = append(rest, e)
			}
		}
		if len(rest) == len(events) {
			return rest
		}
		events = rest
	}
}

func within(parcels []parcel, set map[parcel]bool) bool {
	return !slices.ContainsFunc(parcels, func(p parcel) bool { return !set[p] })
}

// returns reports whether some of the local states that an event changes may
// be restored.
func (t *traffic) returns(components [][]int) bool {
	if t.process == spec.None {
		return true
	}
	of := components[t.process-1]
	for before, after := range t.to {
		if of[before] == of[after] {
			return true
		}
	}
	return false
}

// localComponents returns, by process and local state, the number of the
// strongly connected component in the graph of what some events do to the
// process.
func (y *Symbolic) localComponents(events []*SymbolicEvent) [][]int {
	next := make([][][]uint32, len(y.sys.tables))
	for i, t := range y.sys.tables {
		next[i] = make([][]uint32, len(t.local))
	}
	for _, e := range events {
		for before, after := range e.traffic.to {
			of := next[e.traffic.process-1]
			of[before] = append(of[before], after)
		}
	}
	components := make([][]int, len(next))
	for i := range next {
		components[i] = stronglyConnected(next[i])
	}
	return components
}
