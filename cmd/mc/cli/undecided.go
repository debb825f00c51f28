package cli

import (
	"fmt"

	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// unfinished says how many worlds leave a mutant undecided, and names the first, with its limit.
func unfinished(m spec.Machine, d properties.Death) string {
	switch {
	case d.Survives != "":
		return "its author says that nothing can kill it"
	case len(d.Unfinished) == 0:
		return "in no world has the algorithm a property that a mutant could lack"
	}
	first := d.Unfinished[0]
	said := fmt.Sprintf("%s: %s", worldOf(m, first.Config), first.Limit)
	if more := len(d.Unfinished) - 1; more > 0 {
		said += fmt.Sprintf("; %s, too", ui.Count(more, "other world"))
	}
	return fmt.Sprintf("%s tried; %s", ui.Count(d.Tried, "world"), said)
}

// worldOf returns the number of processes and what differs from the
// algorithm's own world, in words.
func worldOf(m spec.Machine, c model.Config) string {
	home, err := model.Home(m, c.N)
	if err != nil {
		home = c
	}
	return world{machine: m, config: c, home: home}.words()
}
