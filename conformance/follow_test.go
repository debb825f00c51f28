package conformance_test

import (
	"bytes"
	"slices"
	"testing"

	"interleave/conformance"
	"interleave/conformance/forge"
	"interleave/impl/capture"
	"interleave/impl/wire"
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

// TestFollowGap: what stands behind a gap in a stream is held back while packets come, so whoever
// answers to it answers to nothing, until the rest is asked for.
func TestFollowGap(t *testing.T) {
	packets := recorded(t)[0]
	r, err := capture.NewReader(bytes.NewReader(pcapOf(packets, true, 46, 0)), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := conformance.NewFollower(conformance.CaptureOptions{Find: find})
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
	f := conformance.NewFollower(conformance.CaptureOptions{Find: find})
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
