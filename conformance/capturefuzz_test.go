package conformance_test

import (
	"bufio"
	"bytes"
	"errors"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/syncbully"
)

// FuzzCheckCapture: whatever frames a capture has, it is judged or refused, and
// few ways are looked at.
func FuzzCheckCapture(f *testing.F) {
	for _, m := range []spec.Machine{bully.Mended, changroberts.Classic, ble.Mended, syncbully.Mended} {
		for _, datagrams := range []bool{false, true} {
			f.Add(frames(f, m, datagrams), false, uint8(0))
			f.Add(frames(f, m, datagrams), true, uint8(2))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, gaps bool, only uint8) {
		r := bufio.NewReader(bytes.NewReader(b))
		var packets []capture.Packet
		for len(packets) < 40 {
			frame, err := wire.ReadFrame(r, nil)
			if err != nil {
				break
			}
			packets = append(packets, capture.Packet{Number: len(packets) + 1, Time: time.Unix(1, 0), From: home(frame.From), To: home(frame.To), Frame: frame})
		}
		report, err := captures.Explore(packets, captures.Options{Find: find, Gaps: gaps, Only: spec.ID(only), Limit: 500})
		var unusable *conformance.UnusableError
		switch {
		case err != nil && !errors.As(err, &unusable):
			t.Fatal(err)
		case err == nil && report.Verdict == conformance.Conforms && report.Packets.Data == 0:
			t.Fatal("nothing was judged, and it passes")
		}
	})
}

// frames are some frames of two processes one after the other.
func frames(f *testing.F, m spec.Machine, datagrams bool) (b []byte) {
	codec, err := wire.NewCodec(m)
	if err != nil {
		f.Fatal(err)
	}
	network := "false"
	if datagrams {
		network = "true"
	}
	body, err := codec.Append(nil, m.Traits().Message)
	if err != nil {
		f.Fatal(err)
	}
	add := func(kind wire.Kind, from, to spec.ID, sequence, link uint64, body []byte) {
		if datagrams {
			link = 0
		}
		frame := wire.Frame{Body: body, Header: wire.Header{
			Kind: kind, Algorithm: m.Traits().Name, Shape: codec.Shape(), Run: 1, From: from, To: to, Incarnation: 1, Acked: 1, Sequence: sequence, Link: link, Sent: 2e9,
		}}
		if b, err = frame.Append(b, nil); err != nil {
			f.Fatal(err)
		}
	}
	settings := []byte("ring 1,2; delta 100ms; datagrams " + network + "; begin 1970-01-01T00:00:01Z; round 200ms")
	add(wire.Hello, 1, 2, 0, 0, settings)
	add(wire.Hello, 2, 1, 0, 0, settings)
	add(wire.Data, 1, 2, 1, 1, body)
	add(wire.Ack, 2, 1, 1, 1, nil)
	add(wire.Data, 2, 1, 1, 1, body)
	add(wire.Heartbeat, 2, 1, 0, 0, nil)
	return b
}
