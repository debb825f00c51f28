// Package world reads an algorithm in a configuration, and what is asked of it, from flags and files.
package world

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/spec"
)

// World is an algorithm in a configuration.
type World struct {
	Machine  spec.Machine
	Config   model.Config
	Home     model.Config // what config is if no axis is set
	AllRings bool         // every ring is meant, not that of config
}

// New returns the world of an algorithm in which some axes are set.
func New(m spec.Machine, axes Flags) (World, error) {
	w := World{Machine: m}
	text := cmp.Or(axes.Given("n"), strconv.Itoa(DefaultN))
	n, err := strconv.Atoi(text)
	if err != nil {
		return w, fmt.Errorf("--n: %q is not a number: give 1 to %d", text, model.MaxN)
	}
	if w.Home, err = model.Home(m, n); err != nil {
		return w, err
	}
	w.Config = w.Home
	w.Config.Split = axes.split
	for _, a := range axisHelp[1:] {
		if value := axes.Given(a.axis); value != "" {
			if err := w.setFlag(a.axis, value); err != nil {
				return w, err
			}
		}
	}
	if err := w.Config.Check(m); err != nil {
		return w, w.Hint(err, AsFlag(err))
	}
	return w, nil
}

// setFlag sets an axis by its flag.
func (w *World) setFlag(axis, value string) error {
	if axis == "ring" && value == "all" {
		w.AllRings = true
		return nil
	}
	if err := w.meaningful(axis, value); err != nil {
		return AsFlag(err)
	}
	err := AsFlag(w.Config.Set(axis, value))
	switch {
	case err == nil:
		return nil
	case axis == "bound":
		return ui.Hint(err, "give a number, as in --bound 2; 0 means no bound")
	case axis == "ring":
		return ui.Hint(err, "--ring all looks at every placement")
	}
	return err
}

// Set sets an axis of the configuration; n first, which sets the others to the
// algorithm's own world.
func (w *World) Set(axis, value string) (err error) {
	if axis == "n" {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > model.MaxN {
			return fmt.Errorf("n: %q is not a number of processes: write 1 to %d, a range as in 2..4, or a list as in [2, 4]", value, model.MaxN)
		}
		w.Home, err = model.Home(w.Machine, n)
		w.Config = w.Home
		return err
	}
	if err := w.meaningful(axis, value); err != nil {
		return err
	}
	if axis == "ring" && value == "all" {
		w.AllRings = true
		return nil
	}
	return w.Config.Set(axis, value)
}

// Hint adds a suggestion to an error about the name of a kind of step. The error is given as
// it was returned, and as it is to be told.
func (w *World) Hint(err, told error) error {
	var c *model.ConfigError
	lists := map[string][]string{"strong": w.Config.Fairness.Strong, "unfair": w.Config.Fairness.Unfair}
	if !errors.As(err, &c) || lists[c.Axis] == nil {
		return told
	}
	known := append(model.FairNames(w.Machine, w.Config), "all")
	for _, name := range lists[c.Axis] {
		if slices.Contains(known, name) {
			continue
		}
		if guess := ui.Suggest(name, known, ""); guess != "" {
			return ui.Hint(told, guess)
		}
	}
	return told
}

// meaningful refuses an axis that means nothing to the algorithm, even if its value is the
// default.
func (w *World) meaningful(axis, value string) error {
	traits := w.Machine.Traits()
	if slices.Contains(Axes(traits), axis) || axis == "start" && value == model.Cold.String() {
		return nil
	}
	c := w.Home
	if axis == "ring" {
		c.Ring = model.Ascending(c.N)
	} else if axis == "start" && !traits.Elects {
		c.Start = model.LeaderDown
	} else if err := c.Set(axis, value); err != nil {
		return err
	}
	if err := c.Check(w.Machine); err != nil {
		return err
	}
	return &model.ConfigError{Axis: axis, Reason: fmt.Sprintf("it means nothing to %s: leave it out", traits.Name)}
}

// AsFlag turns the name of an axis into that of its flag.
func AsFlag(err error) error {
	var c *model.ConfigError
	if errors.As(err, &c) {
		return fmt.Errorf("--%s: %s", c.Axis, c.Reason)
	}
	return err
}

// setting is the value of an axis, in words.
type setting struct{ axis, value string }

// differences returns the number of processes, and the axes on which the
// configuration is not the algorithm's own.
func (w World) differences() []setting {
	var out []setting
	for _, axis := range model.Axes {
		switch value := w.Config.Value(axis); {
		case axis == "ring" && w.AllRings:
			out = append(out, setting{axis, "all"})
		case axis == "n" || value != w.Home.Value(axis):
			out = append(out, setting{axis, value})
		}
	}
	return out
}

// Words returns the number of processes and what differs from the algorithm's own world.
func (w World) Words() string {
	var out []string
	for _, a := range w.differences() {
		if a.value == "true" {
			out = append(out, a.axis)
		} else {
			out = append(out, a.axis+"="+a.value)
		}
	}
	return strings.Join(out, " ")
}

// Command returns the command of a verb on this world.
func (w World) Command(verb string) string {
	parts := []string{"mc " + verb, ui.ShellWord(w.Machine.Traits().Name)}
	for _, a := range w.differences() {
		if a.value == "true" {
			parts = append(parts, "--"+a.axis)
		} else {
			parts = append(parts, "--"+a.axis+" "+ui.ShellWord(a.value))
		}
	}
	return strings.Join(parts, " ")
}
