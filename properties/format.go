package properties

import (
	"fmt"
	"strings"

	"interleave/model"
	"interleave/spec"
)

// Format describes a trace of a property in words, one line a step, as far as it replays.
func Format(m spec.Machine, t *model.Trace, p Property) []string {
	r, run, _, err := Replay(m, t, p)
	if run == nil {
		return []string{err.Error()}
	}
	var lines []string
	for i, step := range run.Steps {
		lines = append(lines, fmt.Sprintf("%3d  process %v: %s: %s",
			i+1, step.Event.Process, r.Describe(step.Event), strings.Join(r.Changes(run.States[i], step), ", ")))
	}
	if err != nil {
		return append(lines, err.Error())
	}
	return append(lines, "     "+t.Reason)
}
