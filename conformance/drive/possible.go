package drive

import (
	"slices"

	"interleave/model"
	"interleave/spec"
)

// prepare fills in what the process of a move has to hear of before its first
// step, and what that does to its mind; or says why it cannot be.
func (d *director) prepare(sc scene, m *move) (reason string) {
	e := m.steps[0].Event
	p, step := e.Process, e.Step
	if step.Kind == spec.Recover {
		return d.recovers(sc, m)
	}
	if reason = d.lookAround(sc, m); reason != "" {
		return reason
	}
	after := &m.after.minds[p-1]
	switch step.Kind {
	case spec.Notice:
		return d.noticed(sc, m)
	case spec.Suspect:
		m.silences = append(m.silences, step.Peer)
		m.unasked = true
		after.suspects = after.suspects.With(step.Peer)
	case spec.Restore:
		after.suspects = after.suspects.Without(step.Peer)
	case spec.Receive:
		if after.suspects.Has(step.From) && d.traits.Handles.Has(spec.Restore) {
			return "whoever hears a process that it suspects takes the suspicion back first"
		}
		after.suspects = after.suspects.Without(step.From)
	}
	return ""
}

// lookAround lets a process whose handlers see who is live hear of all who are
// not. It may notice then that it has no leader, and does so before all else.
func (d *director) lookAround(sc scene, m *move) (reason string) {
	e := m.steps[0].Event
	p := e.Process
	if !d.looks(sc, e) {
		return ""
	}
	if e.Step.Kind == spec.Receive && sc.down().Has(e.Step.From) {
		return "whoever is heard counts as live again, though it has crashed since"
	}
	mind := &m.after.minds[p-1]
	fresh := sc.down() &^ mind.suspects
	if fresh == 0 {
		return ""
	}
	if d.traits.Handles.Has(spec.Suspect) {
		if d.traits.Oracle {
			return "handlers know who is live from the detector, which has not told yet"
		}
		return ""
	}
	m.silences = slices.Collect(fresh.All())
	mind.suspects |= fresh
	leader := d.leader(sc, p)
	if e.Step.Kind == spec.Start || !d.notices(sc, p) || mind.noticing || !fresh.Has(leader) {
		return ""
	}
	mind.noticing = true
	if e.Step.Kind == spec.Notice {
		m.unasked = true
		return ""
	}
	if d.refuses(sc.state, p) {
		return ""
	}
	return "the process sees that its leader is down, and notices that first"
}

// looks reports whether it matters to a step who is live, of whom the runtime
// knows by its detector and the model by itself.
func (d *director) looks(sc scene, e model.Event) bool {
	if d.traits.Oracle || !d.traits.Ring {
		return d.traits.Oracle
	}
	_, fx := d.machine.Step(e.Process, d.ring(), sc.state.Locals[e.Process-1].State, e.Step)
	return slices.ContainsFunc(fx.Sends, func(s spec.Send) bool { return s.To == spec.NextLive })
}

// refuses reports whether the handler of p has no use for a notice.
func (d *director) refuses(s model.State, p spec.ID) bool {
	var live spec.Set
	for i, l := range s.Locals {
		if l.Status != model.Down {
			live = live.With(spec.ID(i + 1))
		}
	}
	_, fx := d.machine.Step(p, d.ring(), s.Locals[p-1].State, spec.Event{Kind: spec.Notice, Live: live})
	return fx.Refused
}

func (d *director) ring() []spec.ID { return ringOf(d.config) }

// noticed says how a process comes to notice that it has no live leader.
func (d *director) noticed(sc scene, m *move) (reason string) {
	p := m.process()
	leader, mind := d.leader(sc, p), &m.after.minds[p-1]
	switch {
	case m.unasked || leader == spec.None || mind.suspects.Has(leader):
		return ""
	case d.traits.Handles.Has(spec.Suspect) && !sc.state.Locals[p-1].Suspected.Has(leader):
		return "the detector tells that the leader is down before anybody notices"
	}
	m.silences, m.unasked = append(m.silences, leader), true
	mind.suspects, mind.noticing = mind.suspects.With(leader), true
	return ""
}

// recovers says whether a process can come up again in a scene.
func (d *director) recovers(sc scene, m *move) (reason string) {
	p := m.process()
	for i, in := range sc.state.Inboxes {
		if i == int(p-1) && len(in) > 0 {
			return "nothing that was sent to a former life reaches the next one"
		}
		if !d.datagrams && slices.ContainsFunc(in, func(e model.Envelope) bool { return e.From == p }) {
			return "links forget what a former life sent as soon as they hear the next one"
		}
		if d.traits.Handles.Has(spec.Restore) && sc.state.Locals[i].Suspected.Has(p) {
			return "whoever hears the new life of a process that it suspects takes the suspicion back first"
		}
	}
	if sc.down() != spec.SetOf(p) {
		return "what is sent to a process that was never heard waits for it: nobody else may be down"
	}
	if slices.ContainsFunc(sc.state.Locals, func(l model.Local) bool { return l.Status == model.Booting }) {
		return "a process that has not started yet starts as soon as the one that comes up again greets it"
	}
	starts, tells := d.traits.Handles.Has(spec.Start), d.traits.Handles.Has(spec.Recover)
	if starts && tells {
		return "coming up again and the start are one step of the runtime"
	}
	for q := range d.all.All() {
		m.after.minds[q-1].suspects = m.after.minds[q-1].suspects.Without(p)
		if d.leader2(m.after, q) == p {
			m.after.minds[q-1].noticing = false
		}
	}
	m.after.minds[p-1] = mind{}
	return ""
}

// leader2 is leader, none for a process that is down.
func (d *director) leader2(sc scene, p spec.ID) spec.ID {
	if sc.state.Locals[p-1].Status == model.Down {
		return spec.None
	}
	return d.leader(sc, p)
}

// goOn adds to a move what the runtime does after it in the same turn: it handles
// what the process sends to itself, and looks whether there is still a leader.
func (d *director) goOn(m *move) (reason string) {
	p := m.process()
	if m.after.state.Locals[p-1].Status != model.Up {
		return ""
	}
	for looked := false; ; {
		reason = d.hearItself(m)
		if reason != "" || looked {
			return reason
		}
		looked = true
		if !d.looksForLeader(m) {
			continue
		}
		if d.refuses(m.after.state, p) {
			continue
		}
		if !d.follow(m, func(e model.Event) bool {
			return e.Deed == model.Handle && e.Process == p && e.Step.Kind == spec.Notice
		}) {
			return "the process notices at once that its leader is down, and this world lets it do so only later"
		}
	}
}

// looksForLeader brings up to date whether a process waits to notice; true: it
// notices now.
func (d *director) looksForLeader(m *move) bool {
	p := m.process()
	if !d.notices(m.after, p) {
		return false
	}
	leader, mind := d.leader(m.after, p), &m.after.minds[p-1]
	suspected := mind.suspects.Has(leader)
	switch {
	case leader != spec.None && !suspected:
		mind.noticing = false
	case !mind.noticing:
		mind.noticing = true
		return suspected
	}
	return false
}

// hearItself adds the steps in which a process handles what it sent to itself.
func (d *director) hearItself(m *move) (reason string) {
	p := m.process()
	own := func(e model.Event) bool {
		return e.Deed == model.Handle && e.Process == p && e.Step.Kind == spec.Receive && e.Step.From == p
	}
	for !m.panics() {
		switch mail := d.ownMail(m.after.state, p); {
		case mail == 0:
			return ""
		case mail > 1 && d.config.Network != model.FIFO:
			return "the process has several messages to itself, which the runtime handles in the order of sending"
		}
		if !d.follow(m, own) {
			return ""
		}
	}
	return ""
}

// ownMail counts what p has sent to itself.
func (d *director) ownMail(s model.State, p spec.ID) (n int) {
	for _, e := range s.Inboxes[p-1] {
		if e.From == p {
			n++
		}
	}
	return n
}

// follow adds to a move the first step that is wanted; false: there is none.
func (d *director) follow(m *move, wanted func(model.Event) bool) bool {
	for _, step := range d.reference.Steps(m.after.state) {
		if wanted(step.Event) {
			m.steps = append(m.steps, step)
			m.after.state = step.After
			return true
		}
	}
	return false
}
