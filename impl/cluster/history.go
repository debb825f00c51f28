package cluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// history is a run as the logs tell it: the states of all processes in the order of time. They read
// one clock, and a step is logged before anything that it sends leaves. So each of these global states
// was there.
type history struct {
	traits spec.Traits
	began  time.Time
	rest   time.Duration // nobody takes a step for so long: nothing has to happen any more
	healed time.Time     // when the last fault ended; zero: there were none but crashes

	logs    []*logRead
	changes []Moment // who died and who came, in order
	world   world
	last    time.Time // when something happened last
	judged  []*Judgement
	props   []spec.Property // of judged
}

// logRead is a log as far as it was read: its next line.
type logRead struct {
	lines *runlog.Reader
	next  *runlog.Record // nil: there is none
}

// judgeHistory judges the properties of states that an algorithm brings along in all states of a run; and
// where nobody is elected, whether the processes come to rest and wait for nothing.
func judgeHistory(r *run, v *Verdict) (err error) {
	traits := r.c.Machine.Traits()
	h := &history{
		traits: traits, began: r.began, healed: r.faultless(), rest: r.c.longest() + 2*r.c.Delta,
		world: world{
			machine: r.c.Machine, traits: traits, ring: r.c.Ring, lossy: r.c.Datagrams,
			states: map[spec.ID]any{}, armed: map[spec.ID]map[string]bool{}, incarnations: map[spec.ID]uint32{},
			flying: map[runlog.Name]spec.Sent{}, handled: map[runlog.Name]bool{},
		},
	}
	h.judge(traits)
	if len(h.props) == 0 {
		return nil
	}
	r.mu.Lock()
	for _, m := range r.news.moments {
		if m.What == Died || m.What == Came {
			h.changes = append(h.changes, m)
		}
	}
	r.mu.Unlock()
	for id := range spec.UpTo(r.c.N).All() {
		f, err := os.Open(file(r.c.Dir, id, "ndjson"))
		if err != nil {
			return err
		}
		defer f.Close()
		if err := h.world.foresee(&logRead{lines: runlog.NewReader(f)}); err != nil {
			return err
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		h.logs = append(h.logs, &logRead{lines: runlog.NewReader(f)})
	}
	defer func() {
		if said := recover(); said != nil {
			err = fmt.Errorf("a property panics: %s", spec.TellPanic(said, debug.Stack()))
		}
	}()
	if err := h.read(); err != nil {
		return err
	}
	for _, j := range h.judged {
		v.Judged = append(v.Judged, *j)
	}
	return nil
}

// judge lists what is judged.
func (h *history) judge(t spec.Traits) {
	add := func(p spec.Property) {
		h.props = append(h.props, p)
		h.judged = append(h.judged, &Judgement{Name: p.Name, Doc: p.Doc, Holds: true, Own: true})
	}
	for _, p := range t.Properties {
		if p.Form == spec.Invariants || p.Form == spec.Quiescence {
			add(p)
		}
	}
	if !t.Elects && (t.Promises == nil || slices.Contains(t.Promises, spec.NoDeadlock.Name)) {
		add(spec.NoDeadlock)
	}
}

// read goes through the run until the first process is asked to end.
func (h *history) read() error {
	for _, l := range h.logs {
		if err := l.advance(); err != nil {
			return err
		}
	}
	for {
		l := h.soonest()
		if len(h.changes) > 0 && (l == nil || !l.next.Time.Before(h.changes[0].Time)) {
			m := h.changes[0]
			h.changes = h.changes[1:]
			h.until(m.Time)
			h.world.change(m)
			continue
		}
		if l == nil {
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
func (h *history) soonest() (first *logRead) {
	for _, l := range h.logs {
		if l.next != nil && (first == nil || l.next.Time.Before(first.next.Time)) {
			first = l
		}
	}
	return first
}

// advance reads the next line. One that a kill cut short is none.
func (l *logRead) advance() error {
	r, err := l.lines.Next()
	var cut *runlog.LineError
	switch {
	case err == io.EOF || errors.As(err, &cut) && cut.Cut:
		l.next = nil
		return nil
	case err != nil:
		return err
	}
	l.next = r
	return nil
}

// until judges the moment before something happens, if nothing has for long enough.
func (h *history) until(now time.Time) {
	since := h.last
	if h.healed.After(since) {
		since = h.healed
	}
	if !h.last.IsZero() && now.Sub(since) >= h.rest && h.world.rests() {
		h.ask(spec.Quiescence, now)
		h.ask(spec.Invariants, now)
		h.world.quiescent = false
	}
	h.last = now
}

// take takes in a line, and judges the state after it.
func (h *history) take(r *runlog.Record) error {
	if err := h.world.take(r); err != nil {
		return err
	}
	if r.Line == runlog.LineStep && !(r.Input.Event == spec.Init.String() && r.Incarnation > 1 && h.traits.Handles.Has(spec.Recover)) { // Recover is part of that step
		h.ask(spec.Invariants, r.Time)
	}
	return nil
}

// ask asks the properties of a form of the present state.
func (h *history) ask(form spec.Form, now time.Time) {
	for i, p := range h.props {
		j := h.judged[i]
		if p.Form != form || !j.Holds {
			continue
		}
		h.world.unknown = false
		err := p.State(&h.world)
		if h.world.unknown {
			continue
		}
		j.States++
		if err != nil {
			j.Holds, j.Reason = false, fmt.Sprintf("at %.2f s: %v", now.Sub(h.began).Seconds(), err)
		}
	}
}
