package export

import (
	"fmt"
	"slices"
	"strings"

	"interleave/internal/printable"
	"interleave/tla"
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Trace writes a trace as a module that has only this run; the variable action is the
// step by which each state was reached. If the trace has a loop, so has the run;
// otherwise it ends. The origin tells traces apart whose modules have the same name.
func Trace(origin string, t *tla.Trace, description string) *Module {
	name, of := Name(origin), ofTrace(origin)
	action, at := unused("action", t.Variables), unused("position", t.Variables)
	variables := append([]string{at, action}, t.Variables...)
	var b strings.Builder
	fmt.Fprintf(&b, "---- MODULE %s ----\n(* %s: %s *)\nEXTENDS Integers, Sequences, TLC\n\n", name, Mark(of), comment(description))
	models := value.Models(slices.Concat(t.States...))
	if len(models) > 0 {
		fmt.Fprintf(&b, "CONSTANTS %s\n\n", strings.Join(models, ", "))
	}
	fmt.Fprintf(&b, "VARIABLES %s\n\nvars == << %[1]s >>\n\n", strings.Join(variables, ", "))
	run, last := unused("Run", t.Variables), len(t.States)
	fmt.Fprintf(&b, "%s == <<\n", run)
	for i, s := range t.States {
		end := ","
		if i == last-1 {
			end = ""
		}
		fmt.Fprintf(&b, "  [ %s |-> %s", action, source(value.String(t.Label(i))))
		for k, v := range t.Variables {
			fmt.Fprintf(&b, ",\n    %s |-> %s", v, source(s[k]))
		}
		fmt.Fprintf(&b, " ]%s\n", end)
	}
	b.WriteString(">>\n\n")
	rest := append([]string{action}, t.Variables...)
	fmt.Fprintf(&b, "Init ==\n  /\\ %s = 1\n", at)
	for _, v := range rest {
		fmt.Fprintf(&b, "  /\\ %s = %s[1].%[1]s\n", v, run)
	}
	fmt.Fprintf(&b, "\nNext ==\n")
	if t.Loop == 0 {
		fmt.Fprintf(&b, "  /\\ %s < %d\n  /\\ %[1]s' = %[1]s + 1\n", at, last)
	} else {
		fmt.Fprintf(&b, "  /\\ %s' = IF %[1]s < %[2]d THEN %[1]s + 1 ELSE %[3]d\n", at, last, follower(t)+1)
	}
	for _, v := range rest {
		fmt.Fprintf(&b, "  /\\ %s' = %s[%s'].%[1]s\n", v, run, at)
	}
	b.WriteString("\nSpec == Init /\\ [][Next]_vars\n====\n")
	config := "\\* " + Mark(of) + "\nSPECIFICATION Spec\nCHECK_DEADLOCK FALSE\n"
	for _, m := range models {
		config += fmt.Sprintf("CONSTANT %s = %[1]s\n", m)
	}
	return &Module{Name: name, Text: b.String(), Config: config, Of: of}
}

// follower returns the index of the state after the last in an infinite run: the last
// state equals the one in which the loop begins, so it is the one after that.
func follower(t *tla.Trace) int { return min(t.Loop, len(t.States)-1) }

// unused returns a name that is not among others.
func unused(name string, others []string) string {
	for slices.Contains(others, name) {
		name += "_"
	}
	return name
}

// comment returns a text that does not end the comment that it is in, and prints.
func comment(text string) string {
	return printable.Text(strings.NewReplacer("*)", "* )", "(*", "( *").Replace(text))
}

// source writes a value for a module.
func source(v value.Value) string { return value.Source(v, syntax.IsName) }
