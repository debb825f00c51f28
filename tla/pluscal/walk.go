package pluscal

// changer says how statements are copied: each function is told a part and
// returns what stands in its place. One that is nil leaves parts as they are.
type changer struct {
	expr  func(Expr) Expr
	bound func(string) string // what a with binds
	part  func(Part) Part
	label func(string) string
	step  func(string) // is told where a step begins
	calls func(string) string
}

// statements returns a changed copy, and leaves the list itself alone.
func (c *changer) statements(list []Statement) []Statement {
	if list == nil {
		return nil
	}
	out := make([]Statement, len(list))
	for i, s := range list {
		out[i] = s
		if s.Label != nil {
			l := *s.Label
			if c.step != nil {
				c.step(l.Name)
			}
			l.Name = c.name(l.Name)
			out[i].Label = &l
		}
		out[i].Do = c.deed(s.Do)
	}
	return out
}

func (c *changer) name(label string) string {
	if c.label == nil {
		return label
	}
	return c.label(label)
}

func (c *changer) with(name string) string {
	if c.bound == nil {
		return name
	}
	return c.bound(name)
}

func (c *changer) procedure(name string) string {
	if c.calls == nil {
		return name
	}
	return c.calls(name)
}

func (c *changer) deed(d Deed) Deed {
	switch d := d.(type) {
	case *Assign:
		return c.assign(d)
	case *If:
		return &If{c.expr(d.Test), c.statements(d.Then), c.statements(d.Else)}
	case *Either:
		out := &Either{}
		for _, b := range d.Branches {
			out.Branches = append(out.Branches, c.statements(b))
		}
		return out
	case *While:
		return &While{c.expr(d.Test), c.statements(d.Body)}
	case *With:
		return &With{c.with(d.Name), d.In, c.expr(d.Value), c.statements(d.Body), d.number}
	case *Await:
		return &Await{c.expr(d.Test)}
	case *Assert:
		return &Assert{c.expr(d.Test), d.At, d.Used}
	case *Print:
		return &Print{c.expr(d.Value)}
	case *Goto:
		return &Goto{c.name(d.Label), d.Pos}
	case *Call:
		return &Call{c.procedure(d.Procedure), d.Pos, c.exprs(d.Arguments)}
	case *Use:
		return &Use{d.Macro, d.Pos, c.exprs(d.Arguments)}
	}
	return d
}

func (c *changer) exprs(list []Expr) []Expr {
	out := make([]Expr, len(list))
	for i, e := range list {
		out[i] = c.expr(e)
	}
	return out
}

func (c *changer) assign(d *Assign) Deed {
	out := &Assign{}
	for _, p := range d.Parts {
		p.Sub, p.Value = c.expr(p.Sub), c.expr(p.Value)
		if c.part != nil {
			p = c.part(p)
		}
		out.Parts = append(out.Parts, p)
	}
	return out
}
