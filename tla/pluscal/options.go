package pluscal

import (
	"fmt"
	"regexp"
	"strings"
)

// optionsBegin is how a module tells a translator how to translate.
var optionsBegin = regexp.MustCompile(`(?i)\bPlusCal\s+options\s*\(`)

// word is an option.
var word = regexp.MustCompile(`[^\s,]+`)

// remedies are what to do instead of options that are refused.
var remedies = map[string]string{
	"termination": "write PROPERTY Termination into the configuration, and give the option wf here",
	"label":       "write the labels into the algorithm",
	"labelRoot":   "write the labels into the algorithm",
	"version":     "leave it out: the algorithm is translated as by version 1.11 of the TLA+ tools",
	"lineWidth":   "leave it out",
}

// fairnessOf is the fairness of the processes of which none is said, for options.
var fairnessOf = map[string]Fairness{"wf": Weak, "sf": Strong, "wfNext": Unsaid, "nof": Unsaid}

// obey applies the options that a module gives in PlusCal options (...).
func (a *Algorithm) obey(file, module string) error {
	all := optionsBegin.FindAllStringIndex(module, -1)
	if len(all) == 0 {
		return nil
	}
	begin, end := all[0][0], all[0][1]
	fail := func(at int, remedy, format string, args ...any) error {
		return &Error{file, posOf(module, at), fmt.Sprintf(format, args...), remedy}
	}
	length := strings.IndexByte(module[end:], ')')
	switch {
	case len(all) > 1:
		return fail(all[1][0], "put all options into one", "a second list of PlusCal options")
	case strings.Join(strings.Fields(module[begin:end-1]), " ") != "PlusCal options":
		return fail(begin, "write PlusCal options", "options of PlusCal are written with other letters")
	case length < 0:
		return fail(begin, "put a ) behind them", "the PlusCal options are not ended")
	}
	fairness := ""
	for _, w := range word.FindAllStringIndex(module[end:end+length], -1) {
		at, name := end+w[0], strings.TrimPrefix(module[end+w[0]:end+w[1]], "-")
		_, fair := fairnessOf[name]
		switch {
		case fair && (fairness != "" || a.Fair):
			return fail(at, "leave one out", "the PlusCal option %s, and the fairness of the algorithm is given already", name)
		case fair:
			fairness = name
		case name == "noDoneDisjunct":
			a.NoEnd = true
		case name == "nocfg": // no configuration is written
		default:
			remedy, ok := remedies[name]
			if !ok {
				remedy = "the options are wf, sf, wfNext, nof, noDoneDisjunct and nocfg"
			}
			return fail(at, remedy, "the PlusCal option %s is not supported", name)
		}
	}
	a.beFair(fairness)
	return nil
}

// beFair applies an option about fairness, if one is given.
func (a *Algorithm) beFair(option string) {
	if option == "nof" {
		for i := range a.Processes {
			a.Processes[i].Fair = Unsaid
		}
		return
	}
	a.Fair = a.Fair || option == "wfNext" || option != "" && len(a.Processes) == 0
	for i := range a.Processes {
		if p := &a.Processes[i]; p.Fair == Unsaid {
			p.Fair = fairnessOf[option]
		}
	}
}
