package compiled

import (
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/spec/bully"
)

// TestWatcherForgets: what is remembered goes by the words of a state, and a
// new layout gives them another meaning.
func TestWatcherForgets(t *testing.T) {
	asked := 0
	s, err := New(bully.Mended, model.Config{N: 3}, []model.Watch{{State: func(*model.World) bool { asked++; return false }}})
	if err != nil {
		t.Fatal(err)
	}
	s.Initial(func(words []uint64) bool {
		var w watcher
		for range 3 {
			w.watch(s, words, 0, &explore.Steps{})
		}
		if asked != 1 {
			t.Errorf("asked %d times about the same local states", asked)
		}
		s.version++
		w.watch(s, words, 0, &explore.Steps{})
		if asked != 2 {
			t.Errorf("asked %d times, the last in a new layout", asked)
		}
		return true
	})
}
