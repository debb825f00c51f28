package plan

import (
	"context"
	"fmt"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/explore/ltl"
	"interleave/model"
)

// surroundings are a limited number of states of a set: the first ones that are asked about.
type surroundings struct {
	*diagrams
	inside dd.Set
	left   int
	met    map[string]bool // by vector: whether it is one of them
}

func newSurroundings(d *diagrams, inside dd.Set, most int) *surroundings {
	return &surroundings{diagrams: d, inside: inside, left: most, met: map[string]bool{}}
}

// has reports whether a state is one of them.
func (s *surroundings) has(state model.State) bool {
	vector, ok := s.Vector(state)
	key := fmt.Sprint(vector)
	if _, met := s.met[key]; !met {
		s.met[key] = ok && s.left > 0 && s.Forest.Contains(s.inside, vector)
		if s.met[key] {
			s.left--
		}
	}
	return s.met[key]
}

// graphFrom returns the graph of those that can be reached from one of them.
func (s *surroundings) graphFrom(ctx context.Context, first model.State) (*explore.Graph, error) {
	words, err := s.sys.Pack(first)
	if err != nil {
		return nil, err
	}
	part := &explore.Part{System: s.sys, First: words, Inside: func(words []uint64) bool { return s.has(s.sys.State(words)) }}
	result, err := explore.Search(ctx, part, explore.Options{})
	switch {
	case err != nil:
		return nil, err
	case result.Outcome != explore.Exhausted:
		return nil, ctx.Err()
	}
	return result.Graph, nil
}

// lassoFrom returns a fair run from one of them that an automaton accepts. It has no states if there
// is none.
func (s *surroundings) lassoFrom(ctx context.Context, first model.State, a *ltl.Automaton, atoms []uint8) (*explore.Graph, explore.Lasso, error) {
	var lasso explore.Lasso
	graph, err := s.graphFrom(ctx, first)
	if err != nil {
		return nil, lasso, err
	}
	runs, err := graph.FairRuns(ctx, explore.RunOptions{Fair: s.sys.Fairness()})
	if err != nil {
		return nil, lasso, err
	}
	lasso, _, err = runs.Accepted(ctx, a, atoms)
	return graph, lasso, err
}
