package runcheck

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// reading is a run while it is read.
type reading struct {
	Run
	traits  spec.Traits
	judges  []*judge
	world   world
	logs    []*log
	changes []change        // who died and who was started, in order
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
	if h.told != nil {
		var err error
		if h.changes, err = h.told.of(len(h.files)); err != nil {
			return err
		}
	}
	down := h.told.Down()
	for _, from := range h.files {
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
				if before != nil && before.Line != runlog.LineEnd && !down.Has(before.Process) && (h.end.IsZero() || before.Time.Before(h.end)) {
					h.end, h.endless = before.Time, before.Process
				}
			case now.Line == runlog.LineStep:
				for letter := range now.Input.Letters() {
					h.world.handled[letter.Name] = true
				}
			case now.Line == runlog.LineBegin && h.told == nil:
				if before != nil {
					h.changes = append(h.changes, change{time: before.Time.Add(1), process: now.Process, vague: true})
				}
				h.changes = append(h.changes, change{time: now.Time, process: now.Process, up: true})
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
	slices.SortStableFunc(h.changes, func(a, b change) int { return a.time.Compare(b.time) })
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
		if len(h.changes) > 0 && (l == nil || !l.next.Time.Before(h.changes[0].time)) {
			c := h.changes[0]
			h.changes = h.changes[1:]
			h.until(c.time)
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
	if h.healed.After(since) {
		since = h.healed
	}
	if !h.latest.IsZero() && now.Sub(since) >= h.rest && h.world.rests() {
		h.ask(now, spec.Quiescence, spec.Invariants, spec.Reachable)
		h.world.quiescent = false
	}
	h.latest = now
}

// change takes in who died or was started, and judges the step that a crash is.
func (h *reading) change(c change) {
	before := h.before()
	lived := h.world.live.Has(c.process)
	h.world.change(c)
	if lived && !c.up {
		h.askStep(before, c.time)
		h.ask(c.time, spec.Invariants, spec.Reachable)
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
	if r.Line == runlog.LineBegin && h.told != nil && !w.starting.Has(p) {
		return errors.New("it begins an incarnation that occasions.ndjson does not tell of: " + Remedy)
	}
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
		_, fx := h.machine.Step(p, h.ring, state, e)
		step.Outputs = fx.Outputs
	}
	h.watch(step, h.last[final{p, r.Incarnation, r.Number}], r.Time)
	h.askStep(before, r.Time)
	h.ask(r.Time, spec.Invariants, spec.Reachable)
	return nil
}
