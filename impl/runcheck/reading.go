package runcheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"interleave/impl/runlog"
	"interleave/linear"
	"interleave/spec"
)

// reading is a run while it is read.
type reading struct {
	Run
	traits    spec.Traits
	judges    []*judge
	histories []*linear.History
	over      bool // nothing is judged any more
	world     world
	logs      []*log
	changes   []change        // who died and who was started, in order
	born      spec.Set        // who has taken its first step
	memory    map[spec.ID]any // from which a process boots that has still to recover
	latest    time.Time       // when something happened last
	foreseen
}

// foreseen is what is known of a run before its steps are taken.
type foreseen struct {
	ring      []spec.ID
	began     time.Time // reasons count from it
	healed    time.Time // when the last fault ended; zero: there were none but crashes
	delta     time.Duration
	durations map[string]time.Duration
	rest      time.Duration // nobody takes a step for so long: nothing has to happen any more
	lossy     bool          // messages are bare datagrams

	sent    map[runlog.Name]time.Time // when messages were
	came    map[runlog.Name]time.Time // and when they were handled first
	joined  map[place]bool            // inits after which the process recovers
	last    map[place]bool            // lines after which the process died
	seen    spec.Set                  // of whom there is a log
	stepped spec.Set                  // who takes a step
	endless spec.Set                  // of whom nobody knows what they did after the end of the log
	end     time.Time                 // nobody knows what was after it; zero: there is no such time
	cut     spec.ID                   // whose log ends then
}

// place is where a line is.
type place struct {
	process     spec.ID
	incarnation uint32
	number      uint64
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

// wrong says of an error in which line it is.
func (l *log) wrong(err error) error {
	return fmt.Errorf("line %d of the log of process %v: %w", l.lines.Line(), l.next.Process, err)
}

// nothing reports whether a log has no more whole lines.
func nothing(err error) bool {
	var cut *runlog.LineError
	return err == io.EOF || errors.As(err, &cut) && cut.Cut
}

// read goes through the run. The judging is over when the first process is asked to end, or nobody knows what happened.
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
		if l == nil {
			return nil
		}
		if l.next.Line != runlog.LineBreach && l.next.Line != runlog.LineRefused {
			h.until(l.next.Time)
		}
		h.over = h.over || l.next.Line == runlog.LineEnd
		if err := h.take(l.next); err != nil {
			return l.wrong(err)
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
	h.over = h.over || !h.end.IsZero() && now.After(h.end)
	since := h.latest
	if h.healed.After(since) {
		since = h.healed
	}
	if !h.over && !h.latest.IsZero() && now.Sub(since) >= h.rest && h.world.rests() {
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
	if len(h.of(spec.EverySteps)) == 0 {
		return nil
	}
	return h.world.clone()
}

// take takes in a line, and judges the step that it tells and the state after it. A process that comes back takes one
// step, though its log has two lines: Init, and Recover if the algorithm handles that.
func (h *reading) take(r *runlog.Record) error {
	w, p := &h.world, r.Process
	if r.Line == runlog.LineBegin {
		if h.Told != nil && !h.over && !w.starting.Has(p) {
			return errors.New("it begins an incarnation that occasions.ndjson does not tell of: " + Remedy)
		}
		for _, o := range h.histories {
			o.Crash(p)
		}
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
	if e.Kind == spec.Init {
		if step.Before, err = h.traits.ReadState(r.Input.Memory); err != nil {
			return err
		}
	}
	died := h.last[placeOf(r)]
	if step.Outputs, err = h.outputs(r, step); err != nil {
		return err
	}
	for _, o := range h.histories {
		if !again && step.Before != h.traits.Zero {
			o.Doubt(fmt.Errorf("process %v begins with the memory %s: its earlier incarnations are not in the log", p, r.Input.Memory))
		}
		if died {
			o.TakeLast(r.Time.UnixNano(), step)
		} else {
			o.Take(r.Time.UnixNano(), step)
		}
	}
	before := h.before()
	switch e.Kind {
	case spec.Init:
		if h.traits.Stable == nil {
			step.Before = nil
		}
		step.Event = spec.Event{Kind: spec.Recover, Live: w.live.With(p)}
		switch {
		case again && h.joined[placeOf(r)]:
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
	h.watch(step, died, r.Time)
	h.askStep(before, r.Time)
	h.ask(r.Time, spec.Invariants, spec.Reachable)
	return nil
}

// outputs returns what a step outputs, as values. A log has only their JSON, so the machine takes the step again. So does
// existing code of every step: who has not seen what led to a state does not know it.
func (h *reading) outputs(r *runlog.Record, s spec.Step) ([]any, error) {
	if len(r.Outputs) == 0 && h.traits.Code == nil {
		return nil, nil
	}
	_, fx := h.Machine.Step(r.Process, h.ring, s.Before, s.Event)
	var texts []json.RawMessage
	for _, v := range fx.Outputs {
		text, err := runlog.PlainJSON(v)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	if !slices.EqualFunc(texts, r.Outputs, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		return nil, fmt.Errorf("it outputs %s, and the algorithm outputs %s", r.Outputs, texts)
	}
	return fx.Outputs, nil
}
