package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"interleave/spec"
)

// TestSources: a function is found in the module that we are in, whatever the compiler
// says of its file; of another module only what is there as a file.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	pkg := filepath.Join(dir, "mine")
	if err := os.Mkdir(pkg, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "go.mod"), "module example.org/all\n")
	put(t, filepath.Join(pkg, "a.go"), "//go:build windows\n\npackage mine\n\nfunc receive() {}\n")
	put(t, filepath.Join(pkg, "b.go"), "//go:build !windows\n\npackage mine\n\n// here\nfunc receive() {}\n\ntype S struct{}\n\nfunc (*S) notice() {}\n")
	s := Around(dir)
	for _, c := range []struct {
		function, file string
		want           Line
	}{
		{"example.org/all/mine.receive", filepath.Join(pkg, "b.go"), Line{"mine/b.go", 6}},
		{"example.org/all/mine.receive", filepath.Join(pkg, "a.go"), Line{"mine/a.go", 5}},
		{"example.org/all/mine.receive", "", Line{"mine/a.go", 5}},
		{"example.org/all/mine.(*S).notice", "", Line{"mine/b.go", 10}},
		{"example.org/all/mine.init.func1", filepath.Join(pkg, "b.go"), Line{"mine/b.go", 77}},
		{"example.org/all/mine.init.func1", "example.org/all/mine/b.go", Line{"mine/b.go", 77}}, // with -trimpath
		{"main.receive", "example.org/all/mine/b.go", Line{"mine/b.go", 77}},
		{"example.org/other.receive", "example.org/other@v1.0.0/c.go", Line{}},
		{"example.org/other.receive", "/elsewhere/c.go", Line{s.Relative("/elsewhere/c.go"), 77}},
	} {
		if have := s.place(spec.Place{Function: c.function, File: c.file, Line: 77}); have != c.want {
			t.Errorf("%s in %q is at %v, not at %v", c.function, c.file, have, c.want)
		}
	}
	// In a repository a file is called by its name there, wherever in it we are.
	if err := os.Mkdir(filepath.Join(filepath.Dir(dir), ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	s = Around(pkg)
	below := filepath.Base(dir) + "/mine/"
	for file, want := range map[string]string{"b.go": below + "b.go", "../mine/b.go": below + "b.go", filepath.Join(pkg, "b.go"): below + "b.go"} {
		if have := s.Relative(file); have != want {
			t.Errorf("%s is called %s, not %s", file, have, want)
		}
	}
	if have := s.place(spec.Place{Function: "example.org/all/mine.(*S).notice"}); have != (Line{below + "b.go", 10}) {
		t.Errorf("in the repository it is at %v", have)
	}
	if have := Around(t.TempDir()).place(spec.Place{Function: "example.org/all/mine.receive", File: "example.org/all/mine/b.go", Line: 77}); have != (Line{}) {
		t.Errorf("out of the module it is at %v", have)
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestModuleName: the name of a module is read as Go reads it.
func TestModuleName(t *testing.T) {
	for text, want := range map[string]string{
		"module a.b/c\n": "a.b/c",
		"// Deprecated: module x.\nmodule \"a.b/c\" // d\n": "a.b/c",
		"module (\n\ta.b/c\n)\n":                            "a.b/c",
		"go 1.26\r\n  module( // d\r\n\r\na.b/c\r\n)\r\n":   "a.b/c",
		"modules a\nrequire a.b/module v1\n":                "",
	} {
		if got := moduleName([]byte(text)); got != want {
			t.Errorf("%q of %q", got, text)
		}
		if want == "" {
			continue
		}
		folder := t.TempDir()
		put(t, filepath.Join(folder, "go.mod"), text)
		if out, err := in(folder, "list", "-m"); err != nil || strings.TrimSpace(out) != want {
			t.Errorf("%q: Go says %s, %v", text, out, err)
		}
	}
}

// in runs the go command in a folder.
func in(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
