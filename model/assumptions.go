package model

import (
	"fmt"
	"slices"
	"strings"

	"interleave/spec"
)

// Assumptions lists everything that the world takes for granted, one sentence
// each, for the reader of a verdict.
func (c Config) Assumptions(m spec.Machine) []string {
	t := m.Traits()
	lines := []string{
		fmt.Sprintf("processes   1 to %d; the ID is the priority", c.N),
	}
	if t.Ring {
		lines = append(lines, "ring        "+strings.ReplaceAll(joinIDs(c.Placement()), ",", " → ")+" →")
	}
	if t.Handles.Has(spec.Start) || t.Handles.Has(spec.Notice) {
		lines = append(lines, "initiators  "+c.describeInitiators())
	}
	lines = append(lines, "start       "+c.describeStart(t), "network     "+c.describeNetwork(), "failures    "+c.describeFailures(t))
	if t.Handles.Has(spec.Suspect) {
		lines = append(lines, "detector    "+c.describeDetector())
	}
	if len(t.Rules) > 0 {
		lines = append(lines, "timers      "+c.describeTimers())
	}
	if t.Oracle {
		lines = append(lines, "oracle      a process knows who is up when it sends; no real network tells")
	}
	lines = append(lines, "fairness    "+c.Fairness.describe())
	if c.Bound > 0 {
		lines = append(lines, fmt.Sprintf("bound       no process goes beyond %d; a pass is BOUNDED", c.Bound))
	}
	return lines
}

func (f Fairness) describe() string {
	text := "weak: what stays possible happens in the end, but for failures"
	if f.Strong != nil {
		text += "; strong for " + kindsOr("everything", f.Strong) + ": what is possible again and again happens"
	}
	if f.Unfair != nil {
		text += "; nothing is owed to " + kindsOr("anything", f.Unfair)
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

func (c Config) describeInitiators() string {
	switch i := c.Initiators; {
	case i.Any:
		return "every subset of the processes, the empty one too"
	case i.Only != 0:
		return fmt.Sprintf("only %v", i.Only)
	}
	return "all processes"
}

func (c Config) describeStart(t spec.Traits) string {
	switch {
	case c.Start == LeaderDown:
		return fmt.Sprintf("leader-down: %d has crashed, the others still follow it", c.N)
	case t.Handles.Has(spec.Start):
		return "cold: nobody knows a leader, and each process starts at a moment of its own"
	}
	return "cold: nobody knows a leader"
}

func (c Config) describeNetwork() string {
	text := c.Network.String() + ": " + [...]string{
		"one queue from each process to each",
		"any message in flight may arrive next",
		"any message in flight may arrive next; one equal to a message in flight is absorbed",
		"lock step; what is sent in one round arrives in the next, in any order",
	}[c.Network]
	var faults []string
	if c.Losses > 0 {
		faults = append(faults, fmt.Sprintf("at most %s lost", plural(c.Losses, "message")))
	}
	if c.Duplicates > 0 {
		faults = append(faults, fmt.Sprintf("at most %s copied", plural(c.Duplicates, "message")))
	}
	if c.Partitions > 0 {
		faults = append(faults, fmt.Sprintf("at most %s into two parts, which heal; what is sent across meanwhile is lost", plural(c.Partitions, "division")))
	}
	if faults == nil && c.Network != Set {
		faults = []string{"nothing is lost or copied"}
	}
	return strings.Join(append([]string{text}, faults...), "; ")
}

func (c Config) describeFailures(t spec.Traits) string {
	if c.Crashes == 0 && c.Recoveries == 0 {
		return "none"
	}
	text := fmt.Sprintf("at most %s, at any moment between steps", pluralEs(c.Crashes, "crash"))
	switch {
	case c.Split:
		text = fmt.Sprintf("at most %s, at any moment, also between the sends of one step", pluralEs(c.Crashes, "crash"))
	case c.Network == Rounds:
		text = fmt.Sprintf("at most %s, in any round, after any number of its sends", pluralEs(c.Crashes, "crash"))
	}
	if c.Recoveries == 0 {
		return text + ", for good"
	}
	memory := "without any memory"
	if t.Stable != nil {
		memory = "with what it keeps on stable storage"
	}
	if t.Stable != nil && c.Split {
		memory += ", written before a step sends anything"
	}
	return fmt.Sprintf("%s; at most %s, %s", text, plural(c.Recoveries, "restart"), memory)
}

func pluralEs(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ses", n, noun)
}

func (c Config) describeDetector() string {
	d := c.Detector
	if d == Perfect && c.Network == Rounds {
		return "perfect: tells each process at the beginning of each round who has crashed in those before, and nothing else"
	}
	text := d.String() + [...]string{
		"",
		": reports each crash once to each process, any time after it, and nothing else",
		": as perfect, and not before all that the crashed process sent here has arrived",
		": reports each crash, any time after it",
	}[d]
	if d == Eventual {
		text += fmt.Sprintf("; at most %s of a live process", plural(c.Suspicions, "false report"))
	}
	return text
}

func (c Config) describeTimers() string {
	text := c.Timers.String() + [...]string{
		": one expires only when no answer can come any more and all that the crashed sent has arrived",
		": those that can elect expire as in flush, the others at any moment",
		": one expires only when no answer can come any more",
		": one may expire at any moment; nothing is assumed about time",
		": discrete time, ",
	}[c.Timers]
	if c.Timers == Timed {
		text += fmt.Sprintf("a message takes at most %s; durations %s", plural(c.Delta, "tick"), c.Durations)
	}
	return text
}
