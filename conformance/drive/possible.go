package drive

import (
	"fmt"
	"slices"

	"interleave/model"
	"interleave/spec"
)

// prepare fills in what the process of a move must be told before its first step, and
// how that changes its mind; or returns why that is impossible.
func (d *director) prepare(sc scene, m *move) (reason string) {
	e := m.steps[0].Event
	p, step := e.Process, e.Step
	if step.Kind == spec.Recover {
		return d.recovers(sc, m)
	}
	if reason = d.lookAround(sc, m); reason != "" {
		return reason
	}
	live := d.all &^ sc.minds[p-1].suspects
	handles := d.takesOwn(sc.state, p, d.all&^sc.down())
	for _, q := range m.silences { // it hears of one after the other
		live = live.Without(q)
		handles = handles || d.takesOwn(sc.state, p, live)
	}
	if handles {
		return "the process handles what it refused from itself as soon as it hears who is down, or next does something"
	}
	after := &m.after.minds[p-1]
	switch step.Kind {
	case spec.Notice:
		return d.noticed(sc, m)
	case spec.Suspect:
		m.silences = append(m.silences, step.Peer)
		m.unasked = true
		after.suspects = after.suspects.With(step.Peer)
	case spec.Start:
		lost := func(mail model.Envelope) bool { return sc.down().Has(mail.From) }
		if after.ended > 0 && !after.started && slices.ContainsFunc(sc.state.Inboxes[p-1], lost) {
			return "what was sent to a process that has never started may have gone to its former life, and its sender is down and does not send it again"
		}
		after.started = true
		return d.shows(sc, m)
	case spec.Restore:
		if sc.state.Locals[step.Peer-1].Status == model.Booting {
			return "nobody hears a process that has not started"
		}
		after.suspects = after.suspects.Without(step.Peer)
	case spec.Receive:
		if after.suspects.Has(step.From) && d.traits.Handles.Has(spec.Restore) {
			return "whoever hears a process that it suspects takes the suspicion back first"
		}
		after.suspects = after.suspects.Without(step.From)
	}
	return ""
}

// lookAround lets a process whose handlers see who is live hear of all who are not. It
// may notice then that it has no leader, and does so first.
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
		return "handlers know who is live from the detector, which has not told yet"
	}
	if e.Step.Kind == spec.Start {
		return "whoever starts has heard those that crashed since it was there, and counts them as live"
	}
	leader := d.leader(sc, p)
	m.silences = slices.DeleteFunc(slices.Collect(fresh.All()), func(q spec.ID) bool { return q == leader })
	if fresh.Has(leader) { // last: it notices that at once
		m.silences = append(m.silences, leader)
	}
	mind.suspects |= fresh
	if !d.notices(sc, p) || mind.noticing || !fresh.Has(leader) {
		return ""
	}
	mind.noticing = true
	if e.Step.Kind == spec.Notice {
		m.unasked = true
		return ""
	}
	if d.refuses(sc.state, p, spec.Event{Kind: spec.Notice}) {
		return ""
	}
	return "the process sees that its leader is down, and notices that first"
}

// looks reports whether a step depends on who is live, which the runtime knows by its
// detector and the model by itself.
func (d *director) looks(sc scene, e model.Event) bool {
	if d.traits.Oracle || !d.traits.Ring {
		return d.traits.Oracle
	}
	_, fx := d.machine.Step(e.Process, d.ring(), sc.state.Locals[e.Process-1].State, e.Step)
	return slices.ContainsFunc(fx.Sends, func(s spec.Send) bool { return s.To == spec.NextLive })
}

// refuses reports whether the handler of p refuses an event in a state.
func (d *director) refuses(s model.State, p spec.ID, e spec.Event) bool {
	return d.refusesWith(s, p, e, d.all&^scene{state: s}.down())
}

// refusesWith is refuses for a process that takes some for live.
func (d *director) refusesWith(s model.State, p spec.ID, e spec.Event, live spec.Set) bool {
	return d.handle(s, p, e, live).Refused
}

// handle returns what the handler of p does on an event, if it takes these processes
// for live.
func (d *director) handle(s model.State, p spec.ID, e spec.Event, live spec.Set) spec.Effects {
	if d.traits.Oracle {
		e.Live = live
	}
	_, fx := d.machine.Step(p, d.ring(), s.Locals[p-1].State, e)
	return fx
}

func (d *director) ring() []spec.ID { return d.config.Placement() }

// noticed describes how a process comes to notice that it has no live leader.
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

// recovers returns whether a process can come up again in a scene.
func (d *director) recovers(sc scene, m *move) (reason string) {
	p := m.process()
	for i, in := range sc.state.Inboxes {
		if i == int(p-1) && len(in) > 0 {
			return "nothing that was sent to a former life reaches the next one"
		}
		if !d.datagrams && slices.ContainsFunc(in, func(e model.Envelope) bool { return e.From == p }) {
			return "links forget what a former life sent as soon as they hear the next one"
		}
		if sc.minds[p-1].ended > 1 && slices.ContainsFunc(in, func(e model.Envelope) bool { return e.From == p }) {
			return "nobody hears what was sent in a life before the former one, and what is on its way may be that"
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
	if mind := sc.minds[p-1]; !mind.started && (mind.owed || d.datagrams) {
		return "what was sent to a process that has never started is sent again to its next life, or to its former one only"
	}
	m.after.minds[p-1].end()
	if starts { // nobody hears it before that
		return ""
	}
	return d.shows(sc, m)
}

// shows lets all others hear that a process is up.
func (d *director) shows(sc scene, m *move) (reason string) {
	if m.panics() {
		return ""
	}
	p := m.process()
	for q := range d.all.Without(p).All() {
		if d.traits.Handles.Has(spec.Restore) && sc.state.Locals[q-1].Suspected.Has(p) {
			return "whoever hears the new life of a process that it suspects takes the suspicion back first"
		}
		mind := &m.after.minds[q-1]
		if mind.suspects.Has(p) && d.takesOwn(m.after.state, q, d.all&^mind.suspects.Without(p)) {
			return "whoever hears that a process is up handles at once what it sent to itself and refused while it was down"
		}
		mind.suspects = mind.suspects.Without(p)
		if d.leader2(m.after, q) == p {
			mind.noticing = false
		}
	}
	return ""
}

// leader2 is leader, none for a process that is down.
func (d *director) leader2(sc scene, p spec.ID) spec.ID {
	if sc.state.Locals[p-1].Status == model.Down {
		return spec.None
	}
	return d.leader(sc, p)
}

// goOn adds to a move what the runtime does next in the same turn: it handles the
// messages of the process to itself, and checks whether there is still a leader.
func (d *director) goOn(sc scene, m *move) (reason string) {
	p := m.process()
	if m.after.state.Locals[p-1].Status != model.Up {
		return ""
	}
	if leader := d.leader(m.after, p); leader != spec.None && !d.all.Has(leader) {
		return fmt.Sprintf("the process follows process %d, which does not exist, and may notice that at any moment", int(leader))
	}
	if reason = d.hearItself(m); reason != "" {
		return reason
	}
	if m.panics() {
		return d.sees(sc, m)
	}
	if d.looksForLeader(m) && !d.refuses(m.after.state, p, spec.Event{Kind: spec.Notice}) {
		if !d.follow(m, func(e model.Event) bool {
			return e.Deed == model.Handle && e.Process == p && e.Step.Kind == spec.Notice
		}) {
			return "the process notices at once that its leader is down, and this world lets it do so only later"
		}
		if reason = d.hearItself(m); reason != "" {
			return reason
		}
		if m.panics() {
			return d.sees(sc, m)
		}
		d.looksForLeader(m) // not at once, but before it does anything else
	}
	for _, step := range m.steps {
		for _, out := range step.Sends {
			to := &m.after.minds[out.To-1]
			to.owed = to.owed || !to.started
		}
	}
	return d.sees(sc, m)
}

// sees returns the step of a move in which the handlers see different things in the
// model and the runtime.
func (d *director) sees(sc scene, m *move) (reason string) {
	p := m.process()
	suspects := m.after.minds[p-1].suspects
	before := sc.state
	for _, step := range m.steps {
		here := scene{state: before}
		switch {
		case step.Event.Step.Kind != spec.Recover && d.looks(here, step.Event) && suspects != here.down(): // a process comes up again when all others are up
			return "the process takes for down whom its detector suspects, and not who is down"
		case step.Panic == "" && step.Event.Deed != model.Break && d.merges(before, step):
			return "two equal messages of a process to itself are one in this network, and it handles both"
		}
		before = step.After
	}
	return ""
}

// takesOwn reports whether p would handle something that it has sent to itself, if it took
// those for live. On bare datagrams it may skip what it refuses.
func (d *director) takesOwn(s model.State, p spec.ID, live spec.Set) bool {
	mail := ownMail(s, p)
	if !d.datagrams && len(mail) > 1 {
		mail = mail[:1]
	}
	return slices.ContainsFunc(mail, func(e model.Envelope) bool {
		return !d.refusesWith(s, p, spec.Event{Kind: spec.Receive, From: p, Message: e.Message}, live)
	})
}

// merges reports whether a message of a process to itself in a step becomes one with a
// message that it has sent already.
func (d *director) merges(before model.State, step model.Step) bool {
	p, e := step.Event.Process, step.Event.Step
	n := len(ownMail(before, p))
	if e.Kind == spec.Receive && e.From == p {
		n--
	}
	for _, out := range step.Sends {
		if out.To == p {
			n++
		}
	}
	return n != len(ownMail(step.After, p))
}

// looksForLeader updates whether a process waits to notice; true: it notices now.
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

// hearItself adds the steps in which a process handles its messages to itself, until it
// refuses the next one.
func (d *director) hearItself(m *move) (reason string) {
	p := m.process()
	refuses := &m.after.minds[p-1].refuses
	own := func(e model.Event) bool {
		return e.Deed == model.Handle && e.Process == p && e.Step.Kind == spec.Receive && e.Step.From == p
	}
	for !m.panics() {
		mail := ownMail(m.after.state, p)
		switch {
		case len(mail) == 0:
			return ""
		case len(mail) > 1 && (d.config.Network != model.FIFO || d.datagrams):
			return "the process has several messages to itself, which the runtime handles in the order of sending, but for those that it refuses"
		case len(m.steps) > longest:
			return "the process does not come to an end with what it sends to itself"
		case d.refuses(m.after.state, p, spec.Event{Kind: spec.Receive, From: p, Message: mail[0].Message}):
			if !*refuses {
				m.refusals = append(m.refusals, refusal{len(m.steps), mail[0].Message})
			}
			*refuses = true
			return ""
		case !d.follow(m, own):
			return "the process handles at once what it sends to itself, and this world does not let it"
		}
		*refuses = false
	}
	return ""
}

// ownMail returns the messages of p to itself.
func ownMail(s model.State, p spec.ID) (mail []model.Envelope) {
	for _, e := range s.Inboxes[p-1] {
		if e.From == p {
			mail = append(mail, e)
		}
	}
	return mail
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
