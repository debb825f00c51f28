package sweep

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"time"

	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/yaml"
	"interleave/model"
	"interleave/model/picture"
	"interleave/spec"
)

// fileVersion is the version of the files that mc sweep reads.
const fileVersion = "1"

// maxConfigurations bounds the configurations that a file comes to.
const maxConfigurations = 10_000

// row is a row of a file: what is expected of each of its algorithms in
// each combination of its values.
type row struct {
	line     int
	about    string // one line, for people
	slow     bool
	machines []spec.Machine
	values   map[string][]yaml.Node // scalars, by axis
	lines    map[string]int         // of the keys
	limits   rowLimits
	expect   []expectation
	expected yaml.Field
}

// rowLimits are the limits of a row. They go before those of the command
// line; zero means that the row has none.
type rowLimits struct {
	maxDepth, maxStates int
	memory              int64
	mem                 string // in words
	timeout             time.Duration
}

// otherKeys are the keys of a row that are no axes.
var otherKeys = []string{"algorithm", "about", "slow", "max-depth", "max-states", "mem", "timeout", "expect"}

// readFile reads the rows of a file. Its errors are of the form FILE:LINE.
func readFile(file string, text []byte, known names.Table) ([]row, error) {
	rows, err := readRows(text, known)
	return rows, yaml.Placed(file, err)
}

func readRows(text []byte, known names.Table) ([]row, error) {
	root, err := yaml.Read(text)
	if err != nil {
		return nil, yaml.OrEmpty(err, "version: 1 and rows")
	}
	if root.Kind != yaml.Mapping {
		return nil, yaml.At(root.Line, "the file is a %s: write version: 1 and rows", root.Kind)
	}
	var rows, version yaml.Node
	for _, f := range root.Fields {
		switch f.Key {
		case "version":
			version = f.Value
		case "rows":
			rows = f.Value
		default:
			return nil, yaml.UnknownKey(f, "the file", []string{"version", "rows"})
		}
	}
	switch {
	case version.Kind == "":
		return nil, yaml.At(root.Line, "the version is missing: write version: %s", fileVersion)
	case version.Text != fileVersion:
		return nil, yaml.At(version.Line, "version %q is not one that this program reads: write version: %s", version.Text, fileVersion)
	case rows.Kind == "":
		return nil, yaml.At(root.Line, "there are no rows: write rows, a list")
	case rows.Kind != yaml.List:
		return nil, yaml.At(rows.Line, "rows is a %s: write a list", rows.Kind)
	case len(rows.Items) == 0:
		return nil, yaml.At(rows.Line, "there are no rows: write one at least")
	}
	var out []row
	for _, item := range rows.Items {
		row, err := readRow(item, known)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

func readRow(n yaml.Node, known names.Table) (row, error) {
	row := row{line: n.Line, values: map[string][]yaml.Node{}, lines: map[string]int{}}
	if n.Kind != yaml.Mapping {
		return row, yaml.At(n.Line, "a row is a mapping with algorithm and expect, not a %s", n.Kind)
	}
	for _, f := range n.Fields {
		row.lines[f.Key] = f.Line
		if err := row.read(f, known); err != nil {
			return row, err
		}
	}
	switch {
	case row.machines == nil:
		return row, yaml.At(row.line, "the row names no algorithm: write algorithm: NAME")
	case row.expected.Key == "":
		return row, yaml.At(row.line, "the row expects nothing: write expect, with a line for each property to check")
	}
	var err error
	if row.expect, err = readExpectations(row.expected, known, row.machines); err != nil {
		return row, err
	}
	for _, e := range row.expect {
		if err := e.within(row.limits.maxDepth); err != nil {
			return row, err
		}
	}
	return row, nil
}

// read takes in one key of the row.
func (r *row) read(f yaml.Field, known names.Table) (err error) {
	if slices.Contains(model.Axes, f.Key) {
		r.values[f.Key], err = valuesOf(f)
		return err
	}
	if single := f.Key != "algorithm" && f.Key != "expect"; !slices.Contains(otherKeys, f.Key) {
		return yaml.UnknownKey(f, "a row", rowKeys())
	} else if single && f.Value.Kind != yaml.Scalar {
		return yaml.At(f.Value.Line, "%s is a %s: write one value", f.Key, f.Value.Kind)
	}
	switch f.Key {
	case "algorithm":
		r.machines, err = machinesOf(f, known)
	case "about":
		r.about = picture.OneLine(f.Value.Text)
	case "slow":
		if f.Value.Text != "true" && f.Value.Text != "false" {
			return yaml.At(f.Value.Line, "slow is %q: write true or false", f.Value.Text)
		}
		r.slow = f.Value.Text == "true"
	case "max-depth":
		r.limits.maxDepth, err = readPositive(f)
	case "max-states":
		r.limits.maxStates, err = readPositive(f)
	case "mem":
		r.limits.mem = f.Value.Text
		r.limits.memory, err = memoryOf(f)
	case "timeout":
		r.limits.timeout, err = f.Duration()
	case "expect":
		r.expected = f // when all algorithms are known
	}
	return err
}

func rowKeys() []string { return slices.Concat(otherKeys, model.Axes) }

var interval = regexp.MustCompile(`^([0-9]+)\.\.([0-9]+)$`)

// valuesOf returns the values of an axis, with its ranges written out.
func valuesOf(f yaml.Field) ([]yaml.Node, error) {
	items, err := f.Scalars()
	if err != nil {
		return nil, err
	}
	var out []yaml.Node
	for _, item := range items {
		parts := interval.FindStringSubmatch(item.Text)
		if parts == nil {
			out = append(out, item)
			continue
		}
		first, err1 := strconv.Atoi(parts[1])
		last, err2 := strconv.Atoi(parts[2])
		switch {
		case err1 != nil || err2 != nil || last-first >= maxConfigurations:
			return nil, yaml.At(item.Line, "%s: the range %s is too long", f.Key, item.Text)
		case last < first:
			return nil, yaml.At(item.Line, "%s: the range %s is empty: write %s..%s", f.Key, item.Text, parts[2], parts[1])
		}
		for i := first; i <= last; i++ {
			out = append(out, yaml.Node{Line: item.Line, Kind: yaml.Scalar, Text: strconv.Itoa(i)})
		}
	}
	if len(out) > maxConfigurations {
		return nil, yaml.At(f.Line, "%s has more than %d values: split the row", f.Key, maxConfigurations)
	}
	return out, nil
}

func machinesOf(f yaml.Field, known names.Table) ([]spec.Machine, error) {
	names, err := f.Scalars()
	if err != nil {
		return nil, err
	}
	var out []spec.Machine
	for _, name := range names {
		m, err := known.Find(name.Text)
		if err != nil {
			return nil, yaml.AtLine(name.Line, err)
		}
		if slices.ContainsFunc(out, func(o spec.Machine) bool { return o.Traits().Name == m.Traits().Name }) {
			return nil, yaml.At(name.Line, "%s is named twice: leave one out", m.Traits().Name)
		}
		out = append(out, m)
	}
	return out, nil
}

func readPositive(f yaml.Field) (int, error) {
	n, err := strconv.Atoi(f.Value.Text)
	if err != nil || n < 1 {
		return 0, yaml.At(f.Value.Line, "%s: %q is not a number above 0: leave it out for no limit", f.Key, f.Value.Text)
	}
	return n, nil
}

func memoryOf(f yaml.Field) (int64, error) {
	mem, err := limits.ParseMemory(f.Value.Text)
	if err == nil && mem == 0 {
		err = errors.New("0 is no limit: leave it out for that of the command line")
	}
	if err != nil {
		return 0, yaml.At(f.Value.Line, "%s: %w", f.Key, err)
	}
	return mem, nil
}
