package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec/catalog"
)

// shellWords cuts a command line into words, as a shell does where quotes are single.
func shellWords(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// TestFormulaHelp: what help says of formulas is so, and all of it.
func TestFormulaHelp(t *testing.T) {
	help := mc(t.Context(), "help formulas").out
	if other := mc(t.Context(), "formulas").out; other != help {
		t.Errorf("mc formulas prints something else: %s", other)
	}
	for _, name := range election.Predicates.Names() {
		if !strings.Contains(help, strings.Replace(name, "(p)", "(2)", 1)) {
			t.Errorf("no word about %s", name)
		}
	}
	for _, p := range []properties.Property{election.LeaderEventually, election.StableLeader, properties.Termination} {
		if f, err := election.Formula(p.Formula(2)); err != nil || f.Name != p.Formula(2) {
			t.Errorf("%s is not %s: %v", p.Name, p.Formula(2), err)
		}
	}
	_, examples, _ := strings.Cut(help, "Examples:\n")
	for line := range strings.Lines(strings.TrimSpace(examples)) {
		line = strings.TrimSpace(line)
		var out, errs bytes.Buffer
		if status := ui.Status(Run(t.Context(), shellWords(line)[1:], &out, &errs, catalog.Aliases, catalog.Machines...)); status > ui.ExitViolated {
			t.Errorf("%s: status %d, %s%s", line, status, out.String(), errs.String())
		}
	}
	for _, line := range strings.Split(help, "\n") {
		if len(line) > 120 {
			t.Errorf("too long: %s", line)
		}
	}
}

// TestOwnAtoms: an algorithm's own properties of states are atoms of formulas, in every engine, and again when a trace is replayed.
func TestOwnAtoms(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	for _, c := range []struct {
		line, says string
		status     ui.Status
	}{
		{"verify lock --property []exclusion", "VERIFIED", ui.ExitHolds},
		{"verify lock --property []exclusion --engine symbolic", "VERIFIED", ui.ExitHolds},
		{"verify lock --property []!used --engine symbolic", "VIOLATED", ui.ExitViolated},
		{"verify lock --property []!used --trace-out " + bad, "VIOLATED", ui.ExitViolated},
		{"replay " + bad, "[]!used", ui.ExitHolds},
		{"verify lock/mended~generous --property []exclusion", "VIOLATED", ui.ExitViolated},
		{"verify lock --property <>exclusions", "did you mean exclusion?", ui.ExitUsage},
		{"verify lock --property <>consistency", "is not a predicate of states", ui.ExitUsage},
		{"verify bully --property []exclusion", "is not a predicate of states", ui.ExitUsage},
		{"verify token-ring --property <>R-live", "is not a predicate of states", ui.ExitUsage}, // it is one of steps
	} {
		mc(t.Context(), c.line).expect(t, c.status, c.says)
	}
	mc(t.Context(), "verify commit --property []agreement --n 2", committing()...).expect(t, ui.ExitHolds, "VERIFIED")
}
