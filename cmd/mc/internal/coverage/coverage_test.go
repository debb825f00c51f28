package coverage

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/spec/lock"
)

// TestCover: the profile says which lines of the handlers a search or a simulation ran, and a branch that no run reaches is told.
func TestCover(t *testing.T) {
	testsize.Test(t)
	dir := t.TempDir()
	mc, profile := filepath.Join(dir, "mc"), filepath.Join(dir, "c.out")
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "GOCOVERDIR="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	run("go", "build", "-cover", "-covermode=atomic", "-coverpkg=./testdata/branch", "-o", mc, "./testdata/branch")
	for _, verb := range []string{"verify", "simulate"} {
		if err := os.RemoveAll(profile); err != nil {
			t.Fatal(err)
		}
		out := run(mc, verb, "branch", "--n", "2", "--cover", profile)
		for _, want := range []string{
			"mc: wrote which lines ran to " + profile + "; show them with: go tool cover -html=" + profile,
			"suspicious: never ran, though the rest of its function did: main.go:12-15 (receive)\n",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in\n%s", want, out)
			}
		}
		if strings.Contains(out, "unused") {
			t.Errorf("a function that nobody calls is told:\n%s", out)
		}
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), "\n") < 5 || !strings.HasPrefix(string(text), "mode: ") {
		t.Errorf("%s", text)
	}
	if shown := run("go", "tool", "cover", "-func="+profile); !strings.Contains(shown, "receive") {
		t.Error(shown)
	}
}

// TestNotReady: a program that counts nothing says how to build one that does.
func TestNotReady(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("this test program counts lines itself: run it without -cover")
	}
	err := Ready(lock.Published)
	if err == nil || !strings.Contains(err.Error(), "this program does not count the lines that it runs") {
		t.Error(err)
	}
	if packages := packagesOf(lock.Published); len(packages) != 1 || packages[0] != "interleave/spec/lock" {
		t.Error(packages)
	}
}
