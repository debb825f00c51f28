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
	case *If:
		yes, no, from := c.fork(), c.fork(), len(w.later)
		labelled := append(w.inner(d.Then, next, yes), w.inner(d.Else, next, no)...)
		w.first(from, labelled...)
		w.choose(d.Test, yes, no, c)
	case *Either:
		var all []*conjuncts
		for _, branch := range d.Branches {
			f := c.fork()
			labelled := w.inner(branch, next, f)
			w.later = append(w.later, labelled...)
			all = append(all, f)
		}
		w.either(all, c)
	case *With:
		inside := c.fork()
		w.steps(d.Body, next, inside)
		w.with(d, inside, c)
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
	case *If:
		yes, no := c.fork(), c.fork()
		w.all(d.Then, yes)
		w.all(d.Else, no)
		w.choose(d.Test, yes, no, c)
	case *Either:
		var branches []*conjuncts
		for _, list := range d.Branches {
			f := c.fork()
			w.all(list, f)
			branches = append(branches, f)
		}
		w.either(branches, c)
	case *With:
		inside := c.fork()
		w.all(d.Body, inside)
		w.with(d, inside, c)
	default:
		panic("pluscal: a statement without a label that should have one")
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
