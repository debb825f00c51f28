package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
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
		world: world{traits: traits, n: r.c.N, states: map[spec.ID]any{}, incarnations: map[spec.ID]uint32{}, flying: map[runlog.Name]spec.Sent{}, lossy: r.c.Datagrams},
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
	if !h.last.IsZero() && now.Sub(since) >= h.rest && h.world.starting == 0 && h.world.live != 0 {
		h.world.calm()
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

// world is a global state of a run: a spec.World.
type world struct {
	traits       spec.Traits
	n            int
	live         spec.Set // who has taken a step since it was started
	starting     spec.Set // who was started, and has taken none
	booting      spec.Set // of those that live: who has not taken its Start
	states       map[spec.ID]any
	incarnations map[spec.ID]uint32
	flying       map[runlog.Name]spec.Sent
	lossy        bool // nobody knows which messages are lost
	doubtful     bool // somebody died, and what it had sent may be lost
	quiescent    bool
	unknown      bool // a property asked for what nobody knows
}

func (w *world) N() int                 { return w.n }
func (w *world) Live() spec.Set         { return w.live }
func (w *world) Started(p spec.ID) bool { return !w.booting.Has(p) }
func (w *world) Quiescent() bool        { return w.quiescent }
func (w *world) Idle(p spec.ID) bool    { return !w.live.Has(p) || w.traits.Idle(w.states[p]) }
func (w *world) State(p spec.ID) any {
	if !w.live.Has(p) {
		return nil
	}
	return w.states[p]
}

// InFlight yields the messages in flight in the order of their names.
func (w *world) InFlight() iter.Seq[spec.Sent] {
	if (w.lossy || w.doubtful) && !w.quiescent {
		w.unknown = true
	}
	return func(yield func(spec.Sent) bool) {
		names := slices.SortedFunc(maps.Keys(w.flying), func(a, b runlog.Name) int { return cmp.Or(cmp.Compare(a.From, b.From), a.Compare(b)) })
		for _, name := range names {
			if !yield(w.flying[name]) {
				return
			}
		}
	}
}

// change takes in that a process died or was started.
func (w *world) change(m Moment) {
	w.live, w.starting, w.booting = w.live.Without(m.Process), w.starting.Without(m.Process), w.booting.Without(m.Process)
	if m.What == Came {
		w.starting = w.starting.With(m.Process)
		return
	}
	w.doubtful = true
}

// calm makes the state quiescent. Messages of those that died, and to those that are down, are lost by now.
func (w *world) calm() {
	w.quiescent, w.doubtful = true, false
	maps.DeleteFunc(w.flying, func(name runlog.Name, m spec.Sent) bool {
		return w.lossy || !w.live.Has(m.To) || !w.live.Has(m.From) || w.incarnations[m.From] != name.Incarnation
	})
}

// take takes in a line of a log.
func (w *world) take(r *runlog.Record) (err error) {
	p := r.Process
	for _, name := range r.Lost {
		delete(w.flying, name)
	}
	if r.Line == runlog.LineBegin {
		w.incarnations[p] = r.Incarnation
	}
	if r.Line != runlog.LineStep {
		return nil
	}
	if w.starting.Has(p) {
		w.live, w.starting = w.live.With(p), w.starting.Without(p)
	}
	switch r.Input.Event {
	case spec.Init.String():
		if w.traits.Handles.Has(spec.Start) {
			w.booting = w.booting.With(p)
		}
	case spec.Start.String():
		w.booting = w.booting.Without(p)
	}
	if w.states[p], err = w.traits.ReadState(r.State); err != nil {
		return err
	}
	for letter := range r.Input.Letters() {
		delete(w.flying, letter.Name)
	}
	for _, s := range r.Sends {
		m, err := w.traits.ReadMessage(s.Message)
		if err != nil {
			return err
		}
		w.flying[runlog.Name{From: p, Incarnation: r.Incarnation, Sequence: s.Sequence}] = spec.Sent{From: p, To: s.To, Message: m}
	}
	return nil
}
