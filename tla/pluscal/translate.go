package pluscal

import (
	"fmt"
	"slices"
	"strings"

	"interleave/tla/syntax"
)

// Default is the initial value of a variable without one.
const Default = "defaultInitValue"

// Translate returns the translation of the algorithm in a module: lines of
// TLA+, the markers around them not among them.
func Translate(file, module string) (string, error) {
	a, err := Load(file, module)
	if err != nil {
		return "", err
	}
	t := newTranslation(a)
	return t.text(), nil
}

// Load reads the algorithm of a module as Translate sees it: checked, its macros
// written out, every step labelled, and every name unique.
func Load(file, module string) (*Algorithm, error) {
	a, err := Parse(file, module)
	if err != nil {
		return nil, err
	}
	for _, pass := range []func(string, *Algorithm) error{bindNames, expandMacros, checkLabels, resolve, avoidHiding} {
		if err := pass(file, a); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// translation is a translation in progress.
type translation struct {
	algorithm *Algorithm
	variables []string // all, in the order of their declaration
	first     int      // how many of them stand before the definitions
	omitPC    bool     // control is always at the same place
	endless   bool     // the algorithm cannot come to its end
}

// Names returns the variables of the translation, in the order of their
// declaration.
func (a *Algorithm) Names() []string { return newTranslation(a).variables }

func newTranslation(a *Algorithm) *translation {
	t := &translation{algorithm: a}
	t.endless, t.omitPC = a.Control()
	if !t.omitPC {
		t.variables = append(t.variables, "pc")
	}
	t.declare(a.Variables)
	if len(a.Procedures) > 0 {
		t.variables = append(t.variables, "stack")
	}
	t.first = len(t.variables)
	for _, q := range a.Procedures {
		t.declare(q.Parameters)
		t.declare(q.Variables)
	}
	for _, p := range a.Processes {
		t.declare(p.Variables)
	}
	return t
}

func (t *translation) declare(list []Variable) {
	for _, v := range list {
		t.variables = append(t.variables, v.Name)
	}
}

// Control finds out whether the algorithm never ends, and whether pc is redundant.
func (a *Algorithm) Control() (endless, omitPC bool) {
	omitPC = len(a.Procedures) == 0
	all := a.bodies()
	for _, b := range all[len(a.Procedures):] {
		if len(*b) > 0 {
			loops, simple := loopsForEver(*b)
			endless, omitPC = endless || loops, omitPC && simple
		}
	}
	goesToEnd := func(s *Statement) bool {
		g, ok := s.Do.(*Goto)
		return ok && g.Label == "Done"
	}
	if slices.ContainsFunc(all, func(b *[]Statement) bool { return anyIn(*b, goesToEnd) }) {
		endless = false
	}
	return endless, omitPC
}

// loopsForEver reports whether a body is nothing but while (TRUE), and whether
// that is its only step.
func loopsForEver(body []Statement) (loops, simple bool) {
	w, ok := body[0].Do.(*While)
	if !ok || len(body) != 1 || !w.Test.isTrue() {
		return false, false
	}
	simple = body[0].Label.Fair == Unsaid && !anyIn(w.Body, func(s *Statement) bool {
		_, isGoto := s.Do.(*Goto)
		return s.Label != nil || isGoto
	})
	return true, simple
}

// text is the whole translation.
func (t *translation) text() string {
	var b strings.Builder
	part := func(lines ...string) {
		for _, l := range lines {
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
		b.WriteByte('\n')
	}
	a := t.algorithm
	var head []string
	if a.needsDefault() {
		head = append(head, "CONSTANT "+Default)
	}
	before, behind := t.variables, []string(nil)
	if a.Define != "" {
		before, behind = t.variables[:t.first], t.variables[t.first:]
	}
	if len(before) > 0 {
		head = append(head, declaration(before)...)
	}
	part(head...)
	if a.Define != "" {
		part("(* define statement *)", a.Define)
		if len(behind) > 0 {
			part(declaration(behind)...)
		}
	}
	part(wrap("vars == << ", t.variables, " >>")...)
	if len(a.Processes) > 0 {
		part("ProcSet == " + a.processes())
	}
	part(hang("Init == ", t.init())...)
	var names []string
	for i := range a.Procedures {
		q := &a.Procedures[i]
		b := t.procedure(q)
		t.define(part, b, q.Name, "Error", q.Body)
	}
	for i := range a.Processes {
		p := &a.Processes[i]
		t.define(part, t.process(p), p.Name, "Done", p.Body)
	}
	if len(a.Processes) == 0 {
		names = t.define(part, &body{translation: t}, "", "Done", a.Body)
	}
	if t.ends() {
		part("(* Allow infinite stuttering to prevent deadlock on termination. *)", t.terminating())
	}
	part(t.next(names)...)
	part(spec(a)...)
	if !t.endless {
		part("Termination == <>(" + t.done() + ")")
	}
	return b.String()
}

func declaration(names []string) block {
	if len(names) == 1 {
		return block{"VARIABLE " + names[0]}
	}
	return wrap("VARIABLES ", names, "")
}

// define writes the actions of a body and, under its name, any of them. It
// returns the names of the actions.
func (t *translation) define(part func(...string), b *body, name, end string, list []Statement) []string {
	b.statements(list, end)
	parameter := ""
	if b.self != "" && b.id == nil {
		parameter = "(self)"
	}
	var names []string
	for _, a := range b.actions {
		title := a.name
		if t.omitPC {
			title = name
			if name == "" {
				title = "Next"
			}
		}
		names = append(names, title+parameter)
		part(hang(title+parameter+" == ", a.text)...)
	}
	if name != "" && !t.omitPC {
		part(wrapBy(name+parameter+" == ", names, ` \/ `, `\/ `, "")...)
	}
	return names
}

func (t *translation) procedure(q *Procedure) *body {
	b := &body{translation: t, within: q}
	if len(t.algorithm.Processes) > 0 {
		b.self = "self"
	}
	b.locals = localsOf(q, b.self)
	return b
}

func (t *translation) process(p *Process) *body {
	b := &body{translation: t, self: "self", locals: map[string]bool{}}
	if !p.Set {
		b.self, b.id = p.ID.Text(), p.ID
		return b
	}
	for _, v := range p.Variables {
		b.locals[v.Name] = true
	}
	return b
}

// processes is the set of all processes.
func (a *Algorithm) processes() string {
	var sets []string
	for _, p := range a.Processes {
		if p.Set {
			sets = append(sets, "("+p.ID.Text()+")")
		} else {
			sets = append(sets, "{"+p.ID.Text()+"}")
		}
	}
	return strings.Join(sets, ` \cup `)
}

// needsDefault reports whether some variable has no initial value.
func (a *Algorithm) needsDefault() bool {
	return slices.ContainsFunc(a.declared(), func(list []Variable) bool {
		return slices.ContainsFunc(list, func(v Variable) bool { return v.Init == nil })
	})
}

// ends reports whether a step stands for the end of the algorithm.
func (t *translation) ends() bool { return !t.endless && !t.algorithm.NoEnd }

// terminating is the step of an algorithm that came to its end.
func (t *translation) terminating() string {
	if len(t.algorithm.Processes) == 0 {
		return `Terminating == pc = "Done" /\ UNCHANGED vars`
	}
	return "Terminating == /\\ " + t.done() + "\n               /\\ UNCHANGED vars"
}

func (t *translation) done() string {
	if len(t.algorithm.Processes) == 0 {
		return `pc = "Done"`
	}
	return `\A self \in ProcSet: pc[self] = "Done"`
}

// next is the step of any process.
func (t *translation) next(names []string) []string {
	a := t.algorithm
	if t.omitPC && len(a.Processes) == 0 {
		return nil // the only action is called Next
	}
	var any, procedures, sets []string
	for _, q := range a.Procedures {
		if len(a.Processes) == 0 {
			any = append(any, q.Name)
		} else {
			procedures = append(procedures, q.Name+"(self)")
		}
	}
	for _, p := range a.Processes {
		if p.Set {
			sets = append(sets, fmt.Sprintf(`(\E self \in %s: %s(self))`, p.ID.Text(), p.Name))
		} else {
			any = append(any, p.Name)
		}
	}
	any = append(any, names...)
	if procedures != nil {
		any = append(any, `(\E self \in ProcSet: `+strings.Join(procedures, ` \/ `)+")")
	}
	any = append(any, sets...)
	if t.ends() {
		any = append(any, "Terminating")
	}
	return wrapBy("Next == ", any, ` \/ `, `\/ `, "")
}

// First is the initial value of v.
func (v Variable) First() Expr {
	if v.Init != nil {
		return v.Init
	}
	return Expr{{Token: syntax.Token{Kind: syntax.Name, Text: Default, Pos: v.Pos}, Source: Default, Width: len(Default)}}
}

// init is the predicate of the initial states.
func (t *translation) init() block {
	a := t.algorithm
	var all block
	add := func(title string, items []block) {
		if len(items) > 0 && title != "" {
			all = append(all, "(* "+title+" *)")
		}
		all = append(all, list0(items)...)
	}
	var items []block
	for _, v := range a.Variables {
		items = append(items, v.alone(nil))
	}
	add("Global variables", items)
	for i := range a.Procedures {
		q := &a.Procedures[i]
		items = nil
		for _, v := range append(append([]Variable{}, q.Parameters...), q.Variables...) {
			if len(a.Processes) == 0 {
				items = append(items, v.alone(nil))
			} else {
				items = append(items, v.forEach("ProcSet", localsOf(q, "self")))
			}
		}
		add("Procedure "+q.Name, items)
	}
	for _, p := range a.Processes {
		items = nil
		locals := t.process(&p).locals
		for _, v := range p.Variables {
			if p.Set {
				items = append(items, v.forEach(p.ID.Text(), locals))
			} else {
				items = append(items, v.alone(p.ID))
			}
		}
		add("Process "+p.Name, items)
	}
	add("", t.control0())
	return all
}

// alone is the initial value of a variable that there is once. Self stands for
// id, if there is one.
func (v Variable) alone(id Expr) block {
	value := v.First().mapNames(func(t *Token) {
		if id != nil && t.Text == "self" && t.bound == 0 {
			t.Sub = id
		}
	})
	if v.In {
		return hang(v.Name+` \in `, value.block())
	}
	return hang(v.Name+" = ", value.block())
}

// forEach is the initial value of a variable that each process of a set has of
// its own.
func (v Variable) forEach(set string, locals map[string]bool) block {
	value := v.First().mapNames(func(t *Token) {
		if locals[t.Text] {
			t.Behind = "[self]"
		}
	}).block()
	if v.In {
		return hang(fmt.Sprintf(`%s \in [%s -> `, v.Name, set), value).follow("]")
	}
	return hang(fmt.Sprintf(`%s = [self \in %s |-> `, v.Name, set), value).follow("]")
}

// control0 is where control is in the beginning.
func (t *translation) control0() []block {
	a := t.algorithm
	var items []block
	several := len(a.Processes) > 0
	if len(a.Procedures) > 0 {
		if several {
			items = append(items, block{`stack = [self \in ProcSet |-> << >>]`})
		} else {
			items = append(items, block{"stack = << >>"})
		}
	}
	switch {
	case t.omitPC:
	case !several:
		items = append(items, block{fmt.Sprintf("pc = %q", a.Body[0].Label.Name)})
	case len(a.Processes) == 1:
		items = append(items, block{fmt.Sprintf(`pc = [self \in ProcSet |-> %q]`, a.Processes[0].Body[0].Label.Name)})
	default:
		var cases block
		for i, p := range a.Processes {
			sign, bullet := "=", "[] "
			if p.Set {
				sign = `\in`
			}
			if i == 0 {
				bullet = "CASE "
			}
			cases = append(cases, fmt.Sprintf("%sself %s %s -> %q", bullet, sign, p.ID.Text(), p.Body[0].Label.Name))
		}
		for i := range cases[1:] {
			cases[i+1] = "  " + cases[i+1]
		}
		items = append(items, hang(`pc = [self \in ProcSet |-> `, cases).follow("]"))
	}
	return items
}
