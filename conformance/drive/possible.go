package drive

import (
	"fmt"
	"slices"

	"interleave/model"
	"interleave/spec"
)

// prepare fills in what the process of a group must be told before its first step, and
// how that changes what its runtime knows; or returns why that is impossible.
func (d *scheduler) prepare(pt point, m *group) (reason string) {
	e := m.steps[0].Event
	p, step := e.Process, e.Step
	if step.Kind == spec.Recover {
		return d.recovers(pt, m)
	}
	if reason = d.lookAround(pt, m); reason != "" {
		return reason
	}
	live := d.all &^ pt.runtimes[p-1].suspects
	handles := d.takesOwn(pt.state, p, d.all&^pt.down())
	for _, q := range m.silences { // it hears of one after the other
		live = live.Without(q)
		handles = handles || d.takesOwn(pt.state, p, live)
	}
	if handles {
		return "the process handles what it refused from itself as soon as it hears who is down, or next does something"
	}
	after := &m.after.runtimes[p-1]
	switch step.Kind {
	case spec.Act:
		if d.traits.IsNotice(step) {
			return d.noticed(pt, m)
		}
	case spec.Suspect:
		m.silences = append(m.silences, step.Peer)
		m.unasked = true
		after.suspects = after.suspects.With(step.Peer)
	case spec.Start:
		lost := func(mail model.Envelope) bool { return pt.down().Has(mail.From) }
		if after.ended > 0 && !after.started && slices.ContainsFunc(pt.state.Inboxes[p-1], lost) {
			return "what was sent to a process that has never started may have gone to its former life, and its sender is down and does not send it again"
		}
		after.started = true
		return d.shows(pt, m)
	case spec.Restore:
		if pt.state.Locals[step.Peer-1].Status == model.Booting {
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
func (d *scheduler) lookAround(pt point, m *group) (reason string) {
	e := m.steps[0].Event
	p := e.Process
	if !d.looks(pt, e) {
		return ""
	}
	if e.Step.Kind == spec.Receive && pt.down().Has(e.Step.From) {
		return "whoever is heard counts as live again, though it has crashed since"
	}
	known := &m.after.runtimes[p-1]
	fresh := pt.down() &^ known.suspects
	if fresh == 0 {
		return ""
	}
	if d.traits.Handles.Has(spec.Suspect) {
		return "handlers know who is live from the detector, which has not told yet"
	}
	if e.Step.Kind == spec.Start {
		return "whoever starts has heard those that crashed since it was there, and counts them as live"
	}
	leader := d.leader(pt, p)
	m.silences = slices.DeleteFunc(slices.Collect(fresh.All()), func(q spec.ID) bool { return q == leader })
	if fresh.Has(leader) { // last: it notices that at once
		m.silences = append(m.silences, leader)
	}
	known.suspects |= fresh
	if !d.notices(pt, p) || known.noticing || !fresh.Has(leader) {
		return ""
	}
	known.noticing = true
	if d.traits.IsNotice(e.Step) {
		m.unasked = true
		return ""
	}
	if d.refuses(pt.state, p, spec.NoticeEvent()) {
		return ""
	}
	return "the process sees that its leader is down, and notices that first"
}

// noticed describes how a process comes to notice that it has no live leader.
func (d *scheduler) noticed(pt point, m *group) (reason string) {
	p := m.process()
	leader, known := d.leader(pt, p), &m.after.runtimes[p-1]
	switch {
	case m.unasked || leader == spec.None || known.suspects.Has(leader):
		return ""
	case d.traits.Handles.Has(spec.Suspect) && !pt.state.Locals[p-1].Suspected.Has(leader):
		return "the detector tells that the leader is down before anybody notices"
	}
	m.silences, m.unasked = append(m.silences, leader), true
	known.suspects, known.noticing = known.suspects.With(leader), true
	return ""
}

// recovers returns whether a process can come up again at a point.
func (d *scheduler) recovers(pt point, m *group) (reason string) {
	p := m.process()
	for i, in := range pt.state.Inboxes {
		if i == int(p-1) && len(in) > 0 {
			return "nothing that was sent to a former life reaches the next one"
		}
		if !d.datagrams && slices.ContainsFunc(in, func(e model.Envelope) bool { return e.From == p }) {
			return "links forget what a former life sent as soon as they hear the next one"
		}
		if pt.runtimes[p-1].ended > 1 && slices.ContainsFunc(in, func(e model.Envelope) bool { return e.From == p }) {
			return "nobody hears what was sent in a life before the former one, and what is on its way may be that"
		}
	}
	if pt.down() != spec.SetOf(p) {
		return "what is sent to a process that was never heard waits for it: nobody else may be down"
	}
	if slices.ContainsFunc(pt.state.Locals, func(l model.Local) bool { return l.Status == model.Booting }) {
		return "a process that has not started yet starts as soon as the one that comes up again greets it"
	}
	starts, tells := d.traits.Handles.Has(spec.Start), d.traits.Handles.Has(spec.Recover)
	if starts && tells {
		return "coming up again and the start are one step of the runtime"
	}
	if known := pt.runtimes[p-1]; !known.started && (known.mailed || d.datagrams) {
		return "what was sent to a process that has never started is sent again to its next life, or to its former one only"
	}
	m.after.runtimes[p-1].end()
	if starts { // nobody hears it before that
		return ""
	}
	return d.shows(pt, m)
}

// shows lets all others hear that a process is up.
func (d *scheduler) shows(pt point, m *group) (reason string) {
	if m.panics() {
		return ""
	}
	p := m.process()
	for q := range d.all.Without(p).All() {
		if d.traits.Handles.Has(spec.Restore) && pt.state.Locals[q-1].Suspected.Has(p) {
			return "whoever hears the new life of a process that it suspects takes the suspicion back first"
		}
		known := &m.after.runtimes[q-1]
		if known.suspects.Has(p) && d.takesOwn(m.after.state, q, d.all&^known.suspects.Without(p)) {
			return "whoever hears that a process is up handles at once what it sent to itself and refused while it was down"
		}
		known.suspects = known.suspects.Without(p)
		if d.leader2(m.after, q) == p {
			known.noticing = false
		}
	}
	return ""
}

// leader2 is leader, none for a process that is down.
func (d *scheduler) leader2(pt point, p spec.ID) spec.ID {
	if pt.state.Locals[p-1].Status == model.Down {
		return spec.None
	}
	return d.leader(pt, p)
}

// goOn adds to a group what the runtime does next in the same turn: it handles the
// messages of the process to itself, and checks whether there is still a leader.
func (d *scheduler) goOn(pt point, m *group) (reason string) {
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
		return d.sees(pt, m)
	}
	if d.looksForLeader(m) && !d.refuses(m.after.state, p, spec.NoticeEvent()) {
		notice := func(e model.Event) bool {
			return e.Action == model.Handle && e.Process == p && d.traits.IsNotice(e.Step)
		}
		if reason = d.follow(m, notice, "the process notices at once that its leader is down, and this world lets it do so only later"); reason != "" {
			return reason
		}
		if reason = d.hearItself(m); reason != "" {
			return reason
		}
		if m.panics() {
			return d.sees(pt, m)
		}
		d.looksForLeader(m) // not at once, but before it does anything else
	}
	for _, step := range m.steps {
		for _, out := range step.Sends {
			to := &m.after.runtimes[out.To-1]
			to.mailed = to.mailed || !to.started
		}
	}
	return d.sees(pt, m)
}

// sees returns the step of a group in which the handlers see different things in the
// model and the runtime.
func (d *scheduler) sees(pt point, m *group) (reason string) {
	p := m.process()
	suspects := m.after.runtimes[p-1].suspects
	before := pt.state
	for _, step := range m.steps {
		here := point{state: before}
		switch {
		case step.Event.Step.Kind != spec.Recover && d.looks(here, step.Event) && suspects != here.down(): // a process comes up again when all others are up
			return "the process takes for down whom its detector suspects, and not who is down"
		case step.Panic == "" && step.Event.Action != model.CrashMidStep && d.merges(before, step):
			return "two equal messages of a process to itself are one in this network, and it handles both"
		}
		before = step.After
	}
	return ""
}

// merges reports whether a message of a process to itself in a step becomes one with a
// message that it has sent already.
func (d *scheduler) merges(before model.State, step model.Step) bool {
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
func (d *scheduler) looksForLeader(m *group) bool {
	p := m.process()
	if !d.notices(m.after, p) {
		return false
	}
	leader, known := d.leader(m.after, p), &m.after.runtimes[p-1]
	suspected := known.suspects.Has(leader)
	switch {
	case leader != spec.None && !suspected:
		known.noticing = false
	case !known.noticing:
		known.noticing = true
		return suspected
	}
	return false
}

// hearItself adds the steps in which a process handles its messages to itself, until it
// refuses the next one.
func (d *scheduler) hearItself(m *group) (reason string) {
	p := m.process()
	refuses := &m.after.runtimes[p-1].refuses
	own := func(e model.Event) bool {
		return e.Action == model.Handle && e.Process == p && e.Step.Kind == spec.Receive && e.Step.From == p
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
		}
		if reason = d.follow(m, own, "the process handles at once what it sends to itself, and this world does not let it"); reason != "" {
			return reason
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

// follow adds to a group the step that is wanted; or returns otherwise, if there is none, or why it is not driven.
func (d *scheduler) follow(m *group, wanted func(model.Event) bool, otherwise string) (reason string) {
	steps := slices.DeleteFunc(d.reference.Steps(m.after.state), func(step model.Step) bool { return !wanted(step.Event) })
	switch {
	case len(steps) == 0:
		return otherwise
	case steps[0].Event.Step.Choices != nil:
		return "the process chooses in what it does at once after this step, and only what it chooses in the step itself is driven"
	}
	m.steps = append(m.steps, steps[0])
	m.after.state = steps[0].After
	return ""
}
