package explore

import (
	"context"

	"interleave/explore/ltl"
	"interleave/explore/scc"
)

// Chance says which steps depend on chance. It returns the event that a step out of a state is an
// outcome of, and the answers that chance gave in it. Event 0: it has no part in the step. Steps of
// one event with the same answers are told apart by whatever else chooses among steps, which may
// know the answers first.
type Chance func(state []uint64, a Action) (event, answers uint64)

// EndComponent is Accepted for runs that luck does not end: those that stay in an accepting end component of a Markov
// decision process. There a run takes an event of
// chance out of a state again and again only if it does so with each of the answers. The run that
// is returned stays in such a place, though its loop need not show every answer.
//
// If each answer has a probability that is not 0, all other runs together have probability 0,
// whatever chooses among the other steps: in a finite graph, what an infinite run takes again and
// again is with probability 1 closed under the answers (L. de Alfaro: Formal verification of
// probabilistic systems, 1997). So after an exhausted search, no such run means that with
// probability 1 a run is not fair, or not accepted. The converse need not be true of a formula that
// depends on the order in which answers come.
//
// A step to a state that was not expanded leads away, as does one to nowhere.
func (r *FairRuns) EndComponent(ctx context.Context, a *ltl.Automaton, atoms []uint8, c Chance) (Lasso, bool, error) {
	return r.accepted(ctx, a, atoms, &luck{
		chance: c, graph: r.outlooks.graph, choices: map[int][]choice{}, barred: map[nodeEdge]struct{}{},
	})
}

// luck is what a search for runs that last knows of chance. Fairness of this kind is strong
// fairness to the steps of an event out of a state of the graph, whatever the automaton makes of them.
// It is owed only where the event is taken. So where an answer leads out of a component for good, the
// whole event is barred there, and what is left falls into components again.
type luck struct {
	chance  Chance
	graph   *Graph
	choices map[int][]choice // of each edge out of a state; nil: nothing there depends on chance
	edges   int              // in choices
	barred  map[nodeEdge]struct{}
	again   []*nodes // components to be searched again without what is barred
}

// choice is what chance has to do with an edge.
type choice struct{ event, answers uint64 }

// nodeEdge is an edge out of a node of a product, by its place.
type nodeEdge struct{ node, edge int }

// bytes is about how much memory it takes.
func (l *luck) bytes() int64 {
	if l == nil {
		return 0
	}
	return 64*int64(len(l.choices)+len(l.barred)) + 16*int64(l.edges)
}

// of returns what chance has to do with the edges out of a state; nil: nothing.
func (l *luck) of(state int) []choice {
	choices, known := l.choices[state]
	if known {
		return choices
	}
	words, steps, some := l.graph.State(state), l.graph.expand(state), false
	for _, actions := range [][]Action{steps.Actions, steps.Dead} {
		for _, a := range actions {
			event, answers := l.chance(words, a)
			choices, some = append(choices, choice{event, answers}), some || event != 0
		}
	}
	if !some {
		choices = nil
	}
	l.choices[state], l.edges = choices, l.edges+len(choices)
	return choices
}

// bars reports whether no run that lasts takes an edge again and again.
func (f *finder) bars(node, edge int) bool {
	if f.luck == nil {
		return false
	}
	_, barred := f.luck.barred[nodeEdge{node, edge}]
	return barred
}

// choiceAt is what chance may make of a state.
type choiceAt struct {
	state int
	choice
}

// bar bars the events in a component of which an answer leads out of it, and reports whether there
// are any.
func (c *component) bar() (some bool) {
	stays := map[choiceAt]bool{}
	c.eachChoice(func(_, state int, _ int, d choice) { stays[choiceAt{state, d}] = true })
	leaves := map[choiceAt]bool{} // without answers
	for at := range stays {
		for _, d := range c.luck.of(at.state) {
			if d.event == at.event && !stays[choiceAt{at.state, d}] {
				leaves[choiceAt{at.state, choice{event: d.event}}] = true
			}
		}
	}
	var barred []nodeEdge
	c.eachChoice(func(node, state, edge int, d choice) {
		if leaves[choiceAt{state, choice{event: d.event}}] {
			barred = append(barred, nodeEdge{node, edge})
		}
	})
	for _, e := range barred {
		c.luck.barred[e] = struct{}{}
	}
	return barred != nil
}

// eachChoice yields the edges inside the component that depend on chance.
func (c *component) eachChoice(yield func(node, state, edge int, d choice)) {
	for _, m := range c.members {
		node := c.parts.list(int(m))
		state := node / c.size
		choices := c.luck.of(state)
		if choices == nil {
			continue
		}
		c.at(node)
		for i, s := range c.look.edges {
			if choices[i].event != 0 && c.stays(m, i, s) {
				yield(node, state, i, choices[i])
			}
		}
	}
}

// retry notes that the component is to be searched again.
func (c *component) retry() error {
	nodes := make([]int, len(c.members))
	for i, m := range c.members {
		nodes[i] = c.parts.list(int(m))
	}
	if c.luck.again = append(c.luck.again, fewNodes(c.nodes(), nodes)); c.spare(0) < 0 {
		return scc.ErrMemory
	}
	return nil
}

// searchAgain searches components again from which something was barred.
func (f *finder) searchAgain() error {
	for f.luck != nil && len(f.luck.again) > 0 {
		last := len(f.luck.again) - 1
		scope := f.luck.again[last]
		f.luck.again = f.luck.again[:last]
		if err := f.search(scope); err != nil {
			return err
		}
	}
	return nil
}
