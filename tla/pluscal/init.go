package pluscal

import (
	"fmt"

	"interleave/tla/syntax"
)

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
