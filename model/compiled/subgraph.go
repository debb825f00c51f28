package compiled

import (
	"interleave/explore"
	"interleave/model"
)

// subgraph is the part of the graph of a System that can be reached from one state through states
// that are inside.
type subgraph struct {
	*System
	first  model.State
	inside func(s model.State) bool
}

// Subgraph returns the part of the graph of the system that can be reached from a reachable state
// through states that are inside. The other states lead nowhere and are Cut. No search may be
// under way.
func (s *System) Subgraph(first model.State, inside func(s model.State) bool) (_ explore.System, err error) {
	defer model.CatchOutside(s.machine, &err)
	for i, t := range s.tables {
		t.numberLocal(first.Locals[i])
		t.numberInbox(first.Inboxes[i])
	}
	s.envs.Number(first.Env)
	s.dense = nil // a message may be in two inboxes
	if counts := s.counts(); !s.layout.holds(counts) {
		s.layOut(counts)
	}
	return &subgraph{s, first, inside}, nil
}

// Initial yields the state that the subgraph begins with.
func (f *subgraph) Initial(yield func([]uint64) bool) { yield(f.pack(f.first)) }

// Expander returns a new expander.
func (f *subgraph) Expander() explore.Expander { return &inward{f.System.Expander(), f} }

// inward computes the steps of a subgraph.
type inward struct {
	explore.Expander
	subgraph *subgraph
}

// Expand adds the steps out of words and the marks to out.
func (x *inward) Expand(words []uint64, out *explore.Steps) bool {
	if !x.subgraph.inside(x.subgraph.State(words)) {
		out.Cut = true
		return true
	}
	return x.Expander.Expand(words, out)
}
