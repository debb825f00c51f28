package conformance_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/forge"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/internal/testsize"
	"interleave/spec/tokenring"
)

// TestFollow: packets that come one by one are judged as the whole capture is, and
// what nothing explains is told at once.
func TestFollow(t *testing.T) {
	for i, packets := range recorded(t) {
		if at := follow(t, packets); at != len(packets) {
			t.Errorf("run %d: an honest one ends at packet %d of %d", i, at, len(packets))
		}
		for j, p := range packets {
			if p.Frame.Kind != wire.Data || p.Frame.Sequence != 2 {
				continue
			}
			forged := forge.Changed(packets, j, func(f *wire.Frame) { f.Body = []byte{99, 99, 99} })
			if at := follow(t, forged); at != j {
				t.Errorf("run %d: packet %d is forged, and found out at %d", i, j+1, at+1)
			}
			break
		}
	}
}

// TestFollowFarAhead: a process that asks who is up can be in more ways than are considered at each
// packet. An honest run is followed to its end, and a lie is told when all is judged again.
func TestFollowFarAhead(t *testing.T) {
	testsize.Alone(t)
	for seed := range testsize.Of[uint64](1, 1, 4) {
		_, packets := plan{machine: tokenring.Mended, n: 3, seed: seed, crashes: 3, length: time.Second}.record(t)
		f, late := captures.NewFollower(captures.Options{Find: find}), 0
		for i, p := range packets {
			if report, err := f.Take(p); report != nil || err != nil {
				t.Fatalf("seed %d: an honest run ends at packet %d of %d: %+v, %v", seed, i+1, len(packets), report, err)
			}
			if f.Explained() > 0 && f.Explained() < i+1 {
				late++
			}
			if f.Explained() < i*4/5-1 && f.Explained() > 0 {
				t.Fatalf("seed %d: %d of %d packets are explained", seed, f.Explained(), i+1)
			}
		}
		if late == 0 {
			t.Errorf("seed %d: every packet is judged as it comes", seed)
		}
		lie, seen := 0, map[runlog.Name]bool{}
		for i, p := range packets {
			if name := (runlog.Name{From: p.Frame.From, Incarnation: p.Frame.Incarnation, Sequence: p.Frame.Sequence}); p.Frame.Kind == wire.Data && !seen[name] {
				seen[name] = true
				if i > len(packets)/2 && lie == 0 {
					lie = i
				}
			}
		}
		forged := forge.Changed(packets, lie, func(f *wire.Frame) { f.Body = []byte{99, 99, 99} })
		if at := follow(t, forged); at < lie || at > lie*5/4+2 {
			t.Errorf("seed %d: packet %d of %d is forged, and found out at %d", seed, lie+1, len(packets), at+1)
		}
	}
}

// TestFollowGap: what stands behind a gap in a stream is held back while packets come, so whoever
// answers to it answers to nothing, until the rest is asked for.
func TestFollowGap(t *testing.T) {
	packets := recorded(t)[0]
	r, err := capture.NewReader(bytes.NewReader(pcapOf(packets, true, 46, 0)), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := captures.NewFollower(captures.Options{Find: find})
	for {
		p, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		report, err := f.Take(p)
		if err != nil {
			t.Fatal(err)
		}
		if report != nil {
			break
		}
	}
	report, err := watch(slices.Concat(f.Packets(), r.Rest()))
	if err != nil || report.Verdict != conformance.Unknown {
		t.Errorf("%+v, %v", report, err)
	}
}

// follow returns at which packet a verdict is reached.
func follow(t *testing.T, packets []capture.Packet) int {
	f := captures.NewFollower(captures.Options{Find: find})
	for i, p := range packets {
		report, err := f.Take(p)
		if err != nil {
			t.Fatal(i, err)
		}
		if report != nil {
			if report.Verdict != conformance.Refuted {
				t.Errorf("%v %s", report.Verdict, report.Reason)
			}
			return i
		}
	}
	if got := len(f.Packets()); got != len(packets) {
		t.Errorf("%d of %d packets", got, len(packets))
	}
	return len(packets)
}
