package compiled

import (
	"slices"

	"interleave/explore/scc"
	"interleave/model"
	"interleave/spec"
)

// MayCycle reports whether the steps learned so far may lead from a state back to it. If not,
// none of their runs is infinite. It looks at the steps of each process by themselves, and at no
// global state, so it takes hardly any time. It may say that they may cycle though they do not,
// but not the reverse.
func (s *LocalSteps) MayCycle() bool {
	var all []*Traffic
	for _, t := range s.tables {
		for _, g := range groupsOf(t, s.known(t)) {
			for _, c := range g.Cases() {
				if step := g.Traffic(c); step != nil {
					all = append(all, step)
				}
			}
		}
		for _, rule := range s.reference.Rules().Messages(t.ID) {
			for message := range t.Messages.Values {
				if !rule.Fault() {
					all = append(all, Dropping(t.Message(uint32(message))))
				}
			}
		}
	}
	return len(s.Restored(all, false)) > 0
}

// Traffic is what a step changes and the rest of a cycle has to restore.
type Traffic struct {
	DownCase
	process spec.ID           // None: no process takes part
	to      map[uint32]uint32 // its local state afterwards, by the one before
	Takes   []Message         // at most one
	Puts    []Message         // unless the network is divided
}

// Traffic returns the traffic of the moves while certain other processes are down. It is nil
// if no cycle has them: they lead nowhere, or use up a budget, as a return and a false suspicion
// do.
func (g *StepGroup) Traffic(c DownCase) *Traffic {
	if g.Move.deadEnd || g.Rule.Spends != model.Unlimited {
		return nil
	}
	t := &Traffic{DownCase: c, process: g.Tables.ID, to: g.To}
	if g.Rule.Step.Kind == spec.Receive {
		t.Takes = []Message{g.Tables.Message(g.MessageID)}
	}
	for _, m := range g.Move.Sends {
		if message, arrives := g.Sent(m, c.Down); arrives {
			t.Puts = append(t.Puts, message)
		}
	}
	return t
}

// Dropping is the traffic of a message that vanishes at a process that is down.
func Dropping(p Message) *Traffic {
	down := spec.SetOf(p.To)
	return &Traffic{DownCase: DownCase{down, down}, Takes: []Message{p}}
}

// Restored returns those steps whose effects others restore. A message that is sent may vanish without being taken into
// an equal one, in a divided network, and in an over-approximation that is lossy. In a cycle nobody crashes or comes up
// again, so each set of processes that may be down is considered by itself.
func (s *LocalSteps) Restored(steps []*Traffic, lossy bool) map[*Traffic]bool {
	vanish := lossy || s.config.Network == model.Set || s.config.Partitions > 0
	found := map[*Traffic]bool{}
	for _, down := range s.downSets(s.all) {
		some := slices.DeleteFunc(slices.Clone(steps), func(t *Traffic) bool {
			return down.Has(t.process) || down&t.Matter != t.Down
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
func (s *LocalSteps) restoring(steps []*Traffic, vanish bool) []*Traffic {
	for {
		taken, sent := map[Message]bool{}, map[Message]bool{}
		for _, t := range steps {
			for _, p := range t.Takes {
				taken[p] = true
			}
			for _, p := range t.Puts {
				sent[p] = true
			}
		}
		components := s.localComponents(steps)
		var rest []*Traffic
		for _, t := range steps {
			if t.returns(components) && within(t.Takes, sent) && (vanish || within(t.Puts, taken)) {
				rest = append(rest, t)
			}
		}
		if len(rest) == len(steps) {
			return rest
		}
		steps = rest
	}
}

func within(messages []Message, set map[Message]bool) bool {
	return !slices.ContainsFunc(messages, func(p Message) bool { return !set[p] })
}

// returns reports whether some of the local states that a step changes may be restored.
func (t *Traffic) returns(components [][]int) bool {
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
func (s *LocalSteps) localComponents(steps []*Traffic) [][]int {
	next := make([][][]uint32, len(s.tables))
	for i, t := range s.tables {
		next[i] = make([][]uint32, len(t.Info))
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
