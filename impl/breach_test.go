package impl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/transport"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/syncbully"
)

// TestSlowNetwork: a message that takes longer than delta is a breach, told
// with its name and how long it took; one that takes delta is none.
func TestSlowNetwork(t *testing.T) {
	for _, c := range []struct {
		delay time.Duration
		want  bool
	}{{100 * time.Millisecond, false}, {101 * time.Millisecond, true}} {
		bubble(t, func(t *testing.T) {
			var slow atomic.Bool
			g := newGroup(t, bully.Mended, 2, func(spec.ID, spec.ID, []byte) []time.Duration {
				if slow.Load() {
					return []time.Duration{c.delay}
				}
				return []time.Duration{time.Millisecond}
			})
			g.config.Durations = map[string]time.Duration{timerNotice: 400 * time.Millisecond}
			defer g.stop()
			g.start(1, 2)
			time.Sleep(250 * time.Millisecond)
			slow.Store(true)
			time.Sleep(5 * time.Second)
			g.stop()
			if got := g.breaches(1)[runlog.BreachDelay] > 0; got != c.want {
				t.Errorf("messages take %v: breaches %v", c.delay, g.breaches(1))
			}
			for _, r := range g.records(1) {
				if r.Line == runlog.LineBreach && (r.Breach.Took != "101ms" || r.Breach.Message.From != 2 || !strings.HasPrefix(r.Breach.Text, "assumption violated: ")) {
					t.Errorf("%+v", r.Breach)
				}
			}
		})
	}
}

// TestSuspicion: a partition makes a process suspect one that is up; when it
// heals, that is a breach. A process that really went down is none.
func TestSuspicion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var cut atomic.Bool
		g := newGroup(t, bully.Mended, 3, func(from, to spec.ID, _ []byte) []time.Duration {
			if cut.Load() && (from == 3) != (to == 3) {
				return nil
			}
			return []time.Duration{time.Millisecond}
		})
		defer g.stop()
		g.start(1, 2, 3)
		time.Sleep(3 * time.Second)
		cut.Store(true)
		time.Sleep(3 * time.Second)
		if got := g.leaders(); got != "1:2 2:2 3:3 " {
			t.Errorf("divided, they follow %s", got)
		}
		cut.Store(false)
		time.Sleep(3 * time.Second)
		g.crash(2)
		time.Sleep(time.Second)
		g.start(2)
		time.Sleep(3 * time.Second)
		g.stop()
		if got := g.breaches(1); got[runlog.BreachSuspicion] != 1 {
			t.Errorf("process 1 has seen %v", got)
		}
		if got := g.breaches(3); got[runlog.BreachSuspicion] != 2 {
			t.Errorf("process 3 has seen %v", got)
		}
	})
}

// sleepy is a transport under which the process sleeps once, as if it were
// suspended. What arrives in the meantime comes a little after it woke, as from
// the buffers of a kernel.
type sleepy struct {
	transport.Transport
	once  atomic.Bool
	nap   time.Duration
	awake atomic.Int64 // Unix nanoseconds
	inbox chan transport.Packet
}

func newSleepy(t transport.Transport, nap time.Duration) *sleepy {
	s := &sleepy{Transport: t, nap: nap, inbox: make(chan transport.Packet)}
	go func() {
		defer close(s.inbox)
		for p := range t.Receive() {
			time.Sleep(time.Duration(s.awake.Load() - time.Now().UnixNano()))
			s.inbox <- p
		}
	}()
	return s
}

func (s *sleepy) Receive() <-chan transport.Packet { return s.inbox }

func (s *sleepy) Send(to spec.ID, frame []byte) error {
	if s.once.CompareAndSwap(true, false) {
		s.awake.Store(time.Now().Add(s.nap + 20*time.Millisecond).UnixNano())
		time.Sleep(s.nap)
	}
	return s.Transport.Send(to, frame)
}

// Close also throws away what nobody will read.
func (s *sleepy) Close() error {
	err := s.Transport.Close()
	for range s.inbox {
	}
	return err
}

// TestSuspended: a process that did not run for a while says so, and does not
// take its own silence for that of the others.
func TestSuspended(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 3, nil)
		defer g.stop()
		g.start(2, 3)
		c := g.config
		c.ID, c.Ring, c.Log, c.Storage = 1, g.ring, &g.members[1].log, g.members[1].stored
		bed := newSleepy(g.net.Plug(1), 2*time.Second)
		c.Transport = bed
		g.run(1, c)
		time.Sleep(3 * time.Second)
		bed.once.Store(true)
		time.Sleep(5 * time.Second)
		s := g.members[1].node.Status()
		if s.Elections != 1 || s.Peers[0].Suspected || s.Peers[1].Suspected {
			t.Errorf("after the nap: %+v", s)
		}
		g.stop()
		if got := g.breaches(1); got[runlog.BreachSuspended] != 1 || got[runlog.BreachSuspicion] != 0 {
			t.Errorf("process 1 has seen %v", got)
		}
		if got := g.breaches(2); got[runlog.BreachSuspicion] != 1 {
			t.Errorf("process 2 has seen %v", got)
		}
	})
}

// TestLatecomer: what is said to a process that was never up waits for it, and
// how long that takes is no fault of the network.
func TestLatecomer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, changroberts.Classic, 3, jitter(2, 90*time.Millisecond, 0, 0))
		defer g.stop()
		g.start(1, 2)
		time.Sleep(3 * time.Second)
		g.start(3)
		time.Sleep(3 * time.Second)
		if got := g.leaders(); got != "1:1 2:none 3:none " {
			t.Error(got)
		}
		g.finish()
	})
}

// TestClockJump: a wall clock that does not go as the steady one is a breach.
func TestClockJump(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 1, nil)
		defer g.stop()
		g.start(1)
		time.Sleep(time.Second)
		g.crash(1)
		g.start(1)
		node := g.members[1].node
		for _, jump := range []time.Duration{0, 100 * time.Millisecond, -100 * time.Millisecond, time.Hour, -time.Hour} {
			node.mu.Lock()
			before := node.counts.breaches[runlog.BreachClock]
			node.watchWall(jump)
			after := node.counts.breaches[runlog.BreachClock]
			node.mu.Unlock()
			if got := after > before; got != (jump.Abs() > node.config.Delta) {
				t.Errorf("a jump of %v: breach is %v", jump, got)
			}
		}
	})
}

// TestRounds: lock step by the clock. A message that comes after its round is dropped, and is a breach.
func TestRounds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var late atomic.Bool
		g := newGroup(t, syncbully.Mended, 3, func(from, to spec.ID, _ []byte) []time.Duration {
			if late.Load() && from == 3 && to == 1 {
				return []time.Duration{650 * time.Millisecond} // and a round lasts 600
			}
			return []time.Duration{99 * time.Millisecond}
		})
		defer g.stop()
		g.start(1, 2, 3)
		time.Sleep(990 * time.Millisecond)
		if s := g.members[1].node.Status(); s.Steps != 1 || s.Round != 0 {
			t.Errorf("before the beginning: %d steps, round %d", s.Steps, s.Round)
		}
		late.Store(true)
		time.Sleep(10 * time.Second)
		g.stop()
		if got := g.breaches(1); got[runlog.BreachRound] == 0 || got[runlog.BreachDelay] == 0 {
			t.Errorf("process 1 has seen %v", got)
		}
		if got := g.breaches(2); len(got) > 0 {
			t.Errorf("process 2 has seen %v", got)
		}
		g.recheck()
		g.inRounds()
	})
}

// TestCrashInRound: whenever a process crashes, it is suspected before a round begins in which
// a message of it is missed, as a perfect detector has it.
func TestCrashInRound(t *testing.T) {
	type state struct {
		Led    spec.ID
		Rounds uint8
		Down   bool
	}
	beat := &spec.Algorithm[state, bool]{
		Name:    "beat",
		Suspect: func(s *state, _ *spec.Proc[bool], _ spec.ID) { s.Down = true },
		Round: func(s *state, p *spec.Proc[bool], in []spec.Received[bool]) {
			if s.Rounds == 2 && len(in) == 0 && !s.Down {
				s.Led = p.ID
			}
			s.Rounds = min(s.Rounds+1, 2)
			p.Broadcast(p.Others(), true)
		},
		Election: &spec.Election[state, bool]{Leader: func(s state) spec.ID { return s.Led }},
	}
	bubble(t, func(t *testing.T) {
		for after := 4 * time.Second; after < 5*time.Second; after += 20 * time.Millisecond {
			g := newGroup(t, beat, 2, jitter(1, 99*time.Millisecond, 0, 0))
			g.start(1, 2)
			time.Sleep(after)
			g.crash(2)
			time.Sleep(3 * time.Second)
			if got := g.leaders(); got != "1:none " {
				t.Errorf("a crash after %v: %s", after, got)
			}
			g.stop()
		}
	})
}

// TestEarlyForRounds: a message of a round that the receiver has not begun waits
// for the next one.
func TestEarlyForRounds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, syncbully.Mended, 5, nil)
		defer g.stop()
		g.start(g.ring...)
		time.Sleep(5 * time.Second)
		g.follow(5)
		g.finish()
		g.inRounds()
	})
}

// inRounds wants every message to be read in the round after that it was sent
// in.
func (g *group) inRounds() {
	g.t.Helper()
	lasts := DefaultDurations(g.config.Machine, len(g.ring), g.config.Delta)[timerRound]
	for _, id := range g.ring {
		for _, r := range g.records(id) {
			if r.Line != runlog.LineStep {
				continue
			}
			for _, l := range r.Input.Inbox {
				sent := g.sentAt(l.Name)
				if round := int64(sent.Sub(g.config.Begin)/lasts) + 1; round != r.Input.Round-1 {
					g.t.Errorf("process %v, round %d has a message of round %d", id, r.Input.Round, round)
				}
			}
		}
	}
}

// sentAt returns when a message was sent.
func (g *group) sentAt(m runlog.Name) time.Time {
	for _, r := range g.records(m.From) {
		for _, s := range r.Sends {
			if s.Sequence == m.Sequence && r.Incarnation == m.Incarnation {
				return r.Time
			}
		}
	}
	g.t.Fatalf("%+v was not sent", m)
	return time.Time{}
}

// TestRoundOfASend: what a process sends in a round belongs to that, or to a later one if
// the step takes long, and to none before, even if the wall clock goes back meanwhile.
func TestRoundOfASend(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, shouter, 3, nil)
		defer g.stop()
		g.start(g.ring...)
		time.Sleep(3 * time.Second)
		node := g.members[1].node
		node.mu.Lock()
		defer node.mu.Unlock()
		last, now := node.rounds.number, node.rounds.at(time.Now())
		for _, step := range []int64{now - 2, now, now + 2} {
			node.rounds.number = step
			f := node.compose([]spec.Send{{To: 2, Message: struct{ Text string }{"x"}}}, []runlog.Sent{{To: 2}})[0].frame
			if round := node.rounds.at(time.Unix(0, f.Sent)); round != max(step, now) {
				t.Errorf("in round %d a message of round %d was sent by the clock, and is of round %d", step, now, round)
			}
		}
		node.rounds.number = last
	})
}

// TestOwnRound: what a process sends to itself it reads in the round after that of the step, or never, though
// the step took until the next round.
func TestOwnRound(t *testing.T) {
	type state struct{ Rounds int }
	slow := &spec.Algorithm[state, bool]{
		Name: "slow",
		Round: func(s *state, p *spec.Proc[bool], _ []spec.Received[bool]) {
			if s.Rounds++; s.Rounds%4 == 3 {
				time.Sleep(time.Duration(s.Rounds) * 50 * time.Millisecond)
			}
			p.Send(p.ID, true)
		},
		Election: &spec.Election[state, bool]{Leader: func(state) spec.ID { return spec.None }},
	}
	bubble(t, func(t *testing.T) {
		g := newGroup(t, slow, 1, nil)
		lasts := DefaultDurations(slow, 1, g.config.Delta)[timerRound]
		g.start(1)
		time.Sleep(30 * lasts)
		g.stop()
		sent, read := map[uint64]int64{}, 0
		for _, r := range g.records(1) {
			for _, s := range r.Sends {
				sent[s.Sequence] = r.Input.Round
			}
			if r.Line != runlog.LineStep {
				continue
			}
			for _, l := range r.Input.Inbox {
				if read++; sent[l.Sequence] != r.Input.Round-1 {
					t.Errorf("round %d has a message of round %d", r.Input.Round, sent[l.Sequence])
				}
			}
		}
		if got := g.breaches(1); read < 5 || got[runlog.BreachRound] == 0 {
			t.Errorf("%d messages were read; breaches %v", read, got)
		}
	})
}

// TestLateForRounds: nobody joins lock step later, or comes back to it.
func TestLateForRounds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, syncbully.Mended, 3, nil)
		defer g.stop()
		g.start(1, 2)
		time.Sleep(3 * time.Second)
		g.start(3)
		err := <-g.members[3].done
		if err == nil || !strings.Contains(err.Error(), "the first lock-step round began 2s ago") {
			t.Error(err)
		}
		g.members[3].node = nil
	})
}

// TestMissedRounds: a process that did not run for some rounds says so, and goes on with the present one.
func TestMissedRounds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, syncbully.Mended, 2, nil)
		defer g.stop()
		g.start(2)
		bed := newSleepy(g.net.Plug(1), time.Second)
		c := g.config
		c.ID, c.Ring, c.Log, c.Storage, c.Transport = 1, g.ring, &g.members[1].log, g.members[1].stored, bed
		g.run(1, c)
		time.Sleep(3 * time.Second)
		bed.once.Store(true)
		time.Sleep(3100 * time.Millisecond) // to the middle of a round
		if a, b := g.members[1].node.Status().Round, g.members[2].node.Status().Round; a != b {
			t.Errorf("process 1 is in round %d, and 2 in round %d", a, b)
		}
		g.stop()
		if got := g.breaches(1); got[runlog.BreachRound] == 0 {
			t.Errorf("process 1 has seen %v", got)
		}
	})
}

// counting counts the rounds that it takes part in.
var counting = &spec.Algorithm[int, bool]{
	Name:     "counting",
	Round:    func(s *int, _ *spec.Proc[bool], _ []spec.Received[bool]) { *s++ },
	Election: &spec.Election[int, bool]{Leader: func(int) spec.ID { return spec.None }},
}

// TestClockGoesBackInARound: nobody takes two steps in one round, though it comes twice by the
// wall clock.
func TestClockGoesBackInARound(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, counting, 1, nil)
		g.start(1)
		node := g.members[1].node
		time.Sleep(1100 * time.Millisecond) // into the first round
		node.mu.Lock()
		node.rounds.begin = node.rounds.begin.Add(node.rounds.length / 2) // is as if the clock went back by as much
		node.mu.Unlock()
		time.Sleep(10 * node.rounds.length)
		g.stop()
		last := int64(0)
		for _, r := range g.records(1) {
			if r.Line != runlog.LineStep || r.Input.Round == 0 {
				continue
			}
			if r.Input.Round != last+1 {
				t.Errorf("after round %d comes round %d", last, r.Input.Round)
			}
			last = r.Input.Round
		}
		if last < 9 {
			t.Errorf("it took part in %d rounds", last)
		}
	})
}

// TestRoundOfALetter: a message is read in the round after the one it was sent in, by the clock of
// its sender, unless that is over or too far ahead.
func TestRoundOfALetter(t *testing.T) {
	for ahead, want := range map[int]string{-2: "round", -1: "round", 0: "read in 1", 1: "read in 2", 2: "clock", 3: "clock"} {
		bubble(t, func(t *testing.T) {
			g := newGroup(t, counting, 2, nil)
			defer g.stop()
			g.start(1, 2)
			time.Sleep(3 * time.Second)
			node := g.members[1].node
			node.mu.Lock()
			r := node.rounds
			sent := r.since().Add(time.Duration(ahead)*r.length + r.length/2)
			node.arrive(delivery{name: runlog.Name{From: 2, Incarnation: 1, Sequence: 1}, message: true, sent: sent.UnixNano()})
			got := ""
			for number, inbox := range r.inboxes {
				if len(inbox) > 0 {
					got = fmt.Sprint("read in ", number-r.number)
				}
			}
			node.mu.Unlock()
			seen := g.members[1].node.Status().Breaches
			if got == "" && seen[runlog.BreachRound] > 0 {
				got = "round"
			} else if got == "" && seen[runlog.BreachClock] > 0 {
				got = "clock"
			}
			if got != want {
				t.Errorf("a message of %d rounds ahead: %s, and not %s: %v", ahead, got, want, seen)
			}
		})
	}
}

// TestBreachLines: people are told of a kind of breach at most once a second,
// without empty attributes; the counters and the log have all.
func TestBreachLines(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var said bytes.Buffer
		c := sensible()
		c.Logger = slog.New(slog.NewTextHandler(&said, nil))
		node, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			node.breach(runlog.Breach{Kind: runlog.BreachClock, Text: "the wall clock jumped", Took: round(1234567 * time.Microsecond).String()})
		}
		time.Sleep(time.Second)
		node.breach(runlog.Breach{Kind: runlog.BreachClock, Text: "the wall clock jumped"})
		node.breach(runlog.Breach{Kind: runlog.BreachDelay, Peer: 2, Text: "slow"})
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		if len(lines) != 3 || strings.Contains(lines[0], "peer=") || !strings.Contains(lines[0], "took=1.2346s") ||
			strings.Contains(lines[1], "took=") || !strings.HasSuffix(lines[1], "times=5") || !strings.HasSuffix(lines[2], "peer=2") {
			t.Errorf("said:\n%s", said.String())
		}
		if got := node.Status().Breaches[runlog.BreachClock]; got != 6 {
			t.Errorf("%d are counted", got)
		}
	})
}

// shouter says a lot to process 1 in every round, but for process 3, which says
// little.
var shouter = &spec.Algorithm[struct{}, struct{ Text string }]{
	Name: "shouter",
	Round: func(_ *struct{}, p *spec.Proc[struct{ Text string }], _ []spec.Received[struct{ Text string }]) {
		for range map[spec.ID]int{2: 100, 3: 1}[p.ID] {
			p.Send(1, struct{ Text string }{strings.Repeat("x", 1000)})
		}
	},
	Election: &spec.Election[struct{}, struct{ Text string }]{Leader: func(struct{}) spec.ID { return spec.None }},
}

// TestFullInboxOfARound: what one process says in a round is bounded, so that a line
// of the log can hold what all of them say; what the others say has its room.
func TestFullInboxOfARound(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, shouter, 3, nil)
		defer g.stop()
		g.start(g.ring...)
		time.Sleep(3 * time.Second)
		dropped := g.members[1].node.Status().Dropped["inbox full"]
		g.stop()
		rounds := 0
		for _, r := range g.records(1) {
			if r.Line != runlog.LineStep || len(r.Input.Inbox) == 0 {
				continue
			}
			rounds++
			bytes, from := map[spec.ID]int{}, map[spec.ID]int{}
			for _, l := range r.Input.Inbox {
				text, err := json.Marshal(l)
				if err != nil {
					t.Fatal(err)
				}
				bytes[l.From] += len(text)
				from[l.From]++
			}
			if from[2] < 2 || bytes[2] > maxLetters || from[3] != 1 {
				t.Errorf("round %d: messages %v, bytes %v, at most %d of each", r.Input.Round, from, bytes, maxLetters)
			}
		}
		if rounds < 5 || dropped == 0 {
			t.Errorf("%d rounds, %d messages dropped", rounds, dropped)
		}
	})
}
