package impl

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"interleave/spec"
)

// settings returns what all processes must have in common, for people and to compare:
// parts with a name and a value each. It fits a frame.
func (c Config) settings() string {
	var ring []string
	for _, id := range c.Ring {
		ring = append(ring, id.String())
	}
	parts := []string{"ring " + strings.Join(ring, ","), fmt.Sprintf("delta %v", c.Delta), fmt.Sprintf("datagrams %v", c.Datagrams)}
	if c.Machine.Traits().Handles.Has(spec.Round) {
		parts = append(parts, "begin "+c.Begin.UTC().Format(time.RFC3339Nano), fmt.Sprintf("round %v", c.Durations[timerRound]))
	}
	return strings.Join(parts, settingsBreak)
}

const settingsBreak = "; "

// differ returns the parts of settings that others do not have.
func differ(settings, others string) string {
	theirs := strings.Split(others, settingsBreak)
	return strings.Join(slices.DeleteFunc(strings.Split(settings, settingsBreak), func(part string) bool {
		return slices.Contains(theirs, part)
	}), settingsBreak)
}
