package pluscal

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
	h := &hiding{words: a.words, taken: map[string]bool{"vars": true, "Init": true}, order: a.order(), names: map[string]string{}}
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
func (a *Algorithm) order() map[string]int {
	order := map[string]int{}
	t := newTranslation(a)
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
