package drive

import (
	"fmt"
	"strings"

	"interleave/impl/runlog"
	"interleave/model"
	"interleave/spec"
)

// class is a kind of local step that a process can take: its local state and what it
// handles there, which together decide what it does. It is comparable.
type class struct {
	process spec.ID
	local   model.Local
	event   spec.EventKind
	from    spec.ID
	message any
	timer   spec.Timer
	peer    spec.ID
	act     uint8 // number of the action
	value   any
	choices string
	inbox   string   // of a lock-step round: what is read, in order, and who is reported
	live    spec.Set // if its handlers see who is live
	cut     int      // a crash cuts it short after this many sends, plus 1; 0: none
	action  string   // no local step, but another event, such as a crash; the rest is zero
}

// classes returns the local steps in one step of the model, or what else it is.
func (d *handlers) classes(before model.State, step model.Step) []class {
	e := step.Event
	switch {
	case e.Action == model.Round:
		return d.turns(before, step)
	case e.Action != model.Handle && e.Action != model.CrashMidStep:
		return []class{{action: d.kind(before, step)}}
	}
	c := class{
		process: e.Process, local: before.Locals[e.Process-1], event: e.Step.Kind,
		from: e.Step.From, message: e.Step.Message, timer: e.Step.Timer, peer: e.Step.Peer,
		act: e.Step.Action, value: e.Step.Value, choices: fmt.Sprint(e.Step.Choices),
	}
	if e.Action == model.CrashMidStep {
		c.cut = 1 + e.Cut
	}
	if d.traits.Oracle || d.traits.Ring {
		c.live = d.all &^ point{state: before}.down()
	}
	return []class{c}
}

// turns returns what the processes do in a lock-step round.
func (d *handlers) turns(before model.State, step model.Step) []class {
	parts := map[spec.ID]model.Part{}
	for _, part := range step.Event.Parts {
		parts[part.Process] = part
	}
	var out []class
	for i, l := range before.Locals {
		p := spec.ID(i + 1)
		if l.Status == model.Down || d.traits.Halted(l.State) {
			continue
		}
		c := class{process: p, local: l, event: spec.Round}
		round := spec.Event{Kind: spec.Round}
		for k := range before.Inboxes[i] {
			if order := parts[p].Order; order != nil {
				k = order[k]
			}
			e := before.Inboxes[i][k]
			text, _ := runlog.PlainJSON(e.Message) // it was sent, so it has one
			c.inbox += fmt.Sprintf("%s from %v, ", text, e.From)
			round.Inbox = append(round.Inbox, spec.Received[any]{From: e.From, Message: e.Message})
		}
		if d.config.Detector != model.NoDetector || d.looks(point{state: before}, model.Event{Process: p, Step: round}) {
			c.live = d.all &^ point{state: before}.down()
		}
		if parts[p].Crash {
			c.cut = 1 + parts[p].Cut
		}
		out = append(out, c)
	}
	return out
}

// text describes a class.
func (d *handlers) text(c class) string {
	what := c.event.String()
	switch c.event {
	case spec.Act:
		what = d.traits.Actions[c.act].Name
		if c.value != nil {
			what += fmt.Sprintf(" %v", c.value)
		}
	case spec.Receive:
		what = fmt.Sprintf("receive %v from %v", c.message, c.from)
	case spec.Timeout:
		what = "timeout " + d.traits.Rules[c.timer].Name
	case spec.Suspect, spec.Restore:
		what += fmt.Sprintf(" %v", c.peer)
	case spec.Round:
		what = fmt.Sprintf("round, reads [%s]", trimmed(c.inbox))
	}
	if c.action != "" {
		return c.action
	}
	text := fmt.Sprintf("process %v, %v %+v", c.process, c.local.Status, c.local.State)
	if c.local.Initiator {
		text += ", initiator"
	}
	if c.local.Timers != 0 {
		text += ", armed " + strings.Join(d.traits.TimerNames(c.local.Timers), " ")
	}
	if c.local.Suspected != 0 {
		text += fmt.Sprintf(", suspects %v", c.local.Suspected)
	}
	if c.live != 0 {
		text += fmt.Sprintf(", live %v", c.live)
	}
	text += ": " + what
	if chosen := strings.Trim(c.choices, "[]"); chosen != "" {
		text += ", choosing " + chosen
	}
	if c.cut > 0 {
		text += fmt.Sprintf(", cut short after %d", c.cut-1)
	}
	return text
}

func trimmed(list string) string {
	if len(list) > 2 {
		return list[:len(list)-2]
	}
	return list
}

// kind names the kind of action of a step, as the model does.
func (d *handlers) kind(before model.State, step model.Step) string {
	e := step.Event
	switch {
	case e.Action == model.CrashMidStep:
		return "crash between sends"
	case e.Action == model.Round:
		for _, part := range e.Parts {
			if part.Crash {
				return "round with a crash"
			}
		}
		return "round"
	case e.Action != model.Handle:
		return e.Action.String()
	}
	switch k := e.Step.Kind; {
	case k == spec.Receive:
		return "receive " + d.traits.Kind(e.Step.Message)
	case k == spec.Timeout:
		return "timeout " + d.traits.Rules[e.Step.Timer].Name
	case k == spec.Suspect && before.Locals[e.Step.Peer-1].Status != model.Down:
		return "suspect falsely"
	default:
		return d.traits.EventName(e.Step)
	}
}

// allKinds names the kinds of action that the world can have.
func (d *handlers) allKinds() []string {
	r, err := model.NewReference(d.machine, d.config)
	if err != nil {
		return nil
	}
	return r.StepKinds().Names()
}
