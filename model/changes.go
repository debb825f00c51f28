package model

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"interleave/internal/cell"
	"interleave/spec"
)

// Changes describes what a step changed in the process that took it, as in "Mode idle →
// electing", and what it sent; "nothing" if nothing.
func (h *handlers) Changes(before State, step Step) []string {
	if step.Panic != "" {
		return []string{"the handler panics: " + step.Panic}
	}
	var changes []string
	switch action := step.Event.Action; {
	case action.Handles(), action.Down():
		changes = h.changesAt(before, step, step.Event.Process)
	case action == Round:
		for p := range h.all.All() {
			if at := h.changesAt(before, step, p); at != nil {
				changes = append(changes, fmt.Sprintf("process %v: %s", p, strings.Join(at, ", ")))
			}
		}
	}
	changes = append(changes, h.monitors.changes(before.Env.Monitors, step.After.Env.Monitors)...)
	if changes == nil {
		return []string{"nothing"}
	}
	return changes
}

// ChangesOf describes what a step changed in process p alone, without what it sent; nil if
// nothing.
func (h *handlers) ChangesOf(before State, step Step, p spec.ID) []string {
	if step.Panic != "" {
		return nil
	}
	step.Sends = nil
	return h.changesAt(before, step, p)
}

// changesAt describes what a step changed in p, and what p sent and told its user.
func (h *handlers) changesAt(before State, step Step, p spec.ID) []string {
	from, to := before.Local(p), step.After.Local(p)
	var changes []string
	switch {
	case to.Status == Down && from.Status != Down:
		changes = append(changes, "down")
		if kept := to.Keeps(); kept != "" {
			changes = append(changes, kept)
		}
	case to.Status != Down:
		if from.Status == Down {
			changes = append(changes, "up")
			from.State, _ = h.begin(p, from.State)
		}
		changes = append(changes, valueChanges(from.State, to.State)...)
		changes = append(changes, h.timerChanges(from.Timers, to.Timers)...)
	}
	for _, told := range step.Outputs {
		changes = append(changes, "outputs "+cmp.Or(fmt.Sprint(told), `""`))
	}
	if sent := describeSends(step, p); sent != "" {
		changes = append(changes, sent)
	}
	lost := len(before.Inbox(p)) - len(step.After.Inbox(p))
	if step.Event.Action.Handles() && step.Event.Step.Kind == spec.Receive {
		lost-- // it was handled
	}
	if step.Event.Action.Down() && lost > 0 {
		changes = append(changes, plural(lost, "message")+" to it lost")
	}
	return changes
}

// Keeps says what a crashed process has in stable storage, as in "keeps Term 3", with the fields
// that are not zero; empty if there are none.
func (l Local) Keeps() string {
	if l.State == nil {
		return ""
	}
	v := cell.Settable(cell.Seen(l.State))
	if v.Kind() != reflect.Struct {
		if v.IsZero() {
			return ""
		}
		return fmt.Sprintf("keeps %v", l.State)
	}
	var fields []string
	for i := range v.NumField() {
		if f := cell.Field(v, i); !f.IsZero() {
			fields = append(fields, fmt.Sprintf("%s %s", v.Type().Field(i).Name, cell.Shown(f)))
		}
	}
	if fields == nil {
		return ""
	}
	return "keeps " + strings.Join(fields, ", ")
}

// valueChanges lists the parts that differ between two states.
func valueChanges(from, to any) (changes []string) {
	for c := range cell.Changes(cell.Seen(from), cell.Seen(to)) {
		changes = append(changes, c.String())
	}
	if from != to && changes == nil {
		return []string{"changes what is not shown"}
	}
	return changes
}

func (h *handlers) timerChanges(from, to uint8) []string {
	var changes []string
	for t := range h.traits.Rules {
		switch {
		case to&^from>>t&1 != 0:
			changes = append(changes, "arms "+h.traits.Rules[t].Name)
		case from&^to>>t&1 != 0:
			changes = append(changes, "disarms "+h.traits.Rules[t].Name)
		}
	}
	return changes
}

// describeSends groups equal messages that p sent, as in "sends ELECTION to 2, 3".
func describeSends(step Step, p spec.ID) string {
	var parts []string
	for i := 0; i < len(step.Sends); {
		m := step.Sends[i]
		var to []string
		for ; i < len(step.Sends) && step.Sends[i].From == m.From && step.Sends[i].Message == m.Message; i++ {
			to = append(to, describeReceiver(step, step.Sends[i]))
		}
		if m.From == p {
			parts = append(parts, fmt.Sprintf("%v to %s", m.Message, strings.Join(to, ", ")))
		}
	}
	if parts == nil {
		return ""
	}
	return "sends " + strings.Join(parts, ", ")
}

func describeReceiver(step Step, m Sent) string {
	switch {
	case step.After.Local(m.To).Status == Down:
		return m.To.String() + " (down)"
	case step.After.Env.Divides(m.From, m.To):
		return m.To.String() + " (cut off)"
	}
	return m.To.String()
}

// plural counts what a noun says.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "sh") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
