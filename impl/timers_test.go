package impl

import (
	"testing"
	"time"
)

// TestAgenda: the next thing is the earliest that has a time; what the algorithm does is
// postponed, if it is armed, and heartbeats are not.
func TestAgenda(t *testing.T) {
	at := func(second int64) time.Time { return time.Unix(second, 0) }
	a := agenda{heartbeat: at(9)}
	for _, c := range []struct {
		entry  *time.Time
		second int64
	}{{&a.heartbeat, 9}, {&a.join, 8}, {&a.notice, 7}, {&a.timers[0], 6}, {&a.timers[2], 5}} {
		if *c.entry = at(c.second); !a.next().Equal(at(c.second)) {
			t.Errorf("at %d, the next thing is due at %v", c.second, a.next().Unix())
		}
	}
	a.postpone(at(6).Add(time.Millisecond))
	late := at(6).Add(time.Millisecond)
	want := agenda{heartbeat: at(9), join: at(8), notice: at(7)}
	if want.timers[0], want.timers[2] = late, late; a != want {
		t.Errorf("postponed: %+v", a)
	}
	a.notice = at(1)
	if a.postpone(at(2)); !a.notice.Equal(at(2)) {
		t.Errorf("it notices at %v", a.notice.Unix())
	}
}
