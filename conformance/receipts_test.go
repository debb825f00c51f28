package conformance_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/catalog"
)

// TestDenied: where links keep order, no log can leave out that its process handled a message from
// another, as the wire says that it did.
func TestDenied(t *testing.T) {
	testsize.Alone(t)
	found := 0
	for _, m := range catalog.Machines {
		lockStep := m.Traits().Handles.Has(spec.Round)
		pl := plan{machine: m, n: 3, seed: 3, crashes: 1, length: time.Second}
		if lockStep {
			pl.loss, pl.length = 60, 5*time.Second // so messages come too late
		}
		written, packets := pl.record(t)
		if report := compare(t, written, packets); report.Verdict != conforms {
			t.Errorf("%s: %q", m.Traits().Name, report.Discrepancies)
		}
		for i, log := range written {
			if lockStep {
				break
			}
			records := parse(t, log)
			for at, r := range records {
				if r.Line != runlog.LineStep || r.Input.Received == nil || int(r.Input.Received.From) == i+1 {
					continue
				}
				forged := slices.Clone(written)
				forged[i] = seal(t, slices.Delete(slices.Clone(records), at, at+1), true)
				if by, err := check(forged, logs.AnyFaults); err != nil || by.Verdict != conforms {
					continue
				}
				found++
				report := compare(t, forged, packets)
				if report.Verdict != refuted || !strings.Contains(report.Discrepancies[0], "no log says that it handled it") {
					t.Errorf("%s, process %d, line %d of %d: %s: %+v", m.Traits().Name, i+1, at+1, len(records), r.Input, report)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("%d logs that leave something out conform by themselves", found)
	}
}

// refuses says that the process refuses a message of the first life of process 1.
func (s *scribe) refuses(number uint64) *scribe {
	return s.line(runlog.Record{Line: runlog.LineRefused, Input: &runlog.Input{Event: "receive", Received: &runlog.Letter{
		Name: runlog.Name{From: 1, Incarnation: 1, Sequence: number}, Kind: "message", Message: []byte(`{"Count":0}`)}}})
}

// TestReceipts: a log has as handled what its process acknowledged, and what is before a message that it handled, unless
// that, or one before it, is refused still.
func TestReceipts(t *testing.T) {
	ack := func(last uint64) capture.Packet { return told(wire.Ack, 1, last, last) }
	lists := func(list ...capture.Packet) []capture.Packet {
		return append([]capture.Packet{told(wire.Data, 1, 1, 1), told(wire.Data, 1, 2, 2), told(wire.Data, 1, 3, 3)}, list...)
	}
	hears := func(numbers ...uint64) *scribe {
		s := process(2)
		for _, number := range numbers {
			s.hears(1, 1, number, 0)
		}
		return s
	}
	for _, c := range []struct {
		name    string
		two     *scribe
		packets []capture.Packet
		change  func(*captures.Options)
		denied  []int
	}{
		{"all", hears(1, 2, 3), lists(ack(3)), nil, nil},
		{"nothing is acknowledged", hears(), lists(), nil, nil},
		{"not yet acknowledged", hears(1, 2), lists(ack(2)), nil, nil},
		{"handled and not acknowledged", hears(1, 2, 3), lists(ack(2)), nil, nil},
		{"the last", hears(1, 2), lists(ack(3)), nil, []int{3}},
		{"all of them", hears(), lists(ack(3)), nil, []int{1, 2, 3}},
		{"one in between", hears(1, 3), lists(ack(3)), nil, []int{2}},
		{"one before what was handled", hears(1, 3), lists(ack(1)), nil, []int{2}},
		{"an older acknowledgement comes later", hears(1), lists(ack(2), ack(1)), nil, []int{2}},
		{"refused", hears(1).refuses(2), lists(ack(3)), nil, nil},
		{"refused, as one behind it", hears(1).refuses(2).refuses(3), lists(ack(3)), nil, nil},
		{"before one that is refused", hears(1).refuses(3), lists(ack(3)), nil, []int{2}},
		{"refused, and handled then", hears(1).refuses(2).hears(1, 1, 2, 0), lists(ack(3)), nil, []int{3}},
		{"refused, and one behind it handled", hears(1).refuses(2).hears(1, 1, 3, 0), lists(ack(3)), nil, []int{2}},
		{"refused by a former life", process(2).refuses(1).begin(), []capture.Packet{told(wire.Data, 2, 1, 1), told(wire.Ack, 2, 1, 1)}, nil, []int{1}},
		{"handled by a former life", process(2).hears(1, 1, 1, 0).begin(),
			[]capture.Packet{told(wire.Data, 1, 1, 1), told(wire.Data, 2, 1, 1), told(wire.Ack, 2, 1, 1)}, nil, []int{1}},
		{"where messages may be lost", hears(1), lists(ack(3)), func(o *captures.Options) { o.Network = "bag" }, nil},
		{"with gaps", hears(1), lists(ack(2)), gaps, []int{2}},
		{"not in the capture", hears(1), lists(ack(5)), gaps, []int{2, 3}},
		{"an acknowledgement shows no handling", hears(1), lists(ack(3)), func(o *captures.Options) { o.NoReceives = true }, nil},
		{"but what was handled does", hears(2), lists(ack(3)), func(o *captures.Options) { o.NoReceives = true }, []int{1}},
	} {
		o := captures.Options{Find: findChatter, Ring: ascending(2)}
		if c.change != nil {
			c.change(&o)
		}
		written := []logs.Log{{Name: "1", Reader: bytes.NewReader(process(1).says().says().says().log())}, {Name: "2", Reader: bytes.NewReader(c.two.log())}}
		report, err := captures.Compare(written, c.packets, o)
		if err != nil {
			t.Fatal(c.name, err)
		}
		var denied []int
		for _, lie := range report.Discrepancies {
			n := 0
			if _, err := fmt.Sscanf(lie, "message %d of process 1, incarnation 1, was taken in by", &n); err != nil {
				t.Errorf("%s: %s", c.name, lie)
			}
			denied = append(denied, n)
		}
		if !slices.Equal(denied, c.denied) {
			t.Errorf("%s: %d denied, not %d: %+v", c.name, denied, c.denied, report)
		}
	}
}

// TestNotRefusedAnyMore: who refused a message, and then goes on to something else in a state in which it does
// not, or ends there, has handled it. A process that went down may not have come to that.
func TestNotRefusedAnyMore(t *testing.T) {
	type state struct{ Open, Again bool }
	picky := &spec.Algorithm[state, uint8]{
		Name: "picky/test", Doc: "takes messages once it has noticed something, and refuses them when it notices it again", Source: "this test",
		Receive: func(s *state, p *spec.Proc[uint8], _ spec.ID, m uint8) {
			if !s.Open {
				p.Refuse()
			}
			s.Open, s.Again = m == 7, m != 7
		},
		Election: &spec.Election[state, uint8]{
			Notice: func(s *state, _ *spec.Proc[uint8]) { s.Open, s.Again = !s.Open, s.Open },
			Leader: func(state) spec.ID { return spec.None },
		},
	}
	asks := *picky
	asks.Name, asks.Doc, asks.Oracle = "asks/test", "takes messages once process 1 is down", true
	asks.Receive = func(_ *state, p *spec.Proc[uint8], _ spec.ID, _ uint8) {
		if p.Live().Has(1) {
			p.Refuse()
		}
	}
	letter := func(from spec.ID, message string) *runlog.Input {
		return &runlog.Input{Event: "receive", Received: &runlog.Letter{Name: runlog.Name{From: from, Incarnation: 1, Sequence: 1}, Kind: "message", Message: []byte(message)}}
	}
	refused := runlog.Record{Line: runlog.LineRefused, Input: letter(1, "7")}
	step := func(in *runlog.Input, state string) runlog.Record {
		return runlog.Record{Line: runlog.LineStep, Input: in, State: []byte(state)}
	}
	const closed, open, again = `{"Open":false,"Again":false}`, `{"Open":true,"Again":false}`, `{"Open":false,"Again":true}`
	init, notice, again2 := step(&runlog.Input{Event: "init"}, closed), step(&runlog.Input{Event: "notice"}, open), step(&runlog.Input{Event: "notice"}, again)
	end := runlog.Record{Line: runlog.LineEnd}
	knows := func(event string, live ...spec.ID) runlog.Record {
		set := spec.SetOf(live...)
		return step(&runlog.Input{Event: event, Live: &set}, closed)
	}
	for _, c := range []struct {
		name    string
		machine *spec.Algorithm[state, uint8]
		lines   []runlog.Record
		lie     bool
	}{
		{"it refuses still", picky, []runlog.Record{init, refused, end}, false},
		{"it went down when it could", picky, []runlog.Record{init, refused, notice}, false},
		{"it handled it", picky, []runlog.Record{init, refused, notice, step(letter(1, "7"), open), end}, false},
		{"it handled another first, and refuses it again", picky, []runlog.Record{init, refused, notice, step(letter(2, "8"), again), end}, false},
		{"it ends when it could", picky, []runlog.Record{init, refused, notice, end}, true},
		{"it goes on when it could", picky, []runlog.Record{init, refused, notice, again2}, true},
		{"it ends before it is up", picky, []runlog.Record{refused, end}, false},
		{"1 is up", &asks, []runlog.Record{knows("init", 1, 2), refused, knows("notice", 1, 2)}, false},
		{"1 is down", &asks, []runlog.Record{knows("init", 1, 2), refused, knows("notice", 2)}, true},
		{"it learns that 1 is down", &asks, []runlog.Record{knows("init", 1, 2), refused, knows("suspect", 2)}, false},
		{"it learns that 1 is up", &asks, []runlog.Record{knows("init", 1, 2), refused, knows("restore", 2)}, false},
		{"it does not say who is up", &asks, []runlog.Record{knows("init", 1, 2), refused, notice}, false},
		{"it ends, and does not say who is up", &asks, []runlog.Record{knows("init", 1, 2), refused, end}, false},
	} {
		codec, err := wire.NewCodec(c.machine)
		if err != nil {
			t.Fatal(err)
		}
		two := process(2)
		two.records = two.records[:1] // what comes then is of another machine
		begin := *two.records[0].Begin
		begin.Algorithm, begin.Shape = c.machine.Name, codec.Shape()
		two.records[0].Begin = &begin
		for _, r := range c.lines {
			two.line(r)
		}
		packets := []capture.Packet{told(wire.Data, 1, 1, 1), told(wire.Ack, 1, 1, 1)}
		for i := range packets {
			f := &packets[i].Frame
			f.Algorithm, f.Shape = c.machine.Name, codec.Shape()
			if f.Kind == wire.Data {
				f.Body = []byte{7}
			}
		}
		written := []logs.Log{{Name: "2", Reader: bytes.NewReader(two.log())}}
		report, err := captures.Compare(written, packets, captures.Options{
			Find: func(string) (spec.Machine, error) { return c.machine, nil }, Ring: ascending(2)})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if lies := strings.Join(report.Discrepancies, "\n"); strings.Contains(lies, "no log says that it handled it") != c.lie {
			t.Errorf("%s: %+v", c.name, report)
		}
	}
}
