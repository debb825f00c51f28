package report

import (
	"fmt"

	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/properties"
)

// Explored says how many states were explored, and of which world.
func Explored(s properties.Stats) string {
	if s.Overapprox > 0 {
		return ui.Count(s.Overapprox, "state") + " of an over-approximation"
	}
	return ui.Count(s.States, "state")
}

// Searching returns how many seconds a search took, with what was tried before it.
func Searching(s properties.Stats) float64 { return s.Choosing + s.Seconds }

// Left says that a search ended early, and what it left.
func Left(outcome string, frontier, depth int) string {
	switch {
	case outcome == explore.DepthLimit.String(): // those that are left are the deepest
		return fmt.Sprintf("not everything: %s; %s %s away found but not looked at", outcome, ui.Count(frontier, "state"), ui.Steps(depth))
	case frontier > 0:
		return fmt.Sprintf("not everything: %s; %s found but not expanded", outcome, ui.Count(frontier, "state"))
	case outcome == explore.Stopped.String():
		return "perhaps not everything: " + outcome
	}
	return "not everything: " + outcome
}

// Depth tells how deep a search went; empty if nobody knows.
func Depth(s properties.Stats) string {
	if s.Depth < 0 {
		return ""
	}
	return fmt.Sprintf("depth %d, ", s.Depth)
}
