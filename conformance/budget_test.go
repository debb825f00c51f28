package conformance_test

import (
	"strings"
	"testing"

	"interleave/conformance"
)

// TestStopped: a check that runs out of memory, or is interrupted, says that nobody knows.
func TestStopped(t *testing.T) {
	closed := make(chan struct{})
	close(closed)
	packets := recorded(t)[1] // on bare datagrams: it looks at many ways
	for want, change := range map[string]func(*conformance.CaptureOptions){
		"more than 0 MiB of memory": func(o *conformance.CaptureOptions) { o.Memory = 1 },
		"it was interrupted":        func(o *conformance.CaptureOptions) { o.Done = closed },
	} {
		report, err := watch(packets, change)
		if err != nil || report.Verdict != conformance.Unknown || !strings.Contains(report.Reason, want) {
			t.Errorf("%s: %v %v", want, err, report)
		}
	}
	one, two := chatter()
	logs := []conformance.Log{{Name: "1", Reader: strings.NewReader(string(one))}, {Name: "2", Reader: strings.NewReader(string(two))}}
	report, err := conformance.CheckLogs(logs, conformance.LogOptions{Find: findChatter, Budget: conformance.AnyFaults, Done: closed})
	if err != nil || report.Verdict != conformance.Unknown || !strings.Contains(report.Reason, "interrupted") {
		t.Error(err, report)
	}
}
