package tla_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"interleave/tla"
	"interleave/tla/eval"
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// TestBudgetsInDocs: the page tells the limits as they are.
func TestBudgetsInDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/tla.md")
	if err != nil {
		t.Fatal(err)
	}
	for what, n := range map[string]int{
		"nesting of expressions in the text":                            syntax.MaxDepth,
		"bytes of one module or configuration":                          tla.MaxText,
		"calls of recursive operators and functions within one another": eval.MaxRecursion,
		"turns of loops and calls in one evaluation":                    eval.MaxSteps,
		"elements of a set that is spelt out, or of a sequence":         value.MaxElements,
		"values of which one value consists":                            value.MaxSize,
		"nesting of values":                                             value.MaxNesting,
		"bytes of a string":                                             value.MaxText,
	} {
		if line := fmt.Sprintf("| %s | %d |", what, n); !strings.Contains(string(page), line) {
			t.Errorf("the page does not say %s", line)
		}
	}
}
