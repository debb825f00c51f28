package properties

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"interleave/explore/ltl"
	"interleave/model"
	"interleave/properties/internal/plan"
)

// falseOnLasso returns why a Liveness property is false on a run that repeats its steps from
// number loop on; nil if it is true there, or if the run cannot repeat them, or is not fair.
func (p Property) falseOnLasso(r *model.Reference, run *model.Run, loop int) error {
	steps := len(run.Steps)
	if loop < 1 || loop > steps+1 || len(run.States) != steps+1 || !run.End().Equal(run.States[loop-1]) {
		return nil
	}
	if _, err := Witnesses(r, run, loop); err != nil {
		return nil
	}
	word := wordOf(p.over(r.Config().N), r, run.States[:max(steps, loop)])
	word.loop, word.how = loop-1, "the run cycles"
	if loop > steps {
		word.how = "the run ends"
	}
	if why := word.reason(); why != "" {
		return errors.New(why)
	}
	return nil
}

// FromEach returns, for each state of a run that repeats its steps from number loop on, why p, a
// Liveness property, is false of the infinite run from there; nil if it is true. The whole result
// is nil for other properties and other runs.
func (p Property) FromEach(r *model.Reference, run *model.Run, loop int) []error {
	if p.Kind != LivenessKind || loop < 1 || loop > len(run.Steps)+1 || !run.End().Equal(run.States[loop-1]) {
		return nil
	}
	states := run.States[:max(len(run.Steps), loop)]
	whole := wordOf(p.over(r.Config().N), r, states)
	whole.how = "the run cycles"
	if loop > len(run.Steps) {
		whole.how = "the run ends"
	}
	all := make([]error, len(run.States))
	for i := range run.States {
		at := i
		if i == len(states) {
			at = loop - 1 // the state in which the loop begins again
		}
		if why := whole.from(at, loop-1).reason(); why != "" {
			all[i] = errors.New(why)
		}
	}
	return all
}

// from returns the word from a position on, where positions from loop on repeat.
func (w *word) from(at, loop int) *word {
	suffix := &word{Runs: w.Runs, how: w.how, loop: max(0, loop-at)}
	suffix.worlds, suffix.letters = w.worlds[at:], w.letters[at:]
	if at > loop {
		suffix.worlds = slices.Concat(suffix.worlds, w.worlds[loop:at])
		suffix.letters = slices.Concat(suffix.letters, w.letters[loop:at])
	}
	return suffix
}

// word is a run as a formula sees it. Position i is the state after i steps.
type word struct {
	*plan.Runs
	worlds  []*model.World
	letters []uint64
	loop    int    // the first position that repeats
	how     string // how the run goes on, in words
}

// wordOf returns the word of some states.
func wordOf(runs *plan.Runs, r *model.Reference, states []model.State) *word {
	w := &word{Runs: runs}
	for _, s := range states {
		w.worlds = append(w.worlds, r.World(s))
		w.letters = append(w.letters, runs.Letter(r.World(s)))
	}
	return w
}

// reason says why the formula is false of the run; empty if it is true.
func (w *word) reason() string {
	parts := w.Formula.Conjuncts()
	for _, part := range parts {
		if !part.Holds(len(w.letters), w.loop, w.has) {
			return w.why(part, len(parts) == 1)
		}
	}
	return ""
}

func (w *word) has(i int, atom string) bool { return w.letters[i]>>slices.Index(w.Names, atom)&1 != 0 }

// is reports whether a formula without temporal operators is true at a position.
func (w *word) is(f *ltl.Formula, i int) bool {
	return f.Holds(1, 0, func(_ int, atom string) bool { return w.has(i, atom) })
}

// Forms of formulas of which it can be said in a sentence why they are false, if
// their parts are about single states.
var (
	settles  = mustParse("<>[]p")
	recurs   = mustParse("[]<>p")
	comes    = mustParse("<>p")
	stays    = mustParse("[]p")
	answers  = mustParse("p ~> q")
	answers2 = mustParse("[](p -> <>q)")
)

// why says why a part of the formula, or all of it, is false.
func (w *word) why(part *ltl.Formula, all bool) string {
	matches := func(form *ltl.Formula) map[string]*ltl.Formula {
		parts, ok := part.Match(form)
		for _, f := range parts {
			ok = ok && !f.Temporal()
		}
		if !ok {
			return nil
		}
		return parts
	}
	if !part.Temporal() {
		return fmt.Sprintf("%s %s", w.says(part, 0), after(0))
	}
	if m := matches(settles); m != nil {
		return fmt.Sprintf("%s, and %s", w.how, w.sometimes(m["p"]))
	}
	if m := matches(recurs); m != nil {
		return fmt.Sprintf("%s, and %s", w.how, w.never(m["p"], w.loop))
	}
	if m := matches(comes); m != nil {
		return fmt.Sprintf("%s, and %s", w.how, w.never(m["p"], 0))
	}
	if m := matches(stays); m != nil {
		i := w.first(m["p"], 0)
		return fmt.Sprintf("%s %s", w.says(m["p"], i), after(i))
	}
	m := matches(answers)
	if m == nil {
		m = matches(answers2)
	}
	if m != nil {
		return fmt.Sprintf("%s; %v holds %s, and %v in no state from there on", w.how, m["p"], after(w.unanswered(m["p"], m["q"])), m["q"])
	}
	if all {
		return w.how + ", and the formula is false of it"
	}
	return fmt.Sprintf("%s, and %v is false of it", w.how, part)
}

// says says why a formula without temporal operators is false at a position.
func (w *word) says(f *ltl.Formula, i int) string {
	for _, part := range f.Conjuncts() {
		if w.is(part, i) {
			continue
		}
		for _, form := range implications {
			if m, ok := part.Match(form); ok {
				return w.says(m["q"], i)
			}
		}
		if m, ok := part.Match(negation); ok {
			return fmt.Sprintf("%v is true", m["p"])
		}
		if at := slices.Index(w.Names, part.String()); at >= 0 {
			return w.Atoms[at](w.worlds[i]).Error()
		}
		return fmt.Sprintf("%v is false", part)
	}
	panic("properties: a formula is said to be false where it is true")
}

var (
	implications = []*ltl.Formula{mustParse("p -> q"), mustParse("!p | q")}
	negation     = mustParse("!p")
)

// sometimes says why a formula is false at some position of the loop, and at which, unless the
// reason is the same at all of them.
func (w *word) sometimes(f *ltl.Formula) string {
	i := w.first(f, w.loop)
	text := w.says(f, i)
	if w.saidFrom(f, w.loop, text) {
		return text
	}
	return text + " " + after(i)
}

// never says why a formula is false at every position from one on.
func (w *word) never(f *ltl.Formula, from int) string {
	if text := w.says(f, from); w.saidFrom(f, from, text) {
		return text
	}
	if from == 0 {
		return fmt.Sprintf("%v is false in each of its states", f)
	}
	return fmt.Sprintf("%v is false in each state of its loop", f)
}

// saidFrom reports whether a formula is false for the same reason at every position from one on.
func (w *word) saidFrom(f *ltl.Formula, from int, text string) bool {
	for i := from; i < len(w.letters); i++ {
		if w.is(f, i) || w.says(f, i) != text {
			return false
		}
	}
	return true
}

// first returns the first position, from one on, at which a formula is false.
func (w *word) first(f *ltl.Formula, from int) int {
	for i := from; ; i++ {
		if !w.is(f, i) {
			return i
		}
	}
}

// unanswered returns the first position at which p is true and from which on q is false.
func (w *word) unanswered(p, q *ltl.Formula) int {
	last := -1 // position at which q is true
	for i := range w.letters {
		if w.is(q, i) {
			last = i
		}
	}
	for i := last + 1; ; i++ {
		if w.is(p, i) {
			return i
		}
	}
}

// after names a position.
func after(i int) string {
	if i == 0 {
		return "at the beginning"
	}
	return fmt.Sprintf("after step %d", i)
}

// Course says after which steps of a run an atom of a formula is true, and after which it is
// false, as in "0–3, 7".
type Course struct {
	Atom, True, False string
}

// Courses returns the courses of the atoms of a formula that a user wrote; nil for other
// properties.
func (p Property) Courses(r *model.Reference, run *model.Run) []Course {
	if p.text == "" {
		return nil
	}
	w := wordOf(p.over(r.Config().N), r, run.States)
	var all []Course
	for _, atom := range w.Names {
		var are [2][]int
		for i := range w.letters {
			truth := 0
			if w.has(i, atom) {
				truth = 1
			}
			are[truth] = append(are[truth], i)
		}
		all = append(all, Course{atom, spans(are[1]), spans(are[0])})
	}
	return all
}

// spans writes ascending numbers as short as possible.
func spans(numbers []int) string {
	var out []string
	for len(numbers) > 0 {
		n := 1
		for n < len(numbers) && numbers[n] == numbers[0]+n {
			n++
		}
		text := fmt.Sprint(numbers[0])
		if n > 1 {
			text = fmt.Sprintf("%d–%d", numbers[0], numbers[n-1])
		}
		out, numbers = append(out, text), numbers[n:]
	}
	return strings.Join(out, ", ")
}

// mostAhead is how many states are looked at after the end of a run for one that satisfies a Recoverable.
var mostAhead = MostThenVerify

// InReach reports whether the goal of p, a Recoverable, is found among the first so many states that can follow one without a
// further fault.
func (p Property) InReach(r *model.Reference, s model.State, most int) bool {
	looked := 0
	for next := range withoutFaults(r, s) {
		if looked++; looked > most || p.Reached(r.World(next)) {
			return looked <= most
		}
	}
	return false
}

// withoutFaults yields a state and those that can follow it without a further fault, each once, and whether a step out of it
// is left out.
func withoutFaults(r *model.Reference, s model.State) iter.Seq2[model.State, bool] {
	return func(yield func(s model.State, left bool) bool) {
		met, ahead := map[string]bool{s.Key(): true}, []model.State{s}
		for i := 0; i < len(ahead); i++ {
			steps, left := r.Helping(ahead[i])
			if !yield(ahead[i], left) {
				return
			}
			for _, step := range steps {
				if key := step.After.Key(); !met[key] {
					met[key], ahead = true, append(ahead, step.After)
				}
			}
		}
	}
}

// OutOfReach returns why the goal of p, a Recoverable, cannot be reached from a state without a further fault, by the
// handlers alone; nil if it can, or perhaps could after a step that the bound leaves out. It is not sure if more than that
// many states can follow, and the first of them do not satisfy p.
func (p Property) OutOfReach(r *model.Reference, s model.State, most int) (why error, sure bool) {
	looked := 0
	for next, left := range withoutFaults(r, s) {
		switch {
		case looked == most:
			return fmt.Errorf("none of the first %d states that can follow without a further fault satisfies it", looked), false
		case left || p.Reached(r.World(next)):
			return nil, true
		}
		looked++
	}
	if looked == 1 {
		return errors.New("nothing but a fault can change this any more"), true
	}
	return fmt.Errorf("none of the %d states that can follow without a further fault satisfies it", looked), true
}
