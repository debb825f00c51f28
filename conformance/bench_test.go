package conformance_test

import (
	"bytes"
	"testing"

	"interleave/conformance"
	"interleave/conformance/logs"
)

// BenchmarkCheckLogs is how many lines are checked: two processes of which one
// says a word and the other hears it and forgets it.
func BenchmarkCheckLogs(b *testing.B) {
	one, two := process(1), process(2)
	for i := range uint64(20_000) {
		one.says()
		two.hears(1, 1, i+1, 0).thinks([]string{"suspect", "restore"}[i%2], 1)
	}
	written := [][]byte{one.end().log(), two.end().log()}
	b.SetBytes(int64(len(bytes.Join(written, nil))))
	b.ReportAllocs()
	lines := 0
	for b.Loop() {
		report, err := checkGossip(logs.AnyFaults, written...)
		if err != nil || report.Verdict != conformance.Conforms {
			b.Fatal(report, err)
		}
		lines += report.Lines
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
}
