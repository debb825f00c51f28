package lockstep

import (
	"bytes"
	"fmt"
	"strings"

	"interleave/impl"
	"interleave/impl/runlog"
	"interleave/model"
	"interleave/spec"
)

// compare compares a line with the step of the model, and with the state that the
// model is in.
func (f *follower) compare(p spec.ID, r runlog.Record, step model.Step) (reason string) {
	its := f.process(p)
	its.up, its.active = true, r.Time
	local := f.state.Locals[p-1]
	text, err := runlog.PlainJSON(local.State)
	switch {
	case err != nil:
		return err.Error()
	case !bytes.Equal(text, r.State):
		return fmt.Sprintf("its state is %s, and the model's %s", r.State, text)
	case r.After != runlog.HashState(r.State):
		return "the hash of its state is that of another"
	case f.traits.Elects && r.Leader == nil:
		return "it does not say whom it follows"
	case r.Leader != nil && *r.Leader != f.traits.Leader(local.State):
		return fmt.Sprintf("it follows %v, and in the model %v", *r.Leader, f.traits.Leader(local.State))
	case len(r.Sends) != len(step.Sends):
		return fmt.Sprintf("it sends %d messages, and in the model %d", len(r.Sends), len(step.Sends))
	}
	for i, out := range step.Sends {
		text, err := runlog.PlainJSON(out.Message)
		if err != nil {
			return err.Error()
		}
		if sent := r.Sends[i]; sent.To != out.To || !bytes.Equal(sent.Message, text) {
			return fmt.Sprintf("send %d is %s to %v, and in the model %s to %v", i+1, sent.Message, sent.To, text, out.To)
		}
	}
	if len(r.Outputs) != len(step.Outputs) {
		return fmt.Sprintf("it outputs %d things, and in the model %d", len(r.Outputs), len(step.Outputs))
	}
	for i, rule := range f.traits.Rules {
		if ours, armed := its.running[rule.Name], local.Timers>>i&1 != 0; ours != armed {
			return fmt.Sprintf("its timer %s is armed: %v, and in the model: %v", rule.Name, ours, armed)
		}
	}
	for i, v := range step.Outputs {
		text, err := runlog.PlainJSON(v)
		if err != nil || !bytes.Equal(text, r.Outputs[i]) {
			return fmt.Sprintf("it outputs %s, and in the model %s", r.Outputs, text)
		}
	}
	return ""
}

// end compares the processes, by their own status, with the model at the end, and
// requires that no message is in flight that could arrive.
func (f *follower) end(statuses map[spec.ID]impl.Status) (reason string) {
	for id := range spec.UpTo(f.plan.N).All() {
		local := f.state.Locals[id-1]
		s, up := statuses[id]
		if up != (local.Status != model.Down) {
			return fmt.Sprintf("at the end process %v is up: %v, and in the model it is %v", id, up, local.Status)
		}
		if !up {
			continue
		}
		text, err := runlog.PlainJSON(local.State)
		switch timers := strings.Join(f.traits.TimerNames(local.Timers), " "); {
		case err != nil:
			return err.Error()
		case !bytes.Equal(text, s.State):
			return fmt.Sprintf("at the end process %v is in state %s, and in the model in %s", id, s.State, text)
		case timers != strings.Join(s.Timers, " "):
			return fmt.Sprintf("at the end the timers of process %v are %q, and in the model %q", id, strings.Join(s.Timers, " "), timers)
		}
	}
	if reason = f.stuck(); reason != "" {
		return reason
	}
	return f.overdue()
}

// overdue returns what a process has not done in all the time in which nothing hindered
// it. Messages to it are checked elsewhere.
func (f *follower) overdue() string {
	for _, step := range f.reference.Steps(f.state) {
		e := step.Event
		quiet := e.Action == model.Handle && !step.Unfair && e.Step.Kind != spec.Receive && f.run.over.Sub(f.process(e.Process).active) > patience
		if quiet {
			return fmt.Sprintf("process %v does not %s, though it could for a long time", e.Process, f.reference.Describe(e))
		}
	}
	return ""
}

// patience is how long a message may be in flight before the end: a lost frame is sent
// again and again, each time after twice as long, up to eight deltas.
const patience = 25 * Delta

// stuck returns a message that never arrived, although nothing held it up.
func (f *follower) stuck() string {
	for from := range spec.UpTo(f.plan.N).All() {
		for to := range spec.UpTo(f.plan.N).All() {
			sender, receiver := f.process(from), f.process(to)
			for _, m := range f.flying[link{from, to}] {
				gone := !receiver.up || !sender.up || m.name.Incarnation != sender.incarnation
				if !gone && !f.waits[m.name] && f.run.over.Sub(m.at) > patience {
					return fmt.Sprintf("message %d of process %v to %v never arrives", m.name.Sequence, from, to)
				}
			}
		}
	}
	return ""
}
