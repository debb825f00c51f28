package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/trace"
	"interleave/cmd/mc/internal/ui"
	"interleave/spec"
	"interleave/spec/twophasecommit"
)

// commit is two-phase commit without properties of its own.
var commit = func() *spec.Algorithm[twophasecommit.State, twophasecommit.Msg] {
	a := *twophasecommit.Mended
	a.Name, a.Properties = "commit", nil
	return &a
}()

// committing are commit with a property of its own, by a name that elections know, too, and a mutant that breaks it.
func committing() []spec.Machine {
	mine := *commit
	mine.Properties = slices.Clone(twophasecommit.Properties[:1])
	mine.Properties[0].Name = "agreement"
	hasty := mine.Mutant("hasty", "it commits when the first votes for it", func(s *twophasecommit.State, p *spec.Proc[twophasecommit.Msg], e spec.Event, handle func()) {
		if e.Message == twophasecommit.Yes && s.Phase == twophasecommit.Waiting {
			s.Yes = p.Others()
		}
		handle()
	})
	return []spec.Machine{&mine, hasty}
}

// speaksOfLeaders returns the first line that does, of a text that is no help.
func speaksOfLeaders(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		for _, word := range []string{"leader", "elect", "follows none", "top "} {
			if strings.Contains(strings.ToLower(line), word) {
				return line
			}
		}
	}
	return ""
}

// TestNobodyLeads: of an algorithm that elects nobody no command says anything about leaders. One is that of the
// catalogue, the other has a property by a name that elections know.
func TestNobodyLeads(t *testing.T) {
	t.Run("catalogue", func(t *testing.T) {
		nobodyLeads(t, []spec.Machine{twophasecommit.Mended, twophasecommit.Mutants[1]}, "two-phase-commit", "two-phase-commit/mended~hasty", "atomicity")
	})
	t.Run("agreement", func(t *testing.T) { nobodyLeads(t, committing(), "commit", "commit~hasty", "agreement") })
}

func nobodyLeads(t *testing.T, machines []spec.Machine, commit, hasty, own string) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(in("trace"), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, in("sweep.yaml"), "version: 1\nrows:\n  - {algorithm: "+commit+", n: [2, 3], times: [declared, 2], expect: {"+own+": holds, no-deadlock: holds, termination: holds}}\n")
	bad, cert := in("bad.json"), in("pass.cert")
	lines := []struct {
		words  string
		status ui.Status
	}{
		{"list", ui.ExitHolds},
		{"list --json", ui.ExitHolds},
		{"verify " + commit + " --certificate " + cert, ui.ExitHolds},
		{"verify " + commit + " --json", ui.ExitHolds},
		{"verify " + commit + " --stats --engine symbolic --property no-deadlock,termination,<>quiescent", ui.ExitHolds},
		{"verify " + commit + " --times 2 --n 2", ui.ExitHolds},
		{"verify " + commit + " --crashes 1 --sequence", ui.ExitViolated},
		{"verify " + commit + " --crashes 1 --mermaid --full-states --continue", ui.ExitViolated},
		{"verify " + commit + " --explain-fairness --property termination", ui.ExitHolds},
		{"verify " + hasty + " --trace-out " + bad, ui.ExitViolated},
		{"replay " + bad, ui.ExitHolds},
		{"replay --full-states --go-test --go-import a/b --go-machine C --go-out " + in("bad_test.go") + " " + bad, ui.ExitHolds},
		{"explain " + bad, ui.ExitHolds},
		{"certify " + cert, ui.ExitHolds},
		{"sweep " + in("sweep.yaml"), ui.ExitHolds},
		{"sweep --markdown --junit " + in("j.xml") + " --sarif " + in("s.sarif") + " --lock " + in("l.lock") + " --update-lock " + in("sweep.yaml"), ui.ExitHolds},
		{"mutants", ui.ExitHolds},
		{"mutants " + commit + " --json", ui.ExitHolds},
		{"tla export " + commit + " --n 2 --out " + dir, ui.ExitHolds},
		{"tla export " + bad + " --out " + in("trace"), ui.ExitHolds},
	}
	for _, form := range trace.Forms() {
		lines = append(lines, struct {
			words  string
			status ui.Status
		}{"draw --as " + form + " " + bad, ui.ExitHolds})
	}
	for _, line := range lines {
		var out, err bytes.Buffer
		status := ui.Status(Program{Machines: machines}.Run(t.Context(), strings.Fields(line.words), &out, &err))
		if text := out.String() + err.String(); status != line.status || speaksOfLeaders(text) != "" {
			t.Errorf("mc %s: exit status %d, and it says %q\n%s", line.words, status, speaksOfLeaders(text), text)
		}
	}
	files, err := filepath.Glob(in("*"))
	if err != nil || len(files) < 7 {
		t.Errorf("%v %v", files, err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && speaksOfLeaders(string(text)) != "" {
			t.Errorf("%s says %q", file, speaksOfLeaders(string(text)))
		}
	}
}

// TestHelpOfNobody: where none of the algorithms elects, no help speaks of leaders or of other algorithms; mc init offers an
// election, and mc cluster says what happens where there is one.
func TestHelpOfNobody(t *testing.T) {
	known := names.New([]spec.Machine{commit}, nil)
	shown := 0
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			look(sub)
		}
		help := mc(t.Context(), strings.TrimPrefix(cmd.CommandPath(), "mc")+" --help", commit).out
		for _, fine := range []string{"stop ", "Where they\nelect somebody, each is asked which leader it follows. ", "(with --election, a ring elects its largest process)", "--election            the example is an election"} {
			help = strings.ReplaceAll(help, fine, "")
		}
		if line := speaksOfLeaders(help); line != "" || strings.Contains(help, "bully") || strings.Contains(help, "chang-roberts") {
			t.Errorf("%s --help says %q:\n%s", cmd.CommandPath(), line, help)
		}
		if shown++; cmd.Name() == "verify" && !strings.Contains(help, "mc verify commit --n 4 --crashes 1") {
			t.Errorf("no example of its own: %s", help)
		}
	}
	look(root(ui.New(nil, nil), known))
	if shown < 20 {
		t.Errorf("only %d commands", shown)
	}
}

// TestDefaultsOfAny: without properties of its own an algorithm is checked for what any owes, and the report says so.
func TestDefaultsOfAny(t *testing.T) {
	const scope = "commit has no properties of its own, so only no-panic, no-deadlock were checked"
	mc(t.Context(), "verify commit", commit).expect(t, ui.ExitHolds, scope)
	mc(t.Context(), "verify commit --json", commit).expect(t, ui.ExitHolds, `"scope": "`+scope)
	for _, line := range []string{"verify commit --property termination", "verify commit --property no-deadlock --json"} {
		if o := mc(t.Context(), line, commit); strings.Contains(o.out, "of its own") || strings.Contains(o.out, "scope") {
			t.Errorf("%s: %s", line, o.out)
		}
	}
	promising := *commit
	promising.Promises = []string{"termination", "messages-bounded(20)"}
	o := mc(t.Context(), "verify commit", &promising)
	if o.expect(t, ui.ExitHolds, "messages-bounded(20)"); !strings.Contains(o.out, "termination") || strings.Contains(o.out, "no-deadlock") {
		t.Errorf("it promises termination, and not no-deadlock: %s", o.out)
	}
}

// TestElectionsOnly: what only elections have is refused in one sentence, wherever it is asked for.
func TestElectionsOnly(t *testing.T) {
	row := rowsFile(t, "  - {algorithm: commit, n: 2, expect: {one-leader: holds}}\n")
	for line, want := range map[string]string{
		"verify commit --property agreement":            "agreement is a property of elections, and commit elects nobody: leave it out\n",
		"verify commit --property S-LIT":                "leader-is-top is a property of elections, and commit elects nobody: leave it out\n",
		"verify commit --property complete-within(3)":   "complete-within(3) is a property of elections, and commit elects nobody: leave it out\n",
		"verify commit --property <>leads(1)":           `the formula "<>leads(1)": leads(1) is said of elections, and commit elects nobody: leave it out` + "\n",
		"verify commit --property []<>can-elect":        `the formula "[]<>can-elect": can-elect is said of elections, and commit elects nobody: leave it out` + "\n",
		"verify commit --property agreemen":             "there is no property \"agreemen\"\nmc: hint: there are no-deadlock, termination, messages-bounded, messages-bounded(9) and the like\n",
		"explore commit --property one-leader --html x": "one-leader is a property of elections, and commit elects nobody: leave it out\n",
		"sweep " + row:                      "one-leader is a property of elections, and commit elects nobody: leave it out\n",
		"verify commit --start leader-down": "commit elects nobody, so there is nobody whom processes follow at first: use cold\n",
		"verify commit --initiators 1":      "commit has no Start, so nobody begins of their own accord: leave it out\n",
		"verify commit --times 0":           `--times: "0" is not a value it can have: give 1 to 255, declared, or any` + "\n",
		"verify commit --times 256":         `--times: "256" is not a value it can have: give 1 to 255, declared, or any` + "\n",
	} {
		mc(t.Context(), line, commit).expect(t, ui.ExitUsage, want)
	}
	promising := *commit
	promising.Promises = []string{"one-leader"}
	mc(t.Context(), "verify commit", &promising).expect(t, ui.ExitUsage, `algorithm commit promises "one-leader": one-leader is a property of elections, and commit elects nobody: leave it out`)
}

// TestChooseNothing: a handler that chooses among none is found, and told how to do it.
func TestChooseNothing(t *testing.T) {
	odd := &spec.Algorithm[uint8, uint8]{
		Name: "odd", Doc: "chooses among none", Source: "this test",
		Start:   func(s *uint8, p *spec.Proc[uint8]) { *s = uint8(p.Choose(int(p.ID) - 1)) },
		Receive: func(*uint8, *spec.Proc[uint8], spec.ID, uint8) {},
	}
	mc(t.Context(), "verify odd --n 2", odd).expect(t, ui.ExitViolated, "the handler panics: spec: it chooses one of 0: give 1 to 255 at noelection_test.go:")
	odd.Start = func(s *uint8, p *spec.Proc[uint8]) {
		for p.Choose(2) == 0 {
			*s++
		}
	}
	mc(t.Context(), "verify odd --n 1", odd).expect(t, ui.ExitViolated, "spec: it chooses more than 16 times in one step")
}
