package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// plant is a bug, and the test that finds it.
type plant struct {
	file     string // from the root of the module
	bug      string // what it does, in a few words
	old, new string // old occurs once in the file
	test     string // its name; of a subtest with that of the test, as in "TestRun/no_loss": that runs although others do only where all is tested
	in       string // the folder of the test, if not that of the file
}

// folder returns where the test is.
func (p plant) folder() string {
	if p.in != "" {
		return p.in
	}
	return path.Dir(p.file)
}

// planted returns the text of the file with the bug.
func (p plant) planted(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, p.file))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), p.old); n != 1 {
		return "", fmt.Errorf("the table is out of date: %s has the old text %d times", p.file, n)
	}
	if p.old == p.new {
		return "", fmt.Errorf("the table changes nothing in %s", p.file)
	}
	return strings.Replace(string(text), p.old, p.new, 1), nil
}

// garden is a module in which bugs are planted.
type garden struct {
	root    string
	scratch string // a folder
	limit   time.Duration
	sound   map[string]error // by folder and test: its result without a bug
}

var (
	errPasses  = errors.New("SURVIVES")
	errTimeout = errors.New("TIMES OUT")
	errNotRun  = errors.New("DOES NOT RUN")
)

// try plants a bug, and returns how long the test takes to find it. The error says that it does
// not.
func (g *garden) try(ctx context.Context, p plant) (time.Duration, error) {
	key := p.folder() + " " + p.test
	if _, known := g.sound[key]; !known {
		_, g.sound[key] = g.test(ctx, p, "")
	}
	if err := g.sound[key]; err != nil {
		return 0, fmt.Errorf("WITHOUT THE BUG %s: %w", p.test, err)
	}
	overlay, err := g.overlay(p)
	if err != nil {
		return 0, err
	}
	switch took, err := g.test(ctx, p, overlay); {
	case err == nil:
		return took, errPasses
	case errors.As(err, new(*failure)):
		return took, nil
	default:
		return took, err
	}
}

// overlay writes the file with the bug, and returns the name of a file that tells the compiler
// so.
func (g *garden) overlay(p plant) (string, error) {
	text, err := p.planted(g.root)
	if err != nil {
		return "", err
	}
	changed, name := filepath.Join(g.scratch, "planted.go"), filepath.Join(g.scratch, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(g.root, p.file): changed}})
	if err != nil {
		return "", err
	}
	return name, errors.Join(os.WriteFile(changed, []byte(text), 0o600), os.WriteFile(name, replace, 0o600))
}

// failure is a test that fails, with its output.
type failure struct{ output string }

func (f *failure) Error() string { return "fails: " + f.output }

// test runs the test of a plant with an overlay, if there is one. What it compiles itself is
// compiled so, too.
func (g *garden) test(ctx context.Context, p plant, overlay string) (time.Duration, error) {
	folder, binary := filepath.Join(g.root, p.folder()), filepath.Join(g.scratch, "planted.test")
	env := os.Environ()
	if strings.Contains(p.test, "/") {
		env = append(env, "INTERLEAVE_TESTS=all")
	}
	if overlay != "" {
		env = append(env, strings.TrimSpace("GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	build := goCommand(ctx, folder, "test", "-c", "-vet=off", "-o", binary, ".")
	build.Env = env
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("DOES NOT COMPILE: %w: %s", err, out)
	}
	t := exec.CommandContext(ctx, binary, "-test.v", "-test.run="+exactly(p.test), "-test.timeout="+g.limit.String())
	t.Dir, t.Env = folder, env
	began := time.Now()
	out, err := t.CombinedOutput()
	return time.Since(began), judged(p.test, string(out), err)
}

// judged returns what became of a test: nil if it ran and passed, a failure, or another error.
func judged(test, out string, err error) error {
	switch {
	case err != nil && strings.Contains(out, "panic: test timed out after"):
		return errTimeout
	case err != nil:
		return &failure{out}
	case !strings.Contains(out, "--- PASS: "+test+" "):
		return errNotRun
	}
	return nil
}

// exactly returns the pattern that only the test of this name matches.
func exactly(test string) string {
	return "^" + strings.ReplaceAll(test, "/", "$/^") + "$"
}

func goCommand(ctx context.Context, folder string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = folder
	return c
}
