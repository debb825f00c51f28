package conformance_test

import (
	"fmt"
	"slices"
	"testing"

	"interleave/conformance"
	"interleave/impl/capture"
	"interleave/impl/wire"
)

// forgery changes a capture at a packet that has a message; nil if it cannot.
type forgery struct {
	name  string
	want  []conformance.Verdict // one of them in each place
	spoil func(packets []capture.Packet, i int) []capture.Packet
}

// changed returns a capture in which every copy of a message is changed.
func changed(packets []capture.Packet, i int, change func(*wire.Frame)) []capture.Packet {
	all, f := slices.Clone(packets), packets[i].Frame
	for j, p := range all {
		if p.Frame.Kind == wire.Data && p.Frame.From == f.From && p.Frame.Incarnation == f.Incarnation && p.Frame.Sequence == f.Sequence {
			change(&all[j].Frame)
		}
	}
	return all
}

const refuted, unknown, conforms = conformance.Refuted, conformance.Unknown, conformance.Conforms

var forgeries = []forgery{
	{"no message of the algorithm", []conformance.Verdict{refuted}, func(packets []capture.Packet, i int) []capture.Packet {
		return changed(packets, i, func(f *wire.Frame) { f.Body = []byte{99, 99, 99} })
	}},
	{"two messages under one name", []conformance.Verdict{refuted}, func(packets []capture.Packet, i int) []capture.Packet {
		p := packets[i]
		p.Frame.Body = slices.Clone(p.Frame.Body)
		p.Frame.Body[0] ^= 1
		return slices.Insert(slices.Clone(packets), i+1, p)
	}},
	{"a copy", []conformance.Verdict{conforms}, func(packets []capture.Packet, i int) []capture.Packet {
		return append(slices.Clone(packets), packets[i])
	}},
	{"a place on the link that it cannot have", []conformance.Verdict{refuted}, func(packets []capture.Packet, i int) []capture.Packet {
		if packets[i].Frame.Link == 0 {
			return nil
		}
		return changed(packets, i, func(f *wire.Frame) { f.Link += 1000 })
	}},
	{"a message that nobody sent", []conformance.Verdict{refuted, unknown}, func(packets []capture.Packet, i int) []capture.Packet {
		p := packets[i]
		if i+1 < len(packets) { // behind all of its process
			for _, q := range packets {
				if q.Frame.Kind == wire.Data && q.Frame.From == p.Frame.From && q.Frame.Sequence > p.Frame.Sequence {
					return nil
				}
			}
		}
		p.Frame.Sequence += 50
		if p.Frame.Link > 0 {
			p.Frame.Link += 50
		}
		return append(slices.Clone(packets), p)
	}},
	{"before all others", []conformance.Verdict{refuted, unknown, conforms}, func(packets []capture.Packet, i int) []capture.Packet {
		return slices.Insert(slices.Delete(slices.Clone(packets), i, i+1), 0, packets[i])
	}},
	{"to another", []conformance.Verdict{refuted, unknown, conforms}, func(packets []capture.Packet, i int) []capture.Packet {
		return changed(packets, i, func(f *wire.Frame) {
			for f.To = f.To%3 + 1; f.To == f.From; f.To = f.To%3 + 1 {
			}
		})
	}},
	{"another message", []conformance.Verdict{refuted, unknown, conforms}, func(packets []capture.Packet, i int) []capture.Packet {
		return changed(packets, i, func(f *wire.Frame) {
			f.Body = slices.Clone(f.Body)
			f.Body[0] ^= 1
		})
	}},
}

// TestForgedCaptures spoils captures at every message, and wants the verdicts
// that a forgery must have; those that can be honest have to be refuted somewhere.
func TestForgedCaptures(t *testing.T) {
	runs := recorded(t)
	for _, f := range forgeries {
		counts := map[conformance.Verdict]int{}
		for r, packets := range runs {
			for i, p := range packets {
				if p.Frame.Kind != wire.Data || p.Frame.Sequence%2 == 0 {
					continue
				}
				spoilt := f.spoil(packets, i)
				if spoilt == nil {
					continue
				}
				report, err := watch(spoilt)
				if err != nil {
					t.Fatal(f.name, r, i, err)
				}
				counts[report.Verdict]++
				if !slices.Contains(f.want, report.Verdict) {
					t.Errorf("%s, run %d, packet %d: %v %s %v", f.name, r, i+1, report.Verdict, report.Reason, report.Unexplained)
				}
			}
		}
		t.Log(f.name, counts)
		for _, want := range f.want[:1] {
			if counts[want] == 0 {
				t.Errorf("%s: never %v: %v", f.name, want, counts)
			}
		}
	}
}

// TestMinimal: of a capture that is refuted few packets are left that show it.
func TestMinimal(t *testing.T) {
	packets := recorded(t)[0]
	at := 0
	for i, p := range packets {
		if p.Frame.Kind == wire.Data && p.Frame.Sequence == 3 {
			at = i
			break
		}
	}
	spoilt := changed(packets, at, func(f *wire.Frame) {
		f.Body = slices.Clone(f.Body)
		f.Body[0] = (f.Body[0] + 1) % 3
	})
	report, err := conformance.Explore(spoilt, conformance.CaptureOptions{Find: find})
	if err != nil || report.Verdict != refuted {
		t.Fatal(report, err)
	}
	u := report.Unexplained
	t.Log(u, u.Allowed, u.Trials)
	if !slices.ContainsFunc(u.Trials, func(t conformance.Trial) bool { return t.Helps }) {
		t.Error("no change helps", u.Trials)
	}
	few, err := conformance.Minimal(spoilt, conformance.CaptureOptions{Find: find})
	if err != nil || len(few) == 0 || len(few) > 8 || few[len(few)-1].Number != u.Number {
		t.Fatal(len(few), err)
	}
	again, err := watch(few, func(o *conformance.CaptureOptions) { o.Only = u.Process })
	if err != nil || again.Verdict != refuted || again.Unexplained.Number != u.Number {
		t.Error(again, err)
	}
	t.Log(fmt.Sprint(len(few), " of ", len(packets)))
}
