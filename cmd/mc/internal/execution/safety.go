package execution

import (
	"fmt"
	"iter"
	"runtime/debug"
	"slices"

	"interleave/cmd/mc/internal/names"
	"interleave/conformance/captures"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// safetyOf returns the invariants that are judged along a capture: those of elections, and those that its algorithm
// brings along.
func safetyOf(known names.Table, packets []capture.Packet) (all []captures.SafetyProperty) {
	at := slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Err == nil && p.Frame.Kind == wire.Data })
	if at < 0 {
		return nil
	}
	m, err := known.Find(packets[at].Frame.Algorithm)
	if err != nil {
		return nil
	}
	for _, p := range m.Traits().Properties {
		if p.Form == spec.Invariants {
			all = append(all, captures.SafetyProperty{Name: p.Name, Own: true, For: func(n int) (func([]captures.Standing) error, error) {
				r, err := anyTime(m, n)
				return func(now []captures.Standing) error { return shown(p, m, r.World(stateOf(now))) }, err
			}})
		}
	}
	if !m.Traits().Elects || m.Traits().Wins == spec.SmallestInitiator { // who began is not seen on the wire
		return all
	}
	for _, p := range election.All {
		if p.Kind != properties.InvariantKind || p.Suits(m) != nil || p.Name == election.LeaderTookPart.Name && m.Traits().Handles.Has(spec.Start) {
			continue // a capture does not tell who has not started from who is down
		}
		all = append(all, captures.SafetyProperty{Name: p.Name, For: func(n int) (func([]captures.Standing) error, error) {
			r, err := anyTime(m, n)
			return func(now []captures.Standing) error { return p.InState(r.World(stateOf(now))) }, err
		}})
	}
	return all
}

// shown returns why a property is false of processes as a capture shows them. One that panics is.
func shown(p spec.Property, m spec.Machine, all spec.World) (err error) {
	w := &visible{World: all, stable: m.Traits().Stable != nil}
	defer func() {
		if said := recover(); said != nil {
			err = fmt.Errorf("the property panics: %s", spec.TellPanic(said, debug.Stack()))
		}
		if w.hidden {
			err = captures.ErrHidden
		}
	}()
	return p.State(w)
}

// visible is what a capture shows of a state.
type visible struct {
	spec.World
	stable bool // a process that is down remembers something
	hidden bool // something else was asked for
}

func (w *visible) State(p spec.ID) any {
	if w.stable && !w.Live().Has(p) {
		w.hidden = true
	}
	return w.World.State(p)
}

func (w *visible) InFlight() iter.Seq[spec.Sent] {
	w.hidden = true
	return w.World.InFlight()
}

func (w *visible) Quiescent() bool {
	w.hidden = true
	return false
}

func (w *visible) Started(p spec.ID) bool {
	w.hidden = true
	return w.World.Started(p)
}

// judgedProperties returns the names of the properties that are judged along captures of some algorithm.
func judgedProperties(known names.Table) (names []string) {
	for _, m := range known.Algorithms {
		for _, p := range m.Traits().Properties {
			if p.Form == spec.Invariants {
				names = append(names, p.Name)
			}
		}
	}
	for _, p := range election.All {
		if p.Kind == properties.InvariantKind {
			names = append(names, p.Name)
		}
	}
	return names
}

// checkSafety refuses a property that is asked for and not judged along a capture of its algorithm.
func (s *Settings) checkSafety(judged []captures.SafetyProperty) error {
	var names []string
	for _, p := range judged {
		names = append(names, p.Name)
	}
	return s.checkProperties("a capture of this algorithm", names)
}

// anyTime returns the world that the source of m has in mind, but for when timers expire:
// states have no time.
func anyTime(m spec.Machine, n int) (*model.Reference, error) {
	home, err := model.Home(m, n)
	if err != nil {
		return nil, err
	}
	if home.Delta, home.Durations = 0, ""; len(m.Traits().Rules) > 0 {
		home.Timers = model.Any
	}
	return model.NewReference(m, home)
}

// stateOf returns how processes stand as a state of the model, with nothing on its
// way.
func stateOf(now []captures.Standing) model.State {
	s := model.State{Inboxes: make([]model.Inbox, len(now))}
	for _, p := range now {
		local := model.Local{}
		if p.Up {
			local = model.Local{Status: model.Up, State: p.State, Initiator: true}
		}
		s.Locals = append(s.Locals, local)
	}
	return s
}
