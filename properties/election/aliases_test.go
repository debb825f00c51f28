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
