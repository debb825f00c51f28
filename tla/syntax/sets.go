package syntax

// bound reads x, y \in S or <<x, y>> \in S. If free is set, it may also be x, y.
func (p *Parser) bound(free bool) Bound {
	var b Bound
	if p.accept("<<") {
		b.Tuple = true
		p.list(func() { b.Names = append(b.Names, p.ident("a bound name")) })
		p.expect(">>", "after bound names")
	} else {
		p.list(func() { b.Names = append(b.Names, p.ident("a bound name")) })
	}
	if free && !b.Tuple && !p.sees(`\in`) {
		return b
	}
	p.expect(`\in`, "after a bound name")
	b.Set = p.expr()
	return b
}

func (p *Parser) bounds(free bool) (all []Bound) {
	p.list(func() { all = append(all, p.bound(free)) })
	return all
}

func (p *Parser) quantified(t Token) Expr {
	p.Next()
	q := &Quantified{at: at{t.Pos}, Symbol: t.Text, Bounds: p.bounds(true)}
	p.expect(":", "after the bounds of "+t.Text)
	q.Body = p.expr()
	return q
}

func (p *Parser) choose(t Token) Expr {
	p.Next()
	c := &Choose{at: at{t.Pos}, Bound: p.bound(true)}
	if len(c.Bound.Names) > 1 && !c.Bound.Tuple {
		p.fail(t, "CHOOSE binds one name or a tuple of names")
	}
	p.expect(":", "after the bound of CHOOSE")
	c.Body = p.expr()
	return c
}

// asBound turns the expression x \in S into a bound.
func asBound(e Expr) (Bound, bool) {
	r, ok := e.(*Ref)
	if !ok || r.Closed || len(r.Steps) != 1 || r.Steps[0].Name != `\in` {
		return Bound{}, false
	}
	args := r.Steps[0].Args
	b := Bound{Set: args[1]}
	switch left := args[0].(type) {
	case *Ref:
		name, ok := plain(left)
		b.Names = []Ident{name}
		return b, ok
	case *Tuple:
		b.Tuple = true
		for _, e := range left.Elems {
			r, ok := e.(*Ref)
			if !ok {
				return Bound{}, false
			}
			name, ok := plain(r)
			if !ok {
				return Bound{}, false
			}
			b.Names = append(b.Names, name)
		}
		return b, len(b.Names) > 0
	}
	return Bound{}, false
}

// plain returns the name of a Ref, and whether it is nothing else.
func plain(r *Ref) (Ident, bool) {
	ok := len(r.Steps) == 1 && r.Steps[0].Args == nil && !r.Closed
	return r.Steps[0].Ident, ok
}

func (p *Parser) set(t Token) Expr {
	p.Next()
	if p.accept("}") {
		return &SetOf{at: at{t.Pos}}
	}
	e := p.expr()
	switch {
	case p.accept(":"):
		if b, ok := asBound(e); ok {
			f := &Filter{at{t.Pos}, b, p.expr()}
			p.expect("}", "to close a set")
			return f
		}
		m := &Image{at{t.Pos}, e, p.bounds(false)}
		p.expect("}", "to close a set")
		return m
	case p.accept(","):
		s := &SetOf{at{t.Pos}, append([]Expr{e}, p.exprs()...)}
		p.expect("}", "to close a set")
		return s
	}
	p.expect("}", "to close a set")
	return &SetOf{at{t.Pos}, []Expr{e}}
}

// square reads an expression that begins with [.
func (p *Parser) square(t Token) Expr {
	p.Next()
	switch name, next := p.peek(), p.ahead(1); {
	case name.Kind == Name && next.Is("|->"):
		return p.record(t, "|->")
	case name.Kind == Name && next.Is(":"):
		return p.record(t, ":")
	case name.Kind == Name && next.Is(","):
		return p.function(t, p.bounds(false))
	}
	e := p.expr()
	switch {
	case p.sees("|->") || p.sees(","):
		b, ok := asBound(e)
		if !ok {
			p.fail(p.peek(), `%v where x \in S is expected before it`, p.peek())
		}
		bounds := []Bound{b}
		if p.accept(",") {
			bounds = append(bounds, p.bounds(false)...)
		}
		return p.function(t, bounds)
	case p.accept("->"):
		f := &Functions{at{t.Pos}, e, p.expr()}
		p.expect("]", "to close a set of functions")
		return f
	case p.accept("EXCEPT"):
		return p.except(t, e)
	case p.accept("]_"):
		return &Square{at{t.Pos}, false, e, p.subscript(false)}
	}
	p.fail(p.peek(), "%s where |->, ->, EXCEPT or ]_ is expected", p.describe(p.peek()))
	return nil
}

func (p *Parser) function(t Token, bounds []Bound) Expr {
	p.expect("|->", "after the bounds of a function")
	f := &Function{at{t.Pos}, bounds, p.expr()}
	p.expect("]", "to close a function")
	return f
}

func (p *Parser) record(t Token, sign string) Expr {
	r := &Record{at: at{t.Pos}, Set: sign == ":"}
	p.list(func() {
		name := p.ident("the name of a field")
		p.expect(sign, "after the name of a field")
		r.Fields = append(r.Fields, Field{name, p.expr()})
	})
	p.expect("]", "to close a record")
	return r
}

func (p *Parser) except(t Token, fn Expr) Expr {
	e := &Except{at: at{t.Pos}, Fn: fn}
	p.list(func() {
		u := Update{At: p.expect("!", "in EXCEPT").Pos}
		for !p.sees("=") {
			u.Path = append(u.Path, p.component())
		}
		if u.Path == nil {
			p.fail(p.peek(), "nothing after ! says what to change")
		}
		p.Next()
		u.Value = p.expr()
		e.Updates = append(e.Updates, u)
	})
	p.expect("]", "to close EXCEPT")
	return e
}

// component reads [args] or .field, of a path in EXCEPT.
func (p *Parser) component() []Expr {
	if p.accept(".") {
		name := p.ident("the name of a field")
		return []Expr{&Text{at{name.At}, name.Name}}
	}
	p.expect("[", "in EXCEPT")
	args := p.exprs()
	p.expect("]", "in EXCEPT")
	return args
}
