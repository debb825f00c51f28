package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// words returns the words that can become of a property of a kind.
func words(kind properties.Kind) []string {
	switch kind {
	case properties.CoverKind:
		return []string{wordReached, wordNever, wordInconclusive}
	case properties.LivenessKind:
		return []string{wordHolds, wordViolated, wordInconclusive}
	}
	return []string{wordHolds, wordBounded, wordViolated, wordInconclusive}
}

// expectation is a line under expect.
type expectation struct {
	line     int
	property properties.Property
	answer
}

// readExpectations reads what is expected of each of some machines.
func readExpectations(f yamlField, known machines, of []spec.Machine) ([]expectation, error) {
	if f.value.kind != yamlMapping || len(f.value.fields) == 0 {
		return nil, at(f.value.line, "expect names no property: write lines as in winner-is-top: holds")
	}
	var out []expectation
	for _, line := range f.value.fields {
		var p properties.Property
		for _, m := range of {
			props, err := known.findProperties(m, []string{line.key})
			if err != nil {
				return nil, placeError{line.line, err}
			}
			p = props[0]
		}
		if slices.ContainsFunc(out, func(e expectation) bool { return e.property.Name == p.Name }) {
			return nil, at(line.line, "%s is expected twice: leave one out", p.Name)
		}
		a, err := parseAnswer(p, line.value)
		if err != nil {
			return nil, err
		}
		out = append(out, expectation{line.line, p, a})
	}
	return out, nil
}

func parseAnswer(p properties.Property, n yamlNode) (answer, error) {
	if n.kind != yamlScalar {
		return answer{}, at(n.line, "%s: a %s is expected of it: write one answer", p.Name, n.kind)
	}
	if p.Name == properties.MessagesBounded.Name {
		return parseMessages(n)
	}
	word, number, long := strings.Cut(n.text, " in ")
	known := words(p.Kind)
	if !slices.Contains(known, word) || long && word != wordViolated && word != wordReached {
		return answer{}, placeError{n.line, ui.Hint(fmt.Errorf("%s: %q is nothing that can be expected of a property of kind %q", p.Name, n.text, p.Kind),
			ui.Suggest(n.text, known, "write "+strings.Join(known, ", ")))}
	}
	a := answer{word, anySteps}
	if long {
		k, err := strconv.Atoi(number)
		if err != nil || k < 0 {
			return a, at(n.line, "%s: %q is not a number of steps: write %s, or %[3]s in 5", p.Name, number, word)
		}
		a.steps = k
	}
	return a, nil
}

// parseMessages reads how many messages the runs are expected to send, as in
// "5 to 8", or "5 to any" if there is no limit.
func parseMessages(n yamlNode) (answer, error) {
	least, most, _ := strings.Cut(n.text, " to ")
	a, err := strconv.Atoi(least)
	b, err2 := strconv.Atoi(most)
	if most == wordAny {
		b, err2 = a, nil
	}
	if errors.Join(err, err2) != nil || a < 0 || b < a {
		return answer{}, at(n.line, "messages-bounded: %q is not a number of messages: write the least and the most of a run, as in 5 to 8, or 5 to any", n.text)
	}
	return answer{messages(&properties.MessageCount{Least: a, Most: b, Unbounded: most == wordAny}), anySteps}, nil
}

// within refuses what cannot become true within a bound on depth, 0 for none.
func (e expectation) within(maxDepth int) error {
	if maxDepth > 0 && e.steps > maxDepth {
		return at(e.line, "%s: %v contradicts max-depth: %d", e.property.Name, e.answer, maxDepth)
	}
	return nil
}

// boundless refuses what is expected to be bounded where nothing bounds it.
func (e expectation) boundless(c model.Config, maxDepth int) error {
	if e.word == wordBounded && maxDepth == 0 && c.Bound == 0 {
		return at(e.line, "%s: it cannot be bounded where nothing bounds it: write max-depth or bound, or holds", e.property.Name)
	}
	return nil
}
