package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/model"
)

const defaultN = 3

const splitHelp = "a crash may also happen between the sends of one step, or after stable storage is written but before any send"

var axisHelp = []struct{ axis, help string }{
	{"n", "number of processes"},
	{"ring", "order on the ring: ascending, descending, a list as in 3,1,2, or all (every placement up to rotation)"},
	{"initiators", "processes that start on their own: all, a list as in 1,3, or any (every subset)"},
	{"network", "message order: " + strings.Join(model.NetworkNames, ", ")},
	{"losses", "how many messages may be lost; in a fifo network, only the next one of a queue"},
	{"duplicates", "how many messages may be duplicated"},
	{"partitions", "how many times the network may partition, to heal later"},
	{"crashes", "how many crashes may happen"},
	{"recoveries", "how many times a crashed process may recover"},
	{"detector", "failure detector: " + strings.Join(model.DetectorNames, ", ")},
	{"suspicions", "how many false suspicions the eventual detector may raise"},
	{"timers", "when a timer may expire: " + strings.Join(model.TimingNames, ", ")},
	{"delta", "timed timers: how many ticks a message may take"},
	{"durations", "timed timers: ticks until each expires, as in T_ok=3,T_coord=5,notice=3"},
	{"start", "how a run begins: " + strings.Join(model.StartNames, ", ")},
	{"strong", "strong fairness: kinds of step that must happen if possible infinitely often, as in \"receive,timeout T_ok\", or all"},
	{"unfair", "no fairness: kinds of step that need never happen, in the same form"},
	{"bound", "limit what grows without end in a process, such as rounds; a pass is BOUNDED; 0: no limit, not even the algorithm's default"},
}

// world fills in the configuration from the axes that were given.
func (o *verifyOptions) world(flags verifyFlags) error {
	n, err := strconv.Atoi(cmp.Or(*flags.axes["n"], strconv.Itoa(defaultN)))
	if err != nil {
		return fmt.Errorf("--n: %q is not a number: give 1 to %d", *flags.axes["n"], model.MaxN)
	}
	split := o.config.Split
	if o.home, err = model.Home(o.machine, n); err != nil {
		return err
	}
	o.config = o.home
	o.config.Split = split
	for _, a := range axisHelp[1:] {
		value := *flags.axes[a.axis]
		if a.axis == "ring" && value == "all" {
			o.check.AllRings = true
			continue
		}
		if value == "" {
			continue
		}
		if err := o.meaningful(a.axis, value); err != nil {
			return asFlag(err)
		}
		if err := o.config.Set(a.axis, value); err != nil {
			switch err = asFlag(err); a.axis {
			case "bound":
				err = hint(err, "give a number, as in --bound 2; 0 means no bound")
			case "ring":
				err = hint(err, "--ring all looks at every placement")
			}
			return err
		}
	}
	if err := o.config.Check(o.machine); err != nil {
		return o.hint(err, asFlag(err))
	}
	return nil
}

// hint adds a suggestion to an error about the name of a kind of step. The error is given as
// it was returned, and as it is to be told.
func (o *verifyOptions) hint(err, told error) error {
	var c *model.ConfigError
	lists := map[string][]string{"strong": o.config.Fairness.Strong, "unfair": o.config.Fairness.Unfair}
	if !errors.As(err, &c) || lists[c.Axis] == nil {
		return told
	}
	known := append(model.FairNames(o.machine, o.config), "all")
	for _, name := range lists[c.Axis] {
		if slices.Contains(known, name) {
			continue
		}
		if guess := suggest(name, known, ""); guess != "" {
			return hint(told, guess)
		}
	}
	return told
}

// meaningful refuses an axis that means nothing to the algorithm, even if its value is the
// default.
func (o *verifyOptions) meaningful(axis, value string) error {
	traits := o.machine.Traits()
	if slices.Contains(axes(traits), axis) || axis == "start" && value == model.Cold.String() {
		return nil
	}
	c := o.home
	if axis == "ring" {
		c.Ring = model.Ascending(c.N)
	} else if err := c.Set(axis, value); err != nil {
		return err
	}
	if err := c.Check(o.machine); err != nil {
		return err
	}
	return &model.ConfigError{Axis: axis, Reason: fmt.Sprintf("it means nothing to %s: leave it out", traits.Name)}
}

// asFlag turns the name of an axis into that of its flag.
func asFlag(err error) error {
	var c *model.ConfigError
	if errors.As(err, &c) {
		return fmt.Errorf("--%s: %s", c.Axis, c.Reason)
	}
	return err
}
