package cli

import (
	"strings"
	"testing"

	"interleave/conformance"
	"interleave/spec"
)

// TestKindsOfOneLine: a message may call itself what it likes, and takes one row all the same.
func TestKindsOfOneLine(t *testing.T) {
	const row = "  receive TWO LINES              1\n"
	kinds := []conformance.KindCount{{Kind: "receive TWO\nLINES", Count: 1}}
	var out strings.Builder
	tl := &tool{out: &out}
	tl.tellConformance(&conformance.Report{Kinds: kinds, Verdict: conformance.Conforms}, conformance.Budget{})
	tl.tellCapture("some.pcapng", &conformance.CaptureReport{Messages: kinds, Verdict: conformance.Conforms})
	if got := strings.Count(out.String(), row); got != 2 {
		t.Errorf("%d rows %q in\n%s", got, row, out.String())
	}

	twice := &spec.Algorithm[bool, uint8]{
		Name: "twice", Doc: "says one thing in two lines", Source: "this test",
		Notice: func(said *bool, p *spec.Proc[uint8]) {
			if *said {
				p.Refuse()
				return
			}
			*said = true
			p.Broadcast(p.Others(), 0)
		},
		Receive: func(*bool, *spec.Proc[uint8], spec.ID, uint8) {},
		Kinds:   []string{"TWO\nLINES"},
		Leader:  func(bool) spec.ID { return spec.None },
	}
	mc(t.Context(), "conform --drive twice --n 2", twice).expect(t, exitHolds, row[:20])
}
