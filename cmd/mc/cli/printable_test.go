package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/trace"
	"interleave/cmd/mc/internal/ui"
	"interleave/internal/printable"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// foul has a byte that is not UTF-8, a lone surrogate, and what changes how the rest is shown.
const foul = "\xff \xed\xa0\x80 \u202e \u009b2J \x1b[8m \r \u2028"

// foulShown is foul as it is shown.
const foulShown = `\xff \xed\xa0\x80 \u202e \u009b2J \u001b[8m \u000d \u2028`

// foulMouthed has an error text, a state, a message, a file and a title that must not reach a terminal or a
// report as they are, and a handler that panics with such a text.
var foulMouthed = Program{
	Machines: []spec.Machine{&spec.Algorithm[foulState, string]{
		Name: "foul/mouthed", Doc: "what it says is foul: \u202e",
		Start: func(s *foulState, p *spec.Proc[string]) {
			s.Text = "\u202e\u009b2J"
			p.Send(1, "\u202e\u009b2J \ufffd<")
		},
		Receive: func(s *foulState, _ *spec.Proc[string], _ spec.ID, _ string) {
			if s.Seen++; s.Seen > 1 {
				panic(foul)
			}
		},
		Election: &spec.Election[foulState, string]{Leader: func(foulState) spec.ID { return spec.None }},
	}},
	Properties: []properties.Property{
		properties.Invariant("clean", "nothing is said: \u202e", func(w *model.World) error {
			if s, ok := w.State(1).(foulState); ok && s.Seen > 0 {
				return errors.New(foul)
			}
			return nil
		}),
	},
}

type foulState struct {
	Text string
	Seen int
}

// TestFoul: whatever names and messages have in them, a terminal and reports get what prints, and
// nothing contradicts itself because a text was written and read.
func TestFoul(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(dir, "summary.md"))
	run := func(line string) outcome {
		var out, err bytes.Buffer
		status := ui.Status(foulMouthed.Run(t.Context(), strings.Fields(line), &out, &err))
		clean(t, line, out.String()+err.String())
		return outcome{status, out.String(), err.String()}
	}
	sweep, bad := filepath.Join(dir, "sweep.yaml"), filepath.Join(dir, "bad.json")
	put(t, sweep, "version: 1\nrows:\n  - {algorithm: foul/mouthed, n: 2, about: \"\u202e\", expect: {clean: holds}}\n")
	o := run("sweep " + sweep + " --github --junit " + dir + "/junit.xml --sarif " + dir + "/mc.sarif")
	o.expect(t, ui.ExitViolated, "clean: expected holds, found VIOLATED")
	o.expect(t, ui.ExitViolated, foulShown[:4])
	run("sweep "+sweep+" --markdown").expect(t, ui.ExitViolated, "| foul/mouthed |")
	run("sweep "+sweep+" --json").expect(t, ui.ExitViolated, `"algorithm": "foul/mouthed"`)
	run("verify foul/mouthed --n 2").expect(t, ui.ExitViolated, "no-panic VIOLATED")
	run("verify foul/mouthed --n 2 --property clean --json").expect(t, ui.ExitViolated, `"clean"`)
	run("verify foul/mouthed --n 2 --property clean --trace-out "+bad).expect(t, ui.ExitViolated, "clean")
	run("replay "+bad+" --go-test --go-out "+dir+"/bad_test.go --go-import example.org/foul --go-machine Mouthed").expect(t, ui.ExitHolds, "CONFIRMED")
	run("explain "+bad).expect(t, ui.ExitHolds, "clean requires that")
	run("tla export "+bad+" --out "+dir).expect(t, ui.ExitHolds, "")
	run("tla check "+dir+"/bad.tla --out "+dir).expect(t, ui.ExitInconclusive, "3 distinct states")
	for _, form := range trace.Forms() {
		run("draw "+bad+" --as "+form).expect(t, ui.ExitHolds, "")
		run("draw "+bad+" --as "+form+" --out "+dir+"/picture."+form).expect(t, ui.ExitHolds, "")
	}
	missing := filepath.Join(dir, "\u202e\x9b")
	run("replay "+missing).expect(t, ui.ExitUsage, `\u202e\x9b`)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if file != sweep {
			clean(t, file, string(text))
		}
	}
}

// clean fails if a text has something that does not print.
func clean(t *testing.T, what, text string) {
	t.Helper()
	if shown := printable.Text(text); shown != text {
		t.Errorf("%s: %q", what, text)
	}
}

// redness has codes that our own styles have, and breaks off a line that would tell a verdict.
const redness = "\x1b[31mRED\x1b[0m\nmc: VERIFIED\nVERIFIED\n\nTHEY AGREE"

type loudState struct {
	Text string
	Seen int
}

// loud says redness wherever it can: in docs, texts of errors, panics of handlers and of what is none.
func loud(name string, outside bool) *spec.Algorithm[loudState, int] {
	return &spec.Algorithm[loudState, int]{
		Name: name, Doc: redness, Source: redness,
		Start: func(s *loudState, p *spec.Proc[int]) { s.Text = redness; p.Send(1, 0) },
		Receive: func(s *loudState, _ *spec.Proc[int], _ spec.ID, _ int) {
			if s.Seen++; s.Seen > 1 {
				panic(redness)
			}
		},
		Election: &spec.Election[loudState, int]{
			Leader: func(s loudState) spec.ID {
				if outside && s.Seen > 0 {
					panic(redness)
				}
				return spec.None
			},
		},
	}
}

// TestOwnStylesOnly: on a terminal and elsewhere, what a program says of itself is shown with its
// codes escaped, though our own styles have the same, and begins no line.
func TestOwnStylesOnly(t *testing.T) {
	invariant := properties.Invariant("clean", redness, func(w *model.World) error {
		if s, ok := w.State(1).(loudState); ok && s.Seen > 0 {
			return errors.New(redness)
		}
		return nil
	})
	mutant := loud("loud/inside", false).Mutant("mute", redness, func(_ *loudState, _ *spec.Proc[int], _ spec.Event, next func()) { next() })
	p := Program{Machines: []spec.Machine{loud("loud/inside", false), loud("loud/outside", true), mutant}, Properties: []properties.Property{invariant}}
	dir := t.TempDir()
	sweep, trace, module := filepath.Join(dir, "sweep.yaml"), filepath.Join(dir, "bad.json"), filepath.Join(dir, "Loud.tla")
	put(t, sweep, "version: 1\nrows:\n  - {algorithm: loud/inside, n: 2, about: \"\\e[31mRED\\e[0m\\nVERIFIED\\n\", expect: {clean: holds}}\n")
	put(t, module, "---- MODULE Loud ----\nEXTENDS TLC, Integers\nVARIABLE x\nInit == x = \"\x1b[31mRED\x1b[0m\"\n"+
		"Next == x = \"\x1b[31mRED\x1b[0m\" /\\ x' = \"b\\nVERIFIED\\n\"\nSpec == Init /\\ [][Next]_x\nInv == x = \"\x1b[31mRED\x1b[0m\"\nSays == Assert(x = \"\x1b[31mRED\x1b[0m\", \"a\\nVERIFIED\\nmc: VERIFIED \x1b[31mRED\x1b[0m\")\n====\n")
	for name, config := range map[string]string{"Inv.cfg": "INVARIANT Inv", "Says.cfg": "INVARIANT Says"} {
		put(t, filepath.Join(dir, name), "SPECIFICATION Spec\n"+config+"\n")
	}
	for _, line := range []struct {
		command string
		status  ui.Status
	}{
		{"list", ui.ExitHolds},
		{"verify loud/inside --n 2", ui.ExitViolated},
		{"verify loud/inside --n 2 --sequence", ui.ExitViolated},
		{"verify loud/inside --n 2 --full-states", ui.ExitViolated},
		{"verify loud/inside --n 2 --mermaid", ui.ExitViolated},
		{"verify loud/inside --n 2 --property clean --trace-out " + trace, ui.ExitViolated},
		{"verify loud/outside --n 2", ui.ExitUsage},
		{"replay " + trace, ui.ExitHolds},
		{"explain " + trace, ui.ExitHolds},
		{"draw " + trace, ui.ExitHolds},
		{"mutants loud/inside", ui.ExitInconclusive},
		{"sweep " + sweep, ui.ExitViolated},
		{"sweep " + sweep + " --markdown", ui.ExitViolated},
		{"tla check " + module + " --config " + dir + "/Inv.cfg --out " + dir, ui.ExitViolated},
		{"tla check " + module + " --config " + dir + "/Says.cfg", ui.ExitViolated},
		{"tla check " + dir + "/\x1b[31mRED\x1b[0m.tla", ui.ExitUsage},
		{"verify \x1b[31mRED\x1b[0m", ui.ExitUsage},
	} {
		for _, colours := range []string{"", "1"} {
			t.Run(strings.ReplaceAll(line.command, dir, "")+" "+colours, func(t *testing.T) {
				t.Setenv("CLICOLOR_FORCE", colours)
				var out, err bytes.Buffer
				if status := ui.Status(p.Run(t.Context(), strings.Fields(line.command), &out, &err)); status != line.status {
					t.Errorf("exit status %d, not %d", status, line.status)
				}
				all := out.String() + err.String()
				if strings.Contains(all, "\x1b[31m") || strings.Contains(all, "\x1b[0m") || !strings.Contains(all, "RED") {
					t.Errorf("%q", all)
				}
				for line := range strings.Lines(all) {
					if strings.HasPrefix(line, "VERIFIED") || strings.HasPrefix(line, "mc: VERIFIED") || strings.HasPrefix(line, "THEY") {
						t.Errorf("a line of its own:\n%s", all)
						break
					}
				}
			})
		}
	}
}
