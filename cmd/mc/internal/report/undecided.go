package report

import (
	"fmt"

	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// Unfinished says how many worlds leave a mutant undecided, and names the first, with its limit.
func Unfinished(m spec.Machine, d properties.MutantResult) string {
	switch {
	case d.Survives != "":
		return "its author says that nothing can kill it"
	case len(d.Unfinished) == 0:
		return "in no world has the algorithm a property that a mutant could lack"
	}
	first := d.Unfinished[0]
	said := fmt.Sprintf("%s: %s", WorldOf(m, first.Config), first.Limit)
	if more := len(d.Unfinished) - 1; more > 0 {
		said += fmt.Sprintf("; %s, too", ui.Count(more, "other world"))
	}
	return fmt.Sprintf("%s tried; %s", ui.Count(d.Tried, "world"), said)
}

// WorldOf returns the number of processes and what differs from the
// algorithm's own world, in words.
func WorldOf(m spec.Machine, c model.Config) string {
	home, err := model.Home(m, c.N)
	if err != nil {
		home = c
	}
	return world.World{Machine: m, Config: c, Home: home}.Words()
}
