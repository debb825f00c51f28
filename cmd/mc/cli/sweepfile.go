package cli

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"time"

	"interleave/model"
	"interleave/model/picture"
	"interleave/spec"
)

// sweepVersion is the version of the files that mc sweep reads.
const sweepVersion = "1"

// maxSweep bounds the configurations that a file comes to.
const maxSweep = 10_000

// sweepRow is a row of a file: what is expected of each of its algorithms in
// each combination of its values.
type sweepRow struct {
	line     int
	about    string // one line, for people
	slow     bool
	machines []spec.Machine
	values   map[string][]yamlNode // scalars, by axis
	lines    map[string]int        // of the keys
	limits   sweepLimits
	expect   []expectation
	expected yamlField
}

// sweepLimits are the limits of a row. They go before those of the command
// line; zero means that the row has none.
type sweepLimits struct {
	maxDepth, maxStates int
	memory              int64
	mem                 string // in words
	timeout             time.Duration
}

// otherKeys are the keys of a row that are no axes.
var otherKeys = []string{"algorithm", "about", "slow", "max-depth", "max-states", "mem", "timeout", "expect"}

// readSweep reads the rows of a file. Its errors are of the form FILE:LINE.
func readSweep(file string, text []byte, known machines) ([]sweepRow, error) {
	rows, err := readRows(text, known)
	return rows, placed(file, err)
}

func readRows(text []byte, known machines) ([]sweepRow, error) {
	root, err := readYAML(text)
	if err != nil {
		return nil, orEmpty(err, "version: 1 and rows")
	}
	if root.kind != yamlMapping {
		return nil, at(root.line, "the file is a %s: write version: 1 and rows", root.kind)
	}
	var rows, version yamlNode
	for _, f := range root.fields {
		switch f.key {
		case "version":
			version = f.value
		case "rows":
			rows = f.value
		default:
			return nil, unknownKey(f, "the file", []string{"version", "rows"})
		}
	}
	switch {
	case version.kind == "":
		return nil, at(root.line, "the version is missing: write version: %s", sweepVersion)
	case version.text != sweepVersion:
		return nil, at(version.line, "version %q is not one that this program reads: write version: %s", version.text, sweepVersion)
	case rows.kind == "":
		return nil, at(root.line, "there are no rows: write rows, a list")
	case rows.kind != yamlList:
		return nil, at(rows.line, "rows is a %s: write a list", rows.kind)
	case len(rows.items) == 0:
		return nil, at(rows.line, "there are no rows: write one at least")
	}
	var out []sweepRow
	for _, item := range rows.items {
		row, err := readRow(item, known)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

func readRow(n yamlNode, known machines) (sweepRow, error) {
	row := sweepRow{line: n.line, values: map[string][]yamlNode{}, lines: map[string]int{}}
	if n.kind != yamlMapping {
		return row, at(n.line, "a row is a mapping with algorithm and expect, not a %s", n.kind)
	}
	for _, f := range n.fields {
		row.lines[f.key] = f.line
		if err := row.read(f, known); err != nil {
			return row, err
		}
	}
	switch {
	case row.machines == nil:
		return row, at(row.line, "the row names no algorithm: write algorithm: NAME")
	case row.expected.key == "":
		return row, at(row.line, "the row expects nothing: write expect, with a line for each property to check")
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
func (r *sweepRow) read(f yamlField, known machines) (err error) {
	if slices.Contains(model.Axes, f.key) {
		r.values[f.key], err = valuesOf(f)
		return err
	}
	if single := f.key != "algorithm" && f.key != "expect"; !slices.Contains(otherKeys, f.key) {
		return unknownKey(f, "a row", rowKeys())
	} else if single && f.value.kind != yamlScalar {
		return at(f.value.line, "%s is a %s: write one value", f.key, f.value.kind)
	}
	switch f.key {
	case "algorithm":
		r.machines, err = machinesOf(f, known)
	case "about":
		r.about = picture.OneLine(f.value.text)
	case "slow":
		if f.value.text != "true" && f.value.text != "false" {
			return at(f.value.line, "slow is %q: write true or false", f.value.text)
		}
		r.slow = f.value.text == "true"
	case "max-depth":
		r.limits.maxDepth, err = readPositive(f)
	case "max-states":
		r.limits.maxStates, err = readPositive(f)
	case "mem":
		r.limits.mem = f.value.text
		r.limits.memory, err = memoryOf(f)
	case "timeout":
		r.limits.timeout, err = f.duration()
	case "expect":
		r.expected = f // when all algorithms are known
	}
	return err
}

func rowKeys() []string { return slices.Concat(otherKeys, model.Axes) }

var interval = regexp.MustCompile(`^([0-9]+)\.\.([0-9]+)$`)

// valuesOf returns the values of an axis, with its ranges written out.
func valuesOf(f yamlField) ([]yamlNode, error) {
	items, err := f.scalars()
	if err != nil {
		return nil, err
	}
	var out []yamlNode
	for _, item := range items {
		parts := interval.FindStringSubmatch(item.text)
		if parts == nil {
			out = append(out, item)
			continue
		}
		first, err1 := strconv.Atoi(parts[1])
		last, err2 := strconv.Atoi(parts[2])
		switch {
		case err1 != nil || err2 != nil || last-first >= maxSweep:
			return nil, at(item.line, "%s: the range %s is too long", f.key, item.text)
		case last < first:
			return nil, at(item.line, "%s: the range %s is empty: write %s..%s", f.key, item.text, parts[2], parts[1])
		}
		for i := first; i <= last; i++ {
			out = append(out, yamlNode{line: item.line, kind: yamlScalar, text: strconv.Itoa(i)})
		}
	}
	if len(out) > maxSweep {
		return nil, at(f.line, "%s has more than %d values: split the row", f.key, maxSweep)
	}
	return out, nil
}

func machinesOf(f yamlField, known machines) ([]spec.Machine, error) {
	names, err := f.scalars()
	if err != nil {
		return nil, err
	}
	var out []spec.Machine
	for _, name := range names {
		m, err := known.find(name.text)
		if err != nil {
			return nil, placeError{name.line, err}
		}
		if slices.ContainsFunc(out, func(o spec.Machine) bool { return o.Traits().Name == m.Traits().Name }) {
			return nil, at(name.line, "%s is named twice: leave one out", m.Traits().Name)
		}
		out = append(out, m)
	}
	return out, nil
}

func readPositive(f yamlField) (int, error) {
	n, err := strconv.Atoi(f.value.text)
	if err != nil || n < 1 {
		return 0, at(f.value.line, "%s: %q is not a number above 0: leave it out for no limit", f.key, f.value.text)
	}
	return n, nil
}

func memoryOf(f yamlField) (int64, error) {
	mem, err := parseMemory(f.value.text)
	if err == nil && mem == 0 {
		err = errors.New("0 is no limit: leave it out for that of the command line")
	}
	if err != nil {
		return 0, at(f.value.line, "%s: %w", f.key, err)
	}
	return mem, nil
}
