package properties

import (
	"fmt"
	"strings"

	"interleave/model"
	"interleave/spec"
)

// Tell describes a trace in words, one line a step, as far as it replays. Its property is one of
// those given, or of All.
func Tell(m spec.Machine, t *model.Trace, props ...Property) []string {
	r, run, _, err := Replay(m, t, props...)
	if run == nil {
		return []string{err.Error()}
	}
	var lines []string
	for i, step := range run.Steps {
		lines = append(lines, fmt.Sprintf("%3d  process %v: %s: %s",
			i+1, step.Event.Process, r.Deed(step.Event), strings.Join(r.Changes(run.States[i], step), ", ")))
	}
	if err != nil {
		return append(lines, err.Error())
	}
	return append(lines, "     "+t.Reason)
}
