package captures

import (
	"strings"
	"testing"

	"interleave/impl/wire"
	"interleave/spec"
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

// TestOutLinks: a message that is missing takes a place that is free, between those of the messages before and behind
// it, and each place is taken.
func TestOutLinks(t *testing.T) {
	me, to := incarnation{1, 1}, incarnation{2, 1}
	seen := newTraffic(&context{}, Options{})
	seen.sender(me).last = 5
	fl := seen.flow(direction{me, to})
	for number, place := range map[uint64]uint64{2: 1, 5: 3} { // 1, 3 and 4 are missing
		fl.places[place], fl.links[number] = number, place
		seen.sender(me).messages[number] = &message{}
	}
	for _, c := range []struct {
		to []spec.ID // of messages 1 to 5
		ok bool
	}{
		{[]spec.ID{3, 2, 2, 3, 2}, true},
		{[]spec.ID{3, 2, 3, 2, 2}, true},
		{[]spec.ID{2}, false},               // its place is taken
		{[]spec.ID{3, 2, 2, 2}, false},      // as is that of message 4
		{[]spec.ID{3, 2, 3, 3, 2}, false},   // the second is free
		{[]spec.ID{3, 3}, false},            // message 2 went to process 2
		{[]spec.ID{3, 2, 2, 3, 2, 2}, true}, // what comes later is not known
		{[]spec.ID{3, 2, 2, 3, 2, 3}, true},
	} {
		links, next, ok := outLinksOf(seen, me, true), "", true
		for i, id := range c.to {
			if !ok {
				t.Errorf("%v: already before message %d", c.to, i+1)
			}
			next, ok = links.send(next, id, uint64(i+1))
		}
		if ok != c.ok {
			t.Errorf("%v: %v", c.to, ok)
		}
	}
	if seen.sender(me).last = 4097; outLinksOf(seen, me, true) != nil {
		t.Error("messages may have been given up")
	}
}
