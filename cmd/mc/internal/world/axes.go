package world

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/spec"
)

// DefaultN is the number of processes if none is given.
const DefaultN = 3

// Headings of the axes in the help of a command.
const (
	processes = "Processes and network"
	faults    = "Faults"
	timing    = "Failure detector and timers"
	runs      = "Actions, fairness and bound"
)

var axisHelp = []struct{ heading, axis, help string }{
	{processes, "n", "number of processes"},
	{processes, "ring", "order on the ring: ascending, descending, a list as in 3,1,2, or all (every placement up to rotation)"},
	{processes, "initiators", "processes that start on their own: all, a list as in 1,3, or any (every subset)"},
	{processes, "network", "message order: " + strings.Join(model.NetworkNames, ", ")},
	{faults, "losses", "how many messages may be lost; in a fifo network, only the next one of a queue"},
	{faults, "duplicates", "how many messages may be duplicated"},
	{faults, "partitions", "how many times the network may partition, to heal later"},
	{faults, "crashes", "how many crashes may happen"},
	{faults, "recoveries", "how many times a crashed process may recover"},
	{timing, "detector", "failure detector: " + strings.Join(model.DetectorNames, ", ")},
	{timing, "suspicions", "how many false suspicions the eventual detector may raise"},
	{timing, "timers", "when a timer may expire: " + strings.Join(model.TimingNames, ", ")},
	{timing, "delta", "timed timers: how many ticks a message may take"},
	{timing, "durations", "timed timers: ticks until each expires, as in T_ok=3,T_coord=5,notice=3"},
	{processes, "start", "how a run begins: " + strings.Join(model.StartNames, ", ")},
	{runs, "times", "how often each action may be done that the algorithm limits: a number, declared (as the algorithm says) or any (as often as processes like)"},
	{runs, "strong", "strong fairness: kinds of step that must happen if possible infinitely often, as in \"receive,timeout T_ok\", or all"},
	{runs, "unfair", "no fairness: kinds of step that need never happen, in the same form"},
	{runs, "bound", "limit what grows without end in a process, such as rounds; a pass is BOUNDED; 0: no limit, not even the algorithm's default"},
}

const splitHelp = "a crash may also happen within a step: between its sends, or between writing stable storage and sending"

// Help says what an axis is.
func Help(axis string) string {
	for _, known := range axisHelp {
		if known.axis == axis {
			return known.help
		}
	}
	return splitHelp
}

// Flags are the flags of a world, as they are written.
type Flags struct {
	Values map[string]*string
	split  bool
}

// Declare declares the flags of some axes; of all, if none is named.
func (a *Flags) Declare(f *pflag.FlagSet, names ...string) {
	a.Values = map[string]*string{}
	for _, known := range axisHelp {
		if names == nil || slices.Contains(names, known.axis) {
			ui.Group(f, known.heading, func(f *pflag.FlagSet) { a.Values[known.axis] = f.String(known.axis, "", known.help) })
		} else {
			a.Values[known.axis] = new(string)
		}
	}
	if names == nil {
		f.Lookup("n").DefValue = strconv.Itoa(DefaultN)
	}
	ui.Group(f, faults, func(f *pflag.FlagSet) { f.BoolVar(&a.split, "split", false, splitHelp) })
}

// Given returns the value of an axis; empty if it has none.
func (a Flags) Given(axis string) string { return *a.Values[axis] }

// Changed reports whether the command line sets one of the axes.
func (a Flags) Changed(f *pflag.FlagSet) bool {
	for axis := range a.Values {
		if f.Changed(axis) {
			return true
		}
	}
	return f.Changed("split")
}

// Axes returns the axes of the world that mean something to an algorithm.
func Axes(t spec.Traits) []string {
	means := map[string]bool{
		"ring":       t.Ring,
		"initiators": t.Begins(),
		"detector":   t.Handles.Has(spec.Suspect),
		"suspicions": t.Handles.Has(spec.Suspect),
		"timers":     len(t.Rules) > 0,
		"delta":      len(t.Rules) > 0,
		"durations":  len(t.Rules) > 0,
		"start":      t.Follow != nil,
		"bound":      t.Measure != nil,
		"times":      slices.ContainsFunc(t.Actions, spec.ActionTraits.Limited),
	}
	if t.Handles.Has(spec.Round) {
		for _, axis := range []string{"losses", "duplicates", "partitions", "split", "recoveries", "suspicions"} {
			means[axis] = false
		}
	}
	var out []string
	for _, axis := range model.Axes {
		if yes, known := means[axis]; yes || !known {
			out = append(out, axis)
		}
	}
	return out
}
