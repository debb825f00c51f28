package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"interleave/internal/printable"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// foul has a byte that is not UTF-8, a lone surrogate, and what changes how the rest is shown.
const foul = "\xff \xed\xa0\x80 \u202e \u009b2J \x1b[8m \r \u2028"

// foulShown is foul as it is shown.
const foulShown = `\xff \xed\xa0\x80 \u202e \u009b2J \u001b[8m \u000d \u2028`

// foulMouthed has an error text, a state, a file and a title that must not reach a terminal or a
// report as they are, and a handler that panics with such a text.
var foulMouthed = Program{
	Machines: []spec.Machine{&spec.Algorithm[foulState, int]{
		Name: "foul/mouthed", Doc: "what it says is foul: \u202e",
		Start: func(s *foulState, p *spec.Proc[int]) { s.Text = "\u202e\u009b2J"; p.Send(1, 0) },
		Receive: func(s *foulState, _ *spec.Proc[int], _ spec.ID, _ int) {
			if s.Seen++; s.Seen > 1 {
				panic(foul)
			}
		},
		Leader: func(foulState) spec.ID { return spec.None },
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
		status := foulMouthed.Run(t.Context(), strings.Fields(line), &out, &err)
		clean(t, line, out.String()+err.String())
		return outcome{status, out.String(), err.String()}
	}
	sweep, trace := filepath.Join(dir, "sweep.yaml"), filepath.Join(dir, "bad.json")
	put(t, sweep, "version: 1\nrows:\n  - {algorithm: foul/mouthed, n: 2, about: \"\u202e\", expect: {clean: holds}}\n")
	o := run("sweep " + sweep + " --github --junit " + dir + "/junit.xml --sarif " + dir + "/mc.sarif")
	o.expect(t, exitViolated, "clean: expected holds, found VIOLATED")
	o.expect(t, exitViolated, foulShown[:4])
	run("sweep "+sweep+" --markdown").expect(t, exitViolated, "| foul/mouthed |")
	run("sweep "+sweep+" --json").expect(t, exitViolated, `"algorithm": "foul/mouthed"`)
	run("verify foul/mouthed --n 2").expect(t, exitViolated, "no-panic VIOLATED")
	run("verify foul/mouthed --n 2 --property clean --json").expect(t, exitViolated, `"clean"`)
	run("verify foul/mouthed --n 2 --property clean --trace-out "+trace).expect(t, exitViolated, "clean")
	run("replay "+trace+" --go-test --go-out "+dir+"/bad_test.go --go-import example.org/foul --go-machine Mouthed").expect(t, exitHolds, "CONFIRMED")
	run("explain "+trace).expect(t, exitHolds, "clean requires that")
	run("tla export "+trace+" --out "+dir).expect(t, exitHolds, "")
	for form := range drawForms {
		run("draw "+trace+" --as "+form).expect(t, exitHolds, "")
		run("draw "+trace+" --as "+form+" --out "+dir+"/picture."+form).expect(t, exitHolds, "")
	}
	missing := filepath.Join(dir, "\u202e\x9b")
	run("replay "+missing).expect(t, exitUsage, `\u202e\x9b`)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if file != sweep && filepath.Ext(file) != ".tla" { // where no escapes are known: a value stays what it is
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

// TestStyleCodes: the codes of all styles pass, and no other.
func TestStyleCodes(t *testing.T) {
	var out bytes.Buffer
	w := &printable.Writer{To: &out, Styles: styleCodes}
	for _, style := range []interface{ Render(...string) string }{styleGood, styleBad, styleDoubt, styleTitle, styleFaint} {
		out.Reset()
		text := style.Render("some words")
		if _, err := w.Write([]byte(text)); err != nil || out.String() != text || !strings.Contains(text, "\x1b") {
			t.Errorf("%q is written as %q (%v)", text, out.String(), err)
		}
	}
	for _, code := range []string{"\x1b[8m", "\x1b[2J", "\x1b[30m", "\x1b]0;title\a", "\x1b[1;8m"} {
		if printable.Styled(code, styleCodes) == code {
			t.Errorf("%q passes", code)
		}
	}
}
