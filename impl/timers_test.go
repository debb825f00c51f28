package impl

import (
	"testing"
	"time"

	"interleave/spec"
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

// TestNotices: a process notices at once that its leader is suspected. A trigger brings about only
// what it waits for.
func TestNotices(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := sensible()
		c.Machine = &spec.Algorithm[spec.ID, int]{
			Name:    "odd/notices",
			Start:   func(s *spec.ID, _ *spec.Proc[int]) { *s = 2 },
			Receive: func(*spec.ID, *spec.Proc[int], spec.ID, int) {},
			Timeout: func(*spec.ID, *spec.Proc[int], spec.Timer) {},
			Election: &spec.Election[spec.ID, int]{
				Notice: func(s *spec.ID, _ *spec.Proc[int]) { *s = spec.None },
				Leader: func(s spec.ID) spec.ID { return s },
			},
			Rules: []spec.TimerRule[spec.ID, int]{{Name: "T"}},
		}
		c.Durations = map[string]time.Duration{"T": time.Second}
		n, err := New(c)
		if err == nil {
			err = n.boot()
		}
		if err != nil {
			t.Fatal(err)
		}
		n.comeUp(n.agenda.join)
		if now := time.Now(); n.leader != 2 {
			t.Fatalf("it follows %v", n.leader)
		} else if n.notice(now); n.leader != 2 || !n.agenda.notice.IsZero() {
			t.Errorf("with a leader that is up it follows %v", n.leader)
		}
		for what, want := range map[Waited]bool{WaitsTimer: false, WaitsNotice: false, WaitsJoin: false, WaitsHeartbeat: true} {
			if got := n.bring(Trigger{What: what}); got != want {
				t.Errorf("trigger %v: it waits for that: %v", what, got)
			}
		}
		n.peers[2].suspected = true
		if n.notice(time.Now()); n.leader != spec.None {
			t.Error("it does not notice that its leader is suspected")
		}
	})
}
