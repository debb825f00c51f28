package cli

import (
	"context"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/spec"
)

// sleeper counts up, by timers, and panics at a number.
func sleeper(name string, panics int, why string) spec.Machine {
	return &spec.Algorithm[int, bool]{
		Name: name,
		Doc:  "counts",
		Init: func(_ *int, p *spec.Proc[bool]) { p.SetTimer(0) },
		Timeout: func(s *int, p *spec.Proc[bool], _ spec.Timer) {
			if *s++; *s == panics {
				panic("planted")
			} else if *s < 20 {
				p.SetTimer(0)
			}
		},
		Receive:  func(*int, *spec.Proc[bool], spec.ID, bool) {},
		Election: &spec.Election[int, bool]{Leader: func(int) spec.ID { return spec.None }},
		Rules:    []spec.TimerRule[int, bool]{{Name: "T_count"}},
		MaxN:     2,
		Promises: []string{"leader-took-part"},
		Survives: why,
	}
}

// TestMutantsUndecided: what ends at a limit is undecided, and only complete searches leave a survivor.
func TestMutantsUndecided(t *testing.T) {
	original, late := sleeper("odd", 0, ""), sleeper("odd~late", 15, "")
	same, excused := sleeper("odd~same", 0, ""), sleeper("odd~excused", 0, "it does the same")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, row := range []struct {
		ctx    context.Context
		line   string
		list   []spec.Machine
		status ui.Status
		text   string
	}{
		{t.Context(), "mutants odd", []spec.Machine{original, late}, ui.ExitHolds, "odd: 1 of 1 mutants killed\n"},
		{t.Context(), "mutants odd --max-states 50", []spec.Machine{original, late}, ui.ExitInconclusive, "odd: 0 of 1 mutants killed, 1 undecided\n"},
		{t.Context(), "mutants odd --max-states 50", []spec.Machine{original, late}, ui.ExitInconclusive, "UNDECIDED"},
		{t.Context(), "mutants odd --max-states 50", []spec.Machine{original, late}, ui.ExitInconclusive, "limit of 50 states"},
		{t.Context(), "mutants odd --max-states 50 --json", []spec.Machine{original, late}, ui.ExitInconclusive, `"limit": "limit of 50 states"`},
		{t.Context(), "mutants odd --json", []spec.Machine{original, same}, ui.ExitViolated, `"undecided": 0`},
		{t.Context(), "mutants odd", []spec.Machine{original, same}, ui.ExitViolated, "odd: 0 of 1 mutants killed, 1 survive\n"},
		{t.Context(), "mutants odd", []spec.Machine{original, late, excused}, ui.ExitHolds, "odd: 1 of 2 mutants killed, 1 assumed to survive\n"},
		{t.Context(), "mutants odd --timeout 1ns", []spec.Machine{original, late}, ui.ExitInconclusive, "time ran out"},
		{ended, "mutants odd", []spec.Machine{original, same}, ui.ExitInconclusive, "interrupted"},
	} {
		mc(row.ctx, row.line, row.list...).expect(t, row.status, row.text)
	}
}
