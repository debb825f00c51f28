package model

import (
	"slices"

	"interleave/explore/scc"
	"interleave/spec"
)

// MayCircle reports whether the steps learned so far may lead from a state back to it. If not,
// none of their runs is infinite. It looks at the steps of each process by themselves, and at no
// global state, so it takes hardly any time. It may say that they may circle though they do not,
// but not the reverse.
func (s *System) MayCircle() bool {
	var all []*traffic
	for _, t := range s.tables {
		for _, g := range s.movesOf(t, &expander{sys: s}) {
			for _, c := range s.cases(g) {
				if step := s.traffic(g, c); step != nil {
					all = append(all, step)
				}
			}
		}
		for _, rule := range s.reference.rules.messages(t.id) {
			for letter := range t.letters.values {
				if !rule.Fault() {
					all = append(all, s.dropping(s.parcel(t.id, uint32(letter))))
				}
			}
		}
	}
	return len(s.restored(all, s.absorbs())) > 0
}

// traffic is what a step changes and the rest of a cycle has to restore.
type traffic struct {
	downCase
	process spec.ID           // None: no process takes part
	to      map[uint32]uint32 // its local state afterwards, by the one before
	takes   []parcel          // at most one
	puts    []parcel          // unless the network is divided
}

// traffic returns the traffic of the moves of a process while certain others are down. It is nil
// if no cycle has them: they lead nowhere, or use up a budget, as a return and a false suspicion
// do.
func (s *System) traffic(g *moves, c downCase) *traffic {
	p := g.tables.id
	if g.move.odd || g.rule.Fault() {
		return nil
	}
	t := &traffic{downCase: c, process: p, to: g.to}
	if g.rule.Step.Kind == spec.Receive {
		t.takes = []parcel{s.parcel(p, g.letter)}
	}
	for _, m := range g.move.sends {
		if parcel, arrives := s.sent(m, p, c.down); arrives {
			t.puts = append(t.puts, parcel)
		}
	}
	return t
}

// dropping is the traffic of a message that vanishes at a process that is down.
func (s *System) dropping(p parcel) *traffic {
	down := spec.SetOf(p.to)
	return &traffic{downCase: downCase{down, down}, takes: []parcel{p}}
}

// absorbs reports whether a sent message may vanish without being taken: into an equal one, or in
// a divided network.
func (s *System) absorbs() bool { return s.config.Network == Set || s.config.Partitions > 0 }

// restored returns those steps whose effects others restore; vanish is whether messages that are
// sent may vanish. In a cycle nobody crashes or comes up again, so each set of processes that may
// be down is considered by itself.
func (s *System) restored(steps []*traffic, vanish bool) map[*traffic]bool {
	found := map[*traffic]bool{}
	for _, down := range s.downSets(s.all) {
		some := slices.DeleteFunc(slices.Clone(steps), func(t *traffic) bool {
			return down.Has(t.process) || down&t.matter != t.down
		})
		for _, t := range s.restoring(some, vanish) {
			found[t] = true
		}
	}
	return found
}

// restoring returns the largest subset of steps that restore each other's effects: what one
// takes, another sends; what one sends, another takes, unless it may vanish; and their moves lead
// back to the local state. Every cycle consists of such steps.
func (s *System) restoring(steps []*traffic, vanish bool) []*traffic {
	for {
		taken, sent := map[parcel]bool{}, map[parcel]bool{}
		for _, t := range steps {
			for _, p := range t.takes {
				taken[p] = true
			}
			for _, p := range t.puts {
				sent[p] = true
			}
		}
		components := s.localComponents(steps)
		var rest []*traffic
		for _, t := range steps {
			if t.returns(components) && within(t.takes, sent) && (vanish || within(t.puts, taken)) {
				rest = append(rest, t)
			}
		}
		if len(rest) == len(steps) {
			return rest
		}
		steps = rest
	}
}

func within(parcels []parcel, set map[parcel]bool) bool {
	return !slices.ContainsFunc(parcels, func(p parcel) bool { return !set[p] })
}

// returns reports whether some of the local states that a step changes may be restored.
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

// localComponents returns, by process and local state, the number of the strongly connected
// component in the graph of what the steps do to the process.
func (s *System) localComponents(steps []*traffic) [][]int {
	next := make([][][]uint32, len(s.tables))
	for i, t := range s.tables {
		next[i] = make([][]uint32, len(t.local))
	}
	for _, t := range steps {
		for before, after := range t.to {
			of := next[t.process-1]
			of[before] = append(of[before], after)
		}
	}
	components := make([][]int, len(next))
	for i := range next {
		components[i] = scc.Of(next[i])
	}
	return components
}
