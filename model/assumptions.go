package model

import (
	"fmt"
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
		lines = append(lines, "ring        "+strings.ReplaceAll(joinIDs(c.placement()), ",", " → ")+" →")
	}
	if t.Handles.Has(spec.Start) || t.Handles.Has(spec.Notice) {
		lines = append(lines, "initiators  "+c.describeInitiators())
	}
	lines = append(lines, "start       "+c.describeStart(t), "network     "+c.Network.describe(), "failures    "+c.describeFailures())
	if t.Handles.Has(spec.Suspect) {
		lines = append(lines, "detector    "+c.Detector.describe())
	}
	if len(t.Rules) > 0 {
		lines = append(lines, "timers      "+c.Timers.describe())
	}
	return lines
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

func (n Network) describe() string {
	return n.String() + ": " + [...]string{
		"one queue from each process to each; nothing is lost or copied",
		"any message in flight may arrive next; nothing is lost or copied",
		"any message in flight may arrive next; one equal to a message in flight is absorbed",
	}[n]
}

func (c Config) describeFailures() string {
	if c.Crashes == 0 {
		return "none"
	}
	text := fmt.Sprintf("at most %s, at any moment between steps, for good", pluralEs(c.Crashes, "crash"))
	if c.Split {
		text = fmt.Sprintf("at most %s, at any moment, also between the sends of one step, for good", pluralEs(c.Crashes, "crash"))
	}
	return text
}

func pluralEs(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ses", n, noun)
}

func (d Detector) describe() string {
	return d.String() + [...]string{
		"",
		": reports each crash once to each process, any time after it, and nothing else",
		": as perfect, and not before all that the crashed process sent here has arrived",
	}[d]
}

func (t Timing) describe() string {
	return t.String() + [...]string{
		": one expires only when no answer can come any more and all that the crashed sent has arrived",
		": those that can elect expire as in flush, the others at any moment",
		": one expires only when no answer can come any more",
		": one may expire at any moment; nothing is assumed about time",
	}[t]
}
