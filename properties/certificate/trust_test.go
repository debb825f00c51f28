package certificate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// trusted is all that the checker may use of the packages in which the engines
// are at work, too.
var trusted = map[string][]string{
	"model": {
		"Config", "Env", "Inbox", "Local", "State", "Step", "Envelope", "MaxN", "Trace", // plain values
		"NewReference", "Reference", "Replay",
	},
	"properties": {"Property", "Find", "Messages", "Reachable", "Liveness"},
}

// TestTrustsNoEngine wants the checker to name nothing else of them.
func TestTrustsNoEngine(t *testing.T) {
	named := 0
	for _, name := range []string{"certificate.go", "read.go", "check.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
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
