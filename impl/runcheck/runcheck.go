// Package runcheck judges a run of real processes by their logs: the properties that an algorithm
// brings along, in each state that the run went through; and it makes the histories by which package linear judges
// what clients see.
//
// The processes read one clock, and a step is logged before anything that it sends leaves. So the
// logs, merged by time, tell global states that were there. What a log cannot tell is not judged: which
// datagrams are lost, and what was on its way when a process died.
package runcheck

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"interleave/impl/runlog"
	"interleave/linear"
	"interleave/spec"
)

// Run is a run as it is judged.
type Run struct {
	Machine spec.Machine
	Logs    []io.ReadSeeker // one of each process
	Told    *Occasions      // by mc cluster; nil: nobody knows but the logs
}

// change is a moment at which a process died or was started.
type change struct {
	time    time.Time
	process spec.ID
	up      bool
	vague   bool // it died some time between this moment and its return
}

// Verdict says whether a run kept a property.
type Verdict struct {
	Property spec.Property
	Reason   string // why it did not, and when; empty: nothing broke it
	Judged   int    // states or steps in which it was judged; of spec.Reachable, those that it means. 0: it never was
}

// Report is what logs tell of a run.
type Report struct {
	Verdicts  []Verdict
	Until     string            // when the judging of properties ended and why, if that was before the logs end
	Histories []*linear.History // one for each object of the algorithm, from all of the logs
}

// JudgeFiles judges the run of which the logs in files tell, as Run.Judge does.
func JudgeFiles(m spec.Machine, names []string, told *Occasions) (Report, error) {
	r := Run{Machine: m, Told: told}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return Report{}, err
		}
		defer f.Close()
		r.Logs = append(r.Logs, f)
	}
	return r.Judge()
}

// Rest returns how long processes take no step where nothing has to happen: as long as the longest of their
// timers, and two δ for what is on its way. Whoever joins waits for peers that may not be there.
func Rest(delta time.Duration, timers map[string]time.Duration) time.Duration {
	longest := time.Duration(0)
	for name, d := range timers {
		if name != "join" {
			longest = max(longest, d)
		}
	}
	return longest + 2*delta
}

// Judge judges the properties of states and of steps that the algorithm brings along and its monitors; and where
// nobody is elected, whether the processes come to rest and wait for nothing. A formula about
// runs is not judged: no end of a log shows what would have come.
//
// It fails if the logs cannot be read or are not of all processes, if a process outputs something that the machine does not, and
// if clocks are seen to disagree. Then the histories are undecided.
func (r Run) Judge() (report Report, err error) {
	h := &reading{Run: r, traits: r.Machine.Traits(), memory: map[spec.ID]any{}, foreseen: foreseen{
		joined: map[place]bool{}, last: map[place]bool{}, sent: map[runlog.Name]time.Time{}, came: map[runlog.Name]time.Time{}, durations: map[string]time.Duration{},
	}}
	for _, p := range Judged(h.traits) {
		h.judges = append(h.judges, newJudge(p))
	}
	report.Histories = linear.Histories(h.traits)
	if h.histories = report.Histories; len(h.judges)+len(h.histories) == 0 {
		return report, nil
	}
	defer func() {
		if said := recover(); said != nil {
			err = fmt.Errorf("the algorithm panics outside of its handlers: %s", spec.TellPanic(said, debug.Stack()))
		}
		for _, o := range h.histories {
			o.Doubt(err)
		}
	}()
	if err := h.foresee(); err != nil {
		return report, err
	}
	h.world = world{
		machine: r.Machine, traits: h.traits, ring: h.ring, lossy: h.lossy, handled: h.came,
		states: map[spec.ID]any{}, armed: map[spec.ID]map[string]bool{}, suspected: map[spec.ID]spec.Set{}, incarnations: map[spec.ID]uint32{},
		flying: map[runlog.Name]spec.Sent{},
	}
	for _, o := range h.histories {
		o.Endless = h.endless
		o.Moment = func(at int64) string { return fmt.Sprintf("%.4f s", time.Unix(0, at).Sub(h.began).Seconds()) }
	}
	if !h.end.IsZero() {
		report.Until = fmt.Sprintf("%.2f s, as the log of process %v has no end", h.end.Sub(h.began).Seconds(), h.cut)
	}
	if err := h.read(); err != nil {
		return report, err
	}
	for _, j := range h.judges {
		report.Verdicts = append(report.Verdicts, j.Verdict)
	}
	return report, nil
}

// Judged lists the properties that are judged along runs of an algorithm: all but those about what else could happen.
func Judged(t spec.Traits) (all []spec.Property) {
	for _, p := range t.Properties {
		if p.Form != spec.Runs && p.Form != spec.Recovers {
			all = append(all, p)
		}
	}
	if !t.Elects && (t.Promises == nil || slices.Contains(t.Promises, spec.NoDeadlock.Name)) {
		all = append(all, spec.NoDeadlock)
	}
	return all
}
