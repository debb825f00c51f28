package conformance_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/impl"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec/bully"
	"interleave/spec/syncbully"
)

// compare compares logs with packets.
func compare(t *testing.T, logs [][]byte, packets []capture.Packet) *conformance.BothReport {
	var in []conformance.Log
	for i, text := range logs {
		in = append(in, conformance.Log{Name: fmt.Sprintf("process-%d.ndjson", i+1), Reader: bytes.NewReader(text)})
	}
	report, err := conformance.CompareWithWire(in, packets, conformance.CaptureOptions{Find: find})
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
		logs, packets := pl.record(t)
		report := compare(t, logs, packets)
		if report.Verdict != conformance.Conforms || report.Sent < 5 || report.Handled < 5 {
			t.Errorf("datagrams %v: %+v", datagrams, report)
		}
		for _, c := range []struct {
			name string
			lie  func() ([][]byte, []capture.Packet)
			want string
		}{
			{"another message in the log", func() ([][]byte, []capture.Packet) {
				return relog(t, logs, func(s *impl.Sent) { s.Kind, s.Message = "OK", []byte("1") }), packets
			}, "and on the wire it is"},
			{"to another in the log", func() ([][]byte, []capture.Packet) {
				return relog(t, logs, func(s *impl.Sent) { s.To = s.To%3 + 1 }), packets
			}, "and on the wire it is"},
			{"a message that the log does not have", func() ([][]byte, []capture.Packet) {
				p := packets[slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data })]
				p.Frame.Sequence += 500
				return logs, append(slices.Clone(packets), p)
			}, "and no log has it"},
			{"a message that is handled and was never sent", func() ([][]byte, []capture.Packet) {
				return logs, without(packets, handled(t, logs))
			}, "which the network did not carry"},
			{"a message that was acknowledged and never sent", func() ([][]byte, []capture.Packet) {
				return logs, without(packets, handled(t, logs))
			}, map[bool]string{false: "though it, or a later one, is acknowledged", true: "which the network did not carry"}[datagrams]},
		} {
			report := compare(t, first2(c.lie()), second2(c.lie()))
			if report.Verdict != conformance.Refuted || !strings.Contains(strings.Join(report.Lies, "\n"), c.want) {
				t.Errorf("datagrams %v, %s: %+v", datagrams, c.name, report)
			}
		}
	}
}

// TestRoundsOnTheWire: logs in which all rounds are moved are a run of the algorithm, and the wire
// says in which rounds the messages were sent.
func TestRoundsOnTheWire(t *testing.T) {
	logs, packets := plan{machine: syncbully.Mended, n: 3, seed: 1, crashes: 1, length: 5 * time.Second}.record(t)
	if report := compare(t, logs, packets); report.Verdict != conformance.Conforms || report.Sent < 5 || report.Handled < 5 {
		t.Errorf("%+v", report)
	}
	for by, want := range map[int64]string{1: "and on the wire it is of round", 0: "", 2: "and on the wire that is of round"} {
		var moved [][]byte
		for _, log := range logs {
			records := parse(t, log)
			for _, r := range records {
				if r.Input != nil && r.Input.Round > 0 {
					r.Input.Round += by
				}
			}
			moved = append(moved, seal(t, records, false))
		}
		if report, err := check(moved, conformance.AnyFaults); err != nil || report.Verdict != conformance.Conforms {
			t.Error(by, report, err)
		}
		lies := strings.Join(compare(t, moved, packets).Lies, "\n")
		if !strings.Contains(lies, want) || (lies == "") != (want == "") {
			t.Errorf("by %d rounds: %s, not %s", by, lies, want)
		}
	}
}

func first2[A, B any](a A, _ B) A  { return a }
func second2[A, B any](_ A, b B) B { return b }

// handled returns the name of a message that a log says was handled.
func handled(t *testing.T, logs [][]byte) (f wire.Frame) {
	for i, log := range logs {
		for _, r := range parse(t, log) {
			if r.Input != nil && r.Input.Received != nil && int(r.Input.Received.From) != i+1 {
				f.Kind, f.From, f.Incarnation, f.Sequence = wire.Data, r.Input.Received.From, r.Input.Received.Incarnation, r.Input.Received.Sequence
			}
		}
	}
	return f
}

// relog changes the first message that a log has, and seals the log.
func relog(t *testing.T, logs [][]byte, change func(*impl.Sent)) [][]byte {
	out := slices.Clone(logs)
	for i, log := range logs {
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
