package impl

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"interleave/impl/transport"
	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
)

// jitter delays each frame by up to a longest time, and loses and copies some
// of them, with chances in percent. What becomes of one depends on it and the time alone, and
// not on which of two goroutines sends first.
func jitter(seed uint64, longest time.Duration, loss, copies int) transport.Fate {
	return func(_, _ spec.ID, frame []byte) []time.Duration {
		name := fnv.New64a()
		name.Write(frame)
		chance := rand.New(rand.NewPCG(seed+uint64(time.Now().UnixNano()), name.Sum64()))
		var fate []time.Duration
		if chance.IntN(100) >= loss {
			fate = append(fate, time.Duration(chance.Int64N(int64(longest))))
		}
		if chance.IntN(100) < copies {
			fate = append(fate, time.Duration(chance.Int64N(int64(longest))))
		}
		return fate
	}
}

// hopeless are the algorithms of which no run, or not every one, gets over the
// crash of the leader: they know nothing of crashes.
var hopeless = map[string]bool{
	"chang-roberts/classic": true, "chang-roberts/textbook": true, "sync-ring/published": true, "sync-ring/asynchronous": true,
	"sync-bully/published": true, "sync-bully/deadline2": true, // those that have returned hear nothing more
	"itai-rodeh/finite": true, "itai-rodeh/published": true,
	// What is handed to a process that crashed, and is not suspected yet, is gone; and nobody begins again.
	"chang-roberts/naive": true, "token-ring/published-a": true, "token-ring/published-b": true,
}

// TestElections: every election of the catalogue elects; those that can elect again
// when the leader crashes, and once more when it comes back. Nothing breaks
// delta, and every step that was logged is one of the machine.
func TestElections(t *testing.T) {
	for _, m := range catalog.Machines {
		if !m.Traits().Elects {
			continue
		}
		for _, n := range []int{3, 5} {
			if testing.Short() && (n > 3 || m.Traits().Stable != nil && m != ble.Mended) {
				continue
			}
			t.Run(fmt.Sprintf("%s of %d", m.Traits().Name, n), func(t *testing.T) {
				bubble(t, func(t *testing.T) { elections(t, m, n) })
			})
		}
	}
}

func elections(t *testing.T, m spec.Machine, n int) {
	traits := m.Traits()
	g := newGroup(t, m, n, jitter(uint64(n), 90*time.Millisecond, 0, 0))
	defer g.stop()
	top := spec.ID(n)
	g.start(g.ring...)
	time.Sleep(6 * time.Second)
	switch {
	case traits.Name == "sync-bully/published": // its deadline is too short
	case traits.Unannounced && traits.Wins == spec.Anyone: // by chance, and who wins alone knows
		won := 0
		for _, id := range g.ring {
			if g.members[id].node.Status().Leader == id {
				won++
			}
		}
		if won != 1 {
			t.Errorf("%d processes have won: %s", won, g.leaders())
		}
	case traits.Unannounced:
		if first := g.members[1].node.Status().Leader; first != 1 {
			t.Errorf("process 1 should have won: %s", g.leaders())
		}
	default:
		g.follow(top)
	}
	if !hopeless[traits.Name] {
		g.crash(top)
		time.Sleep(6 * time.Second)
		next := top - 1
		if strings.HasPrefix(traits.Name, "ble/") { // by ballots: who is the first to raise its own
			if next = g.members[1].node.Status().Leader; next == spec.None || next == top {
				t.Errorf("nobody that is up leads: %s", g.leaders())
			}
		}
		g.follow(next)
	}
	if traits.Handles.Has(spec.Suspect) && !traits.Handles.Has(spec.Restore) || hopeless[traits.Name] {
		g.finish() // for it, who crashed is gone forever
		return
	}
	g.start(top)
	time.Sleep(6 * time.Second)
	leader := g.members[1].node.Status().Leader
	if leader != top && leader != top-1 && !strings.HasPrefix(traits.Name, "ble/") { // who comes back need not take over from a leader that is up
		t.Errorf("nobody who ought to leads: %s", g.leaders())
	}
	g.follow(leader)
	if got := g.members[top].node.Status().Incarnation; got != 2 {
		t.Errorf("process %v comes back as incarnation %d", top, got)
	}
	g.finish()
}

// finish ends everything and looks at the logs.
func (g *group) finish() {
	g.t.Helper()
	g.stop()
	g.calm()
	if steps := g.recheck(); steps < 2*len(g.ring) {
		g.t.Errorf("only %d steps were taken", steps)
	}
}

// TestBystander: a process that is no initiator begins nothing, and follows all
// the same.
func TestBystander(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 3, nil)
		defer g.stop()
		g.config.Bystander = true
		g.start(1, 2, 3)
		time.Sleep(20 * time.Second)
		g.follow(spec.None)
		g.crash(2)
		g.config.Bystander = false
		g.start(2)
		time.Sleep(5 * time.Second)
		g.follow(3)
		classic := newGroup(t, changroberts.Classic, 3, nil) // here Start asks who is an initiator
		defer classic.stop()
		classic.start(2)
		classic.config.Bystander = true
		classic.start(1, 3)
		time.Sleep(5 * time.Second)
		if got := classic.leaders(); got != "1:none 2:2 3:none " {
			t.Error(got)
		}
	})
}

// TestTwoRuns: two runs on one network do not hear each other.
func TestTwoRuns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 3, nil)
		defer g.stop()
		g.start(1, 2)
		g.config.Run = 8
		g.start(3)
		time.Sleep(10 * time.Second)
		if got := g.leaders(); got != "1:2 2:2 3:3 " {
			t.Error(got)
		}
		if s := g.members[1].node.Status(); s.Dropped["run"] == 0 || s.Peers[1].Incarnation != 0 {
			t.Errorf("%+v", s)
		}
	})
}
