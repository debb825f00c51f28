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
	for _, name := range o.undecided {
		parts = append(parts, "--undecided "+shellWord(name))
	}
	c := &o.check
	for _, flag := range []struct {
		given bool
		text  string
	}{
		{c.Continue, "--continue"},
		{c.Engine != properties.Auto, "--engine " + c.Engine.String()},
		{c.Direct, "--direct"},
		{c.Reduce, "--reduce"},
		{c.Store != explore.Exact, "--store " + c.Store.String()},
		{o.mem != "" && o.mem != usualMemory(c.Store.String()), "--mem " + shellWord(o.mem)},
		{c.Spill != "", "--spill " + shellWord(c.Spill)},
		{o.form != "", "--diagram " + o.form},
		{o.fairness, "--explain-fairness"},
		{o.detectors != "", "--detectors " + o.detectors},
		{o.exhaustive, "--exhaustive"},
		{c.MaxDepth > 0, fmt.Sprintf("--max-depth %d", c.MaxDepth)},
		{c.MaxStates > 0, fmt.Sprintf("--max-states %d", c.MaxStates)},
		{o.timeout > 0, "--timeout " + o.timeout.String()},
	} {
		if flag.given {
			parts = append(parts, flag.text)
		}
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
