package cli

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/internal/testsize"
)

// TestGoTests: counterexamples of all sorts become tests that build, vet, and fail
// with the violation; against an algorithm that does otherwise they pass.
func TestGoTests(t *testing.T) {
	module, _ := outside(t, "counterexample")
	want := map[string]string{}
	all := []struct{ verify, flags, want string }{
		{"bully/published --timers any --property winner-is-top", "", "winner-is-top is violated: process 1 follows itself, but 3 is top"},
		{"sync-bully/published --crashes 1", "--go-machine Mended --go-import interleave/spec/syncbully", "ok"},
		{"sync-bully/published --crashes 1", "", "leader-is-top-or-crashed is violated"},
		{"token-ring/published-a --crashes 1", "", "agreement is violated"},
		{"ble/published --n 2 --crashes 1 --recoveries 1 --bound 2", "", "LE-Q is violated"},
		{"fast-bully/published --crashes 1 --recoveries 1 --split", "", "takeover-by-top is violated"},
		{"token-ring/published-a --crashes 1", "--go-machine Mended", "ok"},
		{"chang-roberts/naive --crashes 1 --property leader-eventually", "", "and nothing more ever happens"},
	}
	for i, c := range all[:testsize.Of(2, 2, len(all))] {
		folder := fmt.Sprintf("t%d", i)
		file := filepath.Join(module, folder, "run_test.go")
		if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		trace := written(t, "verify "+c.verify)
		mc(t.Context(), strings.TrimSpace("replay "+trace+" --go-test --go-out "+file+" "+c.flags)).expect(t, ui.ExitHolds, "CONFIRMED")
		want["counterexample/"+folder] = c.want
	}
	out, _ := in(module, "test", "-vet=all", "-count=1", "./...")
	from := 0
	for _, at := range regexp.MustCompile(`(?m)^(ok|FAIL) *\t(\S+).*$`).FindAllStringSubmatchIndex(out, -1) {
		told, passes, folder := out[from:at[1]], out[at[2]:at[3]] == "ok", out[at[4]:at[5]]
		if from = at[1]; passes != (want[folder] == "ok") || !strings.Contains(told, want[folder]) {
			t.Errorf("%s: not %s\n%s", folder, want[folder], told)
		}
		delete(want, folder)
	}
	if len(want) > 0 {
		t.Errorf("nothing is said of %v\n%s", want, out)
	}
}

// outside makes a module that uses ours, and returns the folders of both. It requires
// all that ours does, or go would have to fetch what is required in turn. It skips where
// a compiler takes too long.
func outside(t *testing.T, name string) (module, ours string) {
	t.Helper()
	testsize.Alone(t)
	ours, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join(ours, file))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	module = t.TempDir()
	put(t, filepath.Join(module, "go.sum"), read("go.sum"))
	mine := "module " + name + "\n\nrequire interleave v0.0.0\n\nreplace interleave => " + ours + "\n"
	put(t, filepath.Join(module, "go.mod"), strings.Replace(read("go.mod"), "module interleave\n", mine, 1))
	return module, ours
}

// in runs the go command in a folder, of which go.mod has to be complete.
func in(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestGoTestNames: a file is named after what it shows; what cannot be written
// is refused, with a remedy.
func TestGoTestNames(t *testing.T) {
	trace := written(t, "verify bully/published --timers any --property winner-is-top")
	t.Chdir(t.TempDir())
	mc(t.Context(), "replay "+trace+" --go-test").expect(t, ui.ExitHolds, "CONFIRMED")
	if _, err := os.Stat("bully_published_winner_is_top_test.go"); err != nil {
		t.Error(err)
	}
	mc(t.Context(), "replay "+trace+" --go-test").expect(t, ui.ExitHolds, "CONFIRMED") // again, over its own
	put(t, "own_test.go", "package own")
	for flags, want := range map[string]string{
		"--go-test --go-out x.go":            "x.go does not end in _test.go",
		"--go-test --go-out none/x_test.go":  "there is no folder none",
		"--go-test --go-out x_js_test.go":    "would not run x_js_test.go everywhere",
		"--go-test --go-out _x_test.go":      "would not run _x_test.go everywhere",
		"--go-test --go-out own_test.go":     "own_test.go was not written by mc replay, and is not replaced",
		"--go-test --go-import main":         "declared in a program",
		"--go-out x_test.go":                 "mean nothing without --go-test",
		"--go-test --go-machine Not.a.Name!": "is not a name of Go",
		"--go-test --go-import a`b\"c":       "is not an import path",
	} {
		o := mc(t.Context(), "replay "+trace+" "+flags)
		if o.status != ui.ExitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%s: %d %s", flags, o.status, o.err)
		}
	}
}

// TestGoTestPackages: a test builds whatever the package is called, and where it is a program.
func TestGoTestPackages(t *testing.T) {
	testsize.Test(t)
	module, _ := outside(t, "example.org/all")
	folders := map[string]string{"spec": "spec", ".": "main"}
	if testsize.All() {
		maps.Copy(folders, map[string]string{"plain": "plain", "mine/v2": "mine", "go-mine": "mine", "testing": "testing"})
	}
	imports, list := "", ""
	for folder, name := range folders {
		if err := os.MkdirAll(filepath.Join(module, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(module, folder, "algorithm.go"), fmt.Sprintf(`package %s

import "interleave/spec"

var Algorithm = &spec.Algorithm[State, int]{
	Name: %q, Doc: "nobody is ever elected", Source: "here",
	Receive: func(*State, *spec.Proc[int], spec.ID, int) {},
	Election: &spec.Election[State, int]{
		Leader: func(State) spec.ID { return spec.None },
		Notice: func(_ *State, p *spec.Proc[int]) { p.Refuse() },
	},
}

type State struct{}
`, name, "in-"+filepath.Base(folder)))
		if folder != "." {
			alias := fmt.Sprint("p", len(imports))
			imports += fmt.Sprintf("import %s %q\n", alias, "example.org/all/"+folder)
			list += ", " + alias + ".Algorithm"
		}
	}
	put(t, filepath.Join(module, "main.go"), "package main\n\nimport \"interleave/cmd/mc/cli\"\n"+imports+"\nfunc main() { cli.Main(nil, Algorithm"+list+") }\n")
	if out, err := in(module, "build", "-o", "own"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	own := func(line string) string {
		cmd := exec.Command("./own", strings.Fields(line)...)
		cmd.Dir = module
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	for folder := range folders {
		own("verify in-" + filepath.Base(folder) + " --n 1 --property leader-eventually --trace-out bad.json")
		replay, path := "replay bad.json --go-test --go-out "+folder+"/bad_test.go", ""
		if folder == "." {
			if out := own(replay); !strings.Contains(out, "declared in a program") {
				t.Errorf("nobody says how a program is imported:\n%s", out)
			}
			path = " --go-import example.org/all"
		}
		if out := own(replay + path); !strings.Contains(out, "mc: wrote ") {
			t.Errorf("%s:\n%s", folder, out)
		}
	}
	out, err := in(module, "test", "-vet=all", "./...")
	if n := strings.Count(out, "leader-eventually is violated"); err == nil || n != len(folders) {
		t.Errorf("%d of %d tests fail as they should: %v\n%s", n, len(folders), err, out)
	}
}
