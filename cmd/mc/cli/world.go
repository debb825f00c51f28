package cli

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

// world is an algorithm in a configuration.
type world struct {
	machine  spec.Machine
	config   model.Config
	home     model.Config // what config is if no axis is set
	allRings bool         // every ring is meant, not that of config
}

// newWorld returns the world of an algorithm in which some axes are set.
func newWorld(m spec.Machine, axes axisFlags) (world, error) {
	w := world{machine: m}
	text := cmp.Or(axes.given("n"), strconv.Itoa(defaultN))
	n, err := strconv.Atoi(text)
	if err != nil {
		return w, fmt.Errorf("--n: %q is not a number: give 1 to %d", text, model.MaxN)
	}
	if w.home, err = model.Home(m, n); err != nil {
		return w, err
	}
	w.config = w.home
	w.config.Split = axes.split
	for _, a := range axisHelp[1:] {
		if value := axes.given(a.axis); value != "" {
			if err := w.setFlag(a.axis, value); err != nil {
				return w, err
			}
		}
	}
	if err := w.config.Check(m); err != nil {
		return w, w.hint(err, asFlag(err))
	}
	return w, nil
}

// setFlag sets an axis by its flag.
func (w *world) setFlag(axis, value string) error {
	if axis == "ring" && value == "all" {
		w.allRings = true
		return nil
	}
	if err := w.meaningful(axis, value); err != nil {
		return asFlag(err)
	}
	err := asFlag(w.config.Set(axis, value))
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

// set sets an axis of the configuration; n first, which sets the others to the
// algorithm's own world.
func (w *world) set(axis, value string) (err error) {
	if axis == "n" {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > model.MaxN {
			return fmt.Errorf("n: %q is not a number of processes: write 1 to %d, a range as in 2..4, or a list as in [2, 4]", value, model.MaxN)
		}
		w.home, err = model.Home(w.machine, n)
		w.config = w.home
		return err
	}
	if err := w.meaningful(axis, value); err != nil {
		return err
	}
	if axis == "ring" && value == "all" {
		w.allRings = true
		return nil
	}
	return w.config.Set(axis, value)
}

// hint adds a suggestion to an error about the name of a kind of step. The error is given as
// it was returned, and as it is to be told.
func (w *world) hint(err, told error) error {
	var c *model.ConfigError
	lists := map[string][]string{"strong": w.config.Fairness.Strong, "unfair": w.config.Fairness.Unfair}
	if !errors.As(err, &c) || lists[c.Axis] == nil {
		return told
	}
	known := append(model.FairNames(w.machine, w.config), "all")
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
func (w *world) meaningful(axis, value string) error {
	traits := w.machine.Traits()
	if slices.Contains(axes(traits), axis) || axis == "start" && value == model.Cold.String() {
		return nil
	}
	c := w.home
	if axis == "ring" {
		c.Ring = model.Ascending(c.N)
	} else if err := c.Set(axis, value); err != nil {
		return err
	}
	if err := c.Check(w.machine); err != nil {
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

// setting is the value of an axis, in words.
type setting struct{ axis, value string }

// differences returns the number of processes, and the axes on which the
// configuration is not the algorithm's own.
func (w world) differences() []setting {
	var out []setting
	for _, axis := range model.Axes {
		switch value := w.config.Value(axis); {
		case axis == "ring" && w.allRings:
			out = append(out, setting{axis, "all"})
		case axis == "n" || value != w.home.Value(axis):
			out = append(out, setting{axis, value})
		}
	}
	return out
}

// words returns the number of processes and what differs from the algorithm's own world.
func (w world) words() string {
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

// command returns the command of a verb on this world.
func (w world) command(verb string) string {
	parts := []string{"mc " + verb, ui.ShellWord(w.machine.Traits().Name)}
	for _, a := range w.differences() {
		if a.value == "true" {
			parts = append(parts, "--"+a.axis)
		} else {
			parts = append(parts, "--"+a.axis+" "+ui.ShellWord(a.value))
		}
	}
	return strings.Join(parts, " ")
}
