package pluscal

// avoidHiding gives other names to what is bound, where it would hide what the translation
// declares or defines, or a name of the module that the algorithm uses: TLA+ refuses that.
func avoidHiding(_ string, a *Algorithm) error {
	taken := a.defined()
	changeAll(a, &changer{expr: func(e Expr) Expr {
		e.eachName(func(t Token) {
			if t.bound == 0 {
				taken[t.Text] = true
			}
		})
		return e
	}})
	for name := range taken {
		a.words[name] += 0
	}
	names := map[string]string{}
	bound := func(name string) string {
		if taken[name] && names[name] == "" {
			names[name] = a.words.fresh(name)
		}
		return renamed(names, name)
	}
	changeAll(a, &changer{bound: bound, expr: func(e Expr) Expr {
		e.eachName(func(t Token) {
			if t.bound != 0 {
				bound(t.Text)
			}
		})
		return e.renameBound(names)
	}})
	return nil
}

// defined returns the names that the translation declares or defines, up to the last step
// of a process.
func (a *Algorithm) defined() map[string]bool {
	names := map[string]bool{"vars": true, "Init": true}
	for _, v := range a.Names() {
		names[v] = true
	}
	labels := func(list []Statement) {
		anyIn(list, func(s *Statement) bool {
			if s.Label != nil {
				names[s.Label.Name] = true
			}
			return false
		})
	}
	labels(a.Body)
	for _, q := range a.Procedures {
		names[q.Name] = true
		labels(q.Body)
	}
	for _, p := range a.Processes {
		names[p.Name], names["self"], names["ProcSet"] = true, true, true
		labels(p.Body)
	}
	return names
}

// changeAll changes all expressions and statements.
func changeAll(a *Algorithm, c *changer) {
	for _, list := range a.declared() {
		for i := range list {
			list[i].Init = c.expr(list[i].Init)
		}
	}
	for i := range a.Procedures {
		a.Procedures[i].Body = c.statements(a.Procedures[i].Body)
	}
	for i := range a.Processes {
		a.Processes[i].ID = c.expr(a.Processes[i].ID)
		a.Processes[i].Body = c.statements(a.Processes[i].Body)
	}
	a.Body = c.statements(a.Body)
}
