package tla

import (
	"fmt"
	"slices"
	"strings"

	"interleave/explore"
	"interleave/tla/eval"
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Finding is a property and its verdict; a report has one of each name.
type Finding struct {
	Name string
	Answer
	Trace   *Trace // if it is violated, or an evaluation failed
	GivenUp bool   // the evaluation did not fail: it was given up in the last state of Trace
}

// Answer is a verdict, and why it is not Verified.
type Answer struct {
	Verdict explore.Verdict
	Why     string
}

// Undecided is a finding that decides nothing.
func Undecided(name, why string) Finding {
	return Finding{Name: name, Answer: Answer{explore.Inconclusive, why}}
}

// Report is what a check found.
type Report struct {
	Findings []Finding
	Outcome  explore.Outcome
	Stats    explore.Stats
	Parts    []eval.Part // parts of the next-state relation
	Fired    []bool      // the parts of which a step was found
	Missed   Answer      // to a question about states or steps to which no wrong answer was found
	Notes    []string    // what says nothing, though it was asked for
	Untested string      // why a pass says nothing, if nothing that was asked was put to the test
}

// GivenUp is the report of a check that ended before anything was known.
func GivenUp(why string, end explore.Outcome) *Report {
	return &Report{Findings: []Finding{Undecided("evaluation", why)}, Outcome: end}
}

// Verdict returns the worst of all findings, and the reason. If no property is checked,
// it is about the search. A pass that says nothing is Inconclusive.
func (r *Report) Verdict() (v explore.Verdict, why string) {
	if v, why = r.worst(); passes(v) && r.Untested != "" {
		return explore.Inconclusive, r.Untested
	}
	return v, why
}

func (r *Report) worst() (v explore.Verdict, why string) {
	if len(r.Findings) == 0 {
		return r.Missed.Verdict, r.Missed.Why
	}
	v = explore.Verified
	for _, f := range r.Findings {
		if w := explore.Worse(v, f.Verdict); w != v {
			v, why = w, f.Why
		}
	}
	return v, why
}

// add adds a finding. If several have one name, like the parts of a property that are
// checked by themselves, the worst is kept, and the first of these.
func (r *Report) add(f Finding) {
	if old := r.finding(f.Name); old == nil {
		r.Findings = append(r.Findings, f)
	} else if explore.Worse(old.Verdict, f.Verdict) != old.Verdict {
		*old = f
	}
}

// finding returns the finding on a property; nil if there is none.
func (r *Report) finding(name string) *Finding {
	i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Findings[i]
}

// note says of a property that a part of it says nothing.
func (r *Report) note(name string, lacks []string) {
	if lacks != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("%s says nothing in part: %s", name, lacks[0]))
	}
}

func passes(v explore.Verdict) bool { return v == explore.Verified || v == explore.Bounded }

// vacuous makes a pass a finding that nothing was put to the test.
func (f *Finding) vacuous(lacks string) {
	why := "it holds, but says nothing: " + lacks
	if f.Verdict == explore.Bounded {
		why += "; " + f.Why
	}
	f.Verdict, f.Why = explore.Inconclusive, why
}

// Trace is a run: States[i+1] is reached by Steps[i].
type Trace struct {
	Variables []string
	States    [][]value.Value
	Steps     []Step
	Loop      int // if not 0, the run goes on forever from States[Loop-1]
}

// Step identifies the part of the next-state relation that a step belongs to.
type Step struct {
	Part int
	Name string
	Args []value.Value
}

// Label describes the step by which state i is reached.
func (t *Trace) Label(i int) string {
	if i == 0 {
		return "initially"
	}
	s := t.Steps[i-1]
	if len(s.Args) == 0 {
		return s.Name
	}
	var args []string
	for _, a := range s.Args {
		args = append(args, value.Format(a))
	}
	return s.Name + "(" + strings.Join(args, ", ") + ")"
}

// SameRun reports whether two traces are of the same run.
func (t *Trace) SameRun(u *Trace) bool {
	same := func(a, b []value.Value) bool {
		return slices.EqualFunc(a, b, func(v, w value.Value) bool { return value.Compare(v, w) == 0 })
	}
	return t.Loop == u.Loop && slices.EqualFunc(t.States, u.States, same) &&
		slices.EqualFunc(t.Steps, u.Steps, func(a, b Step) bool { return a.Part == b.Part && same(a.Args, b.Args) })
}

// State returns the value of every variable in state i, as TLA+ writes it.
func (t *Trace) State(i int) map[string]string {
	vals := map[string]string{}
	for k, name := range t.Variables {
		vals[name] = value.Format(t.States[i][k])
	}
	return vals
}

// Changes lists what differs in state i from the state before, a line for each
// difference; or, if all is set or i is 0, every variable.
func (t *Trace) Changes(i int, all bool) (lines []string) {
	for k, name := range t.Variables {
		after := t.States[i][k]
		if all || i == 0 {
			lines = append(lines, name+" = "+value.Format(after))
			continue
		}
		lines = append(lines, differences(name, t.States[i-1][k], after, 0)...)
	}
	return lines
}

// differences compares two values, part by part if they are functions over the same
// domain, and down to a few levels.
func differences(name string, before, after value.Value, deep int) (lines []string) {
	const deepest = 8
	if value.Compare(before, after) == 0 {
		return nil
	}
	keys, old, ok := parts(before)
	others, now, ok2 := parts(after)
	if ok && ok2 && deep < deepest && len(keys) > 0 && len(keys) == len(others) && value.Compare(value.NewTuple(keys...), value.NewTuple(others...)) == 0 {
		_, record := after.(*value.Record)
		for i, k := range keys {
			inner := fmt.Sprintf("%s[%s]", name, value.Format(k))
			if s, ok := k.(value.String); ok && record && syntax.IsName(string(s)) {
				inner = name + "." + string(s)
			}
			lines = append(lines, differences(inner, old[i], now[i], deep+1)...)
		}
		return lines
	}
	return []string{fmt.Sprintf("%s: %s → %s", name, value.Format(before), value.Format(after))}
}

func parts(v value.Value) (keys, vals []value.Value, ok bool) {
	switch v.(type) {
	case *value.Tuple, *value.Record, *value.Func:
		keys, vals = value.Entries(v)
		return keys, vals, true
	}
	return nil, nil, false
}
