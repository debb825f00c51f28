package pluscal

import (
	"fmt"
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
	file    string
	entries []*entry
	found   map[string][]*entry // by name
	err     error
}

// resolve renames what shares its name with something of another process or procedure:
// in TLA+ all are names of one module. It appends _ and then, letter by letter, the
// name of the process or procedure.
func resolve(file string, a *Algorithm) error {
	t := &table{file: file, found: map[string][]*entry{}}
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
		if (local || same) && t.err == nil {
			t.err = &Error{t.file, l.Pos, fmt.Sprintf("%s is defined already", l.Name), "choose another name"}
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
			if (l.Name == "Done" || l.Name == "Error") && t.err == nil {
				t.err = &Error{t.file, l.Pos, l.Name + " is no label to define: it is where a process ends", "choose another name"}
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
		list[i].Name, list[i].Init = renamed(names, v.Name), v.Init.rename(names)
	}
}

func (t *table) body(list []Statement, context string) []Statement {
	variables := t.names(context, isVariableName)
	labels := t.names(context, func(kind int) bool { return kind == labelName })
	procedures := t.names("", func(kind int) bool { return kind == procedureName })
	c := &changer{
		expr:  func(e Expr) Expr { return e.rename(variables) },
		label: func(name string) string { return renamed(labels, name) },
		calls: func(name string) string { return renamed(procedures, name) },
		part: func(p Part) Part {
			p.Variable = renamed(variables, p.Variable)
			return p
		},
	}
	return c.statements(list)
}
