package drive

import (
	"errors"
	"fmt"
	"slices"

	"interleave/impl"
	"interleave/model"
	"interleave/spec"
)

// perform makes a group happen with the real processes and compares what they do with
// the model. The error is a *Disagreement if they differ.
func (s *testbed) perform(before point, m *group) error {
	if err := s.act(before, m); err != nil {
		return err
	}
	if m.panics() {
		return nil
	}
	return s.agree(m.after.state, m.steps[len(m.steps)-1].Event)
}

func (s *testbed) act(before point, m *group) error {
	e := m.steps[0].Event
	switch e.Action {
	case model.Crash, model.CrashMidStep:
		if e.Action == model.CrashMidStep {
			if err := s.handle(m); err != nil {
				return err
			}
		}
		s.flying = slices.DeleteFunc(s.flying, func(f message) bool { return f.to == e.Process && s.config.Recoveries == 0 })
		return s.kill(s.processes[e.Process-1])
	case model.Drop, model.Lose:
		_, err := s.pick(e.Process, model.Envelope{From: e.Step.From, Message: e.Step.Message})
		return err
	case model.Divide, model.Heal: // the driver passes only what the model passes
		return nil
	case model.Round:
		return s.round(before, m)
	}
	return s.handle(m)
}

// pick removes the first wanted message from those in flight to a process.
func (s *testbed) pick(to spec.ID, e model.Envelope) (message, error) {
	i := slices.IndexFunc(s.flying, func(f message) bool { return f.link == link{e.From, to} && f.value == e.Message })
	if i < 0 {
		return message{}, fmt.Errorf("the driver has lost the message %v from %v to %v", e.Message, e.From, to)
	}
	f := s.flying[i]
	s.flying = slices.Delete(s.flying, i, i+1)
	return f, nil
}

// handle makes one process handle the event of the first step of a group, and compares
// all that it does.
func (s *testbed) handle(m *group) error {
	e := m.steps[0].Event
	id := e.Process
	want := s.wanted(m)
	s.choices[id-1].answer(m)
	for _, q := range m.silences {
		if waited, err := s.trigger(s.processes[id-1], impl.Trigger{What: impl.WaitsSilence, Peer: q}); err != nil || !waited && !s.processes[id-1].ended {
			return orMissing(err, id, e, "it does not watch process %v", q)
		}
	}
	if !m.unasked {
		if err := s.give(e, len(want)); err != nil {
			return err
		}
	}
	p := s.processes[id-1]
	if !p.up {
		return nil // it knows its peers, and waits
	}
	panics := m.panics()
	if panics {
		if err := s.await("the handler does not panic", func() bool { return p.ended }); err != nil {
			return orMissing(nil, id, e, "its handler does not panic, as it does in the model: %s", m.steps[len(m.steps)-1].Panic)
		}
		if !errors.As(p.err, new(*impl.PanicError)) {
			return orMissing(nil, id, e, "it ends otherwise: %v", p.err)
		}
		s.processes[id-1] = nil
		return nil
	}
	if err := s.drain(p); err != nil {
		return err
	}
	if p.ended {
		return &Disagreement{Verdict: Unexpected, Process: id, Event: e, What: fmt.Sprintf("it ends: %v", p.err)}
	}
	if err := s.compare(p, e, want); err != nil {
		return err
	}
	return s.launch(p, m)
}

// give gives a process an event, and waits until it has logged so many lines, or the
// driver knows that it will not.
func (s *testbed) give(e model.Event, lines int) error {
	id, step := e.Process, e.Step
	p := s.processes[id-1]
	trigger := func(c impl.Trigger, otherwise string) error {
		waited, err := s.trigger(p, c)
		if err == nil && (waited || p.ended) {
			return nil
		}
		return orMissing(err, id, e, "%s", otherwise)
	}
	switch step.Kind {
	case spec.Start:
		return s.raise(id, lines)
	case spec.Recover:
		if err := s.boot(id); err != nil {
			return err
		}
		if s.traits.Handles.Has(spec.Start) {
			return s.greet(s.processes[id-1])
		}
		return s.raise(id, lines)
	case spec.Act:
		if s.traits.IsNotice(step) {
			return trigger(impl.Trigger{What: impl.WaitsNotice}, "it does not wait to notice anything")
		}
		_, err := s.trigger(p, impl.Trigger{What: impl.WaitsAction, Act: step.Action, Value: step.Value})
		return err // if it refuses, it logs no step
	case spec.Timeout:
		return trigger(impl.Trigger{What: impl.WaitsTimer, Timer: step.Timer}, "the timer is not armed")
	case spec.Restore:
		return s.restore(p, e)
	case spec.Receive:
		f, err := s.pick(id, model.Envelope{From: step.From, Message: step.Message})
		if err != nil {
			return err
		}
		if err := s.pass(f.frame); err != nil {
			return err
		}
		return s.await(fmt.Sprintf("process %v does not handle the message that it was sent", id), func() bool { return len(p.lines) >= lines || p.ended })
	}
	return fmt.Errorf("the driver cannot make process %v %v", id, step.Kind)
}

// restore lets a process hear that a peer is up: twice, since the copy shows that it
// has heard.
func (s *testbed) restore(p *process, e model.Event) error {
	peer := s.processes[e.Step.Peer-1]
	copies := p.copies()
	s.vital[link{peer.id, p.id}] = true
	if err := s.drain(peer); err != nil {
		return err
	}
	return s.await(fmt.Sprintf("process %v does not hear that %v is up", p.id, peer.id), func() bool { return p.copies() > copies || p.ended })
}

// launch puts the messages of a group in flight, if the model does so.
func (s *testbed) launch(p *process, m *group) error {
	sent := p.sent
	p.sent = nil
	for _, step := range m.steps {
		if e := step.Event; e.Action == model.Handle && e.Step.Kind == spec.Receive && e.Step.From == p.id {
			if _, err := s.pick(p.id, model.Envelope{From: p.id, Message: e.Step.Message}); err != nil {
				return err
			}
		}
		for _, out := range step.Sends {
			f := message{frame: frame{link: link{out.From, out.To}}, value: out.Message}
			if out.To != p.id {
				i := slices.IndexFunc(sent, func(f message) bool { return f.to == out.To })
				if i < 0 {
					return fmt.Errorf("the driver has lost what process %v sent to %v", p.id, out.To)
				}
				f = sent[i]
				sent = slices.Delete(sent, i, i+1)
			}
			if s.flies(f, step.After) {
				s.flying = append(s.flying, f)
			}
		}
	}
	return nil
}

// flies reports whether a message is in flight in the model.
func (s *testbed) flies(f message, after model.State) bool {
	to, side := after.Locals[f.to-1], after.Env.Side
	switch {
	case to.Status == model.Down && s.config.Recoveries == 0, side != 0 && side.Has(f.from) != side.Has(f.to):
		return false
	case s.config.Network == model.Rounds:
		return !s.traits.Halted(to.State)
	case s.config.Network == model.Set:
		return !slices.ContainsFunc(s.flying, func(g message) bool { return g.link == f.link && g.value == f.value })
	}
	return true
}
