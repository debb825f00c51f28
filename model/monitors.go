package model

import (
	"encoding/json"
	"fmt"
	"strings"

	"interleave/spec"
)

// Monitors are the properties with a spec.Monitor whose values are part of the states of a world. The values stand in the
// Env, as JSON, so that equal ones are equal texts.
type Monitors []spec.Property

// monitorsOf returns the monitors that a world has.
func monitorsOf(c Config, t *spec.Traits) (list Monitors, err error) {
	for _, name := range c.Monitors {
		found := false
		for _, p := range t.Properties {
			if p.Name == name && p.Monitor != nil {
				list, found = append(list, p), true
			}
		}
		if !found {
			return nil, &ConfigError{"monitors", fmt.Sprintf("%s has no property %q with a monitor", t.Name, name)}
		}
	}
	if len(list) > spec.MaxMonitors {
		return nil, &ConfigError{"monitors", fmt.Sprintf("%d are too many: check up to %d properties with a monitor at a time", len(list), spec.MaxMonitors)}
	}
	return list, nil
}

// first is the text of monitors that have seen nothing; empty without monitors.
func (list Monitors) first() string {
	values := make([]any, len(list))
	for i, p := range list {
		values[i] = p.Monitor.First
	}
	return tellMonitors(values)
}

func tellMonitors(values []any) string {
	if len(values) == 0 {
		return ""
	}
	text, err := json.Marshal(values)
	if err != nil {
		panic(fmt.Sprintf("model: a plain value has no JSON: %v", err))
	}
	return string(text)
}

// Read returns the values in a text of an Env.
func (list Monitors) Read(text string) (values []any, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, err
	}
	if len(raw) != len(list) {
		return nil, fmt.Errorf("there are %d monitors, and values of %d", len(list), len(raw))
	}
	for i, p := range list {
		v, err := p.Monitor.Read(raw[i])
		if err != nil {
			return nil, fmt.Errorf("the monitor %s: %w", p.Name, err)
		}
		values = append(values, v)
	}
	return values, nil
}

// Observe returns what monitors make of a step, and for each why the step breaks its property; nil if it does not.
// Whoever is broken keeps its value.
func (list Monitors) Observe(text string, s spec.Step) (after string, broken []error) {
	if len(list) == 0 {
		return "", nil
	}
	values, err := list.Read(text)
	if err != nil {
		panic(fmt.Sprintf("model: the monitors %s: %v", text, err))
	}
	broken = make([]error, len(values))
	for i, p := range list {
		next, err := p.Monitor.Next(values[i], s)
		if broken[i] = err; err == nil {
			values[i] = next
		}
	}
	return tellMonitors(values), broken
}

// changes lists what differs between two texts of monitors.
func (list Monitors) changes(before, after string) (changes []string) {
	from, _ := list.Read(before)
	to, err := list.Read(after)
	if err != nil || len(from) != len(to) {
		return nil // a panic has no state after it
	}
	for i, p := range list {
		if differ := valueChanges(from[i], to[i]); len(differ) > 0 {
			changes = append(changes, fmt.Sprintf("monitor %s: %s", p.Name, strings.Join(differ, ", ")))
		}
	}
	return changes
}

// Seen is a step that turns one local state into another, as monitors see it.
func Seen(p spec.ID, e spec.Event, before, after Local, outputs []any) spec.Step {
	return spec.Step{Process: p, Event: e, Before: before.State, After: after.State, Outputs: outputs}
}

// BrokenBy returns the watches of monitors that a step breaks, as a bit set.
func (list Monitors) BrokenBy(watches []Watch, broken []error) (set uint64) {
	for i, err := range broken {
		for k, w := range watches {
			if err != nil && w.Monitor == list[i].Name {
				set |= 1 << k
			}
		}
	}
	return set
}
