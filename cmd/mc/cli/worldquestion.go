package cli

import (
	"fmt"
	"strings"
	"time"

	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/properties"
)

// question is what a verification is asked.
type question struct {
	world
	props      []properties.Property
	undecided  []string // the names of those that may stay undecided
	check      properties.Options
	form       string // of decision diagrams
	mem        string // the limit, as it was given
	timeout    time.Duration
	exhaustive bool
	fairness   bool   // ask how little fairness is needed
	detectors  string // all: compare them
}

// command returns the command that repeats the verification.
func (o *question) command() string {
	parts := []string{o.world.command("verify")}
	for _, p := range o.props {
		parts = append(parts, "--property "+ui.ShellWord(p.Name))
	}
	for _, name := range o.undecided {
		parts = append(parts, "--undecided "+ui.ShellWord(name))
	}
	c := &o.check
	for _, flag := range []struct {
		given bool
		text  string
	}{
		{c.Continue, "--continue"},
		{c.Engine != properties.Auto, "--engine " + c.Engine.String()},
		{c.Direct, "--direct"},
		{c.Reduce, "--reduce"},
		{c.Store != explore.Exact, "--store " + c.Store.String()},
		{o.mem != "" && o.mem != usualMemory(c.Store.String()), "--mem " + ui.ShellWord(o.mem)},
		{c.Spill != "", "--spill " + ui.ShellWord(c.Spill)},
		{o.form != "", "--diagram " + o.form},
		{o.fairness, "--explain-fairness"},
		{o.detectors != "", "--detectors " + o.detectors},
		{o.exhaustive, "--exhaustive"},
		{c.MaxDepth > 0, fmt.Sprintf("--max-depth %d", c.MaxDepth)},
		{c.MaxStates > 0, fmt.Sprintf("--max-states %d", c.MaxStates)},
		{o.timeout > 0, "--timeout " + o.timeout.String()},
	} {
		if flag.given {
			parts = append(parts, flag.text)
		}
	}
	return strings.Join(parts, " ")
}
