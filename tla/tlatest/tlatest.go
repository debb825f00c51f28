// Package tlatest has what the tests of several packages of tla need.
package tlatest

import (
	"os"
	"path/filepath"
	"testing"
)

// Read returns the text of a file.
func Read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Write makes a file of a text in a folder of the test's own, and returns its path.
func Write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Modules returns the modules of the catalogue and the examples of package pluscal,
// for a test of a package beside that.
func Modules(t testing.TB) (ours, examples []string) {
	t.Helper()
	ours, err := filepath.Glob("../*.tla")
	if err != nil || len(ours) < 5 {
		t.Fatalf("only %d modules, %v", len(ours), err)
	}
	examples, err = filepath.Glob("../pluscal/testdata/*.tla")
	if err != nil || len(examples) < 10 {
		t.Fatalf("only %d examples, %v", len(examples), err)
	}
	return ours, examples
}
