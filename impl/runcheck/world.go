package runcheck

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"time"

	"interleave/impl/runlog"
	"interleave/internal/cell"
	"interleave/spec"
)

// world is a global state of a run: a spec.World.
type world struct {
	machine      spec.Machine
	traits       spec.Traits
	ring         []spec.ID
	live         spec.Set // who has taken a step since it was started
	starting     spec.Set // who was started, and has taken none
	booting      spec.Set // of those that live: who has not taken its Start
	states       map[spec.ID]any
	armed        map[spec.ID]map[string]bool // timers, by name
	suspected    map[spec.ID]spec.Set        // by whom
	saving       spec.Set                    // whose last step changed what is stable: if it died then, nobody knows which of both is
	vague        spec.Set                    // who is down by now, or will be before it comes back
	incarnations map[spec.ID]uint32
	flying       map[runlog.Name]spec.Sent
	handled      map[runlog.Name]time.Time // the messages that are handled some time in the run
	lossy        bool                      // nobody knows which messages are lost
	doubtful     bool                      // somebody died, and what it had sent may be lost
	quiescent    bool
	unknown      bool // a property asked for what nobody knows
}

func (w *world) N() int                 { return len(w.ring) }
func (w *world) Live() spec.Set         { return w.live }
func (w *world) Started(p spec.ID) bool { return !w.booting.Has(p) }
func (w *world) Quiescent() bool        { return w.quiescent }
func (w *world) Idle(p spec.ID) bool    { return !w.live.Has(p) || w.traits.Idle(w.states[p]) }
func (w *world) State(p spec.ID) any {
	state, born := w.states[p]
	switch {
	case w.live.Has(p):
		return cell.Value(state)
	case w.traits.Stable == nil || !born:
		return nil
	}
	w.unknown = w.unknown || w.saving.Has(p)
	return cell.Value(w.traits.Stable(state))
}

// InFlight yields the messages in flight in the order of their names.
func (w *world) InFlight() iter.Seq[spec.Sent] {
	if (w.lossy || w.doubtful) && !w.quiescent {
		w.unknown = true
	}
	return func(yield func(spec.Sent) bool) {
		for _, name := range w.names() {
			m := w.flying[name]
			if m.Message = cell.Value(m.Message); !yield(m) {
				return
			}
		}
	}
}

// names lists the messages in flight: those of a sender in its order.
func (w *world) names() []runlog.Name {
	return slices.SortedFunc(maps.Keys(w.flying), func(a, b runlog.Name) int { return cmp.Or(cmp.Compare(a.From, b.From), a.Compare(b)) })
}

// change takes in that a process died or was started. What was on its way to one that died is lost,
// unless it is handled nevertheless.
func (w *world) change(c change) {
	w.live, w.starting, w.booting = w.live.Without(c.process), w.starting.Without(c.process), w.booting.Without(c.process)
	w.vague = w.vague.Without(c.process)
	if c.up {
		w.starting = w.starting.With(c.process)
		return
	}
	w.doubtful = true
	if c.vague {
		w.vague = w.vague.With(c.process)
	}
	maps.DeleteFunc(w.flying, func(name runlog.Name, sent spec.Sent) bool { return sent.To == c.process && !w.comes(name) })
}

// comes reports whether a message is handled some time.
func (w *world) comes(name runlog.Name) bool {
	_, ok := w.handled[name]
	return ok
}

// clone returns a copy that later steps do not change.
func (w *world) clone() *world {
	before := *w
	before.states, before.flying = maps.Clone(w.states), maps.Clone(w.flying)
	return &before
}

// rests reports whether nothing has to happen in this state, after a time in which everything could
// have. It makes the state quiescent if so: what may be lost then is lost. A slow process or network
// is not at rest: what the machine would handle is on its way still.
func (w *world) rests() bool {
	if w.starting|w.booting|w.vague != 0 || w.live == 0 {
		return false
	}
	for p := range w.live.All() {
		if w.acts(p) || w.suspects(p) {
			return false
		}
		for t, rule := range w.traits.Rules {
			if w.armed[p][rule.Name] && w.happens(p, spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)}) {
				return false
			}
		}
	}
	lost, held := []runlog.Name{}, map[[2]spec.ID]bool{} // links on which a message is refused
	for _, name := range w.names() {
		m := w.flying[name]
		switch link := [2]spec.ID{m.From, m.To}; {
		case !w.live.Has(m.To), !w.comes(name) && (w.lossy || !w.live.Has(m.From) || w.incarnations[m.From] != name.Incarnation):
			lost = append(lost, name)
		case held[link]:
		case w.traits.Handles.Has(spec.Round) || w.happens(m.To, spec.Event{Kind: spec.Receive, From: m.From, Message: m.Message}):
			return false
		default:
			held[link] = !w.lossy
		}
	}
	for _, name := range lost {
		delete(w.flying, name)
	}
	w.quiescent, w.doubtful = true, false
	return true
}

// acts reports whether a live process may do something of its own accord that has to happen.
func (w *world) acts(p spec.ID) bool {
	for i, a := range w.traits.Actions {
		switch {
		case !a.Fair || !a.When(w.states[p]):
			continue
		case a.Leaderless && w.live.Has(w.traits.Leader(w.states[p])):
			continue
		}
		for _, value := range a.Values {
			if w.happens(p, spec.Event{Kind: spec.Act, Action: uint8(i), Value: value}) {
				return true
			}
		}
	}
	return false
}

// suspects reports whether a live process has still to be told who is down, or who is not.
func (w *world) suspects(p spec.ID) bool {
	for q := range spec.UpTo(len(w.ring)).Without(p).All() {
		down, told := !w.live.Has(q), w.suspected[p].Has(q)
		switch {
		case down && !told && w.traits.Handles.Has(spec.Suspect) && w.happens(p, spec.Event{Kind: spec.Suspect, Peer: q}),
			!down && told && w.traits.Handles.Has(spec.Restore) && w.happens(p, spec.Event{Kind: spec.Restore, Peer: q}):
			return true
		}
	}
	return false
}

// happens reports whether the machine does not refuse an event of a live process.
func (w *world) happens(p spec.ID, e spec.Event) bool {
	if w.traits.Oracle {
		e.Live = w.live
	}
	_, fx := w.machine.Step(p, w.ring, w.states[p], e)
	return !fx.Refused
}

// take takes in a line of a log.
func (w *world) take(r *runlog.Record) (err error) {
	p := r.Process
	for _, name := range r.Lost {
		delete(w.flying, name)
	}
	if r.Line == runlog.LineBegin {
		w.incarnations[p] = r.Incarnation
		w.armed[p] = map[string]bool{}
		delete(w.suspected, p)
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
	case spec.Suspect.String():
		w.suspected[p] = w.suspected[p].With(r.Input.Peer)
	case spec.Restore.String():
		w.suspected[p] = w.suspected[p].Without(r.Input.Peer)
	}
	delete(w.armed[p], r.Input.Timer)
	for _, timer := range r.Stopped {
		delete(w.armed[p], timer)
	}
	for _, timer := range r.Armed {
		w.armed[p][timer] = true
	}
	before := w.states[p]
	if w.states[p], err = w.traits.ReadState(r.State); err != nil {
		return err
	}
	w.saving = w.saving.Without(p)
	if stable := w.traits.Stable; stable != nil && (before == nil || stable(before) != stable(w.states[p])) {
		w.saving = w.saving.With(p)
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
