package link

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestIncarnations: which lives of a peer a node knows after each thing that it learns.
func TestIncarnations(t *testing.T) {
	l := NewPeer(time.Second)
	for i, c := range []struct{ learns, knows string }{
		{"hear of 3", "0, unproven 3"},
		{"hear of 2", "0, unproven 3"},
		{"meet 3", "3, former 0"},
		{"hear of 4", "3, former 0"}, // it is not certain that there is a 3
		{"a sign", "3, former 0"},
		{"a sign", "3"},
		{"hear of 4", "3"}, // as before
		{"hear of 5, long ago", "3"},
		{"meet 5", "5, former 3"},
		{"bring back", "3"},
		{"a signed sign", "3"},
		{"hear of 6", "3, unproven 6"},
		{"hear of 7", "3, unproven 7"},
		{"hear of 8, long ago", "3"},
		{"hear of 9", "3, unproven 9"},
		{"meet 10", "10, former 3"},
		{"meet 11", "11, former 3"}, // nor was there a 10, for all that is known
		{"bring back", "3"},
		{"meet 12", "12, former 3"},
		{"a signed sign", "12"},
	} {
		var life uint32
		_, _ = fmt.Sscanf(strings.TrimPrefix(strings.TrimPrefix(c.learns, "hear of "), "meet "), "%d", &life)
		switch {
		case strings.HasPrefix(c.learns, "hear"):
			l.hearOf(life, strings.HasSuffix(c.learns, "long ago"))
		case strings.HasPrefix(c.learns, "meet"):
			l.meet(life, time.Unix(0, 0))
		case c.learns == "bring back":
			l.bringBack()
		default:
			l.Alive(strings.HasPrefix(c.learns, "a signed"))
		}
		if got := l.tell(); got != c.knows {
			t.Fatalf("%d: %s: it knows %s, want %s", i+1, c.learns, got, c.knows)
		}
	}
}

func (l *Peer) tell() string {
	text := fmt.Sprint(l.To)
	if l.unproven != nil {
		text += fmt.Sprintf(", unproven %d", l.unproven.To)
	}
	if l.former != nil {
		text += fmt.Sprintf(", former %d", l.former.To)
	}
	return text
}

// TestIncarnationsMessages: an unproven life costs no message. What its proof gives up is what the
// former life may have got; and if the proof was made up, nothing.
func TestIncarnationsMessages(t *testing.T) {
	for _, real := range []bool{true, false} {
		l := NewPeer(time.Second)
		l.meet(1, time.Unix(0, 0))
		l.Alive(true)
		l.Push(numbered(1))
		l.Link.Ready(time.Unix(0, 0))
		l.hearOf(2, false)
		l.Push(numbered(2))
		if n := len(l.Links()); n != 2 || l.unproven.queue[0].frame.Sequence != 2 {
			t.Fatalf("message 2 is on %d links", n)
		}
		before := l.Incarnation
		l.Refused, l.saidAt, l.lastInOrder = "a reason", 5, 6
		known := l.Incarnation
		l.meet(2, time.Unix(7, 0))
		if l.Refused != "" || l.saidAt != 0 || l.lastInOrder != 0 || !l.KnowsUs || l.received.before != 1 || l.received.now != 2 {
			t.Errorf("the second life begins with %+v", l.Incarnation)
		}
		l.Push(numbered(3))
		if !real {
			l.bringBack()
			if left := l.Link.left(); len(left) != 3 || !reflect.DeepEqual(l.Incarnation, known) || l.Link != before.Link {
				t.Errorf("the first life is back, with %+v, and was %+v; left are %+v", l.Incarnation, known, left)
			}
			continue
		}
		if lost := l.Alive(false); lost != nil {
			t.Errorf("%v is given up for what may be made up", lost)
		}
		if lost := l.Alive(false); len(lost) != 1 || lost[0].Sequence != 1 || len(l.Link.queue) != 2 {
			t.Errorf("%v is given up, and %+v goes to the second life", lost, l.Link.queue)
		}
	}
}
