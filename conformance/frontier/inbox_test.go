package frontier

import (
	"slices"
	"testing"

	"interleave/spec"
	"interleave/spec/bully"
)

// TestKnownPlace: where a message was seen later, it is what was read at its place before, and no other that its
// sender could have sent.
func TestKnownPlace(t *testing.T) {
	w := (&World{Machine: bully.Mended, Ring: []spec.ID{1, 2}, Gaps: true}).Begin()
	w.say(2, 1, bully.OK)
	l := w.NewIncarnation(1, 1, nil)
	l.Expect(2, 1)
	l.Lacks = func(spec.ID, uint32, uint64) bool { return true }
	l.Known = func(_ spec.ID, _ uint32, place uint64) (any, bool) { return bully.Coordinator, place == 1 }
	var read []any
	l.inbox.next("", func(m Message, then string) {
		read = append(read, m.Content)
		l.inbox.next(then, func(m Message, _ string) { read = append(read, m.Content) })
	})
	if !slices.Equal(read, []any{bully.Coordinator, bully.OK}) {
		t.Error(read)
	}
}
