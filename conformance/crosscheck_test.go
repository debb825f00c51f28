package conformance_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/syncbully"
)

// compare compares logs with packets.
func compare(t *testing.T, written [][]byte, packets []capture.Packet, change ...func(*captures.Options)) *captures.Crosscheck {
	t.Helper()
	o := captures.Options{Find: find}
	for _, f := range change {
		f(&o)
	}
	var in []logs.Log
	for i, text := range written {
		in = append(in, logs.Log{Name: fmt.Sprintf("process-%d.ndjson", i+1), Reader: bytes.NewReader(text)})
	}
	report, err := captures.Compare(in, packets, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestLogsThatLieAboutTheWire: honest logs and captures agree; a log whose chain
// is right, and that conforms, is found out if the wire says otherwise.
func TestLogsThatLieAboutTheWire(t *testing.T) {
	for _, datagrams := range []bool{false, true} {
		pl := plan{machine: bully.Mended, n: 3, seed: 1, loss: 10, crashes: 2, length: time.Second, datagrams: datagrams}
		written, packets := pl.record(t)
		report := compare(t, written, packets)
		if report.Verdict != conformance.Conforms || report.Sent < 5 || report.Handled < 5 {
			t.Errorf("datagrams %v: %+v", datagrams, report)
		}
		for _, c := range []struct {
			name string
			lie  func() ([][]byte, []capture.Packet)
			want string
		}{
			{"another message in the log", func() ([][]byte, []capture.Packet) {
				return relog(t, written, func(s *runlog.Sent) { s.Kind, s.Message = "OK", []byte("1") }), packets
			}, "and on the wire it is"},
			{"to another in the log", func() ([][]byte, []capture.Packet) {
				return relog(t, written, func(s *runlog.Sent) { s.To = s.To%3 + 1 }), packets
			}, "and on the wire it is"},
			{"a message that the log does not have", func() ([][]byte, []capture.Packet) {
				p := packets[slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data })]
				p.Frame.Sequence += 500
				return written, append(slices.Clone(packets), p)
			}, "and no log has it"},
			{"a message that is handled and was never sent", func() ([][]byte, []capture.Packet) {
				return written, without(packets, handled(t, written))
			}, "which the network did not carry"},
			{"a message that was acknowledged and never sent", func() ([][]byte, []capture.Packet) {
				return written, without(packets, handled(t, written))
			}, map[bool]string{false: "though it, or a later one, is acknowledged", true: "which the network did not carry"}[datagrams]},
		} {
			report := compare(t, first2(c.lie()), second2(c.lie()))
			if report.Verdict != conformance.Refuted || !strings.Contains(strings.Join(report.Discrepancies, "\n"), c.want) {
				t.Errorf("datagrams %v, %s: %+v", datagrams, c.name, report)
			}
		}
	}
}

func cut(o *captures.Options) { o.Cut = true }

// TestMissingOnTheWire: a capture that ended early, or lacks packets, agrees with honest logs if
// that is declared, also where both sides of the network were captured; and what is there is believed.
func TestMissingOnTheWire(t *testing.T) {
	for _, pl := range []plan{
		{machine: bully.Mended, n: 3, seed: 1, loss: 10, crashes: 2},
		{machine: bully.Mended, n: 3, seed: 2, loss: 10, crashes: 2, datagrams: true},
		{machine: syncbully.Mended, n: 3, seed: 1, crashes: 1, length: 5 * time.Second},
	} {
		pl.length = max(pl.length, time.Second)
		written, packets := pl.record(t)
		undeclared := 0
		for end := 1 + len(packets)/10; end < len(packets); end += 1 + len(packets)/25 {
			if compare(t, written, packets[:end]).Verdict == conformance.Refuted {
				undeclared++
			}
			report := compare(t, written, packets[:end], cut)
			if report.Verdict != conformance.Conforms {
				t.Errorf("%+v: cut at %d of %d: %q", pl, end, len(packets), report.Discrepancies)
			}
			chance := rand.New(rand.NewPCG(uint64(end), 7))
			fewer := slices.DeleteFunc(slices.Clone(packets), func(p capture.Packet) bool {
				return p.Frame.Kind != wire.Hello && chance.IntN(len(packets)) > end
			})
			if report := compare(t, written, fewer, gaps); report.Verdict != conformance.Conforms {
				t.Errorf("%+v: %d of %d: %q", pl, len(fewer), len(packets), report.Discrepancies)
			}
		}
		if undeclared == 0 {
			t.Errorf("%+v: nothing was missing", pl)
		}
		forged := relog(t, written, func(s *runlog.Sent) { s.To = s.To%3 + 1 })
		for _, declared := range []func(*captures.Options){cut, gaps} {
			if report := compare(t, forged, packets, declared); report.Verdict != conformance.Refuted {
				t.Errorf("%+v: to another in the log: %+v", pl, report)
			}
		}
	}
}

// TestNothingOnTheWire: a capture without a packet may have been taken elsewhere, unless nothing was to be
// in it: a process alone tells only itself.
func TestNothingOnTheWire(t *testing.T) {
	alone := plan{machine: changroberts.Naive, n: 1, seed: 1, length: time.Second}.play(t)
	if report := compare(t, alone, nil); report.Verdict != conforms || report.Itself == 0 {
		t.Errorf("%+v", report)
	}
	written := plan{machine: bully.Mended, n: 2, seed: 1, length: time.Second}.play(t)
	if report := compare(t, written, nil); report.Verdict != unknown || len(report.Discrepancies) > 0 || !strings.Contains(report.Reason, "none of the messages that are logged") {
		t.Errorf("%+v", report)
	}
	if report := compare(t, [][]byte{nil, written[1]}, nil); report.Verdict != unknown {
		t.Errorf("%+v", report)
	}
	for _, declared := range []func(*captures.Options){cut, gaps} {
		if report := compare(t, written, nil, declared); report.Verdict != conforms || report.Silent == 0 || report.Unseen == 0 {
			t.Errorf("%+v", report)
		}
	}
	written[0] = append(written[0], "{}\n"...)
	if report := compare(t, written, nil); report.Verdict != refuted {
		t.Errorf("%+v", report)
	}
	if report := compare(t, [][]byte{process(1).says().log(), process(2).refuses(1).log()}, nil); report.Verdict != unknown {
		t.Errorf("who refuses what is not there: %+v", report)
	}
}

// TestPartsOnTheWire: where the tap did not take all of a packet, what is not on the wire contradicts no log, and
// they do not agree either; what is there is believed.
func TestPartsOnTheWire(t *testing.T) {
	for _, datagrams := range []bool{false, true} {
		written, packets := plan{machine: bully.Mended, n: 3, seed: 1, loss: 10, length: time.Second, datagrams: datagrams}.record(t)
		part := capture.Packet{Err: fmt.Errorf("%w: 5 bytes", capture.ErrMissing)}
		if report := compare(t, written, append(slices.Clone(packets), part)); report.Verdict != conforms {
			t.Errorf("%v: nothing is missing, and a part is there: %+v", datagrams, report)
		}
		less := without(packets, handled(t, written))
		if report := compare(t, written, less); report.Verdict != refuted {
			t.Errorf("%v: %+v", datagrams, report)
		}
		less = append(less, part)
		if report := compare(t, written, less); report.Verdict != unknown || len(report.Discrepancies) == 0 || !strings.Contains(report.Reason, "packets are missing: 1 ") {
			t.Errorf("%v, and a part is there: %+v", datagrams, report)
		}
		if report := compare(t, relog(t, written, func(s *runlog.Sent) { s.To = s.To%3 + 1 }), less); report.Verdict != refuted {
			t.Errorf("%v, to another in the log, and a part is there: %+v", datagrams, report)
		}
	}
}

// TestCarriedTooLate: what a process handled was carried before what it sent then. A copy may come later, and
// what it had sent before may come as late as it likes.
func TestCarriedTooLate(t *testing.T) {
	from := func(p capture.Packet) capture.Packet { // the same of process 2
		p.Frame.From, p.Frame.To, p.From, p.To = 2, 1, p.To, p.From
		return p
	}
	heard := told(wire.Data, 1, 1, 0)
	came := heard
	came.Interface = capture.Delivered.String()
	before, after := from(told(wire.Data, 1, 1, 0)), from(told(wire.Data, 1, 2, 0))
	two := process(2).says().hears(1, 1, 1, 0).says()
	codec, err := wire.NewCodec(gossip)
	if err != nil {
		t.Fatal(err)
	}
	if after.Frame.Body, err = codec.Append(nil, word{1}); err != nil {
		t.Fatal(err)
	}
	part := capture.Packet{Err: capture.ErrMissing}
	for _, c := range []struct {
		name    string
		packets []capture.Packet
		gaps    bool
		verdict conformance.Verdict
	}{
		{"in order", []capture.Packet{before, heard, after}, false, conforms},
		{"a copy", []capture.Packet{before, heard, after, heard}, false, conforms},
		{"what was sent before is late", []capture.Packet{heard, after, before}, false, conforms},
		{"carried after it", []capture.Packet{before, after, heard}, false, refuted},
		{"delivered after it", []capture.Packet{before, heard, after, came}, false, refuted},
		{"delivered before it", []capture.Packet{before, heard, came, after}, false, conforms},
		{"the first copy may be missing", []capture.Packet{before, after, heard, part}, false, unknown},
		{"with gaps", []capture.Packet{before, after, heard}, true, conforms},
	} {
		written := []logs.Log{{Name: "1", Reader: bytes.NewReader(process(1).says().log())}, {Name: "2", Reader: bytes.NewReader(two.log())}}
		report, err := captures.Compare(written, c.packets, captures.Options{Find: findChatter, Ring: ascending(2), Gaps: c.gaps})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if lies := strings.Join(report.Discrepancies, "\n"); report.Verdict != c.verdict || strings.Contains(lies, "had handled message 1 of process 1, incarnation 1, before, which the network carried later") != (c.verdict != conforms) {
			t.Errorf("%s: %+v", c.name, report)
		}
	}
}

// TestBehindTheCut: whoever sent something that is in the capture has handled what it had until then
// before the end of the capture.
func TestBehindTheCut(t *testing.T) {
	first, second := told(wire.Data, 1, 1, 1), told(wire.Data, 1, 2, 2)
	answer := func(count int) capture.Packet { // of process 2
		codec, err := wire.NewCodec(gossip)
		if err != nil {
			t.Fatal(err)
		}
		p := told(wire.Data, 1, 1, 1)
		p.Frame.From, p.Frame.To, p.From, p.To = 2, 1, p.To, p.From
		if p.Frame.Body, err = codec.Append(nil, word{count}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	came := func(p capture.Packet) capture.Packet { p.Interface = capture.Delivered.String(); return p }
	later := told(wire.Data, 2, 1, 1)
	both := process(2).hears(1, 1, 1, 0).hears(1, 1, 2, 0)
	for _, c := range []struct {
		name      string
		two       *scribe // who hears messages of 1
		packets   []capture.Packet
		unseen    int // if it was cut
		lie, gaps bool
	}{
		{"all", both, []capture.Packet{first, second}, 0, false, false},
		{"behind the end", both, []capture.Packet{first}, 1, false, false},
		{"answered behind the end", process(2).hears(1, 1, 1, 0).hears(1, 1, 2, 0).says(), []capture.Packet{first}, 1, false, false},
		{"answered before it", process(2).hears(1, 1, 1, 0).hears(1, 1, 2, 0).says(), []capture.Packet{first, answer(2)}, 0, true, false},
		{"heard after an answer", process(2).hears(1, 1, 1, 0).says().hears(1, 1, 2, 0), []capture.Packet{first, answer(1)}, 1, false, false},
		{"delivered behind the end", both, []capture.Packet{first, came(first), second}, 1, false, false},
		{"for another life, whose copy is behind the end", process(2).hears(1, 1, 1, 0), []capture.Packet{later}, 1, false, false},
		{"for another life, answered", process(2).hears(1, 1, 1, 0).says(), []capture.Packet{later, answer(1)}, 0, true, false},
		{"what no log has", process(2).hears(1, 1, 1, 0), []capture.Packet{answer(1)}, 1, true, true},
	} {
		written := func() []logs.Log {
			return []logs.Log{{Name: "1", Reader: bytes.NewReader(process(1).says().says().log())}, {Name: "2", Reader: bytes.NewReader(c.two.log())}}
		}
		o := captures.Options{Find: findChatter, Ring: ascending(2), Cut: true}
		report, err := captures.Compare(written(), c.packets, o)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if (len(report.Discrepancies) > 0) != c.lie || report.Unseen != c.unseen {
			t.Errorf("%s: %+v", c.name, report)
		}
		o.Cut, o.Gaps = false, true
		if report, err = captures.Compare(written(), c.packets, o); err != nil || (len(report.Discrepancies) > 0) != c.gaps {
			t.Errorf("%s, with gaps: %+v %v", c.name, report, err)
		}
	}
}

// TestManyLies: what contradicts each other is told in the order of the messages, and how much more of it there is.
func TestManyLies(t *testing.T) {
	one, two := process(1), process(2)
	var packets []capture.Packet
	for n := uint64(30); n > 0; n-- {
		packets = append(packets, told(wire.Data, 1, n, n)) // which no log has
		two.hears(1, 2, n, 0)
	}
	written := []logs.Log{{Name: "1", Reader: bytes.NewReader(one.log())}, {Name: "2", Reader: bytes.NewReader(two.log())}}
	report, err := captures.Compare(written, packets, captures.Options{Find: findChatter, Ring: ascending(2)})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Discrepancies) != 20 || report.More != 40 || report.Verdict != conformance.Refuted {
		t.Fatalf("%+v", report)
	}
	for i, lie := range report.Discrepancies {
		if want := fmt.Sprintf("message %d of process 1, incarnation 1, is on the wire, and no log has it", i+1); lie != want {
			t.Errorf("%d: %s, not %s", i, lie, want)
		}
	}
}

// TestRoundsOnTheWire: logs in which all rounds are moved, as if the processes had slept at first, are a run of
// the algorithm, and the wire says in which rounds the messages were sent.
func TestRoundsOnTheWire(t *testing.T) {
	written, packets := plan{machine: syncbully.Mended, n: 3, seed: 1, crashes: 1, length: 5 * time.Second}.record(t)
	if report := compare(t, written, packets); report.Verdict != conformance.Conforms || report.Sent < 5 || report.Handled < 5 {
		t.Errorf("%+v", report)
	}
	for by, want := range map[int64]string{1: "and on the wire it is of round", 0: "", 2: "and on the wire that is of round"} {
		var moved [][]byte
		for _, log := range written {
			records := parse(t, log)
			first := 0
			for i, r := range records {
				if r.Input != nil && r.Input.Round > 0 {
					r.Input.Round += by
					first = cmp.Or(first, i)
				}
			}
			slept := &runlog.Record{Line: runlog.LineBreach, Process: records[0].Process, Incarnation: 1, Leader: records[0].Leader, Breach: &runlog.Breach{Kind: runlog.BreachRound, Rounds: by, Delta: records[0].Begin.Delta}}
			if by > 0 {
				records = slices.Insert(records, first, slept)
			}
			moved = append(moved, seal(t, records, true))
		}
		if report, err := check(moved, logs.AnyFaults); err != nil || report.Verdict != conformance.Conforms {
			t.Error(by, report, err)
		}
		lies := strings.Join(compare(t, moved, packets).Discrepancies, "\n")
		if !strings.Contains(lies, want) || (lies == "") != (want == "") {
			t.Errorf("by %d rounds: %s, not %s", by, lies, want)
		}
	}
}

// told is a frame of a message of process 1 to 2, or of an acknowledgement of it.
func told(kind wire.Kind, life uint32, sequence, link uint64) capture.Packet {
	codec, err := wire.NewCodec(gossip)
	if err != nil {
		panic(err)
	}
	f := wire.Frame{Header: wire.Header{
		Kind: kind, Algorithm: gossip.Name, Shape: codec.Shape(), Run: 1, From: 1, To: 2, Incarnation: 1, Acked: life, Sequence: sequence, Link: link,
	}}
	if kind == wire.Ack {
		f.From, f.To, f.Incarnation, f.Acked = 2, 1, life, 1
	} else if f.Body, err = codec.Append(nil, word{}); err != nil {
		panic(err)
	}
	return capture.Packet{Frame: f, From: home(f.From), To: home(f.To)}
}

// TestNeverOnTheWire: of a message that was logged and never left, an acknowledgement counts of the life
// of the receiver that the message was for. What was for a former life may have gone down with
// that, and the sender before it said so.
func TestNeverOnTheWire(t *testing.T) {
	heartbeat := told(wire.Heartbeat, 1, 0, 0)
	for _, c := range []struct {
		name    string
		log     *scribe // of process 1
		packets []capture.Packet
		lie     bool
	}{
		{"all are there", process(1).says().says(), []capture.Packet{told(wire.Data, 1, 1, 1), told(wire.Data, 1, 2, 2), told(wire.Ack, 1, 2, 2)}, false},
		{"not yet", process(1).says().says(), []capture.Packet{told(wire.Data, 1, 1, 1), told(wire.Ack, 1, 1, 1)}, false},
		{"one is missing", process(1).says().says().says(), []capture.Packet{told(wire.Data, 1, 1, 1), told(wire.Data, 1, 3, 2), told(wire.Ack, 1, 3, 2)}, true},
		{"the first is missing", process(1).says().says(), []capture.Packet{told(wire.Data, 1, 2, 1), told(wire.Ack, 1, 2, 1)}, true},
		{"the first to a late life", process(1).says().says(), []capture.Packet{told(wire.Data, 2, 2, 1), told(wire.Ack, 2, 2, 1)}, true},
		{"for a former life", process(1).says().says().says(),
			[]capture.Packet{told(wire.Data, 1, 1, 1), told(wire.Ack, 1, 1, 1), told(wire.Data, 2, 3, 1), told(wire.Ack, 2, 3, 1)}, false},
		{"for a former life that was met", process(1).says().says(), []capture.Packet{heartbeat, told(wire.Data, 2, 2, 1), told(wire.Ack, 2, 2, 1)}, false},
		{"for the later life", process(1).says().says().says(), []capture.Packet{heartbeat, told(wire.Data, 2, 1, 1), told(wire.Data, 2, 3, 2), told(wire.Ack, 2, 3, 2)}, true},
		{"given up", process(1).says().says().says().line(runlog.Record{Line: runlog.LineLost, Lost: []runlog.Name{{From: 1, Incarnation: 1, Sequence: 2}}}),
			[]capture.Packet{told(wire.Data, 1, 1, 1), told(wire.Data, 1, 3, 2), told(wire.Ack, 1, 3, 2)}, false},
	} {
		two := process(2) // who has handled all of that
		for _, p := range c.packets {
			for p.Frame.Kind == wire.Data && two.life < p.Frame.Acked {
				two.begin()
			}
			if p.Frame.Kind == wire.Data {
				two.hears(1, 1, p.Frame.Sequence, 0)
			}
		}
		written := []logs.Log{{Name: "1", Reader: bytes.NewReader(c.log.log())}, {Name: "2", Reader: bytes.NewReader(two.log())}}
		report, err := captures.Compare(written, c.packets, captures.Options{Find: findChatter, Ring: ascending(2)})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if lies := strings.Join(report.Discrepancies, "\n"); strings.Contains(lies, "which is not on the wire though it, or a later one, is acknowledged") != c.lie || (lies == "") == c.lie {
			t.Errorf("%s: %+v", c.name, report)
		}
	}
}

// TestToAnotherLife: what the wire carried to one life of a process only, no other handles; what went to
// two of them, either may.
func TestToAnotherLife(t *testing.T) {
	for _, c := range []struct {
		name     string
		two      *scribe
		acked    []uint32 // lives of process 2 that the message goes to
		tapped   bool     // the first of them is what was sent, and the others were delivered
		conforms bool
	}{
		{"to its life", process(2).begin().hears(1, 1, 1, 0), []uint32{2}, false, true},
		{"to its first life", process(2).hears(1, 1, 1, 0).begin(), []uint32{1}, false, true},
		{"to a former life", process(2).begin().hears(1, 1, 1, 0), []uint32{1}, false, false},
		{"to a later life", process(2).hears(1, 1, 1, 0).begin(), []uint32{2}, false, false},
		{"to nobody", process(2).hears(1, 1, 1, 0), []uint32{0}, false, false},
		{"to both", process(2).begin().hears(1, 1, 1, 0), []uint32{1, 2}, false, true},
		{"delivered", process(2).begin().hears(1, 1, 1, 0), []uint32{2, 2}, true, true},
		{"delivered to a former life", process(2).begin().hears(1, 1, 1, 0), []uint32{2, 1}, true, false},
	} {
		var packets []capture.Packet
		for i, life := range c.acked {
			p := told(wire.Data, life, 1, 1)
			if i > 0 && c.tapped {
				p.Interface = capture.Delivered.String()
			}
			packets = append(packets, p)
		}
		written := []logs.Log{{Name: "1", Reader: bytes.NewReader(process(1).says().log())}, {Name: "2", Reader: bytes.NewReader(c.two.log())}}
		report, err := captures.Compare(written, packets, captures.Options{Find: findChatter, Ring: ascending(2)})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if lies := strings.Join(report.Discrepancies, "\n"); (lies == "") != c.conforms || lies != "" && !strings.Contains(lies, "which the network did not carry to this life of it") {
			t.Errorf("%s: %+v", c.name, report)
		}
	}
}

func first2[A, B any](a A, _ B) A  { return a }
func second2[A, B any](_ A, b B) B { return b }

// handled returns the name of a message that a log says was handled.
func handled(t *testing.T, written [][]byte) (f wire.Frame) {
	for i, log := range written {
		for _, r := range parse(t, log) {
			if r.Input != nil && r.Input.Received != nil && int(r.Input.Received.From) != i+1 {
				f.Kind, f.From, f.Incarnation, f.Sequence = wire.Data, r.Input.Received.From, r.Input.Received.Incarnation, r.Input.Received.Sequence
			}
		}
	}
	return f
}

// relog changes the first message that a log has, and seals the log.
func relog(t *testing.T, written [][]byte, change func(*runlog.Sent)) [][]byte {
	out := slices.Clone(written)
	for i, log := range written {
		records := parse(t, log)
		for _, r := range records {
			if len(r.Sends) > 0 {
				change(&r.Sends[0])
				out[i] = seal(t, records, false)
				return out
			}
		}
	}
	return out
}

// TestOfAnotherRun: logs are not compared with a capture of another run, or of another algorithm.
func TestOfAnotherRun(t *testing.T) {
	written, packets := plan{machine: bully.Mended, n: 3, seed: 1, length: time.Second}.record(t)
	other, err := wire.NewCodec(changroberts.Textbook)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		change     func(f *wire.Frame)
	}{
		{"another run", "process-1.ndjson: it is of run ", func(f *wire.Frame) { f.Run++ }},
		{"another algorithm", "process-1.ndjson: it is of bully/mended, and the capture is of chang-roberts/", func(f *wire.Frame) {
			f.Algorithm, f.Shape = changroberts.Textbook.Name, other.Shape()
		}},
	} {
		forged := slices.DeleteFunc(slices.Clone(packets), func(p capture.Packet) bool { return p.Frame.Kind == wire.Data || p.Frame.Kind == wire.Ack })
		for i := range forged {
			c.change(&forged[i].Frame)
		}
		var in []logs.Log
		for i, text := range written {
			in = append(in, logs.Log{Name: fmt.Sprintf("process-%d.ndjson", i+1), Reader: bytes.NewReader(text)})
		}
		report, err := captures.Compare(in, forged, captures.Options{Find: find})
		var unusable *conformance.UnusableError
		if !errors.As(err, &unusable) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, %+v", c.name, err, report)
		}
	}
}

// TestSilentProcess: a process that has not spoken yet did nothing, and that explains a capture.
func TestSilentProcess(t *testing.T) {
	_, packets := plan{machine: bully.Mended, n: 3, seed: 1, length: time.Second}.record(t)
	at := slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data })
	first := packets[at].Frame
	few := slices.DeleteFunc(slices.Clone(packets[:at+1]), func(p capture.Packet) bool { return p.Frame.From != first.From && p.Frame.From != first.To })
	report, err := captures.Explore(few, captures.Options{Find: find, Ring: ascending(3)})
	if err != nil || report.Verdict != conformance.Conforms {
		t.Errorf("%v, %+v", err, report)
	}
}

// TestNoPlace: an acknowledgement of a message at no place of a link is of another kind of network.
func TestNoPlace(t *testing.T) {
	_, packets := plan{machine: bully.Mended, n: 3, seed: 1, length: time.Second}.record(t)
	at := slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Ack })
	packets[at].Frame.Link = 0
	if report, err := captures.Explore(packets, captures.Options{Find: find}); err == nil || !strings.Contains(err.Error(), "have none: a capture is of processes that are set alike") {
		t.Errorf("%v, %+v", err, report)
	}
}
