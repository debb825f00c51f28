package conformance_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/forge"
	"interleave/impl/capture"
	"interleave/impl/wire"
)

// early returns packets as two taps captured them, of which the one of process 1 has a clock that runs
// early. What they say of the time at which they were sent is changed by sent.
func early(packets []capture.Packet, by time.Duration, change func(p *capture.Packet)) []capture.Packet {
	packets = slices.Clone(packets)
	for i := range packets {
		p := &packets[i]
		if p.Frame.From == 1 {
			p.Time, p.Tap = p.Time.Add(-by), 1
		}
		if change != nil {
			change(p)
		}
	}
	slices.SortStableFunc(packets, func(p, q capture.Packet) int { return p.Time.Compare(q.Time) })
	for i := range packets {
		packets[i].Number = i + 1
	}
	return packets
}

// TestSeveralTaps: an honest run is not refuted if the clock of one tap was wrong and something tells that there were
// several, and a reason and a remedy are given. What no order explains is refuted all the same.
func TestSeveralTaps(t *testing.T) {
	silent := func(p *capture.Packet) { p.Frame.Sent = 0 }
	alone := func(p *capture.Packet) { p.Tap = 0 }
	neither := func(p *capture.Packet) { silent(p); alone(p) }
	skew := time.Minute
	oneTap := func(o *captures.Options) { o.Skew = &skew }
	seen := map[string]map[conformance.Verdict]int{}
	for i, packets := range recorded(t) {
		for _, c := range []struct {
			name    string
			packets []capture.Packet
			change  []func(*captures.Options)
			told    string
		}{
			{"by both", early(packets, 300*time.Millisecond, nil), nil, "before it says it was sent"},
			{"by what they say", early(packets, 300*time.Millisecond, alone), nil, "give --skew"},
			{"by interfaces", early(packets, 300*time.Millisecond, silent), nil, "2 interfaces"},
			{"joined", joined(packets, silent), nil, "before the one before it"},
			{"one tap", early(packets, 300*time.Millisecond, nil), []func(*captures.Options){oneTap}, ""},
			{"nothing tells it", early(packets, 300*time.Millisecond, neither), nil, ""},
		} {
			report, err := watch(c.packets, c.change...)
			if err != nil {
				t.Fatal(c.name, i, err)
			}
			if seen[c.name] == nil {
				seen[c.name] = map[conformance.Verdict]int{}
			}
			seen[c.name][report.Verdict]++
			if told := c.told != ""; told && (report.Verdict == refuted || report.Verdict == unknown && !strings.Contains(report.Reason, c.told)) {
				t.Errorf("%s, run %d: %v %s %v", c.name, i, report.Verdict, report.Reason, report.Unexplained)
			}
		}
	}
	for name, verdicts := range seen {
		want := unknown
		if name == "one tap" || name == "nothing tells it" {
			want = refuted
		}
		if verdicts[want] == 0 {
			t.Errorf("%s: %v", name, verdicts)
		}
	}
	packets := recorded(t)[0]
	f := nth(packets, 3)
	at := slices.IndexFunc(packets, func(p capture.Packet) bool {
		return p.Frame.Kind == wire.Data && p.Frame.From == f.From && p.Frame.Sequence == f.Sequence
	})
	lie := early(forge.Changed(packets, at, func(f *wire.Frame) { f.Body = []byte{f.Body[0] ^ 1} }), 300*time.Millisecond, nil)
	if report, err := watch(lie); err != nil || report.Verdict != refuted {
		t.Errorf("%+v, %v", report, err)
	}
}

// joined returns the packets of process 1, and behind them those of the others.
func joined(packets []capture.Packet, change func(p *capture.Packet)) []capture.Packet {
	packets = slices.Clone(packets)
	slices.SortStableFunc(packets, func(p, q capture.Packet) int { return min(1, int(p.Frame.From)-1) - min(1, int(q.Frame.From)-1) })
	for i := range packets {
		change(&packets[i])
		packets[i].Number, packets[i].Tap = i+1, 0
	}
	return packets
}
