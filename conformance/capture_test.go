package conformance_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/impl/capture"
	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/catalog"
)

// watch judges packets.
func watch(packets []capture.Packet, change ...func(*captures.Options)) (*captures.Report, error) {
	o := captures.Options{Find: find}
	for _, f := range change {
		f(&o)
	}
	return captures.Check(packets, o)
}

// TestHonestCaptures: whatever an algorithm of the catalogue does on a network,
// its packets are explained.
func TestHonestCaptures(t *testing.T) {
	for i, m := range catalog.Machines {
		if i%testsize.Of(1, 3, 1) > 0 {
			continue
		}
		name := m.Traits().Name
		for _, pl := range []plan{
			{machine: m, n: 3, seed: 1},
			{machine: m, n: 3, seed: 2, loss: 20, crashes: 3},
			{machine: m, n: 4, seed: 3, loss: 10, crashes: 2},
			{machine: m, n: 3, seed: 4, loss: 20, crashes: 2, datagrams: true},
		} {
			pl.length = time.Second
			if testing.Short() && pl.seed%2 == 1 || pl.datagrams && m.Traits().Handles.Has(spec.Round) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", name, pl.seed), func(t *testing.T) {
				written, packets := pl.record(t)
				logged, err := check(written, logs.AnyFaults)
				if err != nil {
					t.Fatal(err)
				}
				begin := time.Now()
				report, err := watch(packets, func(o *captures.Options) { o.Limit, o.Restarts = 1<<14, &logged.Recoveries })
				if err != nil {
					t.Fatal(err)
				}
				if report.Verdict != conformance.Conforms {
					t.Errorf("%v: %s %+v", report.Verdict, report.Reason, report.Unexplained)
				}
				tells(t, packets)
				t.Logf("%d packets, %d messages, peak %d, looked at %d, %v", report.Packets.Total, report.Packets.Data, report.Peak, report.Looked, time.Since(begin))
			})
		}
	}
}

// tells wants the explanation of a capture to be a run, in the eyes of the check
// that knows logs only.
func tells(t *testing.T, packets []capture.Packet) {
	t.Helper()
	written, err := captures.Explanation(packets, captures.Options{Find: find})
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range written {
		if strings.Count(string(log), `{"line":"end"`) > 1 {
			t.Error("a process comes to its end more than once")
		}
	}
	report, err := check(written, logs.AnyFaults)
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != conformance.Conforms {
		t.Error("the explanation:", report.Refutation)
	}
	if report.Crashes != report.Recoveries {
		t.Errorf("the explanation has %d crashes, and %d processes came back", report.Crashes, report.Recoveries)
	}
	both := compare(t, written, packets)
	if both.Verdict != conformance.Conforms {
		t.Error("the explanation and the wire:", both.Discrepancies)
	}
}
