// Package runcheck judges a run of real processes by their logs: the properties that an algorithm
// brings along, in each state that the run went through.
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
	"interleave/spec"
)

// Run is a run as it is judged.
type Run struct {
	machine spec.Machine
	files   []io.ReadSeeker
	told    *Occasions // nil: nobody knows but the logs
	ring    []spec.ID
	began   time.Time     // reasons count from it
	healed  time.Time     // when the last fault ended; zero: there were none but crashes
	rest    time.Duration // nobody takes a step for so long: nothing has to happen any more
	lossy   bool          // messages are bare datagrams
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

// JudgeFiles judges the run of which the logs in files tell, as Run.Judge does.
func JudgeFiles(m spec.Machine, names []string, told *Occasions) (verdicts []Verdict, until string, err error) {
	if len(Judged(m.Traits())) == 0 {
		return nil, "", nil
	}
	var logs []io.ReadSeeker
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, "", err
		}
		defer f.Close()
		logs = append(logs, f)
	}
	r, err := FromLogs(m, logs, told)
	if err != nil {
		return nil, "", err
	}
	return r.Judge()
}

// FromLogs returns the run of which logs tell, each of one process, as far as they and mc cluster know.
func FromLogs(m spec.Machine, logs []io.ReadSeeker, told *Occasions) (Run, error) {
	r := Run{machine: m, files: logs, told: told}
	delta, durations := time.Duration(0), map[string]time.Duration{}
	for _, from := range logs {
		first, err := runlog.NewReader(from).Next()
		switch {
		case nothing(err):
			first = nil // a process that did nothing
		case err != nil:
			return r, err
		case first.Line != runlog.LineBegin:
			return r, fmt.Errorf("the log of process %v has no beginning", first.Process)
		}
		if _, err := from.Seek(0, io.SeekStart); err != nil {
			return r, err
		}
		if first == nil {
			continue
		}
		if r.began.IsZero() || first.Time.Before(r.began) {
			r.began = first.Time
		}
		r.ring, r.lossy = first.Begin.Ring, first.Begin.Datagrams
		d, _ := time.ParseDuration(first.Begin.Delta)
		delta = max(delta, d)
		for name, text := range first.Begin.Durations {
			d, _ := time.ParseDuration(text)
			durations[name] = max(durations[name], d)
		}
	}
	if told != nil {
		r.began, r.healed = told.began, told.healed
	}
	r.rest = Rest(delta, durations)
	return r, nil
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
// runs is not judged: no end of a log shows what would have come. Until says when the judging ended, and why, if that
// was before the logs end.
func (r Run) Judge() (verdicts []Verdict, until string, err error) {
	h := &reading{Run: r, traits: r.machine.Traits(), joined: map[final]bool{}, memory: map[spec.ID]any{}, last: map[final]bool{}}
	for _, p := range Judged(h.traits) {
		h.judges = append(h.judges, newJudge(p))
	}
	if len(h.judges) == 0 {
		return nil, "", nil
	}
	h.world = world{
		machine: r.machine, traits: h.traits, ring: r.ring, lossy: r.lossy,
		states: map[spec.ID]any{}, armed: map[spec.ID]map[string]bool{}, suspected: map[spec.ID]spec.Set{}, incarnations: map[spec.ID]uint32{},
		flying: map[runlog.Name]spec.Sent{}, handled: map[runlog.Name]bool{},
	}
	defer func() {
		if said := recover(); said != nil {
			err = fmt.Errorf("the algorithm panics outside of its handlers: %s", spec.TellPanic(said, debug.Stack()))
		}
	}()
	if err := h.foresee(); err != nil {
		return nil, "", err
	}
	if !h.end.IsZero() {
		until = fmt.Sprintf("%.2f s, as the log of process %v has no end", h.end.Sub(h.began).Seconds(), h.endless)
	}
	if err := h.read(); err != nil {
		return nil, "", err
	}
	for _, j := range h.judges {
		verdicts = append(verdicts, j.Verdict)
	}
	return verdicts, until, nil
}

// Judged lists the properties that are judged along runs of an algorithm.
func Judged(t spec.Traits) (all []spec.Property) {
	for _, p := range t.Properties {
		if p.Form != spec.Runs {
			all = append(all, p)
		}
	}
	if !t.Elects && (t.Promises == nil || slices.Contains(t.Promises, spec.NoDeadlock.Name)) {
		all = append(all, spec.NoDeadlock)
	}
	return all
}
