package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/yaml"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// words returns the words that can become of a property of a kind.
func words(kind properties.Kind) []string {
	switch kind {
	case properties.CoverKind:
		return []string{report.Reached, report.Never, report.Inconclusive}
	case properties.LivenessKind:
		return []string{report.Holds, report.Violated, report.Inconclusive}
	}
	return []string{report.Holds, report.Bounded, report.Violated, report.Inconclusive}
}

// expectation is a line under expect.
type expectation struct {
	line     int
	property properties.Property
	report.Answer
}

// readExpectations reads what is expected of each of some machines.
func readExpectations(f yaml.Field, known names.Table, of []spec.Machine) ([]expectation, error) {
	if f.Value.Kind != yaml.Mapping || len(f.Value.Fields) == 0 {
		return nil, yaml.At(f.Value.Line, "expect names no property: write lines as in no-deadlock: holds")
	}
	var out []expectation
	for _, line := range f.Value.Fields {
		var p properties.Property
		for _, m := range of {
			props, err := known.FindProperties(m, []string{line.Key})
			if err != nil {
				return nil, yaml.AtLine(line.Line, err)
			}
			p = props[0]
		}
		if slices.ContainsFunc(out, func(e expectation) bool { return e.property.Name == p.Name }) {
			return nil, yaml.At(line.Line, "%s is expected twice: leave one out", p.Name)
		}
		a, err := parseAnswer(p, line.Value)
		if err != nil {
			return nil, err
		}
		out = append(out, expectation{line.Line, p, a})
	}
	return out, nil
}

func parseAnswer(p properties.Property, n yaml.Node) (report.Answer, error) {
	if n.Kind != yaml.Scalar {
		return report.Answer{}, yaml.At(n.Line, "%s: a %s is expected of it: write one answer", p.Name, n.Kind)
	}
	if p.Name == properties.MessagesBounded.Name {
		return parseMessages(n)
	}
	word, number, long := strings.Cut(n.Text, " in ")
	known := words(p.Kind)
	if !slices.Contains(known, word) || long && word != report.Violated && word != report.Reached {
		return report.Answer{}, yaml.AtLine(n.Line, ui.Hint(fmt.Errorf("%s: %q is nothing that can be expected of a property of kind %q", p.Name, n.Text, p.Kind),
			ui.Suggest(n.Text, known, "write "+strings.Join(known, ", "))))
	}
	a := report.Answer{Word: word, Steps: report.AnySteps}
	if long {
		k, err := strconv.Atoi(number)
		if err != nil || k < 0 {
			return a, yaml.At(n.Line, "%s: %q is not a number of steps: write %s, or %[3]s in 5", p.Name, number, word)
		}
		a.Steps = k
	}
	return a, nil
}

// parseMessages reads how many messages the runs are expected to send, as in
// "5 to 8", or "5 to any" if there is no limit.
func parseMessages(n yaml.Node) (report.Answer, error) {
	least, most, _ := strings.Cut(n.Text, " to ")
	a, err := strconv.Atoi(least)
	b, err2 := strconv.Atoi(most)
	if most == report.AnyNumber {
		b, err2 = a, nil
	}
	if errors.Join(err, err2) != nil || a < 0 || b < a {
		return report.Answer{}, yaml.At(n.Line, "messages-bounded: %q is not a number of messages: write the least and the most of a run, as in 5 to 8, or 5 to any", n.Text)
	}
	return report.Answer{Word: report.MessagesInWords(&properties.MessageCount{Least: a, Most: b, Unbounded: most == report.AnyNumber}), Steps: report.AnySteps}, nil
}

// within refuses what cannot become true within a bound on depth, 0 for none.
func (e expectation) within(maxDepth int) error {
	if maxDepth > 0 && e.Steps > maxDepth {
		return yaml.At(e.line, "%s: %v contradicts max-depth: %d", e.property.Name, e.Answer, maxDepth)
	}
	return nil
}

// boundless refuses what is expected to be bounded where nothing bounds it.
func (e expectation) boundless(c model.Config, maxDepth int) error {
	if e.Word == report.Bounded && maxDepth == 0 && c.Bound == 0 {
		return yaml.At(e.line, "%s: it cannot be bounded where nothing bounds it: write max-depth or bound, or holds", e.property.Name)
	}
	return nil
}
