package cli

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/bully"
)

// ngBlock returns a block of a pcapng file.
func ngBlock(kind uint32, body ...[]byte) []byte {
	b := slices.Concat(body...)
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(b)+12))
	return slices.Concat(binary.LittleEndian.AppendUint32(nil, kind), size, b, size)
}

// TestConformForeignInterface: packets of an interface that cannot be read are counted and passed over.
// Where such packets are all that there is, the file is refused.
func TestConformForeignInterface(t *testing.T) {
	t.Chdir(t.TempDir())
	section := ngBlock(0x0a0d0d0a, []byte{0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0}, slices.Repeat([]byte{0xff}, 8))
	wireless := slices.Concat(section, ngBlock(1, []byte{105, 0, 0, 0, 0, 0, 0, 0}), ngBlock(6, make([]byte, 12), []byte{4, 0, 0, 0, 4, 0, 0, 0}, []byte("wifi")))
	put(t, "both.pcapng", string(append(wireless, pcapng(t, episode, nil)...)))
	put(t, "wireless.pcapng", string(wireless))
	const told = "passed over: 1 packet of interfaces whose link type cannot be read"
	got := mc(t.Context(), "conform both.pcapng")
	if got.expect(t, 0, told); !strings.Contains(got.out, "CONFORMS") {
		t.Error(got.out)
	}
	mc(t.Context(), "conform wireless.pcapng").expect(t, 2, "a link type that cannot be read: 105")
}

// crowded is a run in which the answers of process 2 are missing, and what it sends later takes all places on the
// link: each of three elections that process 1 asks for.
var crowded = []line{
	{kind: wire.Hello, from: 1, to: 2}, {kind: wire.Hello, from: 2, to: 1},
	{wire.Data, 1, 2, 1, 1, bully.Election}, {kind: wire.Ack, from: 2, to: 1, sequence: 1, link: 1},
	{wire.Data, 2, 1, 2, 1, bully.Coordinator}, {kind: wire.Ack, from: 1, to: 2, sequence: 2, link: 1},
	{wire.Data, 1, 2, 2, 2, bully.Election}, {kind: wire.Ack, from: 2, to: 1, sequence: 2, link: 2},
	{wire.Data, 2, 1, 4, 2, bully.Coordinator}, {kind: wire.Ack, from: 1, to: 2, sequence: 4, link: 2},
}

// TestConformNoPlace: a message that is missing was not sent where other messages have all places of the link.
// Where there is a place for it, it may have been.
func TestConformNoPlace(t *testing.T) {
	t.Chdir(t.TempDir())
	unmet := func(i int, f *wire.Frame) {
		if i < 2 {
			f.Acked = 0
		}
	}
	clock := func(i int, f *wire.Frame) {
		f.Incarnation, f.Acked = 1_700_000_000+uint32(f.From), 1_700_000_000+uint32(f.To)
		unmet(i, f)
	}
	free := slices.Clone(crowded)
	free[4].link, free[5].link, free[8].link, free[9].link = 2, 2, 4, 4
	half := slices.Clone(free) // the first is there for, and the second not
	half[8].link, half[9].link = 3, 3
	data := slices.DeleteFunc(slices.Clone(crowded), func(l line) bool { return l.kind == wire.Ack })
	acked := slices.DeleteFunc(slices.Clone(crowded), func(l line) bool { return l.kind == wire.Data && l.from == 2 })
	for name, b := range map[string][]byte{
		"crowded": pcapng(t, crowded, nil), "clock": pcapng(t, crowded, clock), "free": pcapng(t, free, nil), "half": pcapng(t, half, unmet),
		"data": pcapng(t, data, nil), "acked": pcapng(t, acked, nil),
	} {
		put(t, name+".pcapng", string(b))
	}
	for command, status := range map[string]int{
		"crowded.pcapng": 1, "crowded.pcapng --gaps": 1, "crowded.pcapng --process 2": 1, "crowded.pcapng --no-receives": 1,
		"clock.pcapng": 1, "half.pcapng": 1, "data.pcapng": 1, "free.pcapng": 3, "free.pcapng --gaps": 0, "acked.pcapng": 1, "acked.pcapng --gaps": 1,
	} {
		if got := mc(t.Context(), "conform "+command); got.status != status {
			t.Errorf("%s: %d, want %d\n%s%s", command, got.status, status, got.out, got.err)
		}
	}
}

// forgetful sends nothing where it did before.
type forgetful struct {
	spec.Machine
	known map[string]bool
}

func (m forgetful) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	after, fx := m.Machine.Step(self, ring, s, e)
	key := fmt.Sprint(self, s, e)
	if m.known[key] {
		fx.Sends = nil
	}
	m.known[key] = true
	return after, fx
}

// TestConformContradicts: a capture is not said to conform if its explanation, judged beside it, does not.
func TestConformContradicts(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "honest.pcapng", string(pcapng(t, episode, nil)))
	mc(t.Context(), "conform honest.pcapng").expect(t, 0, "CONFORMS")
	got := mc(t.Context(), "conform honest.pcapng", forgetful{bully.Mended, map[string]bool{}})
	if got.expect(t, exitContradicted, ""); !strings.Contains(got.err, "interleave contradicts itself: the packets are explained by a run that is none") || strings.Contains(got.out, "CONFORMS") {
		t.Error(got.out, got.err)
	}
}
