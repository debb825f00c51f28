package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/internal/testsize"
	"interleave/spec/catalog"
)

// tutorialStep is a step of the tutorial: mc init, a file to be written, a change of one, a
// command with what it prints, or a command with some of the lines that it prints.
var (
	tutorialStep = regexp.MustCompile("(?s)(<!-- init |Write `|Change `|(?:<!-- part -->\n)?```console\n\\$ )([^\n]*?)(?: -->|`:\n)?\n(?:```[a-z]+\n)?(.*?)```")
	runTimes     = regexp.MustCompile(`\(?\b[0-9.e+-]+ ?s\)?|\t[0-9.]+s|\S*/[^ ]*\.json`)
	figures      = regexp.MustCompile(`[0-9][0-9.,]*`)
)

// tutorial is the module that a reader of the tutorial makes.
type tutorial struct {
	module string
	taken  int
}

// TestTutorial takes the steps of the tutorial in a module of its own, and compares
// what is printed with the page.
func TestTutorial(t *testing.T) {
	testsize.Test(t)
	r := &tutorial{}
	text := r.read(t, "tutorial.md", "commit", 16)
	if strings.Contains(strings.ToLower(text), "leader") {
		t.Error("it speaks of leaders, and nobody leads in it")
	}
	if testsize.All() {
		beyondTutorial(t, r.module)
	}
}

// TestYourCode does the same with the page about code that exists.
func TestYourCode(t *testing.T) {
	testsize.Test(t)
	(&tutorial{}).read(t, "your-code.md", "votes", 14)
}

// read takes the steps of a page, of which there have to be so many, and returns it.
func (r *tutorial) read(t *testing.T, name, module string, least int) string {
	t.Helper()
	page, err := filepath.Abs("../../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	around := t.TempDir()
	if err := os.Mkdir(filepath.Join(around, "interleave"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(around, "interleave"))
	r.module = filepath.Join(around, module)
	shown := tutorialStep.ReplaceAllStringFunc(string(text), func(step string) string { return r.take(t, step) })
	if r.taken < least {
		t.Errorf("only %d steps", r.taken)
	}
	if *update && shown != string(text) {
		if err := os.WriteFile(page, []byte(shown), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return string(text)
}

// take takes a step, and returns it as it has to be.
func (r *tutorial) take(t *testing.T, step string) string {
	t.Helper()
	r.taken++
	parts := tutorialStep.FindStringSubmatch(step)
	kind, what, body := parts[1], parts[2], parts[3]
	file := filepath.Join(r.module, filepath.FromSlash(what))
	out := ""
	switch kind {
	case "Write `":
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, file, body)
		return step
	case "Change `":
		before, err := os.ReadFile(file)
		from, to := change(body)
		if err != nil || strings.Count(string(before), from) != 1 {
			t.Fatalf("%v: %s has not once %q", err, file, from)
		}
		put(t, file, strings.Replace(string(before), from, to, 1))
		return step
	case "<!-- init ":
		out = mc(t.Context(), "init "+what).out
	default:
		out, _ = in(r.module, strings.Fields(strings.TrimPrefix(what, "go "))...)
	}
	switch part := strings.Contains(kind, "part"); {
	case part && linesOf(figures.ReplaceAllString(body, "0"), figures.ReplaceAllString(out, "0")):
		return step
	case !part && runTimes.ReplaceAllString(out, "") == runTimes.ReplaceAllString(body, ""):
		return step
	}
	t.Errorf("this is not what %s prints; go test ./cmd/mc/cli -run Tutorial -update mends that:\n%s", what, out)
	return strings.TrimSuffix(step, body+"```") + out + "```"
}

// change returns the lines before and after a change: of those that begin with a blank, all stay.
func change(diff string) (from, to string) {
	for line := range strings.Lines(diff) {
		if line[0] != '+' {
			from += line[1:]
		}
		if line[0] != '-' {
			to += line[1:]
		}
	}
	return from, to
}

// linesOf reports whether a text has all lines of a part, in their order.
func linesOf(part, text string) bool {
	lines := strings.Split(text, "\n")
	for line := range strings.SplitSeq(part, "\n") {
		at := slices.Index(lines, line)
		if at < 0 {
			return false
		}
		lines = lines[at+1:]
	}
	return true
}

// beyondTutorial tests what the page tells without showing it: kept traces, -short, deadlines
// and bounds.
func beyondTutorial(t *testing.T, module string) {
	t.Helper()
	keepTrace(t, module)
	if out, err := in(module, "test", "-v", "-run", "Commit"); err != nil || !strings.Contains(out, "one-outcome.json: it does not happen any more: ") {
		t.Errorf("the trace that was kept is not replayed: %v\n%s", err, out)
	}
	put(t, filepath.Join(module, "large_test.go"), largeTest)
	if out, err := in(module, "test", "-short", "-v", "-run", "Large"); err != nil || !strings.Contains(out, "--- SKIP: TestLarge") || !strings.Contains(out, "not decided among the first 100000 states") {
		t.Errorf("-short does not stop: %v\n%s", err, out)
	}
	if out, err := in(module, "test", "-timeout", "5500ms", "-run", "Large"); err == nil || !strings.Contains(out, "INCONCLUSIVE") || !strings.Contains(out, "states were found, ") || !strings.Contains(out, "-timeout gives it longer") {
		t.Errorf("the deadline is not heeded: %v\n%s", err, out)
	}
	put(t, filepath.Join(module, "bounded_test.go"), boundedTest)
	if out, err := in(module, "test", "-timeout", "5500ms", "-run", "Endless"); err == nil || !strings.Contains(out, "a Bound, for properties.TestBounded, keeps") {
		t.Errorf("a world without a bound is not told: %v\n%s", err, out)
	}
	out, err := in(module, "test", "-run", "ounded")
	for _, want := range []string{"--- FAIL: TestUnbounded", "commit: the world has no Bound: take properties.Test\n", "--- FAIL: TestTooBounded", "properties.TestBounded passes what holds as far"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not told", want)
		}
	}
	if err == nil || strings.Contains(out, "FAIL: TestBounded ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// largeTest has too many states for -short, and for half a second.
const largeTest = `package commit

import (
	"testing"

	"interleave/model"
	"interleave/properties"
)

func TestLarge(t *testing.T) { properties.Test(t, Algorithm, model.Config{N: 12, Network: model.Bag, Duplicates: 3}) }
`

// boundedTest takes a world that is bounded for one that is not, and the other way round.
const boundedTest = `package commit

import (
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec/ble"
)

var bounded, _ = model.Home(ble.Mended, 2)

func TestBounded(t *testing.T)    { election.TestBounded(t, ble.Mended, bounded) }
func TestTooBounded(t *testing.T) { election.Test(t, ble.Mended, bounded) }
func TestUnbounded(t *testing.T)  { properties.TestBounded(t, Algorithm, model.Config{N: 3}) }
func TestEndless(t *testing.T) {
	election.Test(t, ble.Mended, model.Config{N: 3, Timers: model.Any}, election.LeaderTookPart)
}
`

// keepTrace has the test of the module fail without stable storage, keeps the trace that it leaves in
// testdata/traces, and wants it to be found there.
func keepTrace(t *testing.T, module string) {
	t.Helper()
	file, out := filepath.Join(module, "commit.go"), t.TempDir()
	mended, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	put(t, file, regexp.MustCompile("\tStable: .*\n").ReplaceAllString(string(mended), ""))
	if text, err := in(module, "test", "-run", "Commit", "-artifacts", "-outputdir", out); err == nil {
		t.Fatalf("it passes:\n%s", text)
	}
	var trace []byte
	err = filepath.WalkDir(out, func(name string, _ os.DirEntry, err error) error {
		if filepath.Base(name) == "one-outcome.json" {
			trace, err = os.ReadFile(name)
		}
		return err
	})
	if err != nil || trace == nil {
		t.Fatalf("no trace is among the artifacts: %v", err)
	}
	traces := filepath.Join(module, "testdata", "traces")
	if err := os.MkdirAll(traces, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(traces, "one-outcome.json"), string(trace))
	text, err := in(module, "test", "-run", "Commit")
	if err == nil || !strings.Contains(text, "one-outcome.json: one-outcome is false again: process 1 is committed, and a user was told aborted") {
		t.Errorf("the trace that was kept is not replayed: %v\n%s", err, text)
	}
	put(t, file, string(mended))
}

// TestInit: what mc init writes passes its test and knows its algorithm, and it writes
// over nothing.
func TestInit(t *testing.T) {
	testsize.Test(t)
	module, ours := outside(t, "example.org/all")
	t.Chdir(module)
	mc(t.Context(), "init deep/mine").expect(t, ui.ExitHolds, "wrote deep/mine: check it with go test ./... there\n")
	mc(t.Context(), "init deep/ring --election").expect(t, ui.ExitHolds, "wrote deep/ring: ")
	for _, command := range []string{"vet ./...", "test ./...", "run ./deep/mine/mc verify mine --n 4"} {
		if out, err := in(module, strings.Fields(command)...); err != nil {
			t.Errorf("go %s: %v\n%s", command, err, out)
		}
	}
	if out, err := in(module, strings.Fields("run ./deep/mine/mc verify mine --crashes 1 --trace-out bad.json")...); err == nil {
		t.Errorf("it holds with a crash:\n%s", out)
	}
	for _, command := range []string{"run ./deep/mine/mc replay bad.json --go-test --go-out deep/mine/bad_test.go", "vet ./deep/mine"} {
		if out, err := in(module, strings.Fields(command)...); err != nil {
			t.Errorf("go %s: %v\n%s", command, err, out)
		}
	}
	for folder, elects := range map[string]bool{"mine": false, "ring": true} {
		out, err := in(module, "run", "./deep/"+folder+"/mc", "verify", folder)
		if err != nil || (speaksOfLeaders(out) != "") != elects {
			t.Errorf("%s: %v\n%s", folder, err, out)
		}
	}
	if out, err := exec.Command("gofmt", "-l", module).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("gofmt: %v %s", err, out)
	}
	mc(t.Context(), "init deep/mine").expect(t, ui.ExitUsage, "the folder deep/mine is not empty")
	mc(t.Context(), "init other --interleave "+ours).expect(t, ui.ExitUsage, "is in the module example.org/all, whose go.mod says where Interleave is")
	put(t, "go.mod", "module example.org/all\n")
	mc(t.Context(), "init without").expect(t, ui.ExitHolds, "once the module example.org/all requires Interleave:\n  go mod edit -require interleave@v0.0.0 -replace interleave="+ours+"\n")
	initAlone(t, ours)
	for _, name := range []string{"func", "main", "init", "cli", "Mine", "a-b", "."} {
		mc(t.Context(), "init "+name).expect(t, ui.ExitUsage, "is not a valid package name")
	}
}

// initAlone: outside of any module, mc init writes one that is complete: nothing has to be fetched.
func initAlone(t *testing.T, ours string) {
	t.Helper()
	around := t.TempDir()
	alone := filepath.Join(around, "mine")
	t.Chdir(around)
	mc(t.Context(), "init mine").expect(t, ui.ExitHolds, "wrote mine, a module: there, go test ./... checks it, and go run ./mc verify mine, too\n")
	for _, command := range []string{"build ./...", "vet ./...", "test ./...", "run ./mc verify mine"} {
		if out, err := in(alone, strings.Fields(command)...); err != nil {
			t.Errorf("go %s: %v\n%s", command, err, out)
		}
	}
	own, err := os.ReadFile(filepath.Join(alone, "go.mod"))
	if err != nil || !strings.HasPrefix(string(own), "module example.org/mine\n") || !strings.Contains(string(own), "replace interleave => "+ours+"\n") {
		t.Errorf("%v\n%s", err, own)
	}
	formatted, err := exec.Command("go", "mod", "edit", "-print", filepath.Join(alone, "go.mod")).Output()
	if err != nil || string(formatted) != string(own) {
		t.Errorf("go.mod is not as Go formats it: %v\n%s", err, own)
	}
	if main, err := os.ReadFile(filepath.Join(alone, "mc", "main.go")); err != nil || !strings.Contains(string(main), `"example.org/mine"`) {
		t.Errorf("%v\n%s", err, main)
	}
	relative, err := filepath.Rel(alone, ours)
	if err != nil {
		t.Fatal(err)
	}
	mc(t.Context(), "init near/mine --interleave "+strings.TrimPrefix(relative, "../")).expect(t, ui.ExitHolds, "a module")
	if out, err := in(filepath.Join(around, "near", "mine"), "vet", "./..."); err != nil {
		t.Errorf("with a relative folder: %v\n%s", err, out)
	}
	mc(t.Context(), "init far --interleave near/mine").expect(t, ui.ExitUsage, "near/mine has no go.mod of the module interleave")
	if _, err := os.Stat("far"); err == nil {
		t.Error("it is refused, and yet written")
	}
}

// TestInitImportable: where Go would not take the path of the package, nothing is written.
func TestInitImportable(t *testing.T) {
	testsize.Test(t)
	module, _ := outside(t, "example.org/all")
	t.Chdir(module)
	for folder, ok := range map[string]bool{
		"sub dir/ring": false, "Größe/ring": false, "a'b/ring": false, "a@b/ring": false, "a,b/ring": false, ".../ring": false, "a./ring": false, "a~1/ring": false,
		"COM1.x/ring": false, "con": false, "vendor/ring": false,
		".x/ring": true, "A+b/ring": true, "c~x/v2.1/ring": true, "conx/ring": true, "vendors/ring": true,
	} {
		var out, said bytes.Buffer
		status := ui.Status(Program{}.Run(t.Context(), []string{"init", folder}, &out, &said))
		if _, err := os.Stat(folder); ok != (status == ui.ExitHolds) || ok != (err == nil) || !ok && (status != ui.ExitUsage || !strings.Contains(said.String(), "in an import path")) {
			t.Errorf("%s: status %d, %v, %s", folder, status, err, said.String())
			continue
		}
		if !ok {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(folder, "ring.go"), "package ring\n")
		}
		put(t, "main.go", "package main\n\nimport _ \"example.org/all/"+folder+"\"\n\nfunc main() {}\n")
		if said, err := in(module, "vet", "main.go"); ok != (err == nil) {
			t.Errorf("%s: Go says otherwise: %v\n%s", folder, err, said)
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMan: there is a page for every verb, and the shells get their completions.
func TestMan(t *testing.T) {
	folder := t.TempDir()
	mc(t.Context(), "man "+folder).expect(t, ui.ExitHolds, "")
	for _, page := range []string{"mc.1", "mc-verify.1", "mc-explain.1", "mc-tla-check.1"} {
		text, err := os.ReadFile(filepath.Join(folder, page))
		if err != nil || !strings.Contains(string(text), ".SH SYNOPSIS") {
			t.Errorf("%s: %v", page, err)
		}
	}
	mc(t.Context(), "man "+folder+"/none").expect(t, ui.ExitUsage, "there is no folder")
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		mc(t.Context(), "completion "+shell).expect(t, ui.ExitHolds, "mc")
	}
	mc(t.Context(), "__complete verify bully --network=").expect(t, ui.ExitHolds, "fifo\nbag\nset\nrounds\n")
	mc(t.Context(), "__complete draw x --as=s").expect(t, ui.ExitHolds, "sequence\n")
	for _, request := range []string{"__complete", "__completeNoDesc"} { // of an empty word, which nothing else may be
		var out, err bytes.Buffer
		if status := ui.Status(Run(t.Context(), []string{request, "verify", ""}, &out, &err, catalog.Aliases, catalog.Machines...)); status != ui.ExitHolds || !strings.Contains(out.String(), "bully/mended\n") {
			t.Errorf("%s: status %d:\n%s%s", request, status, &out, &err)
		}
	}
}
