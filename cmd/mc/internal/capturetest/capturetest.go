// Package capturetest writes captures by hand, for tests of what judges them.
package capturetest

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/gopacket/pcapgo"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/bully"
)

// Line is a frame of a capture that is written down by hand.
type Line struct {
	Kind           wire.Kind
	From, To       spec.ID
	Sequence, Link uint64
	Message        bully.Msg
}

// Data is a frame with a message.
func Data(from, to spec.ID, sequence, link uint64, m bully.Msg) Line {
	return Line{wire.Data, from, to, sequence, link, m}
}

// Lines are an election of two processes: 1 asks, 2 answers and wins, and all is
// acknowledged.
var Election = []Line{
	{Kind: wire.Hello, From: 1, To: 2}, {Kind: wire.Hello, From: 2, To: 1},
	Data(1, 2, 1, 1, bully.Election), Data(2, 1, 1, 1, bully.OK), Data(2, 1, 2, 2, bully.Coordinator),
	{Kind: wire.Ack, From: 2, To: 1, Sequence: 1, Link: 1}, {Kind: wire.Ack, From: 1, To: 2, Sequence: 2, Link: 2},
}

// PCAPNG returns a capture of some lines; change may change the frames.
func PCAPNG(t *testing.T, lines []Line, change func(i int, f *wire.Frame)) []byte {
	codec, err := wire.NewCodec(bully.Mended)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := capture.NewWriter(&file, "by hand")
	if err != nil {
		t.Fatal(err)
	}
	at := func(id spec.ID) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, byte(id)}), wire.Port)
	}
	for i, l := range lines {
		f := wire.Frame{Header: wire.Header{
			Kind: l.Kind, Algorithm: "bully/mended", Shape: codec.Shape(), Run: 7, From: l.From, To: l.To, Incarnation: 1, Acked: 1, Sequence: l.Sequence, Link: l.Link, Sent: int64(i),
		}}
		switch l.Kind {
		case wire.Hello:
			f.Body = []byte("ring 1,2; delta 100ms; datagrams false")
		case wire.Data:
			if f.Body, err = codec.Append(nil, l.Message); err != nil {
				t.Fatal(err)
			}
		}
		if change != nil {
			change(i, &f)
		}
		b, err := f.Append(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.UDP(capture.Sent, time.Unix(1000, int64(i)), at(l.From), at(l.To), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// Forged is a capture in which process 2 answers and then asks in place of
// announcing itself.
func Forged(t *testing.T) []byte {
	return PCAPNG(t, Election, func(i int, f *wire.Frame) {
		if i == 4 {
			f.Body = []byte{byte(bully.Election)}
		}
	})
}

// Snapped returns the packets of a pcapng file as a pcap file, and some of them cut to a size.
func Snapped(t *testing.T, file []byte, size int, cut ...int) []byte {
	r, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.DefaultNgReaderOptions)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := pcapgo.NewWriterNanos(&b)
	if err := w.WriteFileHeader(65536, r.LinkType()); err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		data, info, err := r.ReadPacketData()
		if err == io.EOF {
			return b.Bytes()
		}
		if slices.Contains(cut, i) {
			data, info.CaptureLength = data[:size], size
		}
		if err = errors.Join(err, w.WritePacket(info, data)); err != nil {
			t.Fatal(err)
		}
	}
}
