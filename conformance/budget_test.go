package conformance_test

import (
	"strings"
	"testing"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
)

// TestStopped: a check that runs out of memory, or is interrupted, says that nobody knows.
func TestStopped(t *testing.T) {
	closed := make(chan struct{})
	close(closed)
	packets := recorded(t)[1] // on bare datagrams: it looks at many ways
	for want, change := range map[string]func(*captures.Options){
		"more than 0 MiB of memory": func(o *captures.Options) { o.Memory = 1 },
		"it was interrupted":        func(o *captures.Options) { o.Done = closed },
	} {
		report, err := watch(packets, change)
		if err != nil || report.Verdict != conformance.Unknown || !strings.Contains(report.Reason, want) {
			t.Errorf("%s: %v %v", want, err, report)
		}
	}
	one, two := chatter()
	written := []logs.Log{{Name: "1", Reader: strings.NewReader(string(one))}, {Name: "2", Reader: strings.NewReader(string(two))}}
	report, err := logs.Check(written, logs.Options{Find: findChatter, Budget: logs.AnyFaults, Done: closed})
	if err != nil || report.Verdict != conformance.Unknown || !strings.Contains(report.Reason, "interrupted") {
		t.Error(err, report)
	}
}
