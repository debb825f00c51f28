package conformance_test

import (
	"compress/gzip"
	"flag"
	"os"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec/bully"
)

var record = flag.Bool("record", false, "record anew the capture that BenchmarkCheckCapture judges")

const busyFile = "testdata/busy.pcapng.gz"

// TestRecordBusy records five processes that elect a leader again and again as
// processes crash, while every tenth packet is lost.
func TestRecordBusy(t *testing.T) {
	if !*record {
		t.Skip("without -record")
	}
	_, all := plan{machine: bully.Mended, n: 5, seed: 8, loss: 10, crashes: 400, revived: true, length: 200 * time.Millisecond}.record(t)
	f, err := os.Create(busyFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	w, err := capture.NewWriter(z, "bully, 5 processes, 10 % of the packets lost")
	if err != nil {
		t.Fatal(err)
	}
	kept := map[bool]int{} // enough of both to make up 10,000 packets
	for _, p := range all {
		beat := p.Frame.Kind == wire.Heartbeat
		if kept[beat]++; kept[beat] > busyMost {
			continue
		}
		if err := w.UDP(capture.Sent, p.Time, p.From, p.To, p.Bytes); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	t.Log(len(all), "packets in all")
}

const busyMost = 10_000

// BenchmarkCheckCapture is how many packets are judged of a capture of 10,000: once all of
// them, once those alone that are no heartbeats.
func BenchmarkCheckCapture(b *testing.B) {
	for _, c := range []struct {
		name string
		beat bool
	}{{"all", true}, {"messages", false}} {
		b.Run(c.name, func(b *testing.B) {
			packets := busy(b, c.beat)
			b.ReportAllocs()
			var report *captures.Report
			for b.Loop() {
				var err error
				if report, err = watch(packets); err != nil || report.Verdict != conformance.Conforms {
					b.Fatal(report, err)
				}
			}
			b.ReportMetric(float64(len(packets)*b.N)/b.Elapsed().Seconds(), "packets/s")
			b.ReportMetric(float64(report.Peak), "peak")
			b.ReportMetric(float64(report.Packets.Data), "messages")
		})
	}
}

// busy reads the recorded capture, with or without heartbeats.
func busy(b *testing.B, beat bool) (packets []capture.Packet) {
	f, err := os.Open(busyFile)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	r, err := capture.NewReader(z, capture.Options{})
	if err != nil {
		b.Fatal(err)
	}
	all, _, err := captures.Read(r, false)
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range all {
		if beat || p.Frame.Kind != wire.Heartbeat {
			packets = append(packets, p)
		}
	}
	if len(packets) < busyMost {
		b.Fatalf("%s has %d packets only", busyFile, len(packets))
	}
	return packets[:busyMost]
}
