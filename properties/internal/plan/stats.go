package plan

import (
	"cmp"
	"slices"

	"interleave/explore"
	"interleave/model"
)

// Stats counts what was explored, up to 5·10¹⁷. Seconds are of the wall clock.
type Stats struct {
	Initial       int                  `json:"initial_states"`
	States        int                  `json:"distinct_states"`
	Transitions   int                  `json:"transitions"`
	Generated     int                  `json:"generated"` // as TLC counts: initial states and transitions
	Depth         int                  `json:"depth"`     // the greatest distance from an initial state, in steps; -1: not known
	Engine        string               `json:"engine"`
	Reduction     string               `json:"reduction,omitempty"` // if one was asked for: its name, or why it is off
	Because       string               `json:"because,omitempty"`   // why that engine, if it was not the first to be tried
	Attempts      []Attempt            `json:"attempts,omitempty"`  // of the symbolic engine
	How           string               `json:"how,omitempty"`       // its last attempt
	Nodes         int                  `json:"nodes,omitempty"`     // of the decision diagram
	Places        int                  `json:"places,omitempty"`    // of its vectors
	Events        int                  `json:"events,omitempty"`
	Sweeps        int                  `json:"sweeps,omitempty"` // collections of unused nodes
	Quiescent     int                  `json:"quiescent_states"`
	Frontier      int                  `json:"frontier"`                    // found but not expanded
	Seconds       float64              `json:"seconds"`                     // of the search, and of learning before it
	Choosing      float64              `json:"choosing_seconds,omitempty"`  // of earlier attempts, by this engine or the other
	Judging       float64              `json:"judging_seconds"`             // of what came afterwards: cycles, counterexamples, their replay
	Overapprox    int                  `json:"overapprox_states,omitempty"` // of an over-approximation, instead of counts of this one: what holds there holds here
	Omission      *OmissionProbability `json:"omission,omitempty"`          // that states were omitted, by a lossy store
	Bytes         int64                `json:"bytes"`
	Disk          int64                `json:"disk_bytes,omitempty"` // at most, if it spilled
	BytesPerState float64              `json:"bytes_per_state"`
	WordsPerState int                  `json:"words_per_state"`
	Tables        model.TableStats     `json:"tables"`
	Fired         map[string]int       `json:"fired"` // transitions by kind of action
	Outcome       string               `json:"outcome"`
	Complete      bool                 `json:"complete"` // every reachable state was expanded
}

// CutShort reports whether the search ended before it had come as far as it was meant to.
func (s Stats) CutShort() bool {
	return !slices.Contains([]string{explore.Exhausted.String(), explore.Stopped.String(), explore.DepthLimit.String(), explore.Depleted.String()}, s.Outcome)
}

func newStats(r *explore.Result, kinds []string, tables model.TableStats) Stats {
	e := r.Stats
	s := Stats{
		Engine: Explicit.String(), Initial: e.Initial, States: e.States, Transitions: e.Transitions, Generated: e.Initial + e.Transitions,
		Depth: e.Depth, Quiescent: e.Quiet, Frontier: e.Frontier,
		Seconds: e.Elapsed.Seconds(), Bytes: e.Bytes, Disk: e.Disk, BytesPerState: float64(e.Bytes) / float64(max(e.States, 1)),
		WordsPerState: e.Width, Tables: tables, Fired: map[string]int{},
		Outcome: r.Outcome.String(), Complete: r.Outcome == explore.Exhausted,
	}
	for i, name := range kinds {
		s.Fired[name] = e.Fired[i]
	}
	return s
}

// Add adds what was explored on another ring.
func (s *Stats) Add(t Stats) {
	s.Initial += t.Initial
	s.States += t.States
	s.Transitions += t.Transitions
	s.Generated += t.Generated
	if s.Depth >= 0 && t.Depth >= 0 {
		s.Depth = max(s.Depth, t.Depth)
	} else {
		s.Depth = -1
	}
	s.Engine, s.Because, s.How, s.Nodes = t.Engine, t.Because, cmp.Or(t.How, s.How), max(s.Nodes, t.Nodes)
	s.Attempts = append(s.Attempts, t.Attempts...)
	s.Places, s.Events, s.Sweeps = max(s.Places, t.Places), max(s.Events, t.Events), s.Sweeps+t.Sweeps
	s.Reduction = t.Reduction
	s.Overapprox += t.Overapprox
	s.Omission = t.Omission.amid(s.Omission, s.States)
	s.Quiescent += t.Quiescent
	s.Frontier += t.Frontier
	s.Seconds += t.Seconds
	s.Choosing += t.Choosing
	s.Judging += t.Judging
	s.Bytes = max(s.Bytes, t.Bytes)
	s.Disk = max(s.Disk, t.Disk)
	s.BytesPerState = max(s.BytesPerState, t.BytesPerState)
	s.WordsPerState = max(s.WordsPerState, t.WordsPerState)
	s.Tables.HandlerCalls += t.Tables.HandlerCalls
	s.Tables.Locals += t.Tables.Locals
	s.Tables.Inboxes += t.Tables.Inboxes
	s.Tables.Moves += t.Tables.Moves
	s.Tables.Longest = max(s.Tables.Longest, t.Tables.Longest)
	for k, n := range t.Fired {
		s.Fired[k] += n
	}
	s.Outcome, s.Complete = t.Outcome, s.Complete && t.Complete
}
