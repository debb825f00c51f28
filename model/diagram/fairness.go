package diagram

import (
	"maps"
	"slices"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/model"
	"interleave/model/compiled"
)

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

// Vector returns a state as a vector, if all its parts have numbers already; if not, it returns
// false, and the state is in no set.
func (y *System) Vector(s model.State) (vector []uint32, ok bool) {
	vector = make([]uint32, y.Forest.Levels())
	contents := make([][]compiled.Message, y.Forest.Levels())
	down := 0
	for i, t := range y.tables {
		local, known := t.Locals.Find(s.Locals[i])
		if !known {
			return nil, false
		}
		vector[y.locals[i]] = local
		if s.Locals[i].Status == model.Down {
			down++
		}
		for _, e := range s.Inboxes[i] {
			message, known := t.Messages.Find(e)
			if !known {
				return nil, false
			}
			p := compiled.Message{To: t.ID, From: e.From, ID: message}
			c := y.channelOf(p)
			if c == nil {
				return nil, false
			}
			contents[c.place] = append(contents[c.place], p)
		}
	}
	for _, c := range y.channels {
		if vector[c.place], ok = c.find(contents[c.place]); !ok {
			return nil, false
		}
	}
	if y.budgeted {
		vector[0], ok = y.budgets.Find(y.budgetOf(s, down))
		return vector, ok
	}
	return vector, true
}

// budgetOf returns what is used of the budgets if that many processes are down.
func (y *System) budgetOf(s model.State, down int) budget {
	c := &y.config
	if c.Recoveries > 0 { // Env counts them
		return budget{Env: s.Env}
	}
	return budget{s.Env, c.Crashed(down)}
}
