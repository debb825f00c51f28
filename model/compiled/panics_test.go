package compiled_test

import (
	"interleave/explore"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
	"strings"
	"testing"
)

// TestPanicsOutsideHandlers: they are errors, not findings, and not the end of
// the program.
func TestPanicsOutsideHandlers(t *testing.T) {
	for name, leader := range map[string]func(int) spec.ID{
		"at once": func(int) spec.ID { panic("no leader") },
		"later": func(s int) spec.ID {
			if s > 0 {
				panic("no leader")
			}
			return spec.None
		},
	} {
		m := &spec.Algorithm[int, int]{
			Name: "x/panics",
			Election: &spec.Election[int, int]{
				Leader: leader,
				Notice: func(s *int, _ *spec.Proc[int]) { *s++ },
			},
			Receive: func(*int, *spec.Proc[int], spec.ID, int) {},
		}
		sys, err := compiled.New(m, model.Config{N: 2}, nil)
		if err == nil {
			_, err = explore.Search(t.Context(), sys, explore.Options{})
		}
		if err == nil || !strings.Contains(err.Error(), "x/panics panics outside of its handlers: no leader") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
