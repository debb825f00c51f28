package impl

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"interleave/impl/link"
	"interleave/impl/storage"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/strikebully"
)

// TestDoubtful: whatever is wrong with a packet, it is counted by what that is,
// and nothing else comes of it.
func TestDoubtful(t *testing.T) {
	bubble(t, func(t *testing.T) {
		key := wire.Key("a key of more than sixteen bytes")
		g := newGroup(t, bully.Mended, 3, nil)
		g.config.Key = key
		defer g.stop()
		g.start(1, 2, 3)
		time.Sleep(5 * time.Second)
		node := g.members[1].node
		codec, err := wire.NewCodec(bully.Mended)
		if err != nil {
			t.Fatal(err)
		}
		body, err := codec.Append(nil, bully.Coordinator)
		if err != nil {
			t.Fatal(err)
		}
		good := wire.Frame{Body: body, Header: wire.Header{Kind: wire.Data, Algorithm: "bully/mended", Shape: codec.Shape(), Run: 7,
			From: 3, To: 1, Incarnation: 1, Acked: 1, Sequence: 1000, Link: node.peers[3].Expected(), Sent: time.Now().UnixNano()}}
		encode := func(change func(*wire.Frame), key wire.Key) []byte {
			f := good
			change(&f)
			b, err := f.Append(nil, key)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		as := func(change func(*wire.Frame)) []byte { return encode(change, key) }
		whole := as(func(*wire.Frame) {})
		forged := slices.Clone(whole)
		forged[len(forged)-1] ^= 1
		for _, c := range []struct {
			reason string
			packet []byte
		}{
			{"short", nil},
			{"foreign", []byte("GET / HTTP/1.1\r\n\r\n")},
			{"version", append([]byte("ILVE\x09"), whole[5:]...)},
			{"short", whole[:len(whole)-1]},
			{"long", append(slices.Clone(whole), 0)},
			{"mac", forged},
			{"mac", encode(func(*wire.Frame) {}, nil)},
			{"mac", encode(func(*wire.Frame) {}, wire.Key("another key of sixteen bytes"))},
			{"run", as(func(f *wire.Frame) { f.Run = 8 })},
			{"misaddressed", as(func(f *wire.Frame) { f.To = 2 })},
			{"misaddressed", as(func(f *wire.Frame) { f.From = 1 })},
			{"misaddressed", as(func(f *wire.Frame) { f.From = 4 })},
			{"shape", as(func(f *wire.Frame) { f.Shape++ })},
			{"shape", as(func(f *wire.Frame) { f.Algorithm = "bully/other" })},
			{"malformed", as(func(f *wire.Frame) { f.Incarnation = 0 })},
			{"former life", as(func(f *wire.Frame) { f.Acked = 0 })},
			{"later life", as(func(f *wire.Frame) { f.Acked = 2 })},
			{"not of this transport", as(func(f *wire.Frame) { f.Link = 0 })},
			{"too early", as(func(f *wire.Frame) { f.Link += link.Window })},
			{"copied", as(func(f *wire.Frame) { f.Link-- })},
			{"copied", as(func(f *wire.Frame) { f.Kind, f.Sequence, f.Link, f.Body, f.Sent = wire.Heartbeat, 0, 0, nil, 1 })},
			{"malformed", as(func(f *wire.Frame) { f.Kind, f.Link, f.Body = wire.Ack, 1<<40, nil })},
			{"message", as(func(f *wire.Frame) { f.Body = []byte{200} })},
		} {
			time.Sleep(time.Millisecond)
			before := node.Status()
			g.net.Inject(1, c.packet)
			time.Sleep(time.Millisecond)
			after := node.Status()
			want := maps.Clone(before.Dropped)
			want[c.reason]++
			if !maps.Equal(after.Dropped, want) {
				t.Errorf("%s: dropped %v, then %v", c.reason, before.Dropped, after.Dropped)
			}
			if after.Steps != before.Steps || after.Leader != 3 {
				t.Errorf("%s: %d steps, then %d, leader %v", c.reason, before.Steps, after.Steps, after.Leader)
			}
		}
		good.Link++ // the frame with no message in it took its place
		g.net.Inject(1, as(func(*wire.Frame) {}))
		time.Sleep(time.Millisecond)
		if s := node.Status(); s.Received["COORDINATOR"] == 0 || s.Steps == 0 {
			t.Errorf("the frame that is right is not taken: %+v", s)
		}
	})
}

// TestReplay: every frame of a run, said again later, in the same life of the
// processes and in the next, changes nothing.
func TestReplay(t *testing.T) {
	for _, datagrams := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			type said struct {
				to    spec.ID
				frame []byte
			}
			var mu sync.Mutex
			var all []said
			g := newGroup(t, bully.Mended, 3, func(_, to spec.ID, frame []byte) []time.Duration {
				mu.Lock()
				defer mu.Unlock()
				all = append(all, said{to, slices.Clone(frame)})
				return []time.Duration{time.Millisecond}
			})
			g.config.Datagrams = datagrams
			defer g.stop()
			g.start(1, 2, 3)
			time.Sleep(5 * time.Second)
			again := func(why string) {
				t.Helper()
				before := map[spec.ID]Status{}
				for _, id := range g.ring {
					before[id] = g.members[id].node.Status()
				}
				mu.Lock()
				old := slices.Clone(all)
				mu.Unlock()
				for i, s := range old {
					if f, err := wire.Parse(s.frame, nil); err != nil || f.Kind == wire.Heartbeat && i%20 > 0 {
						continue
					}
					g.net.Inject(s.to, s.frame)
					time.Sleep(100 * time.Microsecond)
				}
				for _, id := range g.ring {
					after := g.members[id].node.Status()
					if after.Steps != before[id].Steps || after.Leader != 3 {
						t.Errorf("%s, datagrams %v: process %v took %d steps, then %d; it follows %v", why, datagrams, id, before[id].Steps, after.Steps, after.Leader)
					}
					for i, p := range after.Peers {
						if p.Incarnation != before[id].Peers[i].Incarnation {
							t.Errorf("%s: process %v now hears incarnation %d of %v", why, id, p.Incarnation, p.Process)
						}
					}
				}
			}
			again("in the same life")
			g.crash(3)
			g.start(3)
			time.Sleep(5 * time.Second)
			again("in the next life of one")
			g.crash(1, 2, 3)
			g.start(1, 2, 3)
			time.Sleep(5 * time.Second)
			again("in the next life")
			g.stop()
			g.recheck()
		})
	}
}

// TestReplayedHeartbeats: what a process that is down said once is no sign of
// life.
func TestReplayedHeartbeats(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var mu sync.Mutex
		var old [][]byte
		g := newGroup(t, bully.Mended, 3, func(from, to spec.ID, frame []byte) []time.Duration {
			mu.Lock()
			defer mu.Unlock()
			if from == 3 && to == 1 {
				old = append(old, slices.Clone(frame))
			}
			return []time.Duration{0}
		})
		defer g.stop()
		g.start(1, 2, 3)
		time.Sleep(3 * time.Second)
		g.crash(3)
		for _, frame := range old {
			g.net.Inject(1, frame)
			time.Sleep(50 * time.Millisecond)
		}
		g.follow(2)
	})
}

// TestStrangers: processes of different algorithms, and of different versions of
// one, refuse each other, say so, and elect among their own kind.
func TestStrangers(t *testing.T) {
	newer := &spec.Algorithm[bully.State, struct {
		Kind  bully.Msg
		Since uint32
	}]{
		Name: "bully/mended", // and yet its messages are others
		Receive: func(*bully.State, *spec.Proc[struct {
			Kind  bully.Msg
			Since uint32
		}], spec.ID, struct {
			Kind  bully.Msg
			Since uint32
		}) {
		},
		Election: &spec.Election[bully.State, struct {
			Kind  bully.Msg
			Since uint32
		}]{Leader: func(s bully.State) spec.ID { return s.Leader }},
	}
	for _, c := range []struct {
		other spec.Machine
		why   string
	}{
		{strikebully.Mended, "process 3 runs strike-bully/mended, and process 1 runs bully/mended: start both with the same algorithm"},
		{newer, "processes 3 and 1 both run bully/mended, but their messages differ in shape"},
	} {
		bubble(t, func(t *testing.T) {
			g := newGroup(t, bully.Mended, 3, nil)
			defer g.stop()
			g.start(1, 2)
			g.config.Machine = c.other
			g.start(3)
			time.Sleep(20 * time.Second)
			s, other := g.members[1].node.Status(), g.members[3].node.Status()
			if got := s.Peers[1]; !strings.HasPrefix(got.Refused, c.why) || !got.Suspected || got.Incarnation != 0 {
				t.Errorf("process 1 knows of 3: %+v", got)
			}
			if got := other.Peers[0]; got.Refused == "" || got.Incarnation != 0 {
				t.Errorf("process 3 knows of 1: %+v", got)
			}
			if s.Dropped["shape"] == 0 || other.Dropped["refused"]+other.Dropped["shape"] == 0 {
				t.Errorf("dropped: %v and %v", s.Dropped, other.Dropped)
			}
			if s.Leader != 2 {
				t.Errorf("process 1 follows %v", s.Leader)
			}
		})
	}
}

// TestLostStorage: a process that forgot how often it was started is told so,
// and not heard.
func TestLostStorage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 2, nil)
		defer g.stop()
		g.members[2].stored.memory = storage.Memory{Algorithm: "bully/mended", Process: 2, Incarnation: 6}
		g.start(1, 2)
		time.Sleep(2 * time.Second)
		g.crash(2)
		g.members[2].stored.memory = storage.Memory{}
		g.start(2)
		time.Sleep(2 * time.Second)
		if got := g.members[2].node.Status().Peers[0].Refused; !strings.Contains(got, "process 1 has heard incarnation 7 of this process, which is now 1") {
			t.Errorf("process 2 is told: %q", got)
		}
	})
}

// TestAcknowledged: what a process acknowledges it has handled or refused, and its log says so: not if it has
// not come up yet, nor if its log could not be written.
func TestAcknowledged(t *testing.T) {
	for _, lines := range []int{1000, 3, 4, 5, 6} { // of process 2
		bubble(t, func(t *testing.T) {
			var g *group
			var acks atomic.Int32
			g = newGroup(t, bully.Mended, 4, func(from, _ spec.ID, b []byte) []time.Duration {
				f, err := wire.Parse(b, nil)
				if err != nil {
					t.Error(err)
				}
				if f.Kind == wire.Ack {
					acks.Add(1)
					name := fmt.Sprintf(`"received":{"from":%d,"incarnation":%d,"sequence":%d,`, int(f.To), f.Acked, f.Sequence)
					if !bytes.Contains(g.members[from].log.Bytes(), []byte(name)) {
						t.Errorf("process %v acknowledges message %d of %v, which its log does not have", from, f.Sequence, f.To)
					}
				}
				return []time.Duration{time.Millisecond}
			})
			g.start(1)
			time.Sleep(5 * time.Second) // it has elections without the others, whose messages wait for them
			c := g.config
			m := g.members[2]
			c.ID, c.Ring, c.Transport, c.Log, c.Storage = 2, g.ring, g.net.Plug(2), &shortLog{&m.log, lines}, m.stored
			g.run(2, c)
			g.start(3)
			time.Sleep(5 * time.Second)
			g.crash(1, 3)
			m.stop()
			if err := <-m.done; (err == nil) != (lines == 1000) {
				t.Errorf("%d lines: %v", lines, err)
			}
			if acks.Load() == 0 {
				t.Error("nobody acknowledges anything")
			}
		})
	}
}

// shortLog is a log that has room for so many lines.
type shortLog struct {
	*bytes.Buffer
	lines int
}

func (l *shortLog) Write(line []byte) (int, error) {
	if l.lines--; l.lines < 0 {
		return 0, errors.New("the disk is full")
	}
	return l.Buffer.Write(line)
}
