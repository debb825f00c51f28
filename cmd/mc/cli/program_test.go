package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/bully"
)

// meek is a property that bully lacks, which no other program knows.
var meek = properties.Invariant("meek", "nobody follows itself", func(w *model.World) error {
	for p := range w.Live().All() {
		if w.Leader(p) == p {
			return fmt.Errorf("process %v follows itself", p)
		}
	}
	return nil
})

// wins is another, about whole runs.
var wins = func() properties.Property {
	p, err := properties.Temporal("wins", "process 1 leads again and again", "[]<> one", map[string]func(*model.World) error{
		"one": func(w *model.World) error {
			if w.Leader(1) != 1 {
				return errors.New("process 1 does not lead")
			}
			return nil
		},
	})
	if err != nil {
		panic(err)
	}
	return p
}()

// TestOwnProperties: what a program brings along can be asked for, expected, and judged
// again wherever a trace of it is read.
func TestOwnProperties(t *testing.T) {
	program := Program{Machines: []spec.Machine{bully.Mended}, Properties: []properties.Property{meek, wins}}
	own := func(line string) outcome {
		var out, err bytes.Buffer
		status := ui.Status(program.Run(t.Context(), strings.Fields(line), &out, &err))
		return outcome{status, out.String(), err.String()}
	}
	dir := t.TempDir()
	for _, p := range program.Properties {
		file := filepath.Join(dir, p.Name+".json")
		own("verify bully --n 2 --property "+p.Name+" --trace-out "+file).expect(t, ui.ExitViolated, p.Name+" VIOLATED: ")
		own("replay "+file).expect(t, ui.ExitHolds, "CONFIRMED every step, and that "+p.Name+" is false")
		own("draw "+file).expect(t, ui.ExitHolds, "in the eyes of each")
		own("explain "+file).expect(t, ui.ExitHolds, p.Name+" requires that "+p.Doc)
		own("tla export "+file+" --out "+dir).expect(t, ui.ExitHolds, p.Name)
		page := filepath.Join(dir, p.Name+".html")
		own("explore "+file+" --html "+page).expect(t, ui.ExitHolds, "")
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), p.Doc) {
			t.Errorf("%v: the page does not say %q", err, p.Doc)
		}
		mc(t.Context(), "replay "+file, bully.Mended).expect(t, ui.ExitUsage, "there is no property \""+p.Name+"\"\nmc: hint: an mc of your own can know it")
		mc(t.Context(), "draw "+file, bully.Mended).expect(t, ui.ExitUsage, "there is no property \""+p.Name+"\"\nmc: hint: an mc of your own can know it")
	}
	own("list").expect(t, ui.ExitHolds, meek.Doc)
	own("verify bully --property meak").expect(t, ui.ExitUsage, "did you mean meek?")
	sweep := filepath.Join(dir, "sweep.yaml")
	put(t, sweep, "version: 1\nrows:\n  - {algorithm: bully/mended, n: 2, expect: {meek: violated in 1, wins: violated, agreement-on-top: holds}}\n")
	own("sweep "+sweep).expect(t, ui.ExitHolds, "1 configuration, 1 as expected")
	kind := properties.Invariant("small", "there are two at most", func(w *model.World) error {
		if w.N() > 2 {
			return errors.New("there are more")
		}
		return nil
	})
	program.Properties = append(program.Properties, kind)
	certificate := filepath.Join(dir, "pass.cert")
	own("verify bully --n 2 --property small --certificate "+certificate).expect(t, ui.ExitHolds, "VERIFIED")
	own("certify "+certificate).expect(t, ui.ExitHolds, "small")
}

// TestAmbiguousPrograms: what can be asked for by name has a name of its own.
func TestAmbiguousPrograms(t *testing.T) {
	odd := &spec.Algorithm[int, int]{Name: "bully"} // the bare name of a family
	never := func(name string) properties.Property { return properties.Invariant(name, "", meek.InState) }
	for _, row := range []struct {
		program Program
		want    string
	}{
		{Program{Machines: []spec.Machine{bully.Mended, bully.Published, bully.Mended}}, `by "bully/mended"`},
		{Program{Machines: []spec.Machine{bully.Mended, bully.Published}, Aliases: map[string]string{bully.Published.Name: bully.Mended.Name}}, `by "bully/published"`},
		{Program{Machines: []spec.Machine{bully.Mended, odd}}, `by "bully"`},
		{Program{Properties: []properties.Property{{}}}, "property 1 of the program has no name"},
		{Program{Properties: []properties.Property{never("a,b")}}, `no --property can ask for "a,b"`},
		{Program{Properties: []properties.Property{never("a ")}}, `no --property can ask for "a "`},
		{Program{Properties: []properties.Property{meek, never("s-SELF")}}, `by "s-SELF"`},
		{Program{Properties: []properties.Property{never("messages-bounded(9)")}}, `by "messages-bounded(9)"`},
		{Program{Properties: []properties.Property{never("No-panic")}}, `by "No-panic"`},
		{Program{Properties: []properties.Property{meek, wins, never("Meek")}}, `by "Meek"`},
	} {
		if row.program.Machines == nil {
			row.program.Machines = []spec.Machine{bully.Mended}
		}
		var out, err bytes.Buffer
		status := ui.Status(row.program.Run(t.Context(), []string{"list"}, &out, &err))
		outcome{status, out.String(), err.String()}.expect(t, ui.ExitUsage, row.want)
	}
}

// TestFormulasAgain: a formula that was asked for is judged again wherever its trace is read.
func TestFormulasAgain(t *testing.T) {
	for _, formula := range []string{"[]<>agreement-on-top", "knows(1)~>leads(3)", "!S-lmaxUrest", "<>[](leads(1)|leads(2))"} {
		formula := strings.Replace(formula, "Urest", " U rest", 1)
		file := filepath.Join(t.TempDir(), "f.json")
		run := func(words ...string) outcome {
			var out, err bytes.Buffer
			status := ui.Status(Program{Machines: []spec.Machine{bully.Published}}.Run(t.Context(), words, &out, &err))
			return outcome{status, out.String(), err.String()}
		}
		run("verify", "bully/published", "--crashes", "1", "--split", "--property", formula, "--trace-out", file).expect(t, ui.ExitViolated, formula)
		run("replay", file).expect(t, ui.ExitHolds, "CONFIRMED every step, and that "+formula+" is false of the ")
		run("draw", file).expect(t, ui.ExitHolds, "leader")
		run("explain", file).expect(t, ui.ExitHolds, formula+" is a formula of yours; but ")
		run("draw", file, "--as", "svg").expect(t, ui.ExitHolds, "<svg")
	}
}

// TestEndlessMessages: who answers each message of its own with a new one is bounded like
// anybody else, and --bound is hinted at where there is something to bound.
func TestEndlessMessages(t *testing.T) {
	testsize.Alone(t)
	endless := spec.Algorithm[int, int]{
		Name:     "endless",
		Start:    func(_ *int, p *spec.Proc[int]) { p.Send(p.ID, 0) },
		Receive:  func(s *int, p *spec.Proc[int], _ spec.ID, m int) { *s = m; p.Send(p.ID, m+1) },
		Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }},
	}
	bounded := endless
	bounded.Measure = func(s int) int { return s }
	for want, m := range map[string]spec.Machine{"or a Measure to the algorithm, for --bound": &endless, "or bound it, as in --bound 2": &bounded} {
		mc(t.Context(), "verify endless --n 1 --max-states 50 --property termination", m).expect(t, ui.ExitInconclusive, "state limit reached")
		mc(t.Context(), "tla export endless --n 1 --out "+t.TempDir(), m).expect(t, ui.ExitUsage, want)
	}
	if testsize.All() {
		mc(t.Context(), "verify endless --n 1 --engine symbolic --property termination", &endless).expect(t, ui.ExitInconclusive, "more than 1000000 local steps")
	}
	mc(t.Context(), "verify endless --n 1 --bound 2 --property winner-is-top", &bounded).expect(t, ui.ExitHolds, "BOUNDED")
	mc(t.Context(), "tla export endless --n 1 --bound 2 --out "+t.TempDir(), &bounded).expect(t, ui.ExitHolds, "endless")
}

// TestPanicStaysInItsLine: what a handler panics with begins no line of its own, which might
// be read as a command.
func TestPanicStaysInItsLine(t *testing.T) {
	m := &spec.Algorithm[struct{}, uint8]{
		Name: "fragile", Doc: "falls over", Source: "this test",
		Receive: func(*struct{}, *spec.Proc[uint8], spec.ID, uint8) { panic("over\n::error::") },
		Election: &spec.Election[struct{}, uint8]{
			Notice: func(_ *struct{}, p *spec.Proc[uint8]) { p.Broadcast(p.Others(), 0) },
			Leader: func(struct{}) spec.ID { return spec.None },
		},
	}
	file := filepath.Join(t.TempDir(), "trace.json")
	sweep := rowsFile(t, "  - {algorithm: fragile, n: 2, max-depth: 3, expect: {leader-is-top: bounded}}\n")
	for _, line := range []string{"sweep " + sweep, "verify fragile --n 2 --max-depth 3 --trace-out " + file, "replay " + file, "explain " + file + " --states 100", "draw " + file} {
		o := mc(t.Context(), line, m)
		if strings.Contains(o.out+o.err, "\n::") || !strings.Contains(o.out, "over ::error::") {
			t.Errorf("%s: %s%s", line, o.out, o.err)
		}
	}
}

// TestOneLineEach: whatever messages, states and reasons say of themselves, each stays in its
// line.
func TestOneLineEach(t *testing.T) {
	const nasty = "a\nb\tc\x00\x1b[31m\u202ed"
	m := &spec.Algorithm[string, string]{
		Name:     "nasty",
		Start:    func(_ *string, p *spec.Proc[string]) { p.Send(p.ID, nasty) },
		Receive:  func(s *string, p *spec.Proc[string], _ spec.ID, m string) { *s = m },
		Election: &spec.Election[string, string]{Leader: func(string) spec.ID { return spec.None }},
	}
	calm := properties.Invariant("calm", "nobody says such things", func(w *model.World) error {
		if s := w.State(1).(string); s != "" {
			return errors.New(s)
		}
		return nil
	})
	file := filepath.Join(t.TempDir(), "nasty.json")
	for _, line := range []string{"verify nasty --n 1 --property calm --trace-out " + file, "verify nasty --n 1 --property calm --full-states", "replay " + file} {
		var out, err bytes.Buffer
		Program{Machines: []spec.Machine{m}, Properties: []properties.Property{calm}}.Run(t.Context(), strings.Fields(line), &out, &err)
		if text := out.String(); strings.Count(text, "a b c [31m d") < 2 || strings.ContainsAny(text, "\t\x00\x1b\u202e") || strings.Contains(text, "a\n") {
			t.Errorf("%s: %q", line, text)
		}
	}
}

// TestPromisesNothing: an algorithm that promises what is no property is refused by every
// verb that would ask for it.
func TestPromisesNothing(t *testing.T) {
	mine := &spec.Algorithm[int, int]{Name: "mine", Doc: "d", Source: "s", Promises: []string{"winner-is-top", "S-term"},
		Receive: func(*int, *spec.Proc[int], spec.ID, int) {}, Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }}}
	dir := t.TempDir()
	for _, line := range []string{
		"verify mine --n 2", "verify mine --n 2 --property winner-is-top", "verify mine --n 2 --explain-fairness",
		"explore mine --n 2 --html " + filepath.Join(dir, "mine.html"), "tla export mine --n 2 --out " + dir,
	} {
		mc(t.Context(), line, mine).expect(t, ui.ExitUsage, `mc: error: algorithm mine promises "S-term", which is no property that comes with Interleave, nor a claim of its own: make it a Claim, or leave it out and name it with --property`+"\n")
	}
}

// mark is the state of a process of blank.
type mark struct{ Begun, Stray bool }

var blank = &spec.Algorithm[mark, bool]{
	Name: "blank", Doc: "nobody ever leads", Source: "this test",
	Receive: func(*mark, *spec.Proc[bool], spec.ID, bool) {},
	Election: &spec.Election[mark, bool]{
		Notice: func(s *mark, p *spec.Proc[bool]) {
			if s.Begun {
				p.Refuse()
			}
			s.Begun = true
		},
		Leader: func(mark) spec.ID { return spec.None },
	},
}

// TestOwnPropertyKills: a mutant in which only a property of the program's own finds the bug.
// A formula about a process that a world does not have is left out there.
func TestOwnPropertyKills(t *testing.T) {
	stray := blank.Mutant("stray", "leaves a mark", func(s *mark, _ *spec.Proc[bool], e spec.Event, handle func()) {
		handle()
		s.Stray = e.Kind == spec.Act
	})
	clean := properties.Invariant("clean", "nobody leaves a mark", func(w *model.World) error {
		for p := range w.Live().All() {
			if w.State(p).(mark).Stray {
				return fmt.Errorf("process %v left one", p)
			}
		}
		return nil
	})
	fourth, err := properties.Temporal("fourth", "process 4 stays up", "[]up(4)", nil)
	if err != nil {
		t.Fatal(err)
	}
	mutants := func(list []spec.Machine, own ...properties.Property) outcome {
		var out, err bytes.Buffer
		status := ui.Status(Program{Machines: list, Properties: own}.Run(t.Context(), []string{"mutants"}, &out, &err))
		return outcome{status, out.String(), err.String()}
	}
	both := []spec.Machine{blank, stray}
	mutants(both).expect(t, ui.ExitViolated, "stray   SURVIVES")
	mutants(both, fourth, clean).expect(t, ui.ExitHolds, "stray   clean in 1  n=2")
	mutants(both[:1]).expect(t, ui.ExitUsage, "no algorithm here has mutants\nmc: hint: the method Mutant of spec.Algorithm makes one")
}

// TestNamesOnTheirLine: names that do not print, and arguments of several lines, are refused with one
// error, for a report shows them on a line with others.
func TestNamesOnTheirLine(t *testing.T) {
	named := func(name string) *spec.Algorithm[int, int] { return &spec.Algorithm[int, int]{Name: name} }
	holds := func(*model.World) error { return nil }
	for i, p := range []Program{
		{Machines: []spec.Machine{named("a\nVERIFIED")}},
		{Machines: []spec.Machine{named("a"), named("a").Mutant("b\nVERIFIED", "", nil)}},
		{Aliases: map[string]string{"b\nVERIFIED": "a"}},
		{Properties: []properties.Property{properties.Invariant("b\x1b[8m", "", holds)}},
		{Properties: []properties.Property{properties.Invariant("b\u202e", "", holds)}},
		{Machines: []spec.Machine{named("a")}},
	} {
		var out, err bytes.Buffer
		args := []string{"list"}
		if i == 5 {
			args = []string{"replay", "bad\nmc: VERIFIED\n.json"}
		}
		status := ui.Status(p.Run(t.Context(), args, &out, &err))
		if said := err.String(); status != ui.ExitUsage || out.Len() > 0 || !strings.HasPrefix(said, "mc: error: the ") || strings.Count(said, "\n") != 1 || strings.Contains(said, "\x1b") {
			t.Errorf("%d: exit status %d, and it says %s%s", i, status, &out, said)
		}
	}
}

// rowsFile writes a file with rows for mc sweep.
func rowsFile(t *testing.T, rows string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sweep.yaml")
	if err := os.WriteFile(file, []byte("version: 1\nrows:\n"+rows), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}
