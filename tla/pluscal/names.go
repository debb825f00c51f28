package pluscal

import (
	"strconv"
)

// What a name can stand for, in the order in which clashes are looked for.
const (
	globalName = iota
	labelName
	procedureName
	processName
	processVariable
	procedureVariable
	parameterName
	kindsOfNames
)

// entry is a name that the translation defines.
type entry struct {
	kind    int
	name    string
	context string // the process or procedure that it belongs to
	use     string // what it is called in the translation
}

// table is all names of an algorithm.
type table struct {
	firstError
	entries []*entry
	found   map[string][]*entry // by name
}

// resolve renames what shares its name with something of another process or procedure:
// in TLA+ all are names of one module. It appends _ and then, letter by letter, the
// name of the process or procedure.
func resolve(file string, a *Algorithm) error {
	t := &table{firstError: firstError{file: file}, found: map[string][]*entry{}}
	t.add(globalName, &Label{Name: "pc"}, "")
	if len(a.Procedures) > 0 {
		t.add(globalName, &Label{Name: "stack"}, "")
	}
	t.variables(globalName, a.Variables, "")
	for i := range a.Procedures {
		q := &a.Procedures[i]
		t.add(procedureName, &Label{Name: q.Name, Pos: q.Pos}, "")
		t.variables(procedureVariable, q.Variables, q.Name)
		t.variables(parameterName, q.Parameters, q.Name)
		t.labels(q.Body, q.Name)
	}
	for i := range a.Processes {
		p := &a.Processes[i]
		t.add(processName, &Label{Name: p.Name, Pos: p.Pos}, "")
		t.variables(processVariable, p.Variables, p.Name)
		t.labels(p.Body, p.Name)
	}
	t.labels(a.Body, "")
	if t.err != nil {
		return t.err
	}
	t.disambiguate()
	t.apply(a)
	return nil
}

// add enters a name; a Label is a name and its place.
func (t *table) add(kind int, l *Label, context string) {
	for _, e := range t.found[l.Name] {
		local := kind >= processVariable && (e.kind == globalName || e.kind >= processVariable && e.context == context)
		same := e.kind == kind && e.context == context
		if local || same {
			t.fail(l.Pos, "choose another name", "%s is defined already", l.Name)
		}
	}
	e := &entry{kind, l.Name, context, l.Name}
	t.entries = append(t.entries, e)
	t.found[l.Name] = append(t.found[l.Name], e)
}

func (t *table) variables(kind int, list []Variable, context string) {
	for _, v := range list {
		t.add(kind, &Label{Name: v.Name, Pos: v.Pos}, context)
	}
}

func (t *table) labels(list []Statement, context string) {
	for i := range list {
		if l := list[i].Label; l != nil {
			t.add(labelName, l, context)
			if l.Name == "Done" || l.Name == "Error" {
				t.fail(l.Pos, "choose another name", "%s is no label to define: it is where a process ends", l.Name)
			}
		}
		for _, b := range list[i].blocks() {
			t.labels(b, context)
		}
	}
}

func (t *table) disambiguate() {
	uses := map[string]int{}
	for _, e := range t.entries {
		uses[e.use]++
	}
	for kind := labelName; kind < kindsOfNames; kind++ {
		for _, e := range t.entries {
			if e.kind != kind {
				continue
			}
			for tail := 0; uses[e.use] > 1; tail++ {
				uses[e.use]--
				switch {
				case tail == 0:
					e.use += "_"
				case tail <= len(e.context):
					e.use += e.context[tail-1 : tail]
				default:
					e.use += strconv.Itoa(kind)
				}
				uses[e.use]++
			}
		}
	}
}

// names returns the new names of some kinds of things as seen in a context.
func (t *table) names(context string, of func(kind int) bool) map[string]string {
	m := map[string]string{}
	for _, e := range t.entries {
		if of(e.kind) && e.context == context && e.use != e.name {
			m[e.name] = e.use
		}
	}
	return m
}

// apply writes the new names into the algorithm.
func (t *table) apply(a *Algorithm) {
	for i := range a.Procedures {
		q := &a.Procedures[i]
		context := q.Name
		t.list(q.Variables, context)
		t.list(q.Parameters, context)
		q.Body = t.body(q.Body, context)
	}
	for i := range a.Processes {
		p := &a.Processes[i]
		context := p.Name
		t.list(p.Variables, context)
		p.Body = t.body(p.Body, context)
	}
	a.Body = t.body(a.Body, "")
	procedures := t.names("", func(kind int) bool { return kind == procedureName })
	for i := range a.Procedures {
		a.Procedures[i].Name = renamed(procedures, a.Procedures[i].Name)
	}
	processes := t.names("", func(kind int) bool { return kind == processName })
	for i := range a.Processes {
		a.Processes[i].Name = renamed(processes, a.Processes[i].Name)
	}
}

func renamed(names map[string]string, name string) string {
	if n, ok := names[name]; ok {
		return n
	}
	return name
}

func isVariableName(kind int) bool { return kind >= processVariable }

func (t *table) list(list []Variable, context string) {
	names := t.names(context, isVariableName)
	for i, v := range list {
		list[i].Name, list[i].Init = renamed(names, v.Name), v.Init.rename(names, false)
	}
}

func (t *table) body(list []Statement, context string) []Statement {
	variables := t.names(context, isVariableName)
	labels := t.names(context, func(kind int) bool { return kind == labelName })
	procedures := t.names("", func(kind int) bool { return kind == procedureName })
	c := &changer{
		expr:  func(e Expr) Expr { return e.rename(variables, false) },
		label: func(name string) string { return renamed(labels, name) },
		calls: func(name string) string { return renamed(procedures, name) },
		part: func(p Part) Part {
			p.Variable = renamed(variables, p.Variable)
			return p
		},
	}
	return c.statements(list)
}

// hiding gives other names to what is bound, where it would hide what the translation
// declares or defines before, or a name of the module that the algorithm uses: TLA+
// refuses that.
type hiding struct {
	words words
	taken map[string]bool   // everywhere
	self  bool              // in the current body, self is a parameter
	order map[string]int    // of the definitions of steps, processes and procedures
	at    int               // the current step among them
	names map[string]string // that were made
}

// avoidHiding is hiding for a whole algorithm.
func avoidHiding(_ string, a *Algorithm) error {
	h := &hiding{words: a.words, taken: map[string]bool{"vars": true, "Init": true}, order: newTranslation(a).order(), names: map[string]string{}}
	for _, v := range a.Names() {
		h.taken[v] = true
	}
	if len(a.Processes) > 0 {
		h.taken["ProcSet"] = true
	}
	h.change(a, &changer{expr: func(e Expr) Expr {
		e.eachName(func(t Token) {
			if t.bound == 0 && t.Text != "self" {
				h.taken[t.Text] = true
			}
		})
		return e
	}})
	for name := range h.taken {
		h.words[name] += 0
	}
	h.change(a, &changer{expr: h.expr, bound: h.bound, step: func(label string) { h.at = h.order[label] }})
	return nil
}

// bound returns what a bound name is called.
func (h *hiding) bound(name string) string {
	defined, ok := h.order[name]
	if !h.taken[name] && !(ok && defined < h.at) && !(h.self && name == "self") {
		return name
	}
	if h.names[name] == "" {
		h.names[name] = h.words.fresh(name)
	}
	return h.names[name]
}

func (h *hiding) expr(e Expr) Expr {
	return e.mapNames(func(t *Token) {
		if t.bound != 0 {
			t.Text = h.bound(t.Text)
			t.Source = t.Text
		}
	})
}

// order is the order in which the translation defines steps, procedures and processes.
func (t *translation) order() map[string]int {
	a, order := t.algorithm, map[string]int{}
	add := func(b *body, list []Statement, end, name string) {
		b.statements(list, end)
		for _, step := range b.actions {
			if !t.omitPC {
				order[step.name] = len(order) + 1
			}
		}
		order[name] = len(order) + 1
	}
	for i := range a.Procedures {
		q := &a.Procedures[i]
		add(t.procedure(q), q.Body, "Error", q.Name)
	}
	for i := range a.Processes {
		p := &a.Processes[i]
		add(t.process(p), p.Body, "Done", p.Name)
	}
	if len(a.Processes) == 0 {
		add(&body{translation: t}, a.Body, "Done", "Next")
	}
	return order
}

// change changes all expressions and statements.
func (h *hiding) change(a *Algorithm, c *changer) {
	h.self, h.at = false, 0
	variables := func(list []Variable) {
		for i := range list {
			list[i].Init = c.expr(list[i].Init)
		}
	}
	variables(a.Variables)
	h.self = len(a.Processes) > 0
	for i := range a.Procedures {
		q := &a.Procedures[i]
		variables(q.Parameters)
		variables(q.Variables)
		q.Body = c.statements(q.Body)
	}
	for i := range a.Processes {
		p := &a.Processes[i]
		h.self = true // of ProcSet
		p.ID = c.expr(p.ID)
		h.self = p.Set
		variables(p.Variables)
		p.Body = c.statements(p.Body)
	}
	h.self = false
	a.Body = c.statements(a.Body)
}
