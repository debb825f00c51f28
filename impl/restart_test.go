package impl

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/storage"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/fastbully"
	"interleave/spec/tokenring"
)

// TestRestarts: processes go down and come back again and again, on a network that loses,
// copies and reorders; between times all agree. What the log says is what the
// machine does, and the claims of the algorithm hold, across restarts.
func TestRestarts(t *testing.T) {
	for _, m := range []spec.Machine{bully.Mended, fastbully.Mended, ble.Mended, tokenring.Mended} {
		t.Run(m.Traits().Name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				n := spec.ID(5)
				if testing.Short() {
					n = 3
				}
				g := newGroup(t, m, int(n), jitter(3, 20*time.Millisecond, 10, 10))
				defer g.stop()
				g.start(g.ring...)
				time.Sleep(5 * time.Second)
				for k := range 6 {
					victim := n - spec.ID(k%2)
					g.crash(victim)
					time.Sleep(time.Duration(k) * 400 * time.Millisecond)
					g.start(victim)
					time.Sleep(5 * time.Second)
					leader := g.members[1].node.Status().Leader
					if leader == spec.None || g.members[leader].node == nil {
						t.Fatalf("after crash %d of %v: %s", k+1, victim, g.leaders())
					}
					g.follow(leader)
				}
				g.stop()
				g.recheck()
				g.claims()
				if got := g.members[n].stored.memory.Incarnation; got != 4 {
					t.Errorf("process %v was started %d times", n, got)
				}
			})
		})
	}
}

// claims wants every step that was logged to keep what the algorithm claims. A
// step after a crash goes on from what survives it.
func (g *group) claims() {
	g.t.Helper()
	traits := g.config.Machine.Traits()
	all := spec.UpTo(len(g.ring))
	for _, id := range g.ring {
		var before any
		for _, r := range g.records(id) {
			if r.Line != runlog.LineStep {
				continue
			}
			after, err := traits.ReadState(r.State)
			if err != nil {
				g.t.Fatal(err)
			}
			if before == nil {
				before = after
			}
			if r.Input.Memory != nil && traits.Stable != nil && r.Incarnation > 1 {
				memory, err := traits.ReadState(r.Input.Memory)
				if err != nil {
					g.t.Fatal(err)
				}
				if memory != traits.Stable(before) {
					g.t.Fatalf("process %v comes up with %+v, and went down with %+v", id, memory, before)
				}
			}
			if len(r.Outputs) > 0 && traits.Name == ble.Mended.Name {
				told := []any{ble.Leader{Ballot: after.(ble.State).Last}}
				for _, c := range traits.Claims {
					if err := c.Holds(id, all, before, after, told); err != nil {
						g.t.Fatalf("%s: %v", c.Name, err)
					}
				}
			}
			before = after
		}
	}
}

// TestLoss: with a tenth of all frames lost, and a tenth copied, links still
// lose nothing: every message that was sent is received, in order, but for those to
// a process that is down.
func TestLoss(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, ble.Mended, 3, jitter(1, 30*time.Millisecond, 10, 10))
		defer g.stop()
		g.start(g.ring...)
		time.Sleep(20 * time.Second)
		synctest.Wait()
		before := map[runlog.Name]bool{}
		for _, id := range g.ring {
			for _, r := range g.records(id) {
				for _, s := range r.Sends {
					before[runlog.Name{From: id, Incarnation: 1, Sequence: s.Sequence}] = true
				}
			}
		}
		time.Sleep(2 * time.Second)
		g.stop()
		g.recheck()
		for _, id := range g.ring {
			for _, r := range g.records(id) {
				if r.Input != nil && r.Input.Received != nil {
					delete(before, r.Input.Received.Name)
				}
			}
		}
		if len(before) > 0 {
			t.Errorf("%d messages never arrived: %v", len(before), before)
		}
	})
}

// TestDatagrams: without the reliable layer messages are lost and come out of
// order, but never twice.
func TestDatagrams(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, ble.Mended, 3, jitter(1, 90*time.Millisecond, 20, 50))
		g.config.Datagrams = true
		defer g.stop()
		g.start(g.ring...)
		time.Sleep(15 * time.Second)
		status := g.members[1].node.Status()
		if status.Dropped["copied"] == 0 || status.Resent != 0 {
			t.Errorf("copies dropped: %v, sent again: %d", status.Dropped, status.Resent)
		}
		var sent, received uint64
		for _, id := range g.ring {
			s := g.members[id].node.Status()
			sent += s.Sent["REQUEST"] + s.Sent["REPLY"]
			received += s.Received["REQUEST"] + s.Received["REPLY"]
		}
		if received >= sent || received < sent/2 {
			t.Errorf("%d of %d messages were received", received, sent)
		}
		g.stop()
		g.recheck()
	})
}

// TestWordsOfAFormerLife: on bare datagrams what a life said is handled when the next one is up, as
// in a bag; but it is no sign that this is up.
func TestWordsOfAFormerLife(t *testing.T) {
	caller := &spec.Algorithm[int, bool]{
		Name: "caller",
		Start: func(_ *int, p *spec.Proc[bool]) {
			if p.ID == 2 {
				p.Send(1, true)
			}
		},
		Receive:  func(s *int, _ *spec.Proc[bool], _ spec.ID, _ bool) { *s++ },
		Election: &spec.Election[int, bool]{Leader: func(int) spec.ID { return spec.None }},
	}
	bubble(t, func(t *testing.T) {
		g := newGroup(t, caller, 2, func(_, _ spec.ID, frame []byte) []time.Duration {
			if f, _ := wire.Parse(frame, nil); f.Kind == wire.Data && f.Incarnation == 1 {
				return []time.Duration{10 * time.Second}
			}
			return []time.Duration{time.Millisecond}
		})
		g.config.Datagrams = true
		defer g.stop()
		g.start(1, 2)
		time.Sleep(time.Second)
		g.crash(2)
		time.Sleep(time.Second)
		g.start(2)
		time.Sleep(time.Second)
		g.crash(2)
		for _, want := range []string{"1", "2"} { // before it comes, and after
			time.Sleep(5 * time.Second)
			s := g.members[1].node.Status()
			if string(s.State) != want || !s.Peers[0].Suspected || s.Peers[0].Incarnation != 2 {
				t.Errorf("it heard %s messages, not %s: %+v", s.State, want, s.Peers)
			}
			if s.Breaches[runlog.BreachSuspicion] > 0 {
				t.Error("who is down is taken for up")
			}
		}
	})
}

// TestDownBeforeTheFirstStep: whoever goes down before its first step finds what Init makes when
// it comes back, as if that had been done when it began; and its first life finds nothing.
func TestDownBeforeTheFirstStep(t *testing.T) {
	type state struct{ Inits, Lives int }
	counter := &spec.Algorithm[state, bool]{
		Name:     "counter",
		Init:     func(s *state, _ *spec.Proc[bool]) { s.Inits++ },
		Recover:  func(s *state, _ *spec.Proc[bool]) { s.Lives++ },
		Receive:  func(*state, *spec.Proc[bool], spec.ID, bool) {},
		Stable:   func(s state) state { return s },
		Election: &spec.Election[state, bool]{Leader: func(state) spec.ID { return spec.None }},
	}
	const short, long = 100 * time.Millisecond, time.Second // the first step is after 200 ms
	for _, c := range []struct {
		lives []time.Duration
		found string
	}{
		{[]time.Duration{long}, `{0 0}`},
		{[]time.Duration{short, long}, `{1 0}`},
		{[]time.Duration{short, short, long}, `{1 0}`},
		{[]time.Duration{short, long, short, long}, `{1 0} {2 1}`},
		{[]time.Duration{long, long, short, short, long}, `{0 0} {1 0} {2 1}`},
	} {
		bubble(t, func(t *testing.T) {
			g := newGroup(t, counter, 2, nil)
			for _, life := range c.lives {
				g.start(1)
				time.Sleep(life)
				g.crash(1)
			}
			var found []string
			for _, r := range g.records(1) {
				if r.Line == runlog.LineStep && r.Input.Memory != nil {
					memory, err := counter.Traits().ReadState(r.Input.Memory)
					if err != nil {
						t.Fatal(err)
					}
					found = append(found, fmt.Sprint(memory))
				}
			}
			if got := strings.Join(found, " "); got != c.found {
				t.Errorf("in lives of %v it finds %s, not %s", c.lives, got, c.found)
			}
			g.recheck()
		})
	}
}

// TestForeign: the memory of another process or algorithm, or a state that this one
// cannot have, is not taken.
func TestForeign(t *testing.T) {
	for _, c := range []struct {
		memory storage.Memory
		want   string
	}{
		{storage.Memory{Algorithm: "ble/mended", Process: 2, Incarnation: 1}, "it is of process 2 of ble/mended, and not of process 1 of ble/mended"},
		{storage.Memory{Algorithm: "bully/mended", Process: 1, Incarnation: 1}, "it is of process 1 of bully/mended"},
		{storage.Memory{Algorithm: "ble/mended", Process: 1, Incarnation: 1, State: json.RawMessage(`{"N":"many"}`)}, "its state: json:"},
	} {
		g := newGroup(t, bleMended, 3, nil)
		g.members[1].stored.memory = c.memory
		g.start(1)
		if err := <-g.members[1].done; !errors.Is(err, storage.ErrMemory) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.memory, err)
		}
	}
}

// TestFullDisk: a process that cannot write down what it does, or save what it
// must keep, ends before anything of it leaves.
func TestFullDisk(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 2, nil)
		defer g.stop()
		g.start(1)
		c := g.config
		c.ID, c.Ring, c.Transport = 2, g.ring, g.net.Plug(2)
		c.Log = &failing{left: 2}
		g.run(2, c)
		if err := <-g.members[2].done; err == nil || err.Error() != "log: the disk is full" {
			t.Error(err)
		}
		g.members[2].node = nil
		time.Sleep(time.Second)
		if s := g.members[1].node.Status(); len(s.Received) > 0 {
			t.Errorf("process 1 heard of a step that was not logged: %v", s.Received)
		}
	})
}

type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(b), nil
}
