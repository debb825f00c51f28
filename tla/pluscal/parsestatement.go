package pluscal

import "interleave/tla/syntax"

// braced reads { ... }.
func (p *parser) braced() []Statement {
	p.want("{", "before the statements")
	list := p.statements()
	p.want("}", "behind the statements")
	return list
}

// statements reads statements up to what ends them.
func (p *parser) statements() []Statement {
	defer p.down("use a procedure")()
	var list []Statement
	for !p.endsStatements() {
		list = append(list, p.labelled()...)
		closed := p.Ahead(-1).Is("}")
		if p.take(";") || p.braces && closed {
			continue
		}
		if !p.endsStatements() {
			p.fail(p.Peek().Pos, "put a ; behind each statement", "; wanted behind the statement, but found %v", p.Peek())
		}
	}
	return list
}

// down begins a level of nesting. The function that it returns ends it.
func (p *parser) down(remedy string) (up func()) {
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.Peek().Pos, remedy, "statements are nested more than %d deep", MaxDepth)
	}
	return func() { p.depth-- }
}

func (p *parser) endsStatements() bool {
	t := p.Peek()
	if p.braces {
		return t.Is("}") || t.Kind == syntax.EOF
	}
	for _, word := range []string{"end", "else", "elsif", "or"} {
		if isWord(t, word) {
			return true
		}
	}
	return t.Kind == syntax.EOF
}

// labelled reads a statement with its label. Statements in braces stand for
// themselves, and the label before them belongs to the first.
func (p *parser) labelled() []Statement {
	label := p.label()
	if p.braces && p.is("{") {
		at := p.Peek().Pos
		list := p.braced()
		if label == nil {
			return list
		}
		if len(list) == 0 {
			list = []Statement{{Pos: at, Do: &Skip{}}}
		}
		if first := list[0].Label; first != nil {
			p.fail(first.Pos, "take one of them away", "the statement has two labels, %s and %s", label.Name, first.Name)
		}
		list[0].Label = label
		return list
	}
	at := p.Peek().Pos
	return []Statement{{Label: label, Pos: at, Do: p.deed()}}
}

// label reads L: or L:+ or L:-, if there is one.
func (p *parser) label() *Label {
	if p.Peek().Kind != syntax.Name || !p.Ahead(1).Is(":") {
		return nil
	}
	t := p.name("the label")
	p.Next()
	l := &Label{Name: t.Text, Pos: t.Pos}
	switch {
	case p.take("+"):
		l.Fair = Strong
	case p.take("-"):
		l.Fair = Unfair
	}
	return l
}

// branch reads the statements behind do, then and the like: one, or several in
// braces.
func (p *parser) branch() []Statement {
	if !p.braces {
		return p.statements()
	}
	defer p.down("use a procedure")()
	return p.labelled()
}

func (p *parser) deed() Deed {
	t := p.Peek()
	if t.Kind != syntax.Name {
		p.fail(t.Pos, "begin with a label, a variable, a macro or a word such as if or await", "a statement wanted, but found %v", t)
	}
	switch t.Text {
	case "if":
		p.Next()
		return p.choice()
	case "either":
		p.Next()
		return p.either()
	case "while":
		p.Next()
		return p.while()
	case "with":
		p.Next()
		return p.with()
	case "await", "when":
		p.Next()
		return &Await{p.expr(t.Text)}
	case "assert":
		p.Next()
		return &Assert{Test: p.expr("assert"), At: t.Pos}
	case "print":
		p.Next()
		return &Print{p.expr("print")}
	case "skip":
		p.Next()
		return &Skip{}
	case "return":
		p.Next()
		return &Return{}
	case "goto":
		p.Next()
		l := p.name("the label to go to")
		return &Goto{l.Text, l.Pos}
	case "call":
		p.Next()
		q := p.name("the procedure to call")
		return &Call{q.Text, q.Pos, p.arguments(q.Text)}
	}
	return p.assignOrUse()
}

// test reads the test behind if or while.
func (p *parser) test(of, word string) Expr {
	if p.braces {
		p.want("(", "behind "+of)
	}
	e := p.expr("the test of " + of)
	if p.braces {
		word = ")"
	}
	p.want(word, "behind the test of "+of)
	return e
}

// choice reads what follows if, or elsif.
func (p *parser) choice() Deed {
	defer p.down("use either, or a procedure")()
	d := &If{Test: p.test("if", "then"), Then: p.branch()}
	at := p.Peek().Pos
	if p.braces {
		p.semicolonBefore("else")
		if p.take("else") {
			d.Else = p.branch()
		}
		return d
	}
	switch {
	case p.take("elsif"):
		d.Else = []Statement{{Pos: at, Do: p.choice()}}
		return d // the innermost took end if
	case p.take("else"):
		d.Else = p.branch()
	}
	p.closes("if")
	return d
}

// closes reads the end of a statement that does not end with a brace.
func (p *parser) closes(statement string) {
	if !p.braces {
		p.want("end", "behind "+statement)
		p.want(statement, "behind end")
	}
}

// semicolonBefore takes a semicolon if a word follows it.
func (p *parser) semicolonBefore(word string) {
	if p.is(";") && isWord(p.Ahead(1), word) {
		p.Next()
	}
}

func (p *parser) either() Deed {
	d := &Either{Branches: [][]Statement{p.branch()}}
	for {
		if p.braces {
			p.semicolonBefore("or")
		}
		if !p.take("or") {
			break
		}
		d.Branches = append(d.Branches, p.branch())
	}
	if len(d.Branches) == 1 {
		p.fail(p.Peek().Pos, "write either ... or ...", "or wanted behind either, but found %v", p.Peek())
	}
	p.closes("either")
	return d
}

func (p *parser) while() Deed {
	d := &While{Test: p.test("while", "do"), Body: p.branch()}
	p.closes("while")
	return d
}

// with reads one or several names; each further one is a With inside.
func (p *parser) with() Deed {
	if p.braces {
		p.want("(", "behind with")
	}
	outer := &With{}
	inner := outer
	for {
		t := p.name("the value in with")
		inner.Name = t.Text
		var ok bool
		if inner.In, ok = p.equalsOrIn(); !ok {
			p.fail(p.Peek().Pos, `write with NAME = VALUE or with NAME \in SET`, `= or \in wanted in with, but found %v`, p.Peek())
		}
		inner.Value = p.expr("with")
		if !p.take(",") && !p.take(";") || p.is("do") || p.is(")") {
			break
		}
		further := &With{}
		inner.Body = []Statement{{Pos: p.Peek().Pos, Do: further}}
		inner = further
	}
	if p.braces {
		p.want(")", "behind with")
	} else {
		p.want("do", "behind with")
	}
	inner.Body = p.branch()
	p.closes("with")
	return outer
}

// assignOrUse reads what begins with a name of the writer's own.
func (p *parser) assignOrUse() Deed {
	if t := p.Peek(); isReserved(t) {
		p.fail(t.Pos, "see whether something before it is not ended", "a statement cannot begin with %s", t.Text)
	}
	if p.Ahead(1).Is("(") {
		t := p.Next()
		return &Use{t.Text, t.Pos, p.arguments(t.Text)}
	}
	d := &Assign{}
	for {
		d.Parts = append(d.Parts, p.part())
		if !p.take("||") {
			return d
		}
	}
}

// part reads x := e, or to a part of x.
func (p *parser) part() Part {
	t := p.name("the variable to assign to")
	part := Part{Variable: t.Text, Pos: t.Pos}
	if !p.is(":=") {
		if !p.is("[") && !p.is(".") {
			p.fail(p.Peek().Pos, "assign with :=, as in x := 1", ":= wanted behind %s, but found %v", t.Text, p.Peek())
		}
		part.Sub = p.expr("the part of " + t.Text)
		p.checkPath(part.Sub)
	}
	p.want(":=", "behind "+t.Text)
	part.Value = p.expr("the new value of " + t.Text)
	return part
}

// checkPath wants what follows a variable to be made of .FIELD and [INDEX].
func (p *parser) checkPath(e Expr) {
	for len(e) > 0 {
		if e[0].Is(".") && len(e) > 1 && e[1].Kind == syntax.Name {
			e = e[2:]
			continue
		}
		end := 0
		for depth := 0; e[0].Is("[") && end < len(e); end++ {
			if closerOf(e[end].Token) != "" {
				depth++
			} else if isCloser(e[end].Token) {
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if end < 2 || end == len(e) {
			p.fail(e[0].Pos, "name a part as in x.field or x[1]", "a field or an index wanted, but found %v", e[0].Token)
		}
		e = e[end+1:]
	}
}
