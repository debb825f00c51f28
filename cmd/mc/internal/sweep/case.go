package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/cmd/mc/internal/yaml"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
)

// configuration is one configuration of a row, and one call of properties.Verify.
type configuration struct {
	row    *row
	number int // of the row in the file, where another comes to the same algorithm and world
	world.Question
}

func (c configuration) algorithm() string { return c.Machine.Traits().Name }

// title names the configuration in reports; no other has the same.
func (c configuration) title() string {
	title := strings.TrimSuffix(c.algorithm()+" "+c.Words(), " ")
	if c.number > 0 {
		title += fmt.Sprintf(" (row %d)", c.number)
	}
	return title
}

// key names a configuration in a lock, with the limits of its row.
func (c configuration) key() string {
	key := c.algorithm() + " " + c.Words()
	if n := c.Check.MaxDepth; n > 0 {
		key += fmt.Sprintf(" max-depth=%d", n)
	}
	if n := c.Check.MaxStates; n > 0 {
		key += fmt.Sprintf(" max-states=%d", n)
	}
	return key
}

// multiply returns the configurations of the rows in their order, each of them
// checked. The options are those of the command line.
func multiply(file string, rows []row, o options) ([]configuration, error) {
	var cases []configuration
	total := 0
	titled := map[string][]int{} // the cases and the rows of each title, one after the other
	for i := range rows {
		row := &rows[i]
		if total += row.size(); total > maxConfigurations {
			return nil, yaml.Placed(file, yaml.At(row.line, "with this row the file comes to more than %s configurations: split it", ui.Comma(maxConfigurations)))
		}
		more, err := row.multiply(o)
		if err != nil {
			return nil, yaml.Placed(file, err)
		}
		for _, c := range more {
			titled[c.title()] = append(titled[c.title()], len(cases), i+1)
			cases = append(cases, c)
		}
	}
	for _, same := range titled {
		for k := 0; len(same) > 2 && k < len(same); k += 2 {
			cases[same[k]].number = same[k+1]
		}
	}
	return cases, nil
}

// size returns how many configurations the row comes to, or more than maxSweep.
func (r *row) size() int {
	n := len(r.machines)
	for _, values := range r.values {
		if n = n * len(values); n > maxConfigurations {
			return maxConfigurations + 1
		}
	}
	return n
}

func (r *row) multiply(o options) ([]configuration, error) {
	var cases []configuration
	seen := map[string]bool{}
	take := func(v world.Question) error {
		v.Check.AllRings = v.AllRings
		c := configuration{row: r, Question: v}
		if err := v.Config.Check(v.Machine); err != nil {
			return r.misfit(c, err)
		}
		if name := c.algorithm() + " " + c.Words(); seen[name] {
			return yaml.At(r.line, "the row comes to %s twice: leave out the value that says the same as another", name)
		} else {
			seen[name] = true
		}
		if err := r.judgeable(c); err != nil {
			return err
		}
		cases = append(cases, c)
		return nil
	}
	for _, m := range r.machines {
		v := world.Question{World: world.World{Machine: m}, Check: r.options(o), Mem: cmp.Or(r.limits.mem, o.mem), Timeout: o.timeout}
		if r.limits.timeout > 0 {
			v.Timeout = r.limits.timeout
		}
		for _, e := range r.expect {
			p := e.property
			if claim, ok := election.Named(m, p.Name); ok { // each algorithm has its own
				p = claim
			}
			v.Props = append(v.Props, p)
		}
		if err := r.spread(v, model.Axes, take); err != nil {
			return nil, err
		}
	}
	return cases, nil
}

// judgeable refuses what cannot be expected of the configuration.
func (r *row) judgeable(c configuration) error {
	v := c.Question
	for i, e := range r.expect {
		if err := e.boundless(v.Config, v.Check.MaxDepth); err != nil {
			return err
		}
		if err := election.Check(v.Machine, v.Config, v.Props[i:i+1]); err != nil {
			return yaml.At(e.line, "%s %s: %w", c.algorithm(), c.Words(), err)
		}
	}
	if err := election.Check(v.Machine, v.Config, v.Props); err != nil {
		return r.misfit(c, err)
	}
	return nil
}

// options returns the options of the search, the limits of the row first.
func (r *row) options(o options) properties.Options {
	check := o.check
	check.Continue, check.Engine, check.Catalogue = true, properties.Auto, election.Catalogue
	check.MaxDepth, check.MaxStates = r.limits.maxDepth, r.limits.maxStates
	if r.limits.memory > 0 {
		check.Memory = r.limits.memory
	}
	return check
}

// spread calls take for each combination of the values of the axes. The first
// axis is n, for the others need it.
func (r *row) spread(v world.Question, axes []string, take func(world.Question) error) error {
	if len(axes) == 0 {
		return take(v)
	}
	values := r.values[axes[0]]
	switch {
	case axes[0] == "n" && values == nil:
		values = []yaml.Node{{Line: r.line, Text: strconv.Itoa(world.DefaultN)}}
	case values == nil:
		return r.spread(v, axes[1:], take)
	}
	for _, value := range values {
		next := v
		if err := next.Set(axes[0], value.Text); err != nil {
			var c *model.ConfigError
			if errors.As(err, &c) {
				err = quoted(c, len(values) > 1)
			}
			return yaml.AtLine(value.Line, err)
		}
		if err := r.spread(next, axes[1:], take); err != nil {
			return err
		}
	}
	return nil
}

// quoted hints at what a list may have meant, if one value of the axis may have
// commas in it.
func quoted(c *model.ConfigError, inList bool) error {
	err := fmt.Errorf("%s: %s", c.Axis, c.Reason)
	if probe := (model.Config{N: 3}); inList && probe.Set(c.Axis, "3,1,2") == nil {
		return ui.Hint(err, `within a list, a value with commas stands in quotes, as in ["3,1,2", "1,2,3"]`)
	}
	return err
}

// misfit tells which configuration is refused, on the line of the axis to blame.
func (r *row) misfit(c configuration, err error) error {
	line := r.line
	var axis *model.ConfigError
	if errors.As(err, &axis) {
		if l, ok := r.lines[axis.Axis]; ok {
			line = l
		}
		err = c.Hint(err, quoted(axis, len(r.values[axis.Axis]) > 1))
	}
	return yaml.At(line, "%s %s: %w", c.algorithm(), c.Words(), err)
}
