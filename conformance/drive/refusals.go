package drive

import (
	"maps"
	"slices"

	"interleave/model"
	"interleave/spec"
)

// What a process refuses is no step of the model, and no run goes through it. It is
// tried at the end of a run, where it makes no difference that the runtime keeps a
// refused message, and hands it over again sooner or later.

// refused returns what the model would give a process at a point if its handler did not
// refuse it, whether or not the moment is one for it: messages last.
func (d *handlers) refused(pt point) (events []model.Event) {
	if d.config.Network == model.Rounds {
		return nil
	}
	for p := range d.all.All() {
		add := func(e spec.Event) {
			if d.refuses(pt.state, p, e) {
				events = append(events, model.Event{Process: p, Step: e})
			}
		}
		l, down := pt.state.Locals[p-1], pt.down()
		if l.Status != model.Up {
			continue
		}
		if leader := d.leader(pt, p); d.notices(pt, p) && (leader == spec.None || down.Has(leader)) {
			add(spec.NoticeEvent())
		}
		for i, act := range d.traits.Actions {
			for _, v := range act.Values {
				if !act.Leaderless && act.When(l.State) {
					add(spec.Event{Kind: spec.Act, Action: uint8(i), Value: v})
				}
			}
		}
		for t := range d.traits.Rules {
			if l.Timers>>t&1 != 0 {
				add(spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)})
			}
		}
		suspects := pt.runtimes[p-1].suspects
		if d.config.Detector != model.NoDetector && d.traits.Handles.Has(spec.Suspect) {
			for q := range (down &^ l.Suspected &^ suspects).All() {
				add(spec.Event{Kind: spec.Suspect, Peer: q})
			}
		}
		if d.traits.Handles.Has(spec.Restore) {
			for q := range (suspects & l.Suspected &^ down).All() {
				add(spec.Event{Kind: spec.Restore, Peer: q})
			}
		}
		for i, e := range pt.state.Inboxes[p-1] {
			behind := d.config.Network == model.FIFO && len(from(pt.state.Inboxes[p-1][:i], e.From)) > 0
			if e.From != p && !behind {
				add(spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message})
			}
		}
	}
	return events
}

// refusal is the class of a refusal.
func (d *handlers) refusal(pt point, e model.Event) class {
	return d.classes(pt.state, model.Step{Event: e})[0]
}

// asking returns the group in which a process is given what it refuses; false: the runtime
// cannot be made to do that, or would do something else as well.
func asking(d *scheduler, pt point, e model.Event) (m group, ok bool) {
	if e.Step.Kind == spec.Receive && pt.runtimes[e.Process-1].suspects.Has(e.Step.From) {
		return m, false
	}
	m, reason := d.group(pt, model.Step{Event: e, After: pt.state})
	m.refused = true
	return m, reason == "" && len(m.steps) == 1 && len(m.refusals) == 0
}

// askAll gives the processes what they refuse at the point at which a run ends, if that
// was not tried before.
func askAll(s *testbed, d *scheduler, pt point, groups []group, tried map[class]bool) error {
	if n := len(groups); n > 0 && groups[n-1].panics() {
		return nil
	}
	for _, e := range d.refused(pt) {
		c := d.refusal(pt, e)
		m, ok := asking(d, pt, e)
		if tried[c] || !ok {
			continue
		}
		if err := ask(s, &m); err != nil {
			return err
		}
		tried[c] = true
		pt = m.after
	}
	return nil
}

// ask makes a process refuse, and compares. What it refused stays in flight.
func ask(s *testbed, m *group) error {
	flying := slices.Clone(s.flying)
	if err := s.handle(m); err != nil {
		return err
	}
	s.flying = flying
	return s.agree(m.after.state, m.steps[0].Event)
}

// noteRefused records what processes refuse in a state of the model.
func (a *coverageMap) noteRefused(s model.State) {
	pt := point{state: s}
	for _, l := range s.Locals {
		pt.runtimes = append(pt.runtimes, runtimeState{suspects: l.Suspected})
	}
	for _, e := range a.scheduler.refused(pt) {
		a.refused[a.scheduler.refusal(pt, e)] = true
	}
}

// noteAskable records what processes can be given to refuse at a point.
func (a *coverageMap) noteAskable(n int) {
	pt := a.points[n].point
	for _, e := range a.scheduler.refused(pt) {
		c := a.scheduler.refusal(pt, e)
		if _, ok := a.askable[c]; ok || !a.refused[c] {
			continue
		}
		if _, ok := asking(a.scheduler, pt, e); ok {
			a.askable[c] = n
		}
	}
}

// refusals yields paths to points at which processes can refuse what was not tried yet.
func (a *coverageMap) refusals(given map[class]bool, use func(b beginning, groups []group) (bool, error)) error {
	for _, n := range slices.Compact(slices.Sorted(maps.Values(a.askable))) {
		all := true
		for c, at := range a.askable {
			all = all && (at != n || given[c])
		}
		if all {
			continue
		}
		root, groups := a.route(n)
		if goOn, err := use(a.beginnings[root], groups); err != nil || !goOn {
			return err
		}
	}
	return nil
}
