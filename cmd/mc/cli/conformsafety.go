package cli

import (
	"slices"

	"interleave/conformance"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// safetyOf returns the invariants of elections, to be judged along a capture.
func safetyOf(ms machines, packets []capture.Packet) (all []conformance.SafetyProperty) {
	at := slices.IndexFunc(packets, func(p capture.Packet) bool { return p.Err == nil && p.Frame.Kind == wire.Data })
	if at < 0 {
		return nil
	}
	m, err := ms.find(packets[at].Frame.Algorithm)
	if err != nil || m.Traits().Wins != spec.LargestLive { // who began is not seen on the wire
		return nil
	}
	if _, err := model.Home(m, 1); err != nil { // of no fault of the run
		return nil
	}
	worlds := map[int]*model.Reference{}
	for _, p := range properties.All {
		if p.Kind != properties.Invariance || p.Name == properties.SValid.Name && m.Traits().Handles.Has(spec.Start) {
			continue // a capture does not tell who has not started from who is down
		}
		all = append(all, conformance.SafetyProperty{Name: p.Name, Holds: func(now []conformance.Standing) error {
			r := worlds[len(now)]
			if r == nil {
				home, err := model.Home(m, len(now))
				if err != nil {
					return err
				}
				if r, err = model.NewReference(m, home); err != nil {
					return err
				}
				worlds[len(now)] = r
			}
			return p.InState(r.World(stateOf(now)))
		}})
	}
	return all
}

// stateOf returns how processes stand as a state of the model, with nothing on its
// way.
func stateOf(now []conformance.Standing) model.State {
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
