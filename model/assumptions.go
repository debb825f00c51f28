package model

import (
	"fmt"
	"slices"
	"strings"

	"interleave/spec"
)

// assumptions says what a world takes for granted.
type assumptions struct {
	Config
	traits spec.Traits
}

// lines returns one sentence each.
func (c assumptions) lines() []string {
	processes := fmt.Sprintf("processes   1 to %d", c.N)
	switch {
	case c.traits.Elects && c.traits.Wins == spec.Anyone:
		processes += "; none has priority"
	case c.traits.Elects:
		processes += "; the ID is the priority"
	}
	lines := []string{processes}
	if c.traits.Ring {
		lines = append(lines, "ring        "+strings.ReplaceAll(joinIDs(c.Placement()), ",", " → ")+" →")
	}
	if c.traits.Begins() {
		lines = append(lines, "initiators  "+c.initiators())
	}
	lines = append(lines, "start       "+c.start(), "network     "+c.network(), "failures    "+c.failures())
	if c.traits.Handles.Has(spec.Suspect) {
		lines = append(lines, "detector    "+c.detector())
	}
	if len(c.traits.Rules) > 0 {
		lines = append(lines, "timers      "+c.timers())
	}
	if c.traits.Oracle {
		lines = append(lines, "oracle      a process knows who is up when it sends, which no real network can tell")
	}
	if actions := c.actions(); actions != nil {
		lines = append(lines, "actions     "+strings.Join(actions, "; "))
	}
	lines = append(lines, "fairness    "+c.fairness())
	if c.Bound > 0 {
		lines = append(lines, fmt.Sprintf("bound       no process goes beyond %d; a pass is BOUNDED", c.Bound))
	}
	return lines
}

// actions says how often each action may be done, but for Notice.
func (c assumptions) actions() (list []string) {
	for _, act := range c.traits.Actions {
		if act.Leaderless {
			continue
		}
		text := act.Name + " as often as processes like"
		switch n := c.TimesOf(act); {
		case n > 0:
			who := "each process"
			if act.Together {
				who = "all processes together"
			}
			text = fmt.Sprintf("%s at most %s by %s", act.Name, times(n), who)
		case act.Fair:
			text = act.Name + " as often as it is possible"
		}
		list = append(list, text)
	}
	return list
}

func (c assumptions) fairness() string {
	f, except := c.Fairness, []string{"failures"}
	for _, act := range c.traits.Actions {
		if !act.Fair {
			except = append(except, act.Name)
		}
	}
	text := "weak: a step that stays possible eventually happens, except " + strings.Join(except, ", ")
	if f.Strong != nil {
		text += "; strong for " + kindsOr("all steps", f.Strong) + ": a step possible infinitely often happens"
	}
	if f.Unfair != nil {
		text += "; none for " + kindsOr("any step", f.Unfair)
	}
	return text
}

// kindsOr lists kinds of step, or returns a word that stands for all of them.
func kindsOr(all string, kinds []string) string {
	if slices.Contains(kinds, "all") {
		return all
	}
	return strings.Join(kinds, ", ")
}

func (c assumptions) initiators() string {
	switch i := c.Initiators; {
	case i.Any:
		return "every subset of the processes, including the empty one"
	case i.Only != 0:
		return fmt.Sprintf("only %v", i.Only)
	}
	return "all processes"
}

func (c assumptions) start() string {
	starts := c.traits.Handles.Has(spec.Start)
	switch {
	case c.Start == LeaderDown:
		return fmt.Sprintf("leader-down: %d has crashed, the others still follow it", c.N)
	case starts && c.traits.Elects:
		return "cold: no process knows a leader, and each starts at a time of its own"
	case starts:
		return "cold: each process starts at a time of its own"
	case c.traits.Elects:
		return "cold: no process knows a leader"
	}
	return "cold: every process is up"
}

func (c assumptions) network() string {
	text := c.Network.String() + ": " + [...]string{
		"one queue for each sender and receiver",
		"any message in flight may arrive next",
		"any message in flight may arrive next; a message equal to one in flight is absorbed",
		"lock step; messages sent in one round arrive in the next, in any order",
	}[c.Network]
	var faults []string
	if c.Losses > 0 {
		text := fmt.Sprintf("at most %s lost", plural(c.Losses, "message"))
		if c.Network == FIFO {
			text += ", only where next in a queue" // which a timer may be waiting for
		}
		faults = append(faults, text)
	}
	if c.Duplicates > 0 {
		faults = append(faults, fmt.Sprintf("at most %s duplicated", plural(c.Duplicates, "message")))
	}
	if c.Partitions > 0 {
		faults = append(faults, fmt.Sprintf("at most %s into two parts, to heal later; messages sent across meanwhile are lost", plural(c.Partitions, "partition")))
	}
	if faults == nil && c.Network != Set {
		faults = []string{"no message is lost or duplicated"}
	}
	return strings.Join(append([]string{text}, faults...), "; ")
}

func (c assumptions) failures() string {
	if c.Crashes == 0 && c.Recoveries == 0 {
		return "none"
	}
	text := fmt.Sprintf("at most %s, at any moment between steps", plural(c.Crashes, "crash"))
	switch {
	case c.Split:
		text = fmt.Sprintf("at most %s, at any moment, also between the sends of one step", plural(c.Crashes, "crash"))
	case c.Network == Rounds:
		text = fmt.Sprintf("at most %s, in any round, after any number of its sends", plural(c.Crashes, "crash"))
	}
	if c.Recoveries == 0 {
		return text + ", for good"
	}
	memory := "with no memory"
	if c.traits.Stable != nil {
		memory = "with its stable storage"
	}
	switch {
	case c.traits.Stable == nil || !c.Split:
	case c.traits.Code != nil:
		memory += ", written when a step persists, or else before it sends anything"
	default:
		memory += ", written before a step sends anything"
	}
	return fmt.Sprintf("%s; at most %s, %s", text, plural(c.Recoveries, "restart"), memory)
}

func (c assumptions) detector() string {
	d := c.Detector
	if d == Perfect && c.Network == Rounds {
		return "perfect: tells each process at the start of each round who crashed in earlier rounds, and nothing else"
	}
	text := d.String() + [...]string{
		"",
		": reports each crash once to each process, any time after it, and nothing else",
		": as perfect, but not while a message from the crashed process to the informed one is in flight",
		": reports each crash, any time after it",
	}[d]
	if d == Eventual {
		text += fmt.Sprintf("; at most %s of a live process", plural(c.Suspicions, "false report"))
	}
	return text
}

func (c assumptions) timers() string {
	text := c.Timers.String() + [...]string{
		": a timer expires only when no answer can still arrive and no message of a crashed process is in flight",
		": timers that can elect a leader expire as in flush, the others at any time",
		": a timer expires only when no answer can still arrive",
		": a timer may expire at any time; nothing is assumed about time",
		": discrete time, ",
	}[c.Timers]
	if c.Timers == Timed {
		text += fmt.Sprintf("a message takes at most %s; durations %s", plural(c.Delta, "tick"), c.Durations)
	}
	return text
}
