package cli

import (
	"slices"

	"interleave/tla"
)

// tlaJSON is what mc tla check prints for programs; values are written as in TLA+.
type tlaJSON struct {
	Schema      int              `json:"schema"`
	Module      string           `json:"module"`
	Verdict     string           `json:"verdict"`
	Why         string           `json:"why,omitempty"`
	Findings    []tlaFindingJSON `json:"findings"`
	Notes       []string         `json:"notes,omitempty"`
	Outcome     string           `json:"outcome"`
	States      int              `json:"states"`
	Initial     int              `json:"initial"`
	Transitions int              `json:"transitions"`
	Depth       int              `json:"depth"`
	Never       []string         `json:"never,omitempty"` // parts of the next-state relation
}

type tlaFindingJSON struct {
	Name    string         `json:"name"`
	Verdict string         `json:"verdict"`
	Why     string         `json:"why,omitempty"`
	Trace   []tlaStateJSON `json:"trace,omitempty"`
	Loop    *int           `json:"loop,omitempty"` // the state that the run goes on from, forever
}

type tlaStateJSON struct {
	Step  string            `json:"step"`
	State map[string]string `json:"state"`
}

func tlaJSONOf(o *tlaCheckOptions, r *tla.Report) tlaJSON {
	s := r.Stats
	verdict, why := r.Verdict()
	j := tlaJSON{
		Schema: 1, Module: o.module, Verdict: verdict.String(), Why: why, Notes: slices.Concat(o.notes, r.Notes), Outcome: r.Outcome.String(),
		States: s.States, Initial: s.Initial, Transitions: s.Transitions, Depth: s.Depth, Findings: []tlaFindingJSON{},
	}
	for _, part := range neverPossible(r) {
		j.Never = append(j.Never, part.String())
	}
	for _, f := range r.Findings {
		j.Findings = append(j.Findings, tlaFindingOf(f))
	}
	return j
}

func tlaFindingOf(f tla.Finding) tlaFindingJSON {
	j := tlaFindingJSON{Name: f.Name, Verdict: f.Verdict.String(), Why: f.Why}
	if f.Trace == nil {
		return j
	}
	for i := range f.Trace.States {
		j.Trace = append(j.Trace, tlaStateJSON{f.Trace.Label(i), f.Trace.State(i)})
	}
	if f.Trace.Loop > 0 {
		loop := f.Trace.Loop - 1
		j.Loop = &loop
	}
	return j
}
