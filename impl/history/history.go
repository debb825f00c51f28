// Package history judges a run of real processes by their logs: the properties that an algorithm
// brings along, in each state that the run went through.
//
// The processes read one clock, and a step is logged before anything that it sends leaves. So the
// logs, merged by time, tell global states that were there. What a log cannot tell is not judged: which
// datagrams are lost, and what was on its way when a process died.
package history

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// Run is a run as it is judged.
type Run struct {
	Machine spec.Machine
	Ring    []spec.ID
	Logs    []io.ReadSeeker
	Began   time.Time     // reasons count from it
	Healed  time.Time     // when the last fault ended; zero: there were none but crashes
	Rest    time.Duration // nobody takes a step for so long: nothing has to happen any more
	Lossy   bool          // messages are bare datagrams
	Changes []Change      // who died and who was started, in order; nil: nobody knows but the logs
}

// Change is a moment at which a process died or was started.
type Change struct {
	Time    time.Time
	Process spec.ID
	Up      bool
	vague   bool // it died some time between this moment and its return
}

// Verdict says whether a run kept a property.
type Verdict struct {
	Property spec.Property
	Reason   string // why it did not, and when; empty: nothing broke it
	Judged   int    // states or steps in which it was judged; of spec.Reachable, those that it means. 0: it never was
}

// FromLogs returns the run of which logs tell, each of one process, as far as they know.
func FromLogs(m spec.Machine, logs []io.ReadSeeker) (Run, error) {
	r := Run{Machine: m, Logs: logs}
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
		if r.Began.IsZero() || first.Time.Before(r.Began) {
			r.Began = first.Time
		}
		r.Ring, r.Lossy = first.Begin.Ring, first.Begin.Datagrams
		delta, _ := time.ParseDuration(first.Begin.Delta)
		for name, text := range first.Begin.Durations {
			if d, _ := time.ParseDuration(text); name != "join" {
				r.Rest = max(r.Rest, d+2*delta)
			}
		}
		r.Rest = max(r.Rest, 2*delta)
	}
	return r, nil
}

// Judge judges the properties of states and of steps that the algorithm brings along and its monitors; and where
// nobody is elected, whether the processes come to rest and wait for nothing. A formula about
// runs is not judged: no end of a log shows what would have come. Until says when the judging ended, and why, if that
// was before the logs end.
func (r Run) Judge() (verdicts []Verdict, until string, err error) {
	h := &reading{Run: r, traits: r.Machine.Traits(), joined: map[final]bool{}, memory: map[spec.ID]any{}, last: map[final]bool{}}
	for _, p := range Judged(h.traits) {
		h.judges = append(h.judges, newJudge(p))
	}
	if len(h.judges) == 0 {
		return nil, "", nil
	}
	h.world = world{
		machine: r.Machine, traits: h.traits, ring: r.Ring, lossy: r.Lossy,
		states: map[spec.ID]any{}, armed: map[spec.ID]map[string]bool{}, suspected: map[spec.ID]spec.Set{}, incarnations: map[spec.ID]uint32{},
		flying: map[runlog.Name]spec.Sent{}, handled: map[runlog.Name]bool{},
	}
	defer func() {
		if said := recover(); said != nil {
			err = fmt.Errorf("a property panics: %s", spec.TellPanic(said, debug.Stack()))
		}
	}()
	if err := h.foresee(); err != nil {
		return nil, "", err
	}
	if !h.end.IsZero() {
		until = fmt.Sprintf("%.2f s, as the log of process %v has no end", h.end.Sub(h.Began).Seconds(), h.endless)
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

// reading is a run while it is read.
type reading struct {
	Run
	traits  spec.Traits
	judges  []*judge
	world   world
	logs    []*log
	born    spec.Set        // who has taken its first step
	joined  map[final]bool  // first steps after which its process recovers
	memory  map[spec.ID]any // from which a process boots that has still to recover
	last    map[final]bool  // steps
	endless spec.ID         // whose log says nothing after end
	end     time.Time       // nobody knows what was after it; zero: there is no such time
	latest  time.Time       // when something happened last
}

// final names a step after which its process died, or may have.
type final struct {
	process     spec.ID
	incarnation uint32
	number      uint64 // of the line
}

// log is a log as far as it was read.
type log struct {
	lines *runlog.Reader
	next  *runlog.Record // nil: there is none
}

// advance reads the next line. One that a kill cut short is none.
func (l *log) advance() error {
	r, err := l.lines.Next()
	switch {
	case nothing(err):
		l.next = nil
		return nil
	case err != nil:
		return err
	}
	l.next = r
	return nil
}

// nothing reports whether a log has no more whole lines.
func nothing(err error) bool {
	var cut *runlog.LineError
	return err == io.EOF || errors.As(err, &cut) && cut.Cut
}

// foresee reads the logs once, to know of each message whether it is handled, and of each process when it takes its
// last step before it dies. If nobody else knows, a process dies right after that: it does nothing more that could
// tell the difference.
func (h *reading) foresee() error {
	derived := h.Changes == nil
	for _, from := range h.Logs {
		l, before := &log{lines: runlog.NewReader(from)}, (*runlog.Record)(nil)
		for {
			if err := l.advance(); err != nil {
				return err
			}
			now := l.next
			if before != nil && before.Line != runlog.LineEnd && (now == nil || now.Line == runlog.LineBegin) {
				h.last[final{before.Process, before.Incarnation, before.Number}] = true
			}
			if steps(before, spec.Init) && steps(now, spec.Recover) {
				h.joined[final{before.Process, before.Incarnation, before.Number}] = true
			}
			switch {
			case now == nil:
				if derived && before != nil && before.Line != runlog.LineEnd && (h.end.IsZero() || before.Time.Before(h.end)) {
					h.end, h.endless = before.Time, before.Process
				}
			case now.Line == runlog.LineStep:
				for letter := range now.Input.Letters() {
					h.world.handled[letter.Name] = true
				}
			case now.Line == runlog.LineBegin && derived:
				if before != nil {
					h.Changes = append(h.Changes, Change{Time: before.Time.Add(1), Process: now.Process, vague: true})
				}
				h.Changes = append(h.Changes, Change{Time: now.Time, Process: now.Process, Up: true})
			}
			if now == nil {
				break
			}
			copied := *now
			before = &copied
		}
		if _, err := from.Seek(0, io.SeekStart); err != nil {
			return err
		}
		h.logs = append(h.logs, &log{lines: runlog.NewReader(from)})
	}
	slices.SortStableFunc(h.Changes, func(a, b Change) int { return a.Time.Compare(b.Time) })
	return nil
}

// steps reports whether a line tells a step of a kind.
func steps(r *runlog.Record, kind spec.EventKind) bool {
	return r != nil && r.Line == runlog.LineStep && r.Input.Event == kind.String()
}

// read goes through the run until the first process is asked to end, or nobody knows what happened.
func (h *reading) read() error {
	for _, l := range h.logs {
		if err := l.advance(); err != nil {
			return err
		}
	}
	for {
		l := h.soonest()
		if len(h.Changes) > 0 && (l == nil || !l.next.Time.Before(h.Changes[0].Time)) {
			c := h.Changes[0]
			h.Changes = h.Changes[1:]
			h.until(c.Time)
			h.change(c)
			continue
		}
		if l == nil || !h.end.IsZero() && l.next.Time.After(h.end) {
			return nil
		}
		if l.next.Line != runlog.LineBreach && l.next.Line != runlog.LineRefused {
			h.until(l.next.Time)
		}
		if l.next.Line == runlog.LineEnd {
			return nil
		}
		if err := h.take(l.next); err != nil {
			return fmt.Errorf("the log of process %v: %w", l.next.Process, err)
		}
		if err := l.advance(); err != nil {
			return err
		}
	}
}

// soonest returns the log whose next line is the earliest.
func (h *reading) soonest() (first *log) {
	for _, l := range h.logs {
		if l.next != nil && (first == nil || l.next.Time.Before(first.next.Time)) {
			first = l
		}
	}
	return first
}

// until judges the moment before something happens, if nothing has for long enough.
func (h *reading) until(now time.Time) {
	since := h.latest
	if h.Healed.After(since) {
		since = h.Healed
	}
	if !h.latest.IsZero() && now.Sub(since) >= h.Rest && h.world.rests() {
		h.ask(now, spec.Quiescence, spec.Invariants, spec.Reachable)
		h.world.quiescent = false
	}
	h.latest = now
}

// change takes in who died or was started, and judges the step that a crash is.
func (h *reading) change(c Change) {
	before := h.before()
	lived := h.world.live.Has(c.Process)
	h.world.change(c)
	if lived && !c.Up {
		h.askStep(before, c.Time)
		h.ask(c.Time, spec.Invariants, spec.Reachable)
	}
}

// before returns the present state, if some property will ask for it after the next step.
func (h *reading) before() *world {
	if !slices.ContainsFunc(h.judges, func(j *judge) bool { return j.Property.Form == spec.EverySteps }) {
		return nil
	}
	return h.world.clone()
}

// take takes in a line, and judges the step that it tells and the state after it. A process that comes back takes one
// step, though its log has two lines: Init, and Recover if the algorithm handles that.
func (h *reading) take(r *runlog.Record) error {
	w, p := &h.world, r.Process
	if r.Line != runlog.LineStep {
		return w.take(r)
	}
	e, err := r.Input.Replay(h.traits)
	if err != nil {
		return err
	}
	state, again := w.states[p], h.born.Has(p)
	h.born = h.born.With(p)
	step := spec.Step{Process: p, Event: e, Before: state}
	before := h.before()
	switch e.Kind {
	case spec.Init:
		step.Before = nil
		if h.traits.Stable != nil {
			if step.Before, err = h.traits.ReadState(r.Input.Memory); err != nil {
				return err
			}
		}
		step.Event = spec.Event{Kind: spec.Recover, Live: w.live.With(p)}
		switch {
		case again && h.joined[final{p, r.Incarnation, r.Number}]:
			h.memory[p] = step.Before
			err := w.take(r)
			w.live, w.starting = w.live.Without(p), w.starting.With(p)
			return err
		case !again: // it has been in this state from the beginning
			if err := w.take(r); err != nil {
				return err
			}
			h.ask(r.Time, spec.Invariants, spec.Reachable)
			return nil
		}
	case spec.Recover:
		if memory, booted := h.memory[p]; booted {
			step.Before = memory
			delete(h.memory, p)
		}
	}
	if err := w.take(r); err != nil {
		return err
	}
	step.After = w.states[p]
	if e.Kind != spec.Init {
		_, fx := h.Machine.Step(p, h.Ring, state, e)
		step.Outputs = fx.Outputs
	}
	h.watch(step, h.last[final{p, r.Incarnation, r.Number}], r.Time)
	h.askStep(before, r.Time)
	h.ask(r.Time, spec.Invariants, spec.Reachable)
	return nil
}
