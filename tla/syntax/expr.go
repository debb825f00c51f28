package syntax

func (p *Parser) expr() Expr { return p.operation(nil) }

// operation reads an expression. If there is an operator to its left, the expression ends
// before an operator that does not bind tighter than that.
func (p *Parser) operation(left *operator) Expr {
	defer p.down()()
	if t, minus := p.peek(), prefixes["-"]; left != nil && t.Is("-") && left.lo > minus.hi {
		p.Fail(t, "a minus after %s, which binds tighter; put parentheses", left.name)
	}
	e := p.operand()
	for chain := 0; ; chain++ {
		t := p.peek()
		if chain > MaxChain {
			p.Fail(t, "more than %d operators in a row", MaxChain)
		}
		if (t.Kind != Symbol && t.Kind != Keyword) || p.Stop != nil && p.Stop(t) || p.proofStep() {
			return e
		}
		switch post, isPostfix := postfixes[t.Text]; {
		case t.Text == "[" || t.Text == ".":
			e = p.suffix(e)
		case isPostfix:
			if left != nil && !p.tighter(left, post, t) {
				return e
			}
			p.Next()
			e = apply(t, post.name, e)
		default:
			op, isInfix := infixes[t.Text]
			if !isInfix || left != nil && !p.tighter(left, op, t) {
				return e
			}
			p.Next()
			e = p.join(t, op, e)
		}
	}
}

// tighter reports whether the operator op, at t, binds tighter than the one to its left.
func (p *Parser) tighter(left *operator, op operator, t Token) bool {
	switch {
	case op.lo > left.hi:
		return true
	case left.lo > op.hi || left.left && op.left && left.name == op.name:
		return false
	}
	p.Fail(t, "neither of %s and %s binds tighter; put parentheses", left.name, op.name)
	return false
}

// join reads the right operand of an infix operator.
func (p *Parser) join(t Token, op operator, left Expr) Expr {
	right := p.operation(&op)
	switch op.name {
	case `/\`, `\/`:
		if j, ok := left.(*Junction); ok && j.open && j.And == (op.name == `/\`) {
			j.Items = append(j.Items, right)
			return j
		}
		return &Junction{at: at{t.Pos}, And: op.name == `/\`, Infix: true, Items: []Expr{left, right}, open: true}
	case `\X`:
		if x, ok := left.(*Product); ok && x.open {
			x.Factors = append(x.Factors, right)
			return x
		}
		return &Product{at{t.Pos}, []Expr{left, right}, true}
	}
	return apply(t, op.name, left, right)
}

func apply(t Token, name string, args ...Expr) *Ref {
	return &Ref{at: at{t.Pos}, Steps: []Step{{Ident{t.Pos, name}, args}}}
}

// suffix reads [args] or .field.
func (p *Parser) suffix(e Expr) Expr {
	t := p.Next()
	if t.Text == "." {
		return &Select{at{t.Pos}, e, p.ident("the name of a field").Name}
	}
	args := p.exprs()
	p.expect("]", "after the arguments of a function")
	return &Index{at{e.Pos()}, e, args}
}

// operand reads an expression without infix and postfix operators.
func (p *Parser) operand() Expr {
	t := p.peek()
	here := at{t.Pos}
	switch t.Kind {
	case Number:
		p.Next()
		return &Numeral{here, t.Text}
	case String:
		p.Next()
		return &Text{here, t.Text}
	case Name:
		if t.Text == "@" {
			p.Next()
			return &Current{here}
		}
		return p.ref()
	case Symbol, Keyword:
		if op, ok := prefixes[t.Text]; ok {
			p.Next()
			return apply(t, op.name, p.operation(&op))
		}
		if read, ok := openers[t.Text]; ok {
			return read(p, t)
		}
	}
	p.Fail(t, "%s where an expression is expected", p.describe(t))
	return nil
}

// openers has, by symbol or keyword, what reads the expressions that begin with it.
var openers map[string]func(p *Parser, t Token) Expr

func init() {
	openers = map[string]func(p *Parser, t Token) Expr{
		`/\`: (*Parser).bulleted, `\/`: (*Parser).bulleted,
		"(": (*Parser).parenthesized, "<<": (*Parser).tuple, "{": (*Parser).set, "[": (*Parser).square,
		`\A`: (*Parser).quantified, `\E`: (*Parser).quantified, `\AA`: (*Parser).quantified, `\EE`: (*Parser).quantified,
		"CHOOSE": (*Parser).choose, "IF": (*Parser).conditional, "CASE": (*Parser).cases, "LET": (*Parser).let,
		"LAMBDA": (*Parser).lambda, "WF_": (*Parser).fair, "SF_": (*Parser).fair,
	}
}

// bulleted reads a junction list.
func (p *Parser) bulleted(t Token) Expr {
	defer p.down()()
	j := &Junction{at: at{t.Pos}, And: t.Text == `/\`}
	for next := p.peek(); next.Is(t.Text) && next.Pos.Col == t.Pos.Col; next = p.peek() {
		p.Next()
		p.bullets = append(p.bullets, t.Pos.Col)
		j.Items = append(j.Items, p.expr())
		p.bullets = p.bullets[:len(p.bullets)-1]
	}
	return j
}

func (p *Parser) parenthesized(Token) Expr {
	p.Next()
	e := p.expr()
	p.expect(")", "to close a parenthesis")
	switch e := e.(type) {
	case *Ref:
		e.Closed = true
	case *Product:
		e.open = false
	case *Junction:
		e.open = false
	}
	return e
}

// ref reads names with their arguments, with ! between them.
func (p *Parser) ref() Expr {
	r := &Ref{at: at{p.peek().Pos}, Steps: []Step{p.step()}}
	for p.sees("!") {
		p.Next()
		r.Steps = append(r.Steps, p.step())
	}
	if p.accept("::") {
		return &Label{r.at, r, p.expr()}
	}
	return r
}

// step reads a step of a Ref. After a ! it may be an operator, a number or a colon.
func (p *Parser) step() Step {
	t := p.peek()
	_, infix, _ := t.operator()
	switch {
	case t.Kind == Name || t.Kind == Number || t.Kind == Symbol && (infix || t.Text == ":"):
		p.Next()
	default:
		p.Fail(t, "%s where a name is expected", p.describe(t))
	}
	s := Step{Ident: Ident{t.Pos, Canonical(t.Text)}}
	if p.accept("(") {
		p.list(func() { s.Args = append(s.Args, p.argument()) })
		p.expect(")", "after the arguments of "+s.Name)
	}
	return s
}

// argument reads an argument of an operator: an expression, or an operator by itself.
func (p *Parser) argument() Expr {
	t, next := p.peek(), p.Ahead(1)
	prefix, infix, postfix := t.operator()
	if (prefix || infix || postfix) && (next.Is(",") || next.Is(")")) {
		p.Next()
		return apply(t, Canonical(t.Text))
	}
	return p.expr()
}

func (p *Parser) tuple(t Token) Expr {
	p.Next()
	var elems []Expr
	if !p.sees(">>") {
		elems = p.exprs()
	}
	if len(elems) == 1 && p.accept(">>_") {
		return &Square{at{t.Pos}, true, elems[0], p.subscript(false)}
	}
	p.expect(">>", "to close a tuple")
	return &Tuple{at{t.Pos}, elems}
}

// subscript reads the subscript after _. In a fairness condition, the parenthesis behind a
// name begins the action, not arguments of the name.
func (p *Parser) subscript(fair bool) Expr {
	t := p.peek()
	switch {
	case !fair || t.Is("<<") || t.Is("("):
		e := p.operand()
		for p.sees(".") || !fair && p.sees("[") {
			e = p.suffix(e)
		}
		return e
	}
	r := &Ref{at: at{t.Pos}}
	for {
		id := p.ident("a subscript")
		r.Steps = append(r.Steps, Step{Ident: id})
		if !p.accept("!") {
			return r
		}
	}
}

func (p *Parser) fair(t Token) Expr {
	p.Next()
	sub := p.subscript(true)
	p.expect("(", "before the action of "+t.Text)
	action := p.expr()
	p.expect(")", "after the action of "+t.Text)
	return &Fair{at{t.Pos}, t.Text == "SF_", sub, action}
}

func (p *Parser) conditional(t Token) Expr {
	p.Next()
	e := &If{at: at{t.Pos}, Cond: p.expr()}
	p.expect("THEN", "in IF")
	e.Then = p.expr()
	p.expect("ELSE", "in IF")
	e.Else = p.expr()
	return e
}

func (p *Parser) cases(t Token) Expr {
	p.Next()
	c := &Case{at: at{t.Pos}}
	for {
		if p.accept("OTHER") {
			p.expect("->", "in CASE")
			c.Other = p.expr()
			return c
		}
		cond := p.expr()
		p.expect("->", "in CASE")
		c.Arms = append(c.Arms, Arm{cond, p.expr()})
		if !p.accept("[]") {
			return c
		}
	}
}

func (p *Parser) let(t Token) Expr {
	p.Next()
	l := &Let{at: at{t.Pos}}
	for !p.sees("IN") {
		l.Defs = append(l.Defs, p.definition())
	}
	p.Next()
	l.Body = p.expr()
	return l
}

func (p *Parser) lambda(t Token) Expr {
	p.Next()
	l := &Lambda{at: at{t.Pos}}
	p.list(func() { l.Params = append(l.Params, p.param()) })
	p.expect(":", "after the parameters of LAMBDA")
	l.Body = p.expr()
	return l
}

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
		p.Fail(t, "CHOOSE binds one name or a tuple of names")
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
	switch name, next := p.peek(), p.Ahead(1); {
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
			p.Fail(p.peek(), `%v where x \in S is expected before it`, p.peek())
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
	p.Fail(p.peek(), "%s where |->, ->, EXCEPT or ]_ is expected", p.describe(p.peek()))
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
			p.Fail(p.peek(), "nothing after ! says what to change")
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
