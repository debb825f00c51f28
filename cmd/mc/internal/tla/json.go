package tla

import (
	"slices"

	"interleave/tla"
)

// document is what mc tla check prints for programs; values are written as in TLA+.
type document struct {
	Schema      int           `json:"schema"`
	Module      string        `json:"module"`
	Verdict     string        `json:"verdict"`
	Why         string        `json:"why,omitempty"`
	Findings    []findingJSON `json:"findings"`
	Notes       []string      `json:"notes,omitempty"`
	Outcome     string        `json:"outcome"`
	States      int           `json:"states"`
	Initial     int           `json:"initial"`
	Transitions int           `json:"transitions"`
	Depth       int           `json:"depth"`
	Never       []string      `json:"never,omitempty"` // parts of the next-state relation
}

type findingJSON struct {
	Name    string      `json:"name"`
	Verdict string      `json:"verdict"`
	Why     string      `json:"why,omitempty"`
	Trace   []stateJSON `json:"trace,omitempty"`
	Loop    *int        `json:"loop,omitempty"` // the state that the run goes on from, forever
}

type stateJSON struct {
	Step  string            `json:"step"`
	State map[string]string `json:"state"`
}

func documentOf(o *checkOptions, r *tla.Report) document {
	s := r.Stats
	verdict, why := r.Verdict()
	j := document{
		Schema: 1, Module: o.module, Verdict: verdict.String(), Why: why, Notes: slices.Concat(o.notes, r.Notes), Outcome: r.Outcome.String(),
		States: s.States, Initial: s.Initial, Transitions: s.Transitions, Depth: s.Depth, Findings: []findingJSON{},
	}
	for _, part := range neverPossible(r) {
		j.Never = append(j.Never, part.String())
	}
	for _, f := range r.Findings {
		j.Findings = append(j.Findings, findingOf(f))
	}
	return j
}

func findingOf(f tla.Finding) findingJSON {
	j := findingJSON{Name: f.Name, Verdict: f.Verdict.String(), Why: f.Why}
	if f.Trace == nil {
		return j
	}
	for i := range f.Trace.States {
		j.Trace = append(j.Trace, stateJSON{f.Trace.Label(i), f.Trace.State(i)})
	}
	if f.Trace.Loop > 0 {
		loop := f.Trace.Loop - 1
		j.Loop = &loop
	}
	return j
}
