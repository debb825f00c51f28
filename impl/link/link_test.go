package link

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"interleave/impl/wire"
)

func numbered(sequence uint64) wire.Frame {
	return wire.Frame{Header: wire.Header{Kind: wire.Data, From: 1, To: 2, Incarnation: 1, Sequence: sequence}}
}

// TestLink: whatever the network does to frames and acknowledgements, one end
// hands on what the other was given: all of it, in order, once.
func TestLink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := newLink(time.Second), newLink(time.Second)
		from.To = 1
		to.To = 1
		now := time.Unix(0, 0)
		var data []wire.Frame // on their way
		var acks []uint64
		var given, taken uint64
		take := func(f wire.Frame) {
			in, _ := to.arrived(f)
			for _, f := range in {
				if taken++; f.Sequence != taken {
					t.Fatalf("message %d is handed on as number %d", f.Sequence, taken)
				}
			}
			acks = append(acks, to.expected-1)
		}
		for range rapid.IntRange(1, 300).Draw(t, "deeds") {
			switch rapid.IntRange(0, 5).Draw(t, "deed") {
			case 0:
				given++
				if lost := from.push(numbered(given)); lost != nil {
					t.Fatalf("%v lost", lost)
				}
				data = append(data, from.Ready(now)...)
			case 1:
				now = now.Add(time.Second)
				data = append(data, from.Due(now)...)
			case 2, 3:
				if len(data) > 0 {
					i := rapid.IntRange(0, len(data)-1).Draw(t, "which")
					take(data[i])
					if rapid.Bool().Draw(t, "last copy") {
						data = append(data[:i], data[i+1:]...)
					}
				}
			case 4:
				if len(acks) > 0 {
					i := rapid.IntRange(0, len(acks)-1).Draw(t, "which")
					if !from.Acknowledged(acks[i], now) {
						t.Fatalf("it does not know number %d, and it sent up to %d", acks[i], from.next-1)
					}
					data = append(data, from.Ready(now)...)
				}
			case 5:
				data, acks = nil, nil // all lost
			}
			if len(from.flight) > Window || len(to.early) > Window {
				t.Fatalf("%d in flight, %d kept", len(from.flight), len(to.early))
			}
			if (len(from.flight) > 0) == from.resendAt.IsZero() {
				t.Fatalf("%d in flight, and they are sent again at %v", len(from.flight), from.resendAt)
			}
		}
		for range 10 * (given/Window + 1) { // the network is well again
			now = now.Add(time.Hour)
			for _, f := range from.Due(now) {
				take(f)
			}
			from.Acknowledged(to.expected-1, now)
			for _, f := range from.Ready(now) {
				take(f)
			}
		}
		if taken != given || len(from.flight) > 0 {
			t.Fatalf("%d of %d messages arrived, %d are in flight", taken, given, len(from.flight))
		}
	})
}

// TestLinkBacksOff: a peer that does not answer is asked less and less often.
func TestLinkBacksOff(t *testing.T) {
	l := newLink(800 * time.Millisecond)
	l.To = 1
	now := time.Unix(0, 0)
	l.push(numbered(1))
	l.Ready(now)
	var times []time.Duration
	for range 9 {
		at := l.resendAt
		times = append(times, at.Sub(now))
		if l.Due(at.Add(-1)) != nil || len(l.Due(at)) != 1 {
			t.Fatalf("not sent again at %v", at)
		}
		now = at
	}
	if got := fmt.Sprint(times); got != "[100ms 200ms 400ms 800ms 1.6s 3.2s 6.4s 6.4s 6.4s]" {
		t.Error(got)
	}
}

// TestLinkOverflow: the oldest that was never sent is given up for the newest.
func TestLinkOverflow(t *testing.T) {
	l := newLink(time.Second)
	for i := range uint64(maxQueue) {
		if lost := l.push(numbered(i + 1)); lost != nil {
			t.Fatalf("message %d: %v is given up", i+1, lost)
		}
	}
	if lost := l.push(numbered(maxQueue + 1)); len(lost) != 1 || lost[0].Sequence != 1 {
		t.Errorf("%v is given up", lost)
	}
	l.To = 1
	if n := len(l.Ready(time.Unix(0, 0))); n != Window {
		t.Errorf("%d are sent at once", n)
	}
	l.Acknowledged(3, time.Unix(0, 0))
	if n := len(l.Ready(time.Unix(0, 0))); n != 3 {
		t.Errorf("3 are acknowledged, and %d more are sent", n)
	}
}

// TestLinkSuccessor: what a peer's former life may have heard is not said to
// the next one; what was said before anybody was met is, and what was said
// since the next one was heard of.
func TestLinkSuccessor(t *testing.T) {
	now := time.Unix(0, 0)
	first := newLink(time.Second)
	first.push(numbered(1))
	l := first.successor(3)
	if lost := first.lost(3); lost != nil {
		t.Errorf("%v is given up at the first word of the peer", lost)
	}
	if f := l.Ready(now); len(f) != 1 || f[0].Link != 1 || f[0].Acked != 3 {
		t.Errorf("sent: %+v", f)
	}
	for i := range uint64(Window) {
		l.push(numbered(i + 2))
		l.Ready(now)
	}
	l.heard = 4
	l.push(numbered(Window + 2))
	if lost := l.lost(4); len(lost) != Window+1 || lost[0].Sequence != 1 || lost[Window].Sequence != Window+1 {
		t.Errorf("%v is given up", lost)
	}
	next := l.successor(4)
	next.push(numbered(100))
	f := next.Ready(now)
	if len(f) != 2 || f[0].Sequence != Window+2 || f[0].Link != 1 || f[0].Acked != 4 || f[1].Sequence != 100 || f[1].Link != 2 {
		t.Errorf("sent to the next life: %+v", f)
	}
	if next.Acknowledged(3, now) {
		t.Error("it believes that number 3 arrived, and sent only two")
	}
	l.takeBack(next)
	if left := l.left(); len(left) != Window+3 || left[Window+1].frame.Sequence != Window+2 || left[Window+2].frame.Sequence != 100 {
		t.Errorf("there was no next life, and left are %+v", left)
	}
}

// TestLinkSuccessors: of what waits for a peer that was never met, the first life that is heard
// of gets as much as the window holds, and the next one the rest. An earlier life gets all, for
// there cannot have been the later ones.
func TestLinkSuccessors(t *testing.T) {
	l := newLink(time.Second)
	for i := range uint64(Window + 2) {
		l.push(numbered(i + 1))
	}
	for i, c := range []struct {
		life       uint32
		want, gets int
	}{{3, Window + 2, Window}, {5, 2, 2}, {6, 0, 0}, {4, 2, 2}, {3, Window + 2, Window}, {2, Window + 2, 0}} {
		next := l.successor(c.life)
		if got, lost := len(next.queue), len(l.lost(c.life)); got != c.want || got+lost != Window+2 {
			t.Errorf("%d: life %d is to get %d messages, and %d are lost", i+1, c.life, got, lost)
		}
		if c.gets > 0 && len(next.Ready(time.Unix(0, 0))) != c.gets {
			t.Errorf("%d: life %d gets %d messages", i+1, c.life, len(next.flight))
		}
		l.takeBack(next)
	}
	if l.heard = 7; l.push(numbered(Window+3)) != nil || len(l.successor(7).queue) != 1 {
		t.Errorf("life 7 is to get %d messages", len(l.successor(7).queue))
	}
	late := l.successor(6) // of which a word comes when life 7 was heard of
	late.push(numbered(Window + 4))
	late.Ready(time.Unix(0, 0))
	if l.takeBack(late); len(l.successor(7).queue) != 2 {
		t.Errorf("life 7 is to get %d messages, of which one went to nobody who was there", len(l.successor(7).queue))
	}
}

// TestLinkFarAhead: what is beyond the window is not kept, however far.
func TestLinkFarAhead(t *testing.T) {
	l := newLink(time.Second)
	for _, number := range []uint64{Window + 1, 1 << 40, ^uint64(0)} {
		f := numbered(1)
		f.Link = number
		if in, fresh := l.arrived(f); in != nil || fresh || len(l.early) > 0 {
			t.Errorf("number %d is taken", number)
		}
	}
}

// TestReplayWindow: compared with a map that remembers everything.
func TestReplayWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h replayWindow
		seen := map[uint64]bool{}
		last := rapid.SampledFrom([]uint64{0, 0, 1 << 40, 1<<64 - 300_000}).Draw(t, "begin")
		if last > 0 {
			h.add(last)
			seen[last] = true
		}
		for range rapid.IntRange(1, 200).Draw(t, "datagrams") {
			s := last + rapid.Uint64Range(0, 3*replaySize).Draw(t, "ahead")
			s -= min(s-min(s, 1), rapid.Uint64Range(0, 3*replaySize).Draw(t, "behind"))
			s = max(s, 1)
			want := !seen[s] && (s > last || last-s < replaySize)
			if got := h.add(s); got != want {
				t.Fatalf("sequence %d after %d: fresh is %v", s, last, got)
			}
			seen[s] = true
			last = max(last, s)
		}
	})
}

// TestReplayWindowEnds: the largest sequence there can be is one, too.
func TestReplayWindowEnds(t *testing.T) {
	var h replayWindow
	for _, c := range []struct {
		sequence uint64
		fresh    bool
	}{{1, true}, {1<<64 - 1, true}, {1<<64 - 1, false}, {1<<64 - replaySize, true}, {1<<64 - 1 - replaySize, false}, {2, false}} {
		if got := h.add(c.sequence); got != c.fresh {
			t.Errorf("%d is fresh: %v", c.sequence, got)
		}
	}
}

// TestReplayWindows: what is of a life before the last two is not told from a copy.
func TestReplayWindows(t *testing.T) {
	var l replayWindows
	for life := range uint32(5) {
		l.begin(life + 1)
		l.of(life + 1).add(7)
	}
	for life, want := range map[uint32]bool{1: false, 3: false, 4: true, 5: true, 6: false} {
		if h := l.of(life); (h != nil) != want || h != nil && h.add(7) {
			t.Errorf("life %d: %v", life, h)
		}
	}
}

// TestNumbersOfLives: whatever lives of a peer are heard of, and in which order, a number
// means the same message to each whenever it gets it, and no message that a life got is
// given up for it.
func TestNumbersOfLives(t *testing.T) {
	now, again := time.Unix(0, 0), 0
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(1, seed))
		l, sequence := newLink(time.Second), uint64(0)
		told := map[uint32]map[uint64]uint64{} // by life and number: the sequence
		for range 12 {
			life := 5 + random.Uint32N(4)
			l.heard = max(l.heard, life)
			next := l.successor(life)
			up := false // so far it may be there
			for range random.IntN(4) {
				sequence++
				f := numbered(sequence)
				if up = up || random.IntN(2) == 0; !up {
					l.push(f)
					next.push(f)
					next.queue[len(next.queue)-1].taken = true
				} else {
					next.push(f)
				}
			}
			if told[life] == nil {
				told[life] = map[uint64]uint64{}
			} else {
				again++
			}
			if random.IntN(4) > 0 {
				for _, f := range next.Ready(now) {
					if was, known := told[life][f.Link]; known && was != f.Sequence {
						t.Fatalf("seed %d: number %d is message %d to life %d, and was %d", seed, f.Link, f.Sequence, life, was)
					}
					told[life][f.Link] = f.Sequence
				}
			}
			l.takeBack(next)
		}
		for life, numbers := range told {
			for _, name := range l.lost(life) {
				for number, sequence := range numbers {
					if sequence == name.Sequence {
						t.Fatalf("seed %d: message %d, number %d to life %d, is given up for it", seed, sequence, number, life)
					}
				}
			}
		}
	}
	if again < 1000 {
		t.Errorf("only %d lives were met again", again)
	}
}

// TestWindowBytes: long messages are on their way one by one, since all that is may be sent again.
func TestWindowBytes(t *testing.T) {
	l, now := newLink(time.Second), time.Unix(0, 0)
	l.To = 1
	for i, size := range []int{10, windowBytes, 10, windowBytes - 20, 10, 10} {
		f := numbered(uint64(i + 1))
		f.Body = make([]byte, size)
		l.push(f)
	}
	for i, want := range []int{1, 1, 3, 1} {
		if got := len(l.Ready(now)); got != want || len(l.Ready(now)) != 0 {
			t.Errorf("turn %d: %d messages are sent, and not %d", i, got, want)
		}
		l.Acknowledged(l.next-1, now)
	}
}
