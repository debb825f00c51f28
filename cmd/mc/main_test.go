package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"

	"interleave/cmd/mc/cli"
	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/catalog"
	"interleave/spec/object/objecttest"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mc":             main,
		"mc-code":        func() { cli.Main(nil, objecttest.Machines...) },
		"mc-ending":      mcEnding,
		"mc-interrupted": func() { cli.Main(catalog.Aliases, disturb(func() {})...) },
		"mc-stuck":       func() { cli.Main(catalog.Aliases, disturb(func() { select {} })...) },
	})
}

// TestScripts runs the episodes in testdata. Besides the commands of
// testscript they use these, where "it printed" speaks of the last program.
//
//	exits STATUS PROGRAM ARG...  run a program, which exits with that very status
//	refuses PROGRAM ARG...       run a program, which refuses its input: it exits with 2, writes no
//	                             file, and prints one error and at most one hint, nothing else
//	json PATH VALUE              it printed JSON in which PATH, as in stats.depth, is VALUE
//	steady FILE                  keep what it printed in FILE, without times and memory
//	ci STATUS action|hook FILE   do what action.yml does with MC=mc, or the pre-commit hook
//	edit FILE REGEXP TEXT        copy FILE to edited.json with TEXT in place of the first match
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("MC_ROOT", root)
	here := filepath.Join(root, "cmd", "mc")
	t.Chdir(here)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(here, "testdata"), // also while a script is in its own
		UpdateScripts:       *update,
		Condition:           condition,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "refuses": refuses, "json": field, "steady": steady, "edit": edit, "ci": ci,
		},
	})
}

// condition is the one that scripts may ask for besides those of testscript: [all], that all is tested.
func condition(name string) (bool, error) {
	if name != "all" {
		return false, fmt.Errorf("there is no condition [%s]", name)
	}
	return testsize.All(), nil
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	status, exit := 0, &exec.ExitError{}
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if status != want {
		ts.Fatalf("exit status %d, not %d", status, want)
	}
}

var complaint = regexp.MustCompile(`^mc: error: [^\n]+\n(mc: hint: [^\n]+\n)?$`)

// refuses runs mc within the test, unless the script sets what mc reads of its environment:
// there are hundreds of refusals, and to begin a process costs more than a refusal.
func refuses(ts *testscript.TestScript, _ bool, args []string) {
	before := files(ts)
	var out, said string
	if args[0] == "mc" && ts.Getenv("GITHUB_STEP_SUMMARY") == "" {
		out, said = within(ts, args[1:])
	} else {
		exits(ts, false, append([]string{"2"}, args...))
		out, said = ts.ReadFile("stdout"), ts.ReadFile("stderr")
	}
	if out != "" {
		ts.Fatalf("something on standard output")
	}
	if !complaint.MatchString(said) {
		ts.Fatalf("not one error and at most one hint on standard error")
	}
	if !maps.Equal(before, files(ts)) {
		ts.Fatalf("a file was written")
	}
}

// folder is held by who is in a folder of its script.
var folder sync.Mutex

// within runs mc in the process of the test, in the folder of the script, and returns what it
// printed.
func within(ts *testscript.TestScript, args []string) (string, string) {
	folder.Lock()
	defer folder.Unlock()
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(os.Getenv("MC_ROOT"))
	var out, said bytes.Buffer
	status := cli.Run(context.Background(), args, io.MultiWriter(&out, ts.Stdout()), io.MultiWriter(&said, ts.Stderr()), catalog.Aliases, slices.Concat(catalog.Machines, catalog.Mutants)...)
	if status != 2 {
		ts.Fatalf("exit status %d, not 2: %s", status, &said)
	}
	return out.String(), said.String()
}

// files returns the contents of all files of a script.
func files(ts *testscript.TestScript) map[string]string {
	texts := map[string]string{}
	work := os.DirFS(ts.Getenv("WORK"))
	ts.Check(fs.WalkDir(work, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(work, name)
		texts[name] = string(text)
		return err
	}))
	return texts
}

func field(ts *testscript.TestScript, _ bool, args []string) {
	var value any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &value))
	for key := range strings.SplitSeq(args[0], ".") {
		switch at := value.(type) {
		case map[string]any:
			value = at[key]
		case []any:
			i, err := strconv.Atoi(key)
			ts.Check(err)
			value = at[i]
		}
	}
	if have := fmt.Sprint(value); have != args[1] {
		ts.Fatalf("%s is %s, not %s", args[0], have, args[1])
	}
}

// unsteady is what differs from run to run, or says with what it was run.
var unsteady = regexp.MustCompile(`(?m)^ *("((?:judging_)?seconds|bytes|bytes_per_state)":|(states a second|memory) ).*\n|^and [-+.e0-9]+ s to look .*\n|,? in [-+.e0-9]+ s$| --direct$`)

func steady(ts *testscript.TestScript, _ bool, args []string) {
	text := unsteady.ReplaceAllString(ts.ReadFile("stdout"), "")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// ci runs what the action or the pre-commit hook of this repository runs.
func ci(ts *testscript.TestScript, neg bool, args []string) {
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				Env    map[string]string
				Run    string
				Folder string `yaml:"working-directory"`
			}
		}
	}
	var hooks []struct{ ID, Entry string }
	root := os.Getenv("MC_ROOT")
	for name, into := range map[string]any{"action.yml": &action, ".pre-commit-hooks.yaml": &hooks} {
		text, err := os.ReadFile(filepath.Join(root, name))
		ts.Check(err)
		ts.Check(yaml.Unmarshal(text, into))
	}
	script := strings.Replace(hooks[0].Entry, "go run ./cmd/mc", "mc", 1) + " " + args[2]
	if args[1] == "action" {
		step := action.Runs.Steps[0]
		step.Env["FOLDER"] = step.Folder
		ts.Setenv("MC", cmp.Or(ts.Getenv("MC"), "mc"))
		for name, value := range step.Env {
			input := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
			known, ok := action.Inputs[input]
			if !ok {
				ts.Fatalf("%s is %s, which is no input", name, value)
			}
			if ts.Getenv(name) == "" {
				ts.Setenv(name, known.Default)
			}
		}
		ts.Setenv("SWEEP", args[2])
		script = "cd \"$FOLDER\"\n" + step.Run
	}
	exits(ts, neg, []string{args[0], "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script}) // as GitHub does
}

func edit(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	at := regexp.MustCompile(args[1]).FindStringIndex(text)
	if at == nil {
		ts.Fatalf("%s has no %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs("edited.json"), []byte(text[:at[0]]+args[2]+text[at[1]:]), 0o666))
}

// disturbed is a machine during whose first step the program is interrupted.
type disturbed struct {
	spec.Machine
	first func()
}

func (m disturbed) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	m.first()
	return m.Machine.Step(self, ring, s, e)
}

// disturb returns the machines of the catalogue, disturbed: the first step of
// any of them interrupts the program, then calls next.
func disturb(next func()) []spec.Machine {
	first := sync.OnceFunc(func() { interrupt(); next() })
	var list []spec.Machine
	for _, m := range catalog.Machines {
		list = append(list, disturbed{m, first})
	}
	return list
}

// interrupt interrupts the program as timeout does: the process that watches it, and the one
// that does the work.
func interrupt() {
	for _, pid := range []int{os.Getppid(), os.Getpid()} {
		p, err := os.FindProcess(pid)
		if err == nil {
			err = p.Signal(os.Interrupt)
		}
		if err != nil {
			panic(err)
		}
	}
}
