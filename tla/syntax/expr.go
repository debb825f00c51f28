package syntax

func (p *Parser) expr() Expr { return p.operation(nil) }

// operation reads an expression. If there is an operator to its left, the expression ends
// before an operator that does not bind tighter than that.
func (p *Parser) operation(left *operator) Expr {
	defer p.down()()
	if t, minus := p.peek(), prefixes["-"]; left != nil && t.Is("-") && left.lo > minus.hi {
		p.fail(t, "a minus after %s, which binds tighter; put parentheses", left.name)
	}
	e := p.operand()
	for chain := 0; ; chain++ {
		t := p.peek()
		if chain > MaxChain {
			p.fail(t, "more than %d operators in a row", MaxChain)
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
	p.fail(t, "neither of %s and %s binds tighter; put parentheses", left.name, op.name)
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
	p.fail(t, "%s where an expression is expected", p.describe(t))
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
	_, infix := infixes[t.Text]
	switch {
	case t.Kind == Name || t.Kind == Number || t.Kind == Symbol && (infix || t.Text == ":"):
		p.Next()
	default:
		p.fail(t, "%s where a name is expected", p.describe(t))
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
	t, next := p.peek(), p.ahead(1)
	_, infix := infixes[t.Text]
	_, prefix := prefixes[t.Text]
	_, postfix := postfixes[t.Text]
	operator := (t.Kind == Symbol || t.Kind == Keyword) && (infix || prefix || postfix) // and no string of its text
	if operator && (next.Is(",") || next.Is(")")) {
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
