package impl

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/bully"
)

// forge returns the bytes of a frame from process 2 to process 1 of a group of
// bully, changed as told.
func forge(t *testing.T, g *group, change func(*wire.Frame)) []byte {
	t.Helper()
	codec, err := wire.NewCodec(g.config.Machine)
	if err != nil {
		t.Fatal(err)
	}
	config := g.config
	config.Ring = g.ring
	f := wire.Frame{Header: wire.Header{Kind: wire.Hello, Algorithm: g.config.Machine.Traits().Name, Shape: codec.Shape(), Run: g.config.Run,
		From: 2, To: 1, Incarnation: 1, Acked: 1, Sent: time.Now().UnixNano()}, Body: []byte(config.settings())}
	if change(&f); f.Kind != wire.Hello && f.Kind != wire.Refuse {
		f.Body = nil
	}
	b, err := f.Append(nil, g.config.Key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRecordings: what a peer said in its former lives, with its MAC and all,
// neither gets nor loses a message for its present one, and is no sign of life.
func TestRecordings(t *testing.T) {
	for _, datagrams := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			var mu sync.Mutex
			var recorded [][]byte
			g := newGroup(t, bully.Mended, 2, func(from, to spec.ID, frame []byte) []time.Duration {
				mu.Lock()
				defer mu.Unlock()
				if from == 2 && to == 1 {
					recorded = append(recorded, slices.Clone(frame))
				}
				return []time.Duration{time.Millisecond}
			})
			g.config.Key, g.config.Datagrams = wire.Key("a key of more than sixteen bytes"), datagrams
			defer g.stop()
			for range 3 { // lives of 2
				g.start(1, 2)
				time.Sleep(time.Second)
				g.crash(1, 2)
			}
			g.start(1)
			time.Sleep(time.Second)
			before := g.members[1].node.Status()
			if before.Peers[0].Unsent == 0 {
				t.Fatalf("nothing waits for process 2: %+v", before)
			}
			for _, frame := range recorded {
				g.net.Inject(1, frame)
				time.Sleep(10 * time.Millisecond)
			}
			after := g.members[1].node.Status()
			if p := after.Peers[0]; p.Incarnation != 0 || p.Met || p.InFlight > 0 || p.Unsent < before.Peers[0].Unsent || after.GivenUp > 0 {
				t.Errorf("datagrams %v: of recordings came %+v, %d given up", datagrams, p, after.GivenUp)
			}
			if after.Leader != 1 {
				t.Errorf("datagrams %v: recordings keep process 2 alive: it follows %v, %+v", datagrams, after.Leader, after.Peers)
			}
			g.start(2)
			time.Sleep(time.Second)
			if s := g.members[1].node.Status(); s.Peers[0].Incarnation != 4 || s.Peers[0].Unsent+s.Peers[0].InFlight > 0 || s.GivenUp > 0 {
				t.Errorf("datagrams %v: process 2 is really there: %+v, %d given up", datagrams, s.Peers, s.GivenUp)
			}
			g.follow(2)
		})
	}
}

// TestRecordedHellosAreCounted: a hello that was answered is not answered again.
func TestRecordedHellosAreCounted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 2, nil)
		defer g.stop()
		g.start(1)
		time.Sleep(time.Second)
		hello := forge(t, g, func(f *wire.Frame) { f.Incarnation, f.Acked = 5, 0 })
		node := g.members[1].node
		for i := range uint64(3) {
			g.net.Inject(1, hello)
			time.Sleep(time.Millisecond)
			if s := node.Status(); s.Dropped["copied"] != i || s.Peers[0].Incarnation != 0 {
				t.Errorf("said %d times: dropped %v, %+v", i+1, s.Dropped, s.Peers)
			}
		}
	})
}

// ticker sends a message to all others every so often.
var ticker = &spec.Algorithm[struct{ Last uint32 }, struct{ N uint32 }]{
	Name:  "ticker",
	Start: func(_ *struct{ Last uint32 }, p *spec.Proc[struct{ N uint32 }]) { p.SetTimer(0) },
	Timeout: func(s *struct{ Last uint32 }, p *spec.Proc[struct{ N uint32 }], _ spec.Timer) {
		s.Last++
		p.Broadcast(p.Others(), struct{ N uint32 }{s.Last})
		p.SetTimer(0)
	},
	Receive:  func(*struct{ Last uint32 }, *spec.Proc[struct{ N uint32 }], spec.ID, struct{ N uint32 }) {},
	Election: &spec.Election[struct{ Last uint32 }, struct{ N uint32 }]{Leader: func(struct{ Last uint32 }) spec.ID { return spec.None }},
	Rules:    []spec.TimerRule[struct{ Last uint32 }, struct{ N uint32 }]{{Name: "T"}},
}

// TestNothingIsLostBetweenLives: what is sent to a process that has come back
// arrives, from its first step on, whether or not the sender has met it yet.
func TestNothingIsLostBetweenLives(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, ticker, 2, func(spec.ID, spec.ID, []byte) []time.Duration { return []time.Duration{20 * time.Millisecond} })
		g.config.Durations = map[string]time.Duration{"T": time.Millisecond}
		defer g.stop()
		g.start(1, 2)
		time.Sleep(time.Second)
		g.crash(2)
		g.start(2)
		time.Sleep(time.Second)
		g.stop()
		var up, down time.Time
		received := map[uint64]bool{}
		for _, r := range g.records(2) {
			if r.Incarnation < 2 {
				continue
			}
			if up.IsZero() && r.Line == runlog.LineStep {
				up = r.Time
			}
			if down = r.Time; r.Input != nil && r.Input.Received != nil {
				received[r.Input.Received.Sequence] = true
			}
		}
		sent := 0
		for _, r := range g.records(1) {
			for _, s := range r.Sends {
				if r.Time.Before(up) || r.Time.After(down.Add(-200*time.Millisecond)) {
					continue
				}
				if sent++; !received[s.Sequence] {
					t.Errorf("message %d, sent %v after process 2 came up, never arrived", s.Sequence, r.Time.Sub(up))
				}
			}
		}
		if sent < 100 {
			t.Errorf("%d messages", sent)
		}
		g.recheck()
	})
}

// greeter sends a message to all others when it starts.
var greeter = &spec.Algorithm[struct{}, bool]{
	Name:     "greeter",
	Start:    func(_ *struct{}, p *spec.Proc[bool]) { p.Broadcast(p.Others(), true) },
	Receive:  func(*struct{}, *spec.Proc[bool], spec.ID, bool) {},
	Election: &spec.Election[struct{}, bool]{Leader: func(struct{}) spec.ID { return spec.None }},
}

// TestNothingIsHandledInTwoLives: of a life that is over before anybody could know that it was one,
// nobody knows what it handled; so the next one does not get it.
func TestNothingIsHandledInTwoLives(t *testing.T) {
	for _, c := range []struct {
		heard             int // of what process 2 says in its first life
		keyed, datagrams  bool
		shy               bool // the second life is heard once it knows of process 1
		handled, unproved bool
	}{
		{heard: 0}, {heard: 0, datagrams: true},
		{heard: 1, handled: true, unproved: true}, {heard: 1, handled: true, unproved: true, keyed: true}, {heard: 1, handled: true, unproved: true, datagrams: true}, {heard: 1, handled: true, unproved: true, shy: true},
		{heard: 2, handled: true}, {heard: 2, handled: true, keyed: true}, {heard: 2, handled: true, datagrams: true},
		{heard: 3, handled: true}, {heard: 3, handled: true, keyed: true}, {heard: 3, handled: true, datagrams: true},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var said atomic.Int32
				g := newGroup(t, greeter, 2, func(from, _ spec.ID, frame []byte) []time.Duration {
					if f, _ := wire.Parse(frame, nil); c.shy && f.Incarnation == 2 && f.Acked == 0 || from == 2 && said.Add(1) > int32(c.heard) {
						return nil
					}
					return []time.Duration{time.Millisecond}
				})
				if g.config.Datagrams = c.datagrams; c.keyed {
					g.config.Key = wire.Key("a key of more than sixteen bytes")
				}
				defer g.stop()
				g.start(1)
				time.Sleep(time.Second)
				g.start(2)
				time.Sleep(300 * time.Millisecond)
				if s := g.members[1].node.Status(); c.unproved && s.Peers[0].Incarnation != 0 {
					t.Fatalf("there is proof: %+v", s.Peers)
				}
				if got := g.members[2].node.Status().Received["message"] == 1; got != c.handled {
					t.Fatalf("the first life handles the message: %v", got)
				}
				g.crash(2)
				said.Store(math.MinInt32)
				g.start(2)
				time.Sleep(2 * time.Second)
				s, again := g.members[1].node.Status(), g.members[2].node.Status().Received["message"] == 1
				if p := s.Peers[0]; again == c.handled || p.Incarnation != 2 || p.Suspected || p.Unsent+p.InFlight > 0 {
					t.Errorf("the second life handles the message: %v; process 1 knows of it: %+v", again, p)
				}
				if c.unproved && s.GivenUp != 1 || !c.handled && s.GivenUp != 0 {
					t.Errorf("%d given up", s.GivenUp)
				}
				g.stop()
				g.recheck()
			})
		})
	}
}

// TestMadeUpLives: without a key anybody can make up a life of a peer, or a
// frame of the future. It does harm for a while only.
func TestMadeUpLives(t *testing.T) {
	for name, change := range map[string]func(*wire.Frame){
		"a later life":                  func(f *wire.Frame) { f.Incarnation = math.MaxUint32 },
		"and one without proof":         func(f *wire.Frame) { f.Incarnation, f.Acked = math.MaxUint32, 0 },
		"a life to come, of the future": func(f *wire.Frame) { f.Incarnation, f.Acked, f.Sent = 2, 0, math.MaxInt64 },
		"a heartbeat of the future":     func(f *wire.Frame) { f.Kind, f.Sent = wire.Heartbeat, math.MaxInt64 },
		"a hello of the future":         func(f *wire.Frame) { f.Sent, f.Acked = math.MaxInt64, 0 },
	} {
		for _, met := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, met %v", name, met), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					g := newGroup(t, bully.Mended, 2, nil)
					defer g.stop()
					if g.start(1); met {
						g.start(2)
					}
					time.Sleep(time.Second)
					g.net.Inject(1, forge(t, g, change))
					time.Sleep(10 * time.Millisecond)
					if !met {
						g.start(2)
					}
					time.Sleep(5 * time.Second)
					s, other := g.members[1].node.Status(), g.members[2].node.Status()
					if p := s.Peers[0]; p.Incarnation != 1 || p.Suspected || p.Refused != "" || p.Unsent+p.InFlight > 0 || s.GivenUp > 0 {
						t.Errorf("process 1 knows of 2: %+v, %d given up", p, s.GivenUp)
					}
					if p := other.Peers[0]; p.Incarnation != 1 || p.Suspected || p.Refused != "" || p.Unsent+p.InFlight > 0 {
						t.Errorf("process 2 knows of 1: %+v", p)
					}
					if strings.HasSuffix(name, "the future") && s.Breaches[runlog.BreachSuspicion] > 0 {
						t.Error("process 2 was suspected for it")
					}
					g.follow(2)
					g.crash(2) // and it is believed to be down, and to come back
					time.Sleep(2 * time.Second)
					g.follow(1)
					g.start(2)
					time.Sleep(2 * time.Second)
					g.follow(2)
				})
			})
		}
	}
}

// TestNothingIsLostToMadeUpLives: what was sent to a life that was made up goes
// to the true one in the end, once and in order.
func TestNothingIsLostToMadeUpLives(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, ticker, 2, jitter(1, 20*time.Millisecond, 0, 10))
		g.config.Durations = map[string]time.Duration{"T": 10 * time.Millisecond}
		defer g.stop()
		g.start(1, 2)
		time.Sleep(time.Second)
		g.net.Inject(1, forge(t, g, func(f *wire.Frame) { f.Incarnation = 9 }))
		time.Sleep(200 * time.Millisecond)
		if p := g.members[1].node.Status().Peers[0]; p.Incarnation != 9 || p.InFlight == 0 {
			t.Fatalf("nothing is sent to it: %+v", p)
		}
		time.Sleep(3 * time.Second)
		g.stop()
		next := uint64(1)
		for _, r := range g.records(2) {
			if r.Input == nil || r.Input.Received == nil {
				continue
			}
			if got := r.Input.Received.Sequence; got != next {
				t.Fatalf("message %d comes after %d", got, next-1)
			}
			next++
		}
		if next < 380 {
			t.Errorf("%d messages arrived", next-1)
		}
		g.recheck()
	})
}

// TestLateWordsOfAFormerLife: a life that said one thing and is silent since is
// not taken for made up because something from before it comes late.
func TestLateWordsOfAFormerLife(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 2, nil)
		defer g.stop()
		g.start(1, 2)
		time.Sleep(time.Second)
		late := forge(t, g, func(f *wire.Frame) { f.Kind = wire.Heartbeat })
		g.crash(2)
		g.net.Inject(1, forge(t, g, func(f *wire.Frame) { f.Incarnation = 2 }))
		time.Sleep(time.Second)
		if p := g.members[1].node.Status().Peers[0]; p.Incarnation != 2 || !p.Suspected {
			t.Fatalf("%+v", p)
		}
		g.net.Inject(1, late)
		time.Sleep(time.Millisecond)
		if s := g.members[1].node.Status(); s.Peers[0].Incarnation != 2 || s.Dropped["former life"] == 0 {
			t.Errorf("%+v, dropped %v", s.Peers, s.Dropped)
		}
	})
}

// TestKeyedLivesStay: with a key a later life is believed, however silent.
func TestKeyedLivesStay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 2, nil)
		g.config.Key = wire.Key("a key of more than sixteen bytes")
		defer g.stop()
		g.start(1, 2)
		time.Sleep(time.Second)
		g.net.Inject(1, forge(t, g, func(f *wire.Frame) { f.Incarnation = 9 }))
		time.Sleep(5 * time.Second)
		if p := g.members[1].node.Status().Peers[0]; p.Incarnation != 9 || !p.Suspected {
			t.Errorf("%+v", p)
		}
	})
}

// TestRefusalOfAnotherLife: a refusal counts if it answers what this life of
// the process said.
func TestRefusalOfAnotherLife(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 2, nil)
		defer g.stop()
		g.start(1)
		g.crash(1)
		g.start(1)
		time.Sleep(time.Second)
		for acked, reason := range []string{"former life", "former life", "refused", "former life"} {
			before := g.members[1].node.Status().Dropped[reason]
			g.net.Inject(1, forge(t, g, func(f *wire.Frame) { f.Kind, f.Acked, f.Body = wire.Refuse, uint32(acked), []byte("go away") }))
			time.Sleep(time.Millisecond)
			s := g.members[1].node.Status()
			if heeded := s.Peers[0].Refused == "refused by it: go away"; heeded != (acked >= 2) || s.Dropped[reason] != before+1 {
				t.Errorf("for incarnation %d: refused %q, dropped %v", acked, s.Peers[0].Refused, s.Dropped)
			}
		}
	})
}

// TestFewLines: whatever a peer's name is used to say, people are told of it a few
// times only.
func TestFewLines(t *testing.T) {
	for name, change := range map[string]func(i int, f *wire.Frame){
		"algorithms":         func(i int, f *wire.Frame) { f.Algorithm = fmt.Sprint("bully/", i) },
		"shapes":             func(i int, f *wire.Frame) { f.Shape = uint64(i) },
		"settings":           func(i int, f *wire.Frame) { f.Body = fmt.Appendf(nil, "ring 1,2; delta %ds", i) },
		"incarnations":       func(i int, f *wire.Frame) { f.Incarnation = uint32(i + 10) },
		"incarnations of us": func(i int, f *wire.Frame) { f.Acked = uint32(i + 10) },
		"refusals": func(i int, f *wire.Frame) {
			if f.Kind, f.Body = wire.Refuse, fmt.Appendf(nil, "%d", i); i%2 == 0 {
				f.Kind, f.Body = wire.Heartbeat, nil
			}
		},
	} {
		bubble(t, func(t *testing.T) {
			g := newGroup(t, bully.Mended, 2, nil)
			defer g.stop()
			var said bytes.Buffer
			g.start(2)
			g.config.Logger = slog.New(slog.NewTextHandler(&said, nil))
			g.start(1)
			time.Sleep(time.Second)
			synctest.Wait()
			before := strings.Count(said.String(), "\n")
			for i := range 1000 {
				g.net.Inject(1, forge(t, g, func(f *wire.Frame) { change(i, f) }))
				time.Sleep(time.Millisecond)
			}
			g.stop()
			if lines := strings.Count(said.String(), "\n") - before; lines > 20 {
				t.Errorf("%s: %d lines, the last:\n%s", name, lines, said.String()[max(0, said.Len()-1000):])
			}
		})
	}
}
