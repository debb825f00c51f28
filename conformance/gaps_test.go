package conformance_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/forge"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
	"interleave/spec/strikebully"
	"interleave/spec/syncbully"
	"interleave/spec/syncring"
)

// recorded are runs that the tests of captures begin with.
func recorded(t *testing.T) (runs [][]capture.Packet) {
	for _, pl := range []plan{
		{machine: bully.Mended, n: 3, seed: 1, crashes: 2, loss: 10},
		{machine: bully.Mended, n: 3, seed: 2, crashes: 2, loss: 10, datagrams: true},
		{machine: changroberts.Textbook, n: 3, seed: 3, loss: 10},
		{machine: fastbully.Mended, n: 3, seed: 4, crashes: 2},
	} {
		pl.length = time.Second
		_, packets := pl.record(t)
		runs = append(runs, packets)
	}
	return runs
}

// without leaves out every copy of the message that a packet has.
func without(packets []capture.Packet, gone wire.Frame) []capture.Packet {
	return slices.DeleteFunc(slices.Clone(packets), func(p capture.Packet) bool {
		f := p.Frame
		return f.Kind == wire.Data && f.From == gone.From && f.Incarnation == gone.Incarnation && f.Sequence == gone.Sequence
	})
}

func gaps(o *captures.Options) { o.Gaps = true }

// TestGaps: whatever message is missing, an honest run is not refuted, unless it was
// the last of its sender, so that nothing tells of it; and it is explained if the gaps are
// declared.
func TestGaps(t *testing.T) {
	testsize.Alone(t)
	verdicts := map[string]int{}
	for i, packets := range recorded(t) {
		chance := rand.New(rand.NewPCG(uint64(i), 5))
		for range testsize.Of(8, 12, 25) {
			gone := packets[chance.IntN(len(packets))].Frame
			if gone.Kind != wire.Data {
				at := slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data })
				gone = packets[at].Frame
			}
			less, last := without(packets, gone), true
			for _, p := range less {
				f := p.Frame
				last = last && (f.Kind != wire.Data || f.From != gone.From || f.Incarnation != gone.Incarnation || f.Sequence < gone.Sequence)
			}
			for declared, change := range map[bool]func(*captures.Options){false: func(*captures.Options) {}, true: gaps} {
				report, err := watch(less, change)
				if err != nil {
					t.Fatal(err)
				}
				verdicts[fmt.Sprint(declared, report.Verdict)]++
				if strings.Contains(report.Reason, "but 1 frames") {
					t.Error(report.Reason)
				}
				if report.Verdict == conformance.Refuted && (declared || !last) || declared && report.Verdict == conformance.Unknown {
					t.Errorf("run %d without message %d of %v, gaps %v: %v %s %v", i, gone.Sequence, gone.From, declared, report.Verdict, report.Reason, report.Unexplained)
				}
			}
		}
	}
	t.Log(verdicts)
	if verdicts["false UNKNOWN"] == 0 || verdicts["false CONFORMS"] == 0 {
		t.Error("only one verdict was seen", verdicts)
	}
}

// TestParts: an honest run is not refuted where the tap did not take all of a packet, whatever that was.
// Behind a gap in a stream all that follows is read late.
func TestParts(t *testing.T) {
	testsize.Alone(t)
	verdicts := map[conformance.Verdict]int{}
	for i, packets := range recorded(t) {
		chance := rand.New(rand.NewPCG(uint64(i), 5))
		for range testsize.Of(8, 12, 30) {
			for _, tcp := range []bool{false, true} {
				at, size := chance.IntN(len(packets)), chance.IntN(50)
				r, err := capture.NewReader(bytes.NewReader(pcapOf(packets, tcp, at, size)), capture.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got, _, err := captures.Read(r, false)
				if err != nil {
					t.Fatal(err)
				}
				report, err := watch(got)
				if err != nil {
					t.Fatal(err)
				}
				if verdicts[report.Verdict]++; report.Verdict == conformance.Refuted || report.Unseen == 0 {
					t.Errorf("run %d, tcp %v, %d bytes of packet %d, %v: %v, %d unseen", i, tcp, size, at+1, packets[at].Frame.Kind, report.Unexplained, report.Unseen)
				}
			}
		}
	}
	if t.Log(verdicts); verdicts[conformance.Unknown] == 0 || verdicts[conformance.Conforms] == 0 {
		t.Error("only one verdict was seen", verdicts)
	}
}

// pcapOf returns a capture file of bare IP with the packets, each incarnation with a stream to each
// other process; of one of the packets it has so many bytes of the frame only.
func pcapOf(packets []capture.Packet, tcp bool, cut, size int) []byte {
	file := slices.Concat([]byte{0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0}, make([]byte, 8), []byte{0, 0, 1, 0, 101, 0, 0, 0})
	next := map[[3]uint32]uint32{}
	for i, p := range packets {
		stream := [3]uint32{uint32(p.Frame.From), uint32(p.Frame.To), p.Frame.Incarnation}
		header := binary.BigEndian.AppendUint16([]byte{0x45, 0}, 0) // the length: all that is there
		header = append(header, 0, 0, 0, 0, 64, 17, 0, 0)
		header = slices.Concat(header, p.From.Addr().AsSlice(), p.To.Addr().AsSlice())
		port := uint16(wire.Port)
		if tcp {
			header[9], port = 6, 40000+uint16(stream[0]*100+stream[1]*10+stream[2]%10)
		}
		header = binary.BigEndian.AppendUint16(header, port)
		header = binary.BigEndian.AppendUint16(header, wire.Port)
		if tcp {
			header = binary.BigEndian.AppendUint32(header, 100+next[stream])
			header = append(header, 0, 0, 0, 0, 0x50, 0x10, 4, 0, 0, 0, 0, 0)
		} else {
			header = append(header, 0, 0, 0, 0)
		}
		next[stream] += uint32(len(p.Bytes))
		whole := append(header, p.Bytes...)
		there := whole
		if i == cut {
			there = whole[:len(header)+size]
		}
		for _, n := range []int64{p.Time.Unix(), int64(p.Time.Nanosecond() / 1000), int64(len(there)), int64(len(whole))} {
			file = binary.LittleEndian.AppendUint32(file, uint32(n))
		}
		file = append(file, there...)
	}
	return file
}

// TestLateStart: a capture that began late is not refuted.
func TestLateStart(t *testing.T) {
	for i, packets := range recorded(t) {
		for _, percent := range []int{5, 20, 50, 80} {
			late := packets[len(packets)*percent/100:]
			report, err := watch(late, func(o *captures.Options) { o.Limit, o.Ring = 1<<12, ascending(3) })
			if err != nil {
				t.Log(i, percent, err)
				continue
			}
			declared, err := watch(late, gaps, func(o *captures.Options) { o.Limit, o.Ring = 1<<12, ascending(3) })
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("run %d from %d %%: %v, %v: %s", i, percent, report.Verdict, declared.Verdict, declared.Reason)
			if report.Verdict == conformance.Refuted || declared.Verdict == conformance.Refuted {
				t.Errorf("run %d from %d %%: %v, declared %v, %v", i, percent, report.Unexplained, declared.Unexplained, declared.Reason)
			}
		}
	}
}

// TestContradictionsInGaps: what no missing packet can make true is refuted, also in a capture that began late
// or that lacks packets, whether or not that is declared.
func TestContradictionsInGaps(t *testing.T) {
	testsize.Alone(t)
	for i, packets := range recorded(t) {
		for _, percent := range []int{0, 5, 50} {
			less := packets[len(packets)*percent/100:]
			places := []int{}
			for at, p := range less {
				if p.Frame.Kind == wire.Data {
					places = append(places, at)
				}
			}
			at := places[len(places)/2]
			if percent == 0 { // nor is one packet before it there
				less = slices.Delete(slices.Clone(less), places[0], places[0]+1)
				at--
			}
			for _, f := range forge.Captures {
				spoilt, ok := f.Forge(less, at)
				if !f.Never || !ok {
					continue
				}
				for declared, change := range map[bool]func(*captures.Options){false: func(*captures.Options) {}, true: gaps} {
					report, err := watch(spoilt, change, func(o *captures.Options) { o.Limit, o.Ring = 1<<10, ascending(3) })
					if err != nil || report.Verdict != conformance.Refuted {
						t.Errorf("%s, run %d from %d %%, gaps %v: %+v %v", f.Name, i, percent, declared, report, err)
					}
				}
			}
		}
	}
}

// TestSilentGaps: where nothing tells that a packet is missing, a refutation says that one which is would explain
// the rest; and of what none explains it does not.
func TestSilentGaps(t *testing.T) {
	packets := recorded(t)[0]
	told := 0
	last := map[spec.ID]wire.Frame{}
	for _, p := range packets {
		if p.Frame.Kind == wire.Data {
			last[p.Frame.From] = p.Frame
		}
	}
	for id, f := range last {
		less := slices.DeleteFunc(without(packets, f), func(p capture.Packet) bool { return p.Frame.Kind == wire.Ack && p.Frame.To == id })
		report, err := explore(less)
		if err != nil {
			t.Fatal(err)
		}
		if report.Verdict != refuted {
			continue
		}
		told++
		if !slices.Contains(report.Unexplained.Counterfactuals, captures.Counterfactual{Change: "if packets are missing, as with --gaps", Result: "the rest is explained", Helps: true}) {
			t.Errorf("without the last message of %v: %v %v", id, report.Unexplained, report.Unexplained.Counterfactuals)
		}
	}
	if told == 0 {
		t.Error("nothing was refuted")
	}
	none, _ := forge.Captures[0].Forge(packets, slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data }))
	report, err := explore(none)
	if err != nil || report.Verdict != refuted || slices.ContainsFunc(report.Unexplained.Counterfactuals, func(t captures.Counterfactual) bool { return strings.Contains(t.Change, "missing") }) {
		t.Errorf("%+v %v", report, err)
	}
}

func explore(packets []capture.Packet) (*captures.Report, error) {
	return captures.Explore(packets, captures.Options{Find: find})
}

// TestLiesInGaps: an acknowledgement of a message that is missing does not hide a lie which nothing explains,
// whatever is missing.
func TestLiesInGaps(t *testing.T) {
	testsize.Alone(t)
	packets := recorded(t)[3]
	acked := without(packets, nth(packets, 5))
	report, err := watch(acked)
	if err != nil || report.Verdict != unknown || !strings.Contains(report.Reason, "packets are missing: ") || !strings.Contains(report.Reason, "it acknowledges all messages of process 3 up to place 2") {
		t.Errorf("%+v %v", report, err)
	}
	lie := nth(packets, 20)
	at := slices.IndexFunc(packets, func(p capture.Packet) bool {
		return p.Frame.Kind == wire.Data && p.Frame.From == lie.From && p.Frame.Incarnation == lie.Incarnation && p.Frame.Sequence == lie.Sequence
	})
	spoilt := forge.Changed(packets, at, func(f *wire.Frame) { f.Body = slices.Clone(f.Body); f.Body[0] ^= 1 })
	report, err = watch(without(spoilt, nth(packets, 5)))
	if err != nil || report.Verdict != refuted || report.Unexplained.Process != lie.From {
		t.Errorf("%+v %v", report, err)
	}
	if _, err := captures.Explanation(without(spoilt, nth(packets, 5)), captures.Options{Find: find}); err == nil {
		t.Error("what is missing is told as a log")
	}
}

// TestTwoPlaces: no message has two places on its link, whatever is missing.
func TestTwoPlaces(t *testing.T) {
	packets := recorded(t)[3]
	at := slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data && p.Frame.Link > 0 })
	twice := slices.Insert(slices.Clone(packets), at+1, packets[at])
	if report, err := watch(twice); err != nil || report.Verdict != conformance.Conforms {
		t.Errorf("%+v %v", report, err)
	}
	twice[at+1].Frame.Link++
	for _, change := range []func(*captures.Options){func(*captures.Options) {}, gaps} {
		report, err := watch(twice, change)
		if err != nil || report.Verdict != refuted || !strings.Contains(report.Unexplained.Reason, "says something else") {
			t.Errorf("%+v %v", report, err)
		}
	}
}

// nth returns the packet number n, from 0, of those with messages.
func nth(packets []capture.Packet, n int) wire.Frame {
	for _, p := range packets {
		if p.Frame.Kind == wire.Data {
			if n--; n < 0 {
				return p.Frame
			}
		}
	}
	panic("there are fewer messages")
}

// TestSpentGaps: a capture that lacks packets, as later ones say, is not refuted where the search for what they
// may have been came to no end.
func TestSpentGaps(t *testing.T) {
	_, packets := plan{machine: bully.Mended, n: 5, seed: 1, crashes: 2, loss: 10, length: time.Second}.record(t)
	spent := 0
	for _, percent := range []int{2, 5, 10, 20} {
		from := len(packets) / 10
		less := slices.Delete(slices.Clone(packets), from, from+len(packets)*percent/100)
		report, err := watch(less, func(o *captures.Options) { o.Limit = 1 << 8 })
		if err != nil {
			t.Fatal(err)
		}
		if report.Verdict == conformance.Refuted {
			t.Errorf("without %d %%: %v, though %d frames are missing", percent, report.Unexplained, report.Unseen)
		}
		if strings.Contains(report.Reason, " did not pass the tap whole, as they or others say, and perhaps what is missing does") {
			spent++
		}
	}
	if spent == 0 {
		t.Error("every search came to its end")
	}
}

// TestBlocks: where a block of packets is missing, of some of which others tell, an honest run is not refuted
// by those of which none does.
func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		machine   spec.Machine
		datagrams bool
		at, size  int
	}{
		{changroberts.Textbook, false, 73, 46},
		{changroberts.Detecting, false, 74, 46},
		{bully.Mended, true, 258, 30},
		{strikebully.Published, false, 459, 50},
		{strikebully.Published, true, 396, 43},
	} {
		name := c.machine.Traits().Name
		_, packets := plan{machine: c.machine, n: 3, seed: 2, loss: 10, crashes: 2, length: time.Second, datagrams: c.datagrams}.record(t)
		report, err := watch(slices.Delete(packets, c.at, c.at+c.size))
		if err != nil {
			t.Fatal(name, err)
		}
		if report.Verdict != conformance.Unknown || report.Unseen == 0 || !strings.Contains(report.Reason, "packets are missing") {
			t.Errorf("%s without %d packets: %v %s %v, %d unseen", name, c.size, report.Verdict, report.Reason, report.Unexplained, report.Unseen)
		}
	}
}

// TestBehindTheNetwork: of a capture that has both sides of the network any packet may be missing: what was
// delivered was sent before, though only that is there.
func TestBehindTheNetwork(t *testing.T) {
	_, inRounds := plan{machine: syncring.Asynchronous, n: 3, seed: 1, length: 2 * time.Second}.record(t)
	for i, packets := range append(recorded(t), inRounds) {
		var both []capture.Packet
		for _, p := range packets {
			p.Interface = capture.Sent.String()
			both = append(both, p)
			p.Interface = capture.Delivered.String()
			both = append(both, p)
		}
		report, err := watch(both)
		if err != nil || report.Verdict != conformance.Conforms || report.Unseen > 0 {
			t.Fatalf("run %d: %+v, %v", i, report, err)
		}
		acks := 0
		for at := len(both) - 1; at >= 0 && acks < testsize.Of(2, 6, 20); at-- { // of a late one nothing else tells
			if p := both[at]; p.Frame.Kind != wire.Ack || p.Delivered() {
				continue
			}
			acks++
			report, err := watch(slices.Delete(slices.Clone(both), at, at+1), func(o *captures.Options) { o.Limit = 1 << 10 })
			if err != nil || report.Verdict == conformance.Refuted {
				t.Errorf("run %d, without packet %d, an acknowledgement: %+v, %v", i, at, report, err)
			}
		}
		chance := rand.New(rand.NewPCG(uint64(i), 8))
		for range testsize.Of(4, 6, 12) {
			less := slices.DeleteFunc(slices.Clone(both), func(capture.Packet) bool { return chance.IntN(100) < 4 })
			for _, change := range []func(*captures.Options){func(*captures.Options) {}, gaps} {
				report, err := watch(less, change, func(o *captures.Options) { o.Limit = 1 << 10 })
				if err != nil {
					t.Fatal(i, err)
				}
				if report.Verdict == conformance.Refuted {
					t.Errorf("run %d, %d of %d packets: %v, %d unseen", i, len(less), len(both), report.Unexplained, report.Unseen)
				}
			}
		}
	}
}

// TestGapsInRounds: in lock step nothing is refuted by what a process sends where packets are missing that it may
// have read; what is no message still is.
func TestGapsInRounds(t *testing.T) {
	missed := 0
	for _, m := range []spec.Machine{syncring.Published, syncring.Asynchronous, syncbully.Mended} {
		name := m.Traits().Name
		_, packets := plan{machine: m, n: 3, seed: 1, length: 2 * time.Second}.record(t)
		for _, gone := range packets {
			if gone.Frame.Kind != wire.Data {
				continue
			}
			report, err := watch(without(packets, gone.Frame), gaps)
			if err != nil {
				t.Fatal(name, err)
			}
			if report.Verdict == conformance.Refuted {
				t.Errorf("%s without message %d of %v: %v", name, gone.Frame.Sequence, gone.Frame.From, report.Unexplained)
			}
			if report.Verdict == conformance.Unknown {
				missed++
			}
		}
		at := slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data })
		spoilt := forge.Changed(packets, at, func(f *wire.Frame) { f.Body = []byte("none") })
		if report, err := watch(spoilt, gaps); err != nil || report.Verdict != conformance.Refuted {
			t.Errorf("%s, a message that is none: %+v, %v", name, report, err)
		}
	}
	if missed == 0 {
		t.Error("no message that is missing is missed")
	}
}

// TestGapsOfCopies: where any packet may be missing, a message may have been handled before
// the first copy of it that is there.
func TestGapsOfCopies(t *testing.T) {
	for i, packets := range recorded(t) {
		for k := range testsize.Of(6, 6, 12) {
			chance := rand.New(rand.NewPCG(uint64(i), uint64(k)))
			less := slices.DeleteFunc(slices.Clone(packets), func(capture.Packet) bool { return chance.IntN(100) < 5+2*k })
			report, err := watch(less, gaps, func(o *captures.Options) { o.Limit = 1 << 12 })
			if err != nil {
				t.Fatal(err)
			}
			if report.Verdict == conformance.Refuted {
				t.Errorf("run %d, %d of %d packets: %v", i, len(less), len(packets), report.Unexplained)
			}
		}
	}
}
