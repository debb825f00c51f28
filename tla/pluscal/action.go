package pluscal

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// body is a list of statements being translated: of a process, of a procedure, or of an
// algorithm that has no processes.
type body struct {
	*translation
	self    string          // what [self] stands for; empty: the algorithm has one process
	id      Expr            // of the only process of its kind, for self; nil: self is bound
	locals  map[string]bool // the variables that have a value for each process
	within  *Procedure
	actions []action
}

// action is the definition of a step.
type action struct {
	name string
	text block
}

// conjuncts is a part of a step being translated.
type conjuncts struct {
	items   []block
	changed map[string]bool // the variables with a new value, those before included
}

func (c *conjuncts) add(b block) { c.items = append(c.items, b) }

// statements makes the actions of a list of which the first statement has a
// label; next is the label behind it.
func (b *body) statements(list []Statement, next string) {
	for len(list) > 0 {
		end := 1
		for end < len(list) && list[end].Label == nil {
			end++
		}
		follows := next
		if end < len(list) {
			follows = list[end].Label.Name
		}
		b.action(list[:end], follows)
		list = list[end:]
	}
}

// later has statements with labels inside of a step: they are separate steps, in the
// order of pcal.trans.
type later struct {
	list []Statement
	next string
}

// action makes the action of one label, and then those of the labels inside.
func (b *body) action(list []Statement, next string) {
	label := list[0].Label.Name
	w := &writer{body: b}
	c := conjuncts{changed: map[string]bool{}}
	if !b.omitPC {
		c.add(block{fmt.Sprintf("pc%s = %q", b.subscript(), label)})
	}
	w.label = label
	w.steps(list, next, &c)
	c.keep(b.unchanged(c.changed))
	b.actions = append(b.actions, action{label, conjunction(c.items)})
	for _, l := range w.later {
		b.statements(l.list, l.next)
	}
}

// list0 is a junction list even of one item.
func list0(items []block) block { return list(`/\`, items) }

// subscript returns what follows pc, the stack and a procedure's variables.
func (b *body) subscript() string {
	if b.self == "" {
		return ""
	}
	return "[" + b.self + "]"
}

// unchanged returns the variables that have no new value.
func (b *body) unchanged(changed map[string]bool) []string {
	var same []string
	for _, v := range b.variables {
		if !changed[v] {
			same = append(same, v)
		}
	}
	return same
}

// keep says that variables keep their values.
func (c *conjuncts) keep(names []string) {
	switch len(names) {
	case 0:
	case 1:
		c.add(block{names[0] + "' = " + names[0]})
	default:
		c.add(wrap("UNCHANGED << ", names, " >>"))
	}
	for _, n := range names {
		c.changed[n] = true
	}
}

// writer writes one action.
type writer struct {
	*body
	label string
	later []later
}

// steps writes the statements of one step, and then where control goes: to next, unless
// a statement says otherwise.
func (w *writer) steps(list []Statement, next string, c *conjuncts) {
	if len(list) > 0 && list[0].Label != nil {
		if loop, ok := list[0].Do.(*While); ok {
			w.while(loop, list[1:], next, c)
			return
		}
	}
	for i := range list {
		s := &list[i]
		if call, ok := s.Do.(*Call); ok {
			w.call(call, list[i+1:], next, c)
			return
		}
		if s.jumps() {
			w.jump(s, next, c)
			return
		}
		w.statement(s, c)
	}
	w.goTo(next, c)
}

// goTo sets pc.
func (w *writer) goTo(label string, c *conjuncts) {
	if !w.omitPC {
		w.setPC(fmt.Sprintf("%q", label), c)
	}
}

func (w *writer) setPC(value string, c *conjuncts) {
	c.add(block{w.local("pc", value)})
	c.changed["pc"] = true
}

// local gives a new value to a variable that each process has of its own.
func (w *writer) local(name, value string) string {
	if w.self == "" {
		return fmt.Sprintf("%s' = %s", name, value)
	}
	return fmt.Sprintf("%s' = [%s EXCEPT ![%s] = %s]", name, name, w.self, value)
}

// inner writes the statements of a branch: those up to the first label belong
// to this step. It returns the others; those in branches of its own are put off.
func (w *writer) inner(list []Statement, next string, c *conjuncts) []later {
	end := slices.IndexFunc(list, func(s Statement) bool { return s.Label != nil })
	if end < 0 {
		w.steps(list, next, c)
		return nil
	}
	w.steps(list[:end], list[end].Label.Name, c)
	return []later{{list[end:], next}}
}

// first puts statements off, before those from a place on.
func (w *writer) first(from int, statements ...later) {
	w.later = slices.Insert(w.later, from, statements...)
}

// while writes a loop and what comes behind it in the same step.
func (w *writer) while(d *While, behind []Statement, next string, c *conjuncts) {
	from := len(w.later)
	if d.Test.isTrue() {
		w.first(from, w.inner(d.Body, w.label, c)...)
		return
	}
	again, done := c.fork(), c.fork()
	w.first(from, w.inner(d.Body, w.label, again)...)
	w.steps(behind, next, done)
	w.choose(d.Test, again, done, c)
}

// jump writes a statement after which control does not go on to the next statement.
func (w *writer) jump(s *Statement, next string, c *conjuncts) {
	switch d := s.Do.(type) {
	case *Goto:
		w.goTo(d.Label, c)
	case *Return:
		w.restore(w.within, c)
	case *With:
		w.compound(s, c, func(list []Statement, c *conjuncts) []later { w.steps(list, next, c); return nil })
	case *If, *Either:
		w.compound(s, c, func(list []Statement, c *conjuncts) []later { return w.inner(list, next, c) })
	default:
		panic("pluscal: a statement that jumps and is none of those that can")
	}
}

// statement writes one after which control goes on to the next statement.
func (w *writer) statement(s *Statement, c *conjuncts) {
	switch d := s.Do.(type) {
	case *Skip:
		c.add(block{"TRUE"})
	case *Await:
		c.add(w.value(d.Test, c).block())
	case *Print:
		c.add(hang("PrintT(", w.value(d.Value, c).block()).follow(")"))
	case *Assert:
		text := fmt.Sprintf(`, "Failure of assertion at line %d, column %d`, d.At.Line, d.At.Col)
		if d.Used.Line > 0 {
			text += fmt.Sprintf(" of macro called at line %d, column %d", d.Used.Line, d.Used.Col)
		}
		c.add(hang("Assert(", w.value(d.Test, c).block()).follow(text + `.")`))
	case *Assign:
		w.assign(d, c)
	case *If, *Either, *With:
		w.compound(s, c, func(list []Statement, c *conjuncts) []later { w.all(list, c); return nil })
	default:
		panic("pluscal: a statement without a label that should have one")
	}
}

// compound writes a statement with statements inside; branch writes these, and returns
// those that are put off.
func (w *writer) compound(s *Statement, c *conjuncts, branch func([]Statement, *conjuncts) []later) {
	switch d := s.Do.(type) {
	case *If:
		yes, no, from := c.fork(), c.fork(), len(w.later)
		w.first(from, append(branch(d.Then, yes), branch(d.Else, no)...)...)
		w.choose(d.Test, yes, no, c)
	case *Either:
		var all []*conjuncts
		for _, list := range d.Branches {
			f := c.fork()
			labelled := branch(list, f)
			w.later = append(w.later, labelled...)
			all = append(all, f)
		}
		w.either(all, c)
	case *With:
		inside := c.fork()
		branch(d.Body, inside)
		w.with(d, inside, c)
	}
}

func (w *writer) all(list []Statement, c *conjuncts) {
	if len(list) == 0 {
		c.add(block{"TRUE"})
	}
	for i := range list {
		w.statement(&list[i], c)
	}
}

// fork begins a branch.
func (c *conjuncts) fork() *conjuncts { return &conjuncts{changed: maps.Clone(c.changed)} }

// join lets all branches change the same variables.
func (w *writer) join(branches []*conjuncts, c *conjuncts) {
	for _, f := range branches {
		maps.Copy(c.changed, f.changed)
	}
	for _, f := range branches {
		var same []string
		for _, v := range w.variables {
			if c.changed[v] && !f.changed[v] {
				same = append(same, v)
			}
		}
		f.keep(same)
	}
}

func (w *writer) choose(test Expr, yes, no, c *conjuncts) {
	head := hang("IF ", w.value(test, c).block())
	w.join([]*conjuncts{yes, no}, c)
	head = append(head, hang("   THEN ", list0(yes.items))...)
	c.add(append(head, hang("   ELSE ", list0(no.items))...))
}

func (w *writer) either(branches []*conjuncts, c *conjuncts) {
	w.join(branches, c)
	var all []block
	for _, f := range branches {
		all = append(all, list0(f.items))
	}
	c.add(list(`\/`, all))
}

// with writes its body behind \E or LET.
func (w *writer) with(d *With, inside, c *conjuncts) {
	value := w.value(d.Value, c).block()
	var head block
	if d.In {
		head = hang(`\E `+d.Name+` \in `, value).follow(":")
	} else {
		head = hang("LET "+d.Name+" == ", value).follow(" IN")
	}
	c.add(append(head, hang("  ", conjunction(inside.items))...))
	c.changed = inside.changed
}

// value returns an expression at a point of a step: variables with a new value are
// primed, and a variable of which each process has its own gets its subscript.
func (w *writer) value(e Expr, c *conjuncts) Expr {
	return e.mapNames(func(t *Token) {
		switch {
		case t.Text == "self" && w.id != nil && t.bound == 0:
			t.Sub = w.id
			return
		case c.changed[t.Text]:
			t.Behind = "'"
		}
		if w.locals[t.Text] {
			t.Behind += "[" + w.self + "]"
		}
	})
}

// assign writes an assignment; parts of one variable make one EXCEPT.
func (w *writer) assign(d *Assign, c *conjuncts) {
	var order []string
	updates := map[string][]block{}
	for _, p := range d.Parts {
		if updates[p.Variable] == nil {
			order = append(order, p.Variable)
		}
		target := ""
		if w.locals[p.Variable] {
			target = "[" + w.self + "]"
		}
		value := w.value(p.Value, c).block()
		if len(p.Sub) > 0 {
			at := hang("!"+target, w.value(p.Sub, c).block())
			last := len(at) - 1
			value = append(at[:last:last], hang(at[last]+" = ", value)...)
		} else if target != "" {
			value = hang("!"+target+" = ", value)
		}
		updates[p.Variable] = append(updates[p.Variable], value)
	}
	slices.Sort(order)
	var items []block
	for _, v := range order {
		items = append(items, newValue(v, updates[v]))
	}
	for _, v := range order {
		c.changed[v] = true
	}
	if len(items) == 1 {
		c.add(items[0])
	} else {
		c.add(list0(items))
	}
}

// newValue is one variable's new value.
func newValue(name string, updates []block) block {
	if len(updates) == 1 && !strings.HasPrefix(updates[0][0], "!") {
		return hang(name+"' = ", updates[0])
	}
	var all block
	for i, u := range updates {
		if i+1 < len(updates) {
			u = u.follow(",")
		}
		all = append(all, u...)
	}
	return hang(fmt.Sprintf("%s' = [%s EXCEPT ", name, name), all).follow("]")
}

// frame is what a call puts on the stack: where to go on, and what the
// variables of the procedure were.
func (w *writer) frame(q *Procedure, pc, rest string) block {
	fields := []string{fmt.Sprintf("procedure |-> %q", q.Name), "pc |-> " + pc}
	for _, v := range q.Locals() {
		fields = append(fields, v+" |-> "+v+w.subscript())
	}
	b := wrap("<< [ ", fields, " ] >>")
	return append(b, `    \o `+rest)
}

// call writes a call and the statement behind it, which is a return, a goto or
// none of this step.
func (w *writer) call(d *Call, behind []Statement, next string, c *conjuncts) {
	q := w.algorithm.Procedure(d.Procedure)
	returns := false
	pc := fmt.Sprintf("%q", next)
	if len(behind) > 0 {
		switch after := behind[0].Do.(type) {
		case *Return:
			returns = true
		case *Goto:
			pc = fmt.Sprintf("%q", after.Label)
		}
	}
	var items []block
	for i, p := range q.Parameters {
		items = append(items, w.set(p.Name, w.value(d.Arguments[i], c).block()))
	}
	stack := "stack" + w.subscript()
	switch {
	case returns && q.Name == w.within.Name: // its frame stays as it is
	case returns:
		for _, v := range w.within.Variables {
			items = append(items, block{w.local(v.Name, "Head("+stack+")."+v.Name)})
			c.changed[v.Name] = true
		}
		items = append(items, w.set("stack", w.frame(q, "Head("+stack+").pc", "Tail("+stack+")")))
		c.changed["stack"] = true
	default:
		items = append(items, w.set("stack", w.frame(q, pc, stack)))
		c.changed["stack"] = true
	}
	slices.SortFunc(items, func(a, b block) int { return strings.Compare(a[0], b[0]) })
	if len(items) > 0 {
		c.add(conjunction(items))
	}
	for _, p := range q.Parameters {
		c.changed[p.Name] = true
	}
	w.begin(q, c)
}

// begin gives the variables of a procedure their initial values, and control to
// its first statement.
func (w *writer) begin(q *Procedure, c *conjuncts) {
	inside := *w.body // the values are seen from inside the procedure
	inside.locals = localsOf(q, w.self)
	for _, v := range q.Variables {
		c.add(w.set(v.Name, (&writer{body: &inside}).value(v.First(), c).block()))
		c.changed[v.Name] = true
	}
	w.goTo(q.Body[0].Label.Name, c)
}

// restore takes what a call put on the stack off it.
func (w *writer) restore(q *Procedure, c *conjuncts) {
	stack := "stack" + w.subscript()
	w.setPC("Head("+stack+").pc", c)
	for _, v := range q.Locals() {
		c.add(block{w.local(v, "Head("+stack+")."+v)})
		c.changed[v] = true
	}
	c.add(block{w.local("stack", "Tail("+stack+")")})
	c.changed["stack"] = true
}

// set gives a new value, of several lines perhaps, to a variable that each
// process has of its own.
func (w *writer) set(name string, value block) block {
	if w.self == "" {
		return hang(name+"' = ", value)
	}
	return hang(fmt.Sprintf("%s' = [%s EXCEPT ![%s] = ", name, name, w.self), value).follow("]")
}

// localsOf is the variables of a procedure, if each process has them of its own.
func localsOf(q *Procedure, self string) map[string]bool {
	m := map[string]bool{}
	for _, v := range q.Locals() {
		m[v] = self != ""
	}
	return m
}
