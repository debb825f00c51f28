package matrix

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/drive"
	"interleave/conformance/logs"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/model"
	"interleave/spec"
)

// Logs compares the logs of a run with a machine. A run in which no process takes a step, since
// their first steps panic, shows nothing.
func Logs(m spec.Machine, c model.Config, r drive.Ran) (how string, err error) {
	if !slices.ContainsFunc(r.Logs, func(log []byte) bool { return bytes.Contains(log, []byte(`"line":"step"`)) }) {
		return "", nil
	}
	report, err := logs.Check(named(r.Logs), logs.Options{
		Find: always(m), Unordered: c.Network == model.Bag || c.Network == model.Set, Budget: logs.AnyFaults,
	})
	if err != nil || report.Verdict != conformance.Refuted {
		return "", err
	}
	return fmt.Sprintf("%v: %s", report.Refutation.Place, report.Refutation.Reason), nil
}

// Capture compares the capture of a run with a machine. A run without messages shows nothing.
func Capture(m spec.Machine, _ model.Config, r drive.Ran) (how string, err error) {
	return captured(m, r, maxWays)
}

// captured is Capture with a bound on the search for an explanation. The network of a driven run is its only tap,
// while the clocks of its processes are driven as well.
func captured(m spec.Machine, r drive.Ran, ways int) (how string, err error) {
	skew := time.Duration(math.MaxInt64)
	report, err := captures.Check(r.Packets, captures.Options{Find: always(m), Limit: ways, Skew: &skew})
	if silent(r) {
		return "", nil
	}
	if err != nil || report.Verdict != conformance.Refuted {
		return "", err
	}
	return report.Unexplained.Error(), nil
}

// maxWays bounds the search for an explanation of the capture of one run.
const maxWays = 1 << 14

// silent reports whether no message passed.
func silent(r drive.Ran) bool {
	return !slices.ContainsFunc(r.Packets, func(p capture.Packet) bool { return p.Err == nil && p.Frame.Kind == wire.Data })
}

func always(m spec.Machine) func(string) (spec.Machine, error) {
	return func(string) (spec.Machine, error) { return m, nil }
}

func named(written [][]byte) (all []logs.Log) {
	for i, log := range written {
		all = append(all, logs.Log{Name: fmt.Sprintf("process %d", i+1), Reader: bytes.NewReader(log)})
	}
	return all
}
