package cli

import (
	"fmt"
	"regexp"
	"strings"

	"interleave/explore"
	"interleave/model"
	"interleave/properties"
)

// command returns the command that repeats the verification.
func (o *verifyOptions) command() string {
	parts := []string{"mc verify", shellWord(o.machine.Traits().Name)}
	for _, a := range o.differences() {
		if a.value == "true" {
			parts = append(parts, "--"+a.axis)
		} else {
			parts = append(parts, "--"+a.axis+" "+shellWord(a.value))
		}
	}
	for _, p := range o.props {
		parts = append(parts, "--property "+shellWord(p.Name))
	}
	if o.check.Continue {
		parts = append(parts, "--continue")
	}
	if o.check.Engine != properties.Auto {
		parts = append(parts, "--engine "+o.check.Engine.String())
	}
	if o.check.Direct {
		parts = append(parts, "--direct")
	}
	if o.check.Reduce {
		parts = append(parts, "--reduce")
	}
	if o.check.Store != explore.Exact {
		parts = append(parts, "--store "+o.check.Store.String())
	}
	if o.mem != "" && o.mem != usualMemory(o.check.Store.String()) {
		parts = append(parts, "--mem "+shellWord(o.mem))
	}
	if o.check.Spill != "" {
		parts = append(parts, "--spill "+shellWord(o.check.Spill))
	}
	if o.form != "" {
		parts = append(parts, "--diagram "+o.form)
	}
	if o.fairness {
		parts = append(parts, "--explain-fairness")
	}
	if o.detectors != "" {
		parts = append(parts, "--detectors "+o.detectors)
	}
	if o.exhaustive {
		parts = append(parts, "--exhaustive")
	}
	if o.check.MaxDepth > 0 {
		parts = append(parts, fmt.Sprintf("--max-depth %d", o.check.MaxDepth))
	}
	if o.check.MaxStates > 0 {
		parts = append(parts, fmt.Sprintf("--max-states %d", o.check.MaxStates))
	}
	if o.timeout > 0 {
		parts = append(parts, "--timeout "+o.timeout.String())
	}
	return strings.Join(parts, " ")
}

// setting is the value of an axis, in words.
type setting struct{ axis, value string }

// differences returns the number of processes, and the axes on which the
// configuration is not the algorithm's own.
func (o *verifyOptions) differences() []setting {
	var out []setting
	for _, axis := range model.Axes {
		switch value := o.config.Value(axis); {
		case axis == "ring" && o.check.AllRings:
			out = append(out, setting{axis, "all"})
		case axis == "n" || value != o.home.Value(axis):
			out = append(out, setting{axis, value})
		}
	}
	return out
}

// plainWord is what a shell leaves as it is.
var plainWord = regexp.MustCompile(`^[\pL\pN@%_+=:,./-]+$`)

// shellWord returns a word as a shell has to be given it.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
