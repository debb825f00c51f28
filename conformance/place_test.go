package conformance

import (
	"strings"
	"testing"

	"interleave/impl/wire"
)

// TestOutOfPlace: messages have places on their link in the order of their numbers, in whatever
// order they are seen.
func TestOutOfPlace(t *testing.T) {
	type seen struct{ number, place uint64 }
	frame := func(s seen) wire.Frame { return wire.Frame{Header: wire.Header{Sequence: s.number, Link: s.place}} }
	for _, c := range []struct {
		before []seen
		now    seen
		want   string
	}{
		{nil, seen{1, 1}, ""},
		{nil, seen{5, 0}, ""},
		{nil, seen{1, 2}, "it has place 2 on its link, and is message 1"},
		{[]seen{{3, 2}}, seen{4, 2}, "its place 2 on the link is that of message 3"},
		{[]seen{{2, 1}, {6, 3}}, seen{4, 2}, ""},
		{[]seen{{4, 1}}, seen{3, 2}, "the place before it on the link has message 4"},
		{[]seen{{3, 2}}, seen{4, 1}, "the place behind it on the link has message 3"},
	} {
		w := &flow{places: map[uint64]uint64{}}
		for _, s := range c.before {
			if got := w.put(frame(s)); got != "" {
				t.Errorf("%v: %s", s, got)
			}
		}
		got := w.put(frame(c.now))
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%v after %v: %q, want %q", c.now, c.before, got, c.want)
		}
	}
}
