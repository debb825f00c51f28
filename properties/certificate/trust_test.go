package certificate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// trusted is all that the checker may use of the packages in which the engines
// are at work, too.
var trusted = map[string][]string{
	"model": {
		"Config", "Down", "Env", "Inbox", "Local", "State", "Step", "Envelope", "MaxN", "Trace", // plain values
		"NewReference", "OutsideHandlers", "ReadInbox", "ReadLocal", "Reference", "Replay",
	},
	"properties": {"Property", "Checked", "MessagesKind", "CoverKind", "LivenessKind", "RecoverableKind"},
	"election":   {"Check", "Find"},
}

// checkerFiles returns the files that the checker is made of: all of the package but the writer,
// the package comment and tests.
func checkerFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(name string) bool {
		return name == "write.go" || name == "doc.go" || strings.HasSuffix(name, "_test.go")
	})
}

func parsed(t *testing.T, name string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestTrustsNoEngine wants the checker to name nothing else of them.
func TestTrustsNoEngine(t *testing.T) {
	named := 0
	for _, name := range checkerFiles(t) {
		ast.Inspect(parsed(t, name), func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if from, ok := s.X.(*ast.Ident); ok && trusted[from.Name] != nil {
					named++
					if !slices.Contains(trusted[from.Name], s.Sel.Name) {
						t.Errorf("%s uses %s.%s", name, from.Name, s.Sel.Name)
					}
				}
			}
			return true
		})
	}
	if named < 20 {
		t.Errorf("only %d names were found", named)
	}
}

// TestNeedsNoWriter wants the checker to name nothing that write.go declares.
func TestNeedsNoWriter(t *testing.T) {
	declared := map[string]bool{}
	for _, d := range parsed(t, "write.go").Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			declared[d.Name.Name] = d.Recv == nil
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					declared[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, name := range s.Names {
						declared[name.Name] = true
					}
				}
			}
		}
	}
	if !declared["Write"] || !declared["writer"] || !declared["zipBytes"] {
		t.Fatalf("these were found: %v", declared)
	}
	for _, name := range checkerFiles(t) {
		members := map[*ast.Ident]bool{} // as Write of sum.Write
		ast.Inspect(parsed(t, name), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				members[n.Sel] = true
			case *ast.Ident:
				if declared[n.Name] && !members[n] {
					t.Errorf("%s uses %s of the writer", name, n.Name)
				}
			}
			return true
		})
	}
}

// checkerLines is what docs/certificates.md promises.
const checkerLines = 725

// TestSmall wants the checker to stay below so many lines that are neither empty nor a comment
// alone, and the page to say so.
func TestSmall(t *testing.T) {
	lines := 0
	for _, name := range checkerFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "/*") {
			t.Errorf("%s has a comment of a kind that is not counted here", name)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				lines++
			}
		}
	}
	if lines >= checkerLines {
		t.Errorf("the checker has %d lines of code: it is to have fewer than %d", lines, checkerLines)
	}
	page, err := os.ReadFile("../../docs/certificates.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "fewer than " + strconv.Itoa(checkerLines) + " lines"; !strings.Contains(string(page), want) {
		t.Errorf("docs/certificates.md does not say %q", want)
	}
}
