package world

import (
	"fmt"
	"strings"
	"time"

	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/properties"
)

// Question is what a verification is asked.
type Question struct {
	World
	Props      []properties.Property
	Undecided  []string // the names of those that may stay undecided
	Check      properties.Options
	Diagram    string // of decision diagrams
	Mem        string // the limit, as it was given
	Timeout    time.Duration
	Exhaustive bool
	Fairness   bool   // ask how little fairness is needed
	Detectors  string // all: compare them
}

// Command returns the command that repeats the verification.
func (o *Question) Command() string {
	parts := []string{o.World.Command("verify")}
	for _, p := range o.Props {
		parts = append(parts, "--property "+ui.ShellWord(p.Name))
	}
	for _, name := range o.Undecided {
		parts = append(parts, "--undecided "+ui.ShellWord(name))
	}
	c := &o.Check
	for _, flag := range []struct {
		given bool
		text  string
	}{
		{c.Continue, "--continue"},
		{c.Engine != properties.Auto, "--engine " + c.Engine.String()},
		{c.Direct, "--direct"},
		{c.Reduce, "--reduce"},
		{c.Store != explore.Exact, "--store " + c.Store.String()},
		{o.Mem != "" && o.Mem != limits.UsualMemory(c.Store.String()), "--mem " + ui.ShellWord(o.Mem)},
		{c.Spill != "", "--spill " + ui.ShellWord(c.Spill)},
		{o.Diagram != "", "--diagram " + o.Diagram},
		{o.Fairness, "--explain-fairness"},
		{o.Detectors != "", "--detectors " + o.Detectors},
		{o.Exhaustive, "--exhaustive"},
		{c.MaxDepth > 0, fmt.Sprintf("--max-depth %d", c.MaxDepth)},
		{c.MaxStates > 0, fmt.Sprintf("--max-states %d", c.MaxStates)},
		{o.Timeout > 0, "--timeout " + o.Timeout.String()},
	} {
		if flag.given {
			parts = append(parts, flag.text)
		}
	}
	return strings.Join(parts, " ")
}
