package cli

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/capturetest"
	"interleave/cmd/mc/internal/ui"
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
	put(t, "both.pcapng", string(append(wireless, capturetest.PCAPNG(t, capturetest.Election, nil)...)))
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
var crowded = []capturetest.Line{
	{Kind: wire.Hello, From: 1, To: 2}, {Kind: wire.Hello, From: 2, To: 1},
	capturetest.Data(1, 2, 1, 1, bully.Election), {Kind: wire.Ack, From: 2, To: 1, Sequence: 1, Link: 1},
	capturetest.Data(2, 1, 2, 1, bully.Coordinator), {Kind: wire.Ack, From: 1, To: 2, Sequence: 2, Link: 1},
	capturetest.Data(1, 2, 2, 2, bully.Election), {Kind: wire.Ack, From: 2, To: 1, Sequence: 2, Link: 2},
	capturetest.Data(2, 1, 4, 2, bully.Coordinator), {Kind: wire.Ack, From: 1, To: 2, Sequence: 4, Link: 2},
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
	free[4].Link, free[5].Link, free[8].Link, free[9].Link = 2, 2, 4, 4
	half := slices.Clone(free) // the first is there for, and the second not
	half[8].Link, half[9].Link = 3, 3
	data := slices.DeleteFunc(slices.Clone(crowded), func(l capturetest.Line) bool { return l.Kind == wire.Ack })
	acked := slices.DeleteFunc(slices.Clone(crowded), func(l capturetest.Line) bool { return l.Kind == wire.Data && l.From == 2 })
	for name, b := range map[string][]byte{
		"crowded": capturetest.PCAPNG(t, crowded, nil), "clock": capturetest.PCAPNG(t, crowded, clock), "free": capturetest.PCAPNG(t, free, nil), "half": capturetest.PCAPNG(t, half, unmet),
		"data": capturetest.PCAPNG(t, data, nil), "acked": capturetest.PCAPNG(t, acked, nil),
	} {
		put(t, name+".pcapng", string(b))
	}
	for command, status := range map[string]ui.Status{
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
	put(t, "honest.pcapng", string(capturetest.PCAPNG(t, capturetest.Election, nil)))
	mc(t.Context(), "conform honest.pcapng").expect(t, 0, "CONFORMS")
	got := mc(t.Context(), "conform honest.pcapng", forgetful{bully.Mended, map[string]bool{}})
	if got.expect(t, ui.ExitContradicted, ""); !strings.Contains(got.err, "interleave contradicts itself: the packets are explained by a run that is none") || strings.Contains(got.out, "CONFORMS") {
		t.Error(got.out, got.err)
	}
}

// TestConformSkippedNumber: what is refuted names the numbers that its process left out.
func TestConformSkippedNumber(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "crowded.pcapng", string(capturetest.PCAPNG(t, crowded, nil)))
	mc(t.Context(), "conform crowded.pcapng").expect(t, 1, "; its messages 1, 3 are not in the capture, and numbers leave none out")
	skips := slices.Clone(capturetest.Election)
	skips[4].Sequence = 3 // as a process that does not count right would: 1, 3
	put(t, "skips.pcapng", string(capturetest.PCAPNG(t, skips[:5], nil)))
	mc(t.Context(), "conform skips.pcapng").expect(t, 1, "message 3, COORDINATOR to 1")
	mc(t.Context(), "conform skips.pcapng").expect(t, 1, "; its message 2 is not in the capture, and numbers leave none out")
}

// dated returns a pcap file of some lines, each with its time, in milliseconds, and the time at which it was sent.
func dated(t *testing.T, lines []capturetest.Line, times, sent []int64) []byte {
	at := 0
	file := capturetest.Snapped(t, capturetest.PCAPNG(t, lines, func(i int, f *wire.Frame) { f.Sent = sent[i] * 1e6 }), 0)
	for i := range lines {
		header := file[24:][at:]
		binary.LittleEndian.PutUint32(header, uint32(times[i]/1000))
		binary.LittleEndian.PutUint32(header[4:], uint32(times[i]%1000*1e6))
		at += 16 + int(binary.LittleEndian.Uint32(header[8:]))
	}
	return file
}

// TestConformTimes: a run takes no negative time; where the times do not tell how long it took, that is said.
func TestConformTimes(t *testing.T) {
	t.Chdir(t.TempDir())
	none := make([]int64, len(capturetest.Election))
	put(t, "whole.pcap", string(dated(t, capturetest.Election, []int64{9000, 9001, 9002, 9003, 9004, 9005, 9006}, none)))
	put(t, "swapped.pcap", string(dated(t, capturetest.Election, []int64{9001, 9000, 9002, 9003, 9004, 9006, 9005}, none)))
	put(t, "back.pcap", string(dated(t, capturetest.Election, []int64{9000, 9001, 9002, 3, 4, 5, 6}, none)))
	mc(t.Context(), "conform whole.pcap").expect(t, 0, "run 7, 6ms\n")
	mc(t.Context(), "conform swapped.pcap").expect(t, 0, "run 7, 6ms\n")
	mc(t.Context(), "conform back.pcap").expect(t, 0, "run 7\n")
	mc(t.Context(), "conform back.pcap").expect(t, 0, "packet 4 is dated 8.999s before the one before it: the times do not tell how long it took")
}

// TestConformSkew: an answer that is captured before the question, and before it says it was sent, tells of several
// clocks. With --skew the order counts.
func TestConformSkew(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := []capturetest.Line{capturetest.Election[0], capturetest.Election[1], capturetest.Election[3], capturetest.Election[4], capturetest.Election[2]} // 2 answers before 1 asks
	put(t, "early.pcap", string(dated(t, lines, []int64{1000, 1001, 1002, 1003, 1004}, []int64{1000, 1001, 1205, 1206, 1004})))
	put(t, "one.pcap", string(dated(t, lines, []int64{1000, 1001, 1002, 1003, 1004}, []int64{1000, 1001, 1002, 1003, 1004})))
	got := mc(t.Context(), "conform early.pcap")
	for _, text := range []string{"INCONCLUSIVE: packet 3 was captured 203", "before it says it was sent, so there are several clocks", "editcap -t 0.203", "--skew 203"} {
		if !strings.Contains(strings.Join(strings.Fields(got.out), " "), text) {
			t.Errorf("%q is not in %s", text, got.out)
		}
	}
	got.expect(t, 3, "")
	mc(t.Context(), "conform early.pcap --skew 204ms").expect(t, 1, "REFUTED early.pcap, packet 3")
	mc(t.Context(), "conform early.pcap --skew 100ms").expect(t, 3, "INCONCLUSIVE")
	mc(t.Context(), "conform one.pcap").expect(t, 1, "REFUTED one.pcap, packet 3")
	mc(t.Context(), "conform one.pcap --skew fast").expect(t, 2, `--skew: "fast" is not a time`)
	mc(t.Context(), "conform one.pcap --skew -1s").expect(t, 2, "give 0s or more, as 5ms")
	mc(t.Context(), "conform --logs . --skew 1s").expect(t, 2, "--skew means nothing without a capture")
}
