package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/model"
	"interleave/properties"
)

// sweepCase is one configuration of a row, and one call of properties.Verify.
type sweepCase struct {
	row    *sweepRow
	number int // of the row in the file, where another comes to the same algorithm and world
	verify verifyOptions
}

func (c sweepCase) algorithm() string { return c.verify.machine.Traits().Name }

// world returns the number of processes and what differs from the algorithm's
// own world, in words.
func (c sweepCase) world() string {
	var out []string
	for _, a := range c.verify.differences() {
		if a.value == "true" {
			out = append(out, a.axis)
		} else {
			out = append(out, a.axis+"="+a.value)
		}
	}
	return strings.Join(out, " ")
}

// title names the configuration in reports; no other has the same.
func (c sweepCase) title() string {
	title := strings.TrimSuffix(c.algorithm()+" "+c.world(), " ")
	if c.number > 0 {
		title += fmt.Sprintf(" (row %d)", c.number)
	}
	return title
}

// multiply returns the configurations of the rows in their order, each of them
// checked. The options are those of the command line.
func multiply(file string, rows []sweepRow, o sweepOptions) ([]sweepCase, error) {
	var cases []sweepCase
	total := 0
	titled := map[string][]int{} // the cases and the rows of each title, one after the other
	for i := range rows {
		row := &rows[i]
		if total += row.size(); total > maxSweep {
			return nil, placed(file, at(row.line, "with this row the file comes to more than %s configurations: split it", comma(maxSweep)))
		}
		more, err := row.multiply(o)
		if err != nil {
			return nil, placed(file, err)
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
func (r *sweepRow) size() int {
	n := len(r.machines)
	for _, values := range r.values {
		if n = n * len(values); n > maxSweep {
			return maxSweep + 1
		}
	}
	return n
}

func (r *sweepRow) multiply(o sweepOptions) ([]sweepCase, error) {
	var cases []sweepCase
	seen := map[string]bool{}
	take := func(v verifyOptions) error {
		c := sweepCase{row: r, verify: v}
		if err := v.config.Check(v.machine); err != nil {
			return r.misfit(c, err)
		}
		if name := c.algorithm() + " " + c.world(); seen[name] {
			return at(r.line, "the row comes to %s twice: leave out the value that says the same as another", name)
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
		v := verifyOptions{machine: m, check: r.options(o), mem: cmp.Or(r.limits.mem, o.mem), timeout: o.timeout}
		if r.limits.timeout > 0 {
			v.timeout = r.limits.timeout
		}
		for _, e := range r.expect {
			p := e.property
			if claim, ok := properties.Named(m, p.Name); ok { // each algorithm has its own
				p = claim
			}
			v.props = append(v.props, p)
		}
		if err := r.spread(v, model.Axes, take); err != nil {
			return nil, err
		}
	}
	return cases, nil
}

// judgeable refuses what cannot be expected of the configuration.
func (r *sweepRow) judgeable(c sweepCase) error {
	v := c.verify
	for i, e := range r.expect {
		if err := e.boundless(v.config, v.check.MaxDepth); err != nil {
			return err
		}
		if err := properties.Check(v.machine, v.config, v.props[i:i+1]); err != nil {
			return at(e.line, "%s %s: %w", c.algorithm(), c.world(), err)
		}
	}
	if err := properties.Check(v.machine, v.config, v.props); err != nil {
		return r.misfit(c, err)
	}
	return nil
}

// options returns the options of the search, the limits of the row first.
func (r *sweepRow) options(o sweepOptions) properties.Options {
	check := o.check
	check.Continue, check.Engine = true, properties.Auto
	check.MaxDepth, check.MaxStates = r.limits.maxDepth, r.limits.maxStates
	if r.limits.memory > 0 {
		check.Memory = r.limits.memory
	}
	return check
}

// spread calls take for each combination of the values of the axes. The first
// axis is n, for the others need it.
func (r *sweepRow) spread(v verifyOptions, axes []string, take func(verifyOptions) error) error {
	if len(axes) == 0 {
		return take(v)
	}
	values := r.values[axes[0]]
	switch {
	case axes[0] == "n" && values == nil:
		values = []yamlNode{{line: r.line, text: strconv.Itoa(defaultN)}}
	case values == nil:
		return r.spread(v, axes[1:], take)
	}
	for _, value := range values {
		next := v
		if err := next.set(axes[0], value.text); err != nil {
			var c *model.ConfigError
			if errors.As(err, &c) {
				err = quoted(c, len(values) > 1)
			}
			return placeError{value.line, err}
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
		return hint(err, `within a list, a value with commas stands in quotes, as in ["3,1,2", "1,2,3"]`)
	}
	return err
}

// set sets an axis of the configuration; n first, which sets the others to the
// algorithm's own world.
func (o *verifyOptions) set(axis, value string) (err error) {
	if axis == "n" {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > model.MaxN {
			return fmt.Errorf("n: %q is not a number of processes: write 1 to %d, a range as in 2..4, or a list as in [2, 4]", value, model.MaxN)
		}
		o.home, err = model.Home(o.machine, n)
		o.config = o.home
		return err
	}
	if err := o.meaningful(axis, value); err != nil {
		return err
	}
	if axis == "ring" && value == "all" {
		o.check.AllRings = true
		return nil
	}
	return o.config.Set(axis, value)
}

// misfit tells which configuration is refused, on the line of the axis to blame.
func (r *sweepRow) misfit(c sweepCase, err error) error {
	line := r.line
	var axis *model.ConfigError
	if errors.As(err, &axis) {
		if l, ok := r.lines[axis.Axis]; ok {
			line = l
		}
		err = c.verify.hint(err, quoted(axis, len(r.values[axis.Axis]) > 1))
	}
	return at(line, "%s %s: %w", c.algorithm(), c.world(), err)
}

// filter returns the cases of the algorithms that only names, all if it names
// none, and without the slow rows if they are to be quick.
func (ms machines) filter(cases []sweepCase, o sweepOptions) ([]sweepCase, error) {
	var names []string
	for _, name := range o.only {
		if ms.isFamily(name) {
			names = append(names, ms.variants(name)...)
			continue
		}
		m, err := ms.find(name)
		if err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
		names = append(names, m.Traits().Name)
	}
	left := slices.DeleteFunc(cases, func(c sweepCase) bool {
		return o.quick && c.row.slow || names != nil && !slices.Contains(names, c.algorithm())
	})
	switch {
	case len(left) > 0:
		return left, nil
	case names == nil:
		return nil, fmt.Errorf("--quick leaves nothing of %s: all of its rows are slow", o.file)
	}
	remedy := "name an algorithm that stands in the file"
	if o.quick {
		remedy += ", in a row that is not slow"
	}
	return nil, hint(fmt.Errorf("--only %s leaves nothing of %s", strings.Join(o.only, ","), o.file), remedy)
}
