package model

import (
	"fmt"
	"reflect"
	"strings"

	"interleave/spec"
)

// Changes describes what a step changed in the process that took it, as in
// "Mode idle → electing", and what it sent; "nothing" if nothing.
func (r *Reference) Changes(before State, step Step) []string {
	if step.Panic != "" {
		return []string{"the handler panics: " + step.Panic}
	}
	p := step.Event.Process
	var changes []string
	from, to := before.local(p), step.After.local(p)
	switch {
	case to.Status == Down:
		changes = append(changes, "down")
	default:
		changes = append(changes, valueChanges(from.State, to.State)...)
		changes = append(changes, r.timerChanges(from.Timers, to.Timers)...)
	}
	if sent := describeSends(step.Sends, step.After); sent != "" {
		changes = append(changes, sent)
	}
	lost := len(before.inbox(p))
	if step.Event.Step.Kind == spec.Receive && step.Event.Cut > 0 {
		lost-- // it was handled
	}
	if to.Status == Down && lost > 0 {
		changes = append(changes, plural(lost, "message")+" to it lost")
	}
	if changes == nil {
		return []string{"nothing"}
	}
	return changes
}

// valueChanges lists the fields that differ between two plain values.
func valueChanges(from, to any) []string {
	a, b := reflect.ValueOf(from), reflect.ValueOf(to)
	if a.Kind() != reflect.Struct {
		if from == to {
			return nil
		}
		return []string{fmt.Sprintf("%v → %v", from, to)}
	}
	var changes []string
	for i := range a.NumField() {
		if x, y := a.Field(i).Interface(), b.Field(i).Interface(); x != y {
			changes = append(changes, fmt.Sprintf("%s %v → %v", a.Type().Field(i).Name, x, y))
		}
	}
	return changes
}

func (r *Reference) timerChanges(from, to uint8) []string {
	var changes []string
	for t := range r.traits.Rules {
		switch {
		case to&^from>>t&1 != 0:
			changes = append(changes, "arms "+r.traits.Rules[t].Name)
		case from&^to>>t&1 != 0:
			changes = append(changes, "disarms "+r.traits.Rules[t].Name)
		}
	}
	return changes
}

// describeSends groups equal messages, as in "sends ELECTION to 2, 3".
func describeSends(sends []spec.Send, after State) string {
	var parts []string
	for i := 0; i < len(sends); {
		m := sends[i].Message
		var to []string
		for ; i < len(sends) && sends[i].Message == m; i++ {
			receiver := sends[i].To.String()
			if after.local(sends[i].To).Status == Down {
				receiver += " (down)"
			}
			to = append(to, receiver)
		}
		parts = append(parts, fmt.Sprintf("%v to %s", m, strings.Join(to, ", ")))
	}
	if parts == nil {
		return ""
	}
	return "sends " + strings.Join(parts, ", ")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
