package drive

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"interleave/impl"
	"interleave/impl/runlog"
	"interleave/model"
	"interleave/spec"
)

// round has all processes take part in a lock-step round. Each gets its messages in the order in
// which the model reads them, and is told who is down, if there is a detector. Then the round
// begins for all of them at the same moment.
func (s *testbed) round(before point, m *group) error {
	step := m.steps[0]
	s.tap.round++
	parts := map[spec.ID]model.Part{}
	for _, part := range step.Event.Parts {
		parts[part.Process] = part
	}
	for _, p := range s.processes {
		if p == nil {
			continue
		}
		if err := s.mail(p, m.reads[p.id-1]); err != nil {
			return err
		}
		if !m.told {
			continue
		}
		for q := range before.down().All() {
			if _, err := s.trigger(p, impl.Trigger{What: impl.WaitsSilence, Peer: q}); err != nil {
				return err
			}
		}
	}
	at := time.Now()
	for _, p := range s.processes {
		if p == nil {
			continue
		}
		if waited, err := s.trigger(p, impl.Trigger{What: impl.WaitsRound, At: at}); err != nil || !waited && !p.ended {
			return orMissing(err, p.id, step.Event, "it takes part in no rounds")
		}
	}
	return s.afterRound(m, parts)
}

// mail delivers to a process what it reads, one message after the other.
func (s *testbed) mail(p *process, mail []model.Envelope) error {
	for _, e := range mail {
		f, err := s.pick(p.id, e)
		if err != nil {
			return err
		}
		if f.from == p.id {
			continue // it has it already
		}
		back := link{p.id, f.from}
		heard := s.acks[back]
		if err := s.pass(f.frame); err != nil {
			return err
		}
		err = s.await(fmt.Sprintf("process %v does not take a message from %v", p.id, f.from), func() bool { return s.acks[back] > heard || p.ended })
		if err != nil {
			return err
		}
	}
	return nil
}

// afterRound compares what the processes did in a round, and takes down those that
// crash in it.
func (s *testbed) afterRound(m *group, parts map[spec.ID]model.Part) error {
	step := m.steps[0]
	for _, p := range s.processes {
		if p == nil {
			continue
		}
		if err := s.drain(p); err != nil {
			return err
		}
		if p.ended {
			return &Disagreement{Verdict: Unexpected, Process: p.id, Event: step.Event, What: fmt.Sprintf("it ends: %v", p.err)}
		}
		if err := s.compareTurn(p, step, parts[p.id].Crash); err != nil {
			return err
		}
		var told []string
		for _, r := range p.lines {
			if len(r.Outputs) > 0 {
				told = append(told, rawTexts(r.Outputs))
			}
		}
		if expected, found := s.texts(m.tells[p.id-1]), strings.Join(told, " "); !parts[p.id].Crash && expected != found {
			return &Disagreement{Verdict: Wrong, Process: p.id, Event: step.Event, What: "its output", Expected: expected, Found: found}
		}
		p.lines = nil
	}
	for _, p := range slices.Clone(s.processes) {
		if p == nil {
			continue
		}
		sends := slices.DeleteFunc(slices.Clone(step.Sends), func(out model.Sent) bool { return out.From != p.id })
		own := group{steps: []model.Step{{Event: model.Event{Action: model.Round}, Sends: sends, After: step.After}}}
		if err := s.launch(p, &own); err != nil {
			return err
		}
		if parts[p.id].Crash {
			if err := s.kill(p); err != nil {
				return err
			}
		}
	}
	s.flying = slices.DeleteFunc(s.flying, func(f message) bool { return !s.flies(f, step.After) })
	return nil
}

// compareTurn compares what one process sent in a round. Of one that crashes in
// it, the last sends do not count.
func (s *testbed) compareTurn(p *process, step model.Step, crashes bool) error {
	turn := model.Step{Event: step.Event}
	for _, out := range step.Sends {
		if out.From == p.id {
			turn.Sends = append(turn.Sends, out)
		}
	}
	var sum runlog.Record
	sum.Input = &runlog.Input{Event: "round"}
	for _, r := range p.lines {
		if r.Line == runlog.LineStep {
			sum.Sends = append(sum.Sends, r.Sends...)
		}
	}
	fail := func(v Verdict, what, expected, found string) error {
		return &Disagreement{Verdict: v, Process: p.id, Event: step.Event, What: what, Expected: expected, Found: found}
	}
	if !crashes {
		turn.Event.Action = model.Handle // all of its sends are wanted
	}
	sent := slices.Clone(p.sent)
	if err := s.compareSends(p, line{event: step.Event, step: &turn}, sum, &sent, fail); err != nil {
		return err
	}
	if len(sent) > 0 {
		return fail(Unexpected, fmt.Sprintf("a frame to %v that is in no line of its log", sent[0].to), "", fmt.Sprint(sent[0].value))
	}
	return nil
}
