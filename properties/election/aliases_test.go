package election

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestGlossary: the page of words has each alias.
func TestGlossary(t *testing.T) {
	page, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	for alias, name := range aliases {
		if strings.HasPrefix(alias, "LE") {
			alias, name = alias+"(k)", name+"(k)"
		}
		if row := fmt.Sprintf("\n| %s | %s |\n", name, alias); !strings.Contains(string(page), row) {
			t.Errorf("docs/glossary.md lacks the row %q", row)
		}
	}
}

// TestFullName: only what comes with Interleave has another name, whatever else begins like it.
func TestFullName(t *testing.T) {
	for name, want := range map[string]string{
		"T": "termination", "t": "termination", "LE1(4)": "complete-within(4)", "agreement": "agreement", "T(x)": "T(x)", "LE1(x)": "LE1(x)", "other": "other",
	} {
		if got := FullName(name); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
}
