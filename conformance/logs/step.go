package logs

import (
	"bytes"
	"fmt"

	"interleave/conformance"
	"interleave/impl/runlog"
	"interleave/spec"
)

// step checks a step: it must be the one that the machine takes.
func (c *check) step(p *process, r *runlog.Record, want runlog.Record) error {
	e, in, reason := c.input(p, r)
	if reason == "" {
		reason = c.outOfTurn(p, e, r.Input)
	}
	if reason != "" {
		return p.refute(r, reason)
	}
	if e.Kind == spec.Init {
		if err := c.comesUp(p, r, in); err != nil {
			return err
		}
	}
	after, fx := c.machine.Step(p.id, c.ring, p.state, e)
	switch {
	case fx.Choose > 0:
		return p.refute(r, fmt.Sprintf("the handler chooses one of %d once more in state %s, and the line does not say which", fx.Choose, p.text))
	case fx.Refused:
		return p.refute(r, fmt.Sprintf("the machine refuses this in state %s", p.text))
	case fx.Panic != "" || fx.StrayTimer(len(c.traits.Rules)) != "":
		return p.refute(r, fmt.Sprintf("the machine cannot take this step in state %s: its handler panics or sets a timer that there is not: %s", p.text, fx.Panic))
	}
	want.Step, want.Input, want.Before = p.steps+1, in, p.hash
	text, hash := p.text, p.hash
	if after != p.state {
		rendered, err := c.render(after)
		if err != nil {
			return err
		}
		text, hash = rendered.text, rendered.hash
	}
	leader := c.traits.Leader(after)
	want.State, want.After, want.Leader = text, hash, c.following(r, leader)
	if err := c.effects(p, r, fx, &want); err != nil {
		return err
	}
	if err := p.compare(r, want, "the machine takes another step"); err != nil {
		return err
	}
	p.state, p.text, p.hash, p.leader, p.steps = after, text, hash, leader, want.Step
	r.Sends = want.Sends // equal, but with the text of render, which does not keep the line
	return c.carryOut(p, r, e, fx)
}

// rendering is the text of a state or a message as logs have it, and its hash.
type rendering struct {
	text []byte
	hash string
}

// maxTexts bounds the values whose text is remembered; see BenchmarkCheckLogs.
const maxTexts = 1 << 14

// render returns the text and hash that logs have for a value.
func (c *check) render(v any) (rendering, error) {
	if known, ok := c.texts[v]; ok {
		return known, nil
	}
	text, err := runlog.PlainJSON(v)
	if err != nil {
		return rendering{}, err
	}
	t := rendering{text, runlog.HashState(text)}
	if len(c.texts) < maxTexts {
		c.texts[v] = t
	}
	return t, nil
}

// effects fills in the effects of a step of the machine other than the new state.
func (c *check) effects(p *process, r *runlog.Record, fx spec.Effects, want *runlog.Record) error {
	for i, s := range fx.Sends {
		next := s.To == spec.NextLive
		if next {
			s.To = c.next(p, r, i)
		}
		rendered, err := c.render(s.Message)
		if err != nil {
			return err
		}
		want.Sends = append(want.Sends, runlog.Sent{To: s.To, Next: next, Sequence: p.sequence + uint64(i) + 1, Kind: c.traits.Kind(s.Message), Message: rendered.text})
	}
	for _, v := range fx.Outputs {
		text, err := runlog.PlainJSON(v)
		if err != nil {
			return err
		}
		want.Outputs = append(want.Outputs, text)
	}
	want.Armed, want.Stopped = c.traits.TimerNames(fx.Armed), c.traits.TimerNames(fx.Stopped)
	return nil
}

// next returns the next live process. If the log does not say who is live, it is the
// one to which the message went.
func (c *check) next(p *process, r *runlog.Record, i int) spec.ID {
	switch {
	case r.Input.Live != nil:
		return spec.NextOnRing(c.ring, p.id, *r.Input.Live)
	case i < len(r.Sends) && r.Sends[i].To >= 1 && int(r.Sends[i].To) <= len(c.ring):
		return r.Sends[i].To
	}
	return spec.NextOnRing(c.ring, p.id, c.all)
}

// comesUp checks the memory that a process finds when it comes up.
func (c *check) comesUp(p *process, r *runlog.Record, in *runlog.Input) error {
	memory, err := c.traits.ReadState(r.Input.Memory)
	if err != nil {
		return p.refute(r, fmt.Sprintf("its memory %s is not a state: %v", r.Input.Memory, err))
	}
	if !p.unknown && memory != p.memory && (p.former == nil || memory != p.former) {
		want, err := runlog.PlainJSON(p.memory)
		if err != nil {
			return err
		}
		return p.refute(r, "it comes up with another memory than what survives of the state it had", conformance.FieldDiff{Field: "input.memory", Expected: string(want), Found: string(r.Input.Memory)})
	}
	text, err := runlog.PlainJSON(memory)
	if err != nil {
		return err
	}
	in.Memory = text
	p.state, p.text, p.hash = memory, text, runlog.HashState(text)
	p.memory, p.former = memory, nil
	return nil
}

// carryOut applies the effects of a step.
func (c *check) carryOut(p *process, r *runlog.Record, e spec.Event, fx spec.Effects) error {
	c.report.Steps++
	c.kinds.count(e, r.Input)
	for i, s := range r.Sends {
		p.sequence++
		c.report.Messages.Sent++
		c.links.between(p.id, s.To).push(p.sent(), sent{s.Kind, s.Message, fx.Sends[i].Message, r.Input.Round}, c.ordered)
	}
	p.former = nil
	if c.traits.Stable != nil {
		if stable := c.traits.Stable(p.state); stable != p.memory {
			p.former, p.memory = p.memory, stable
		}
	}
	switch e.Kind {
	case spec.Recover:
		p.recovered = true
	case spec.Start:
		p.started = true
	case spec.Timeout:
		p.armed &^= 1 << e.Timer
	case spec.Suspect:
		if r.Input.Round > p.begun {
			p.begun, p.suspected = r.Input.Round, 0
		}
		p.suspected = p.suspected.With(e.Peer)
	case spec.Restore:
		p.suspected = p.suspected.Without(e.Peer)
	case spec.Round:
		p.round = r.Input.Round
	}
	if r.Input.Round > 0 {
		p.slept = 0
	}
	p.armed = p.armed&^fx.Stopped | fx.Armed
	for l := range r.Input.Letters() {
		if err := c.handle(p, r, l.Name); err != nil {
			return err
		}
	}
	return nil
}

// handle records that a message is handled.
func (c *check) handle(p *process, r *runlog.Record, name runlog.Name) error {
	m, l := &c.report.Messages, c.links.between(name.From, p.id)
	s, copied, reason := c.links.find(p.id, name, c.report.Messages.Copied, c.options.Budget.Duplicates)
	if reason != "" { // twice in one inbox
		return p.refute(r, reason)
	}
	if copied {
		m.Copied++
		return nil
	}
	m.Handled++
	if s.round+1 < r.Input.Round {
		c.report.LateRounds++
	}
	if name.Compare(l.last) < 0 {
		m.Overtook++
	}
	skipped := l.skip(name)
	if l.heard == p.incarnation || !p.again {
		m.Lost += skipped
	} else {
		m.Dropped += skipped
	}
	l.take(name, s, p.incarnation, c.options.Budget.Duplicates != 0)
	if b := c.options.Budget.Losses; b != Any && m.Lost > b {
		return p.refute(r, fmt.Sprintf("%d messages before it on its link were never handled: the run has lost %d, and the declared budget is %d", skipped, m.Lost, b))
	}
	return nil
}

// refused checks a message that had to wait.
func (c *check) refused(p *process, r *runlog.Record, want runlog.Record) error {
	e, in, reason := c.input(p, r)
	switch {
	case reason != "":
		return p.refute(r, reason)
	case e.Kind != spec.Receive:
		return p.refute(r, "only messages can wait")
	case p.state == nil:
		return p.refute(r, "the process has not come up: its first step is init")
	}
	if !c.traits.Oracle || in.Live != nil {
		if after, fx := c.machine.Step(p.id, c.ring, p.state, e); !fx.Refused {
			text, err := runlog.PlainJSON(after)
			if err != nil {
				return err
			}
			return p.refute(r, fmt.Sprintf("the machine does not refuse this in state %s: it goes to %s", p.text, text))
		}
	}
	c.report.Refusals++
	want.Input = in
	return p.compare(r, want, "the message was sent otherwise")
}

// wanted is the input that the current line must have.
type wanted struct {
	input    runlog.Input
	received runlog.Letter
}

// input returns the event of a line, and the input that it must have; or the reason why
// such an event is impossible.
func (c *check) input(p *process, r *runlog.Record) (e spec.Event, want *runlog.Input, reason string) {
	if r.Input == nil {
		return e, nil, "it does not say what happened"
	}
	bare := *r.Input
	bare.Received, bare.Inbox = nil, nil
	e, err := bare.Replay(c.traits)
	switch {
	case err != nil:
		return e, nil, err.Error()
	case e.Kind != spec.Init && !c.traits.Handles.Has(e.Kind):
		return e, nil, fmt.Sprintf("%s has no handler of %v", c.traits.Name, e.Kind)
	case r.Line == runlog.LineStep && c.traits.Oracle && (bare.Live == nil || !bare.Live.Has(p.id) || *bare.Live&^c.all != 0):
		return e, nil, "it does not say who is live, this process among them"
	case !c.traits.Oracle && bare.Live != nil:
		return e, nil, fmt.Sprintf("%s asks nobody who is live", c.traits.Name)
	}
	want = &c.wanted.input
	*want = runlog.Input{Event: bare.Event, Live: bare.Live, Choices: bare.Choices}
	switch e.Kind {
	case spec.Act:
		if e.Value == nil {
			break
		}
		text, err := runlog.PlainJSON(e.Value)
		if err != nil {
			return e, nil, fmt.Sprintf("value %v: %v", e.Value, err)
		}
		want.Value = text
	case spec.Start:
		want.Initiator = p.begin.Initiator
	case spec.Timeout:
		want.Timer = bare.Timer
	case spec.Suspect, spec.Restore:
		want.Peer = bare.Peer
		want.Round = bare.Round
	case spec.Receive:
		want.Delay = bare.Delay
	case spec.Round:
		want.Round = bare.Round
	}
	return e, want, c.mail(p, r.Input, &e, want)
}

// mail fills in the messages of an event as they were sent; or returns why they cannot
// have come.
func (c *check) mail(p *process, in *runlog.Input, e *spec.Event, want *runlog.Input) (reason string) {
	if e.Kind == spec.Receive && in.Received == nil {
		return "it does not say which message came"
	}
	for l := range in.Letters() {
		if l.From < 1 || int(l.From) > len(c.ring) {
			return fmt.Sprintf("the message is of process %d, and the run has the processes 1 to %d", int(l.From), len(c.ring))
		}
		s, _, reason := c.links.find(p.id, l.Name, c.report.Messages.Copied, c.options.Budget.Duplicates)
		if reason != "" {
			return reason + c.nearest(p, *l)
		}
		sent := runlog.Letter{Name: l.Name, Kind: s.kind, Message: s.text}
		switch {
		case e.Kind == spec.Round && s.round >= in.Round:
			return fmt.Sprintf("message %d of process %v was sent in round %d, and is read in a later one if at all", l.Sequence, l.From, s.round)
		case e.Kind == spec.Receive && l == in.Received:
			c.wanted.received = sent
			e.From, e.Message, want.Received = l.From, s.value, &c.wanted.received
		case e.Kind == spec.Round:
			e.Inbox = append(e.Inbox, spec.Received[any]{From: l.From, Message: s.value})
			want.Inbox = append(want.Inbox, sent)
		}
	}
	return ""
}

// nearest names a message from the same process with the same content that was not
// handled.
func (c *check) nearest(p *process, l runlog.Letter) string {
	near := runlog.Name{}
	for name, s := range c.links.between(l.From, p.id).pending {
		if bytes.Equal(s.text, l.Message) && (near == runlog.Name{} || name.Compare(near) < 0) {
			near = name
		}
	}
	if near == (runlog.Name{}) {
		return ""
	}
	return fmt.Sprintf("; the nearest one that reads the same is number %d of its incarnation %d", near.Sequence, near.Incarnation)
}
