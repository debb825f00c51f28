package cluster

import (
	"fmt"
	"interleave/impl/cluster/network"
	"strings"
	"time"
)

// PlanVersion is the version of the text of a plan.
const PlanVersion = "1"

// String returns the plan as mc cluster --plan reads it: YAML.
func (p Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: %s\nseed: %d\n", PlanVersion, p.Seed)
	if p.Faults != (network.Faults{}) {
		fmt.Fprintf(&b, "faults:\n")
		for _, f := range []struct {
			name Verb
			rate network.Rate
		}{{Loss, p.Faults.Loss}, {Duplicate, p.Faults.Duplicate}, {Reorder, p.Faults.Reorder}} {
			if f.rate > 0 {
				fmt.Fprintf(&b, "  %s: %v\n", f.name, f.rate)
			}
		}
		if p.Faults.Delay.Max > 0 {
			fmt.Fprintf(&b, "  delay: %v\n", p.Faults.Delay)
		}
	}
	if len(p.Events) > 0 {
		fmt.Fprintf(&b, "events:\n")
		for _, e := range p.Events {
			fmt.Fprintf(&b, "  - %v\n", e)
		}
	}
	return b.String()
}

// String returns the event as it stands in a plan.
func (e Event) String() string {
	text := fmt.Sprintf("{at: %v", e.At)
	for _, d := range []struct {
		key  string
		time time.Duration
	}{{"every", e.Every}, {"for", e.For}} {
		if d.time > 0 {
			text += fmt.Sprintf(", %s: %v", d.key, d.time)
		}
	}
	if e.Verb == Act {
		return fmt.Sprintf("%s, %s: %s, process: %q}", text, e.Verb, quoted(e.Request), joinSides(e.Sides, ""))
	}
	return fmt.Sprintf("%s, %s: %q}", text, e.Verb, e.value())
}

// String returns the action in words, as in "kill leader".
func (a Action) String() string { return string(a.Verb) + " " + a.value() }

// value is the value of the verb in a plan.
func (a Action) value() string {
	switch a.Verb {
	case Loss, Duplicate, Reorder:
		return a.Rate.String()
	case Delay:
		return a.Delay.String()
	case Act:
		return fmt.Sprintf("%s at %s", a.Request, joinSides(a.Sides, ""))
	case Heal:
		return All
	case Cut:
		return joinSides(a.Sides, " -> ")
	}
	return joinSides(a.Sides, " | ")
}

// quoted is a text as YAML has it whatever stands in it.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func joinSides(some []Some, between string) string {
	parts := make([]string, len(some))
	for i, s := range some {
		parts[i] = s.String()
	}
	return strings.Join(parts, between)
}

// String returns the processes as a plan has them: "1,3", or the word.
func (s Some) String() string {
	if s.Word != "" {
		return s.Word
	}
	return strings.ReplaceAll(strings.Trim(s.Set.String(), "{}"), " ", ",")
}
