package list

import (
	"fmt"
	"testing"
)

// TestOwn: properties of algorithms are listed once for each family, by its name or by those of the variants that
// have them.
func TestOwn(t *testing.T) {
	of := func(name string, docs ...string) listedAlgorithm {
		a := listedAlgorithm{Name: name}
		for _, doc := range docs {
			a.Properties = append(a.Properties, listedProperty{Name: "p", Doc: doc})
		}
		return a
	}
	got := ""
	for _, o := range own([]listedAlgorithm{of("a/1", "x", "y"), of("a/2", "x"), of("a/3", "x", "y"), of("b/1", "x"), of("c")}) {
		got += fmt.Sprintln(o.Doc, o.of)
	}
	if want := "x [a]\ny [a/1 a/3]\nx [b]\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
