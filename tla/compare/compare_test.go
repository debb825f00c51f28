package compare

import (
	"strings"
	"testing"

	"interleave/tla"
)

// TestModulesAgreeWithTheAlgorithms is the promise that module and code say the
// same: whoever changes one of them alone fails here.
func TestModulesAgreeWithTheAlgorithms(t *testing.T) {
	for _, c := range []struct {
		module, config string
		states, steps  int
	}{
		{"ChangRoberts", "", 137, 219},
		{"ChangRobertsCrash", "", 2568, 9146},
		{"Bully", "", 764, 3543},
		{"Ballot", "", 517, 1923},
	} {
		t.Run(c.module, func(t *testing.T) {
			m := open(t, c.module)
			p, err := Find(c.module)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Algorithm(t.Context(), m, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Difference != nil {
				t.Fatalf("%+v", r.Difference)
			}
			if !r.Complete || r.States != c.states || r.Images != c.states || r.Steps != c.steps {
				t.Errorf("%+v", r)
			}
		})
	}
}

// open reads a module of the catalogue without its properties.
func open(t *testing.T, name string) *tla.Model {
	t.Helper()
	m, err := tla.Open("../"+name+".tla", "../"+name+".cfg")
	if err != nil && strings.Contains(err.Error(), "PROPERTY") {
		m, err = tla.Open("../"+name+".tla", "testdata/"+name+".cfg")
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}
