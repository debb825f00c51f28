package diagram

import (
	"maps"
	"slices"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/model/compiled"
)

// Endless returns the states of a set, which is kept, from which an infinite run may stay inside
// it; none, if there is no cycle. It repeatedly removes the states from which no event that may
// be part of a cycle leads to the rest.
func (y *System) Endless(s dd.Set) dd.Set {
	events := y.onCycles(s)
	return greatest(y.Forest, s, func(core dd.Set) dd.Set { return sources(y.Forest, events, core, core) })
}

// greatest returns the greatest fixed point of next within s, where next returns a subset of its
// argument. Next is given sets that are kept.
func greatest(f *dd.Forest, s dd.Set, next func(core dd.Set) dd.Set) dd.Set {
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
func sources(f *dd.Forest, events []*Event, s, into dd.Set) dd.Set {
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

// Graph returns the graph of the reachable states, a set that is kept, for questions about
// infinite runs, with fairness as in Config.Fairness. The sets of the graph are kept.
func (y *System) Graph(all dd.Set) *dd.Graph {
	f := y.Forest
	cycling := y.onCycles(all)
	g := &dd.Graph{States: all, Initial: f.Keep(y.Initial()), Steps: y.events(), Cut: f.Keep(dd.Empty), Rests: f.Keep(all)}
	classes := map[explore.Class]*dd.Class{}
	for _, e := range y.Events {
		switch {
		case e.Beyond && e.Fair && !y.Overapprox:
			f.Replace(&g.Cut, f.Union(g.Cut, f.Enabled(e.Event, all)))
		case e.Beyond:
		case e.owed != explore.Unfair:
			if classes[e.class] == nil {
				classes[e.class] = &dd.Class{Possible: f.Keep(dd.Empty), Strong: e.owed == explore.Strong}
			}
			possible := &classes[e.class].Possible
			f.Replace(possible, f.Union(*possible, f.Enabled(e.Event, all)))
		}
	}
	for _, e := range cycling {
		g.Cycle = append(g.Cycle, e.Event)
		if e.owed != explore.Unfair {
			classes[e.class].Steps = append(classes[e.class].Steps, e.Event)
		}
	}
	if y.Overapprox {
		g.Stocks = stocks(cycling)
	}
	f.Replace(&g.Rests, f.Minus(g.Rests, g.Cut))
	for _, number := range slices.Sorted(maps.Keys(classes)) {
		c := classes[number]
		g.Classes = append(g.Classes, c)
		f.Replace(&g.Rests, f.Minus(g.Rests, c.Possible))
	}
	return g
}

// stocks returns the messages that the events take.
func stocks(events []*Event) (all []*dd.Stock) {
	of := map[compiled.Message]*dd.Stock{}
	for _, e := range events {
		for _, p := range e.traffic.Takes {
			if of[p] == nil {
				of[p] = &dd.Stock{}
				all = append(all, of[p])
			}
			of[p].Takes = append(of[p].Takes, e.Event)
		}
	}
	for _, e := range events {
		for _, p := range e.traffic.Puts {
			if s := of[p]; s != nil && !slices.Contains(s.Puts, e.Event) {
				s.Puts = append(s.Puts, e.Event)
			}
		}
	}
	return all
}

// SendForever returns the states of a set, which is kept, from which a run inside it may send
// messages forever; none, if there is no such run. It repeatedly removes the states from which
// no message is sent on the way to another state of the rest.
func (y *System) SendForever(s dd.Set) dd.Set {
	f := y.Forest
	var sending, free []*Event
	for _, e := range y.onCycles(s) {
		if e.Sends > 0 {
			sending = append(sending, e)
		} else {
			free = append(free, e)
		}
	}
	return greatest(f, s, func(core dd.Set) dd.Set {
		all := f.Keep(sources(f, sending, core, core))
		for more := true; more && f.Err() == nil; {
			before := all
			f.Replace(&all, f.Union(all, sources(f, free, core, all)))
			more = all != before
		}
		f.Drop(all)
		return all
	})
}

// Before returns the states of a set, which is kept, from which some events lead to a goal in it, and the goal.
func (y *System) Before(s, goal dd.Set, by func(e *Event) bool) dd.Set {
	f := y.Forest
	all := f.Keep(goal)
	for more := true; more && f.Err() == nil; {
		before := all
		for _, e := range y.Events {
			if e.leads() && by(e) {
				f.Replace(&all, f.Union(all, f.Source(e.Event, s, all)))
			}
		}
		more = all != before
	}
	f.Drop(all)
	return all
}
