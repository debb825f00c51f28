package model

import (
	"testing"

	"interleave/explore"
	"interleave/spec/bully"
)

// TestWatcherForgets: what is remembered goes by the words of a state, and a
// new layout gives them another meaning.
func TestWatcherForgets(t *testing.T) {
	asked := 0
	s, err := NewSystem(bully.Mended, Config{N: 3}, []Watch{{State: func(*World) bool { asked++; return false }}})
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
