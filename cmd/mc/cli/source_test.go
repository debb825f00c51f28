package cli

import (
	"os"
	"path/filepath"
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
	s := sourcesAround(dir)
	for _, c := range []struct {
		function, file string
		want           codeLine
	}{
		{"example.org/all/mine.receive", filepath.Join(pkg, "b.go"), codeLine{"mine/b.go", 6}},
		{"example.org/all/mine.receive", filepath.Join(pkg, "a.go"), codeLine{"mine/a.go", 5}},
		{"example.org/all/mine.receive", "", codeLine{"mine/a.go", 5}},
		{"example.org/all/mine.(*S).notice", "", codeLine{"mine/b.go", 10}},
		{"example.org/all/mine.init.func1", filepath.Join(pkg, "b.go"), codeLine{"mine/b.go", 77}},
		{"example.org/all/mine.init.func1", "example.org/all/mine/b.go", codeLine{"mine/b.go", 77}}, // with -trimpath
		{"main.receive", "example.org/all/mine/b.go", codeLine{"mine/b.go", 77}},
		{"example.org/other.receive", "example.org/other@v1.0.0/c.go", codeLine{}},
		{"example.org/other.receive", "/elsewhere/c.go", codeLine{s.relative("/elsewhere/c.go"), 77}},
	} {
		if have := s.place(spec.Place{Function: c.function, File: c.file, Line: 77}); have != c.want {
			t.Errorf("%s in %q is at %v, not at %v", c.function, c.file, have, c.want)
		}
	}
	// In a repository a file is called by its name there, wherever in it we are.
	if err := os.Mkdir(filepath.Join(filepath.Dir(dir), ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	s = sourcesAround(pkg)
	below := filepath.Base(dir) + "/mine/"
	for file, want := range map[string]string{"b.go": below + "b.go", "../mine/b.go": below + "b.go", filepath.Join(pkg, "b.go"): below + "b.go"} {
		if have := s.relative(file); have != want {
			t.Errorf("%s is called %s, not %s", file, have, want)
		}
	}
	if have := s.place(spec.Place{Function: "example.org/all/mine.(*S).notice"}); have != (codeLine{below + "b.go", 10}) {
		t.Errorf("in the repository it is at %v", have)
	}
	if have := sourcesAround(t.TempDir()).place(spec.Place{Function: "example.org/all/mine.receive", File: "example.org/all/mine/b.go", Line: 77}); have != (codeLine{}) {
		t.Errorf("out of the module it is at %v", have)
	}
}
