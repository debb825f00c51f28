package syntax

import (
	"regexp"
	"strings"
)

var opening = regexp.MustCompile(`-{4,}[ \t]*MODULE[ \t\r\n]+[A-Za-z0-9_]`)

// ParseModule reads the first module in a text. It ignores what is before and after that.
func ParseModule(file, text string) (m *Module, err error) {
	begin := opening.FindStringIndex(text)
	if begin == nil {
		return nil, &Error{file, Pos{1, 1}, "no line ---- MODULE Name ---- is in the text"}
	}
	return parseAt(file, text, begin[0])
}

// ParseNamed reads the module of a name in a text, or returns nil if there is none. One
// inside of another does not count.
func ParseNamed(file, text, name string) (*Module, error) {
	behind := 0 // the module before
	for _, begin := range opening.FindAllStringIndex(text, -1) {
		if begin[0] < behind {
			continue
		}
		at := begin[1] - 1 // of the name
		if end := at + len(name); strings.HasPrefix(text[at:], name) && (end == len(text) || strings.ContainsRune(" \t\r\n-", rune(text[end]))) {
			return parseAt(file, text, begin[0])
		}
		if tokens, err := moduleTokens(NewLexer(file, text, begin[0])); err == nil { // else it is no module, but some text
			behind = tokens[len(tokens)-1].Offset
		}
	}
	return nil, nil
}

func parseAt(file, text string, offset int) (m *Module, err error) {
	tokens, err := moduleTokens(NewLexer(file, text, offset))
	if err != nil {
		return nil, err
	}
	p := NewParser(file, tokens)
	defer p.Recovered(&err)
	return p.module(), nil
}

// moduleTokens reads the tokens up to the end of the module.
func moduleTokens(l *Lexer) (tokens []Token, err error) {
	depth := 0
	for {
		t, err := l.Next()
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
		switch {
		case t.Kind == EOF:
			return tokens, nil
		case t.Is("MODULE") && len(tokens) > 1 && tokens[len(tokens)-2].Kind == Rule:
			depth++
		case t.Kind == End:
			if depth--; depth <= 0 {
				return append(tokens, Token{Kind: EOF, Pos: l.pos, Offset: l.at}), nil
			}
		}
	}
}

func (p *Parser) module() *Module {
	defer p.down()()
	p.rule()
	p.expect("MODULE", "at the beginning of a module")
	m := &Module{File: p.file, Ident: p.ident("the name of the module")}
	p.rule()
	if p.accept("EXTENDS") {
		p.list(func() { m.Extends = append(m.Extends, p.ident("the name of a module")) })
	}
	for {
		switch t := p.Peek(); {
		case t.Kind == End:
			p.Next()
			return m
		case t.Kind == Rule && p.Ahead(1).Is("MODULE"):
			m.Units = append(m.Units, p.module())
		case t.Kind == Rule:
			p.Next()
		case t.Is("USE") || t.Is("HIDE"):
			p.skipProof(t)
		default:
			m.Units = append(m.Units, p.unit())
		}
	}
}

func (p *Parser) rule() {
	if t := p.Next(); t.Kind != Rule {
		p.Fail(t, "%v where ---- is expected", t)
	}
}

// unit reads a unit of a module.
func (p *Parser) unit() Unit {
	switch t := p.Peek(); {
	case t.Is("CONSTANT") || t.Is("CONSTANTS"):
		p.Next()
		c := &Constants{at: at{t.Pos}}
		p.list(func() { c.Names = append(c.Names, p.param()) })
		return c
	case t.Is("VARIABLE") || t.Is("VARIABLES"):
		p.Next()
		v := &Variables{at: at{t.Pos}}
		p.list(func() { v.Names = append(v.Names, p.ident("the name of a variable")) })
		return v
	case t.Is("ASSUME") || t.Is("ASSUMPTION") || t.Is("AXIOM"):
		p.Next()
		name := p.title()
		return &Assume{Ident{t.Pos, name}, p.expr()}
	case t.Is("THEOREM") || t.Is("LEMMA") || t.Is("PROPOSITION") || t.Is("COROLLARY"):
		return p.theorem(t)
	}
	return p.definition()
}

// title reads the Name == of an assumption or a theorem, if it has one.
func (p *Parser) title() string {
	if p.Peek().Kind != Name || !p.Ahead(1).Is("==") {
		return ""
	}
	name := p.Next().Text
	p.Next()
	return name
}

func (p *Parser) theorem(t Token) Unit {
	p.Next()
	th := &Theorem{Ident: Ident{t.Pos, p.title()}}
	if !p.Peek().Is("ASSUME") {
		th.Body = p.expr()
	}
	p.skipProof(t)
	return th
}

// skipProof moves to the next unit that is no further to the right than t.
func (p *Parser) skipProof(t Token) {
	if p.Peek() == t {
		p.Next()
	}
	for line := t.Pos.Line; ; p.Next() {
		next := p.Peek()
		if next.Kind == EOF || next.Kind == End || next.Kind == Rule {
			return
		}
		if next.Pos.Line > line && next.Pos.Col <= t.Pos.Col && p.startsUnit() {
			return
		}
		line = next.Pos.Line
	}
}

// proofStep reports whether a step of a proof begins here, with a level such as <1>.
func (p *Parser) proofStep() bool {
	t, number, end := p.Peek(), p.Ahead(1), p.Ahead(2)
	level := number.Kind == Number || number.Is("+") || number.Is("*")
	return t.Is("<") && level && number.Offset == t.Offset+1 && end.Is(">") && end.Offset == number.Offset+number.Length
}

var starters = words(`CONSTANT CONSTANTS VARIABLE VARIABLES ASSUME ASSUMPTION AXIOM THEOREM LEMMA
	PROPOSITION COROLLARY LOCAL RECURSIVE INSTANCE USE HIDE`)

func (p *Parser) startsUnit() bool {
	t := p.Peek()
	if t.Kind == Keyword {
		return starters[t.Text]
	}
	next := p.Ahead(1)
	return t.Kind == Name && t.Text != "@" && (next.Is("==") || next.Is("(") || next.Is("[")) ||
		next.Kind == Symbol && p.Ahead(2).Kind == Name && p.Ahead(3).Is("==")
}

// definition reads a unit that LET can have, too.
func (p *Parser) definition() Unit {
	local := p.accept("LOCAL")
	switch t := p.peek(); {
	case t.Is("RECURSIVE"):
		p.Next()
		r := &Recursive{at: at{t.Pos}}
		p.list(func() { r.Names = append(r.Names, p.param()) })
		return r
	case t.Is("INSTANCE"):
		i := p.instance(Ident{At: t.Pos}, nil)
		i.Local = local
		return i
	}
	d := p.head()
	d.Local = local
	if d.Function {
		bounds := p.bounds(false)
		p.expect("]", "after the bounds of "+d.Name)
		p.expect("==", "after the bounds of "+d.Name)
		d.Body = &Function{at{d.At}, bounds, p.expr()}
		return d
	}
	p.expect("==", "after "+d.Name)
	if p.sees("INSTANCE") {
		i := p.instance(d.Ident, d.Params)
		i.Local = local
		return i
	}
	d.Body = p.expr()
	return d
}

// head reads what a definition has before ==. It is Name, Name(params), a + b, -. a or
// a ^+. Of a function, it reads Name and the bracket.
func (p *Parser) head() *OpDef {
	t, next := p.peek(), p.Ahead(1)
	if prefix, _, _ := t.operator(); prefix {
		p.Next()
		return &OpDef{Ident: Ident{t.Pos, Canonical(t.Text)}, Params: []Param{p.param()}}
	}
	_, infix, postfix := next.operator()
	if t.Kind == Name && next.Kind == Symbol && (infix || postfix) {
		d := &OpDef{Ident: Ident{next.Pos, Canonical(next.Text)}, Params: []Param{{Ident: p.ident("a parameter")}}}
		p.Next()
		if infix {
			d.Params = append(d.Params, p.param())
		}
		return d
	}
	d := &OpDef{Ident: p.ident("a definition or declaration")}
	switch {
	case p.accept("["):
		d.Function = true
	case p.accept("("):
		p.list(func() { d.Params = append(d.Params, p.param()) })
		p.expect(")", "after the parameters of "+d.Name)
	}
	return d
}

// param reads x, F(_, _), _ + _, -. _ or _ ^+.
func (p *Parser) param() Param {
	t := p.peek()
	if prefix, _, _ := t.operator(); prefix {
		p.Next()
		p.ident("_")
		return Param{Ident{t.Pos, Canonical(t.Text)}, 1}
	}
	_, infix, postfix := p.Ahead(1).operator()
	if t.Kind == Name && strings.Trim(t.Text, "_") == "" && p.Ahead(1).Kind == Symbol && (infix || postfix) {
		p.Next()
		op := p.Next()
		if postfix {
			return Param{Ident{op.Pos, op.Text}, 1}
		}
		p.ident("_")
		return Param{Ident{op.Pos, Canonical(op.Text)}, 2}
	}
	d := Param{Ident: p.ident("a name")}
	if p.accept("(") {
		p.list(func() { p.ident("_"); d.Arity++ })
		p.expect(")", "after the places of "+d.Name)
	}
	return d
}

// instance reads INSTANCE M WITH a <- e, ...
func (p *Parser) instance(name Ident, params []Param) *Instance {
	p.Next()
	i := &Instance{Ident: name, Params: params, Module: p.ident("the name of a module")}
	if p.accept("WITH") {
		p.list(func() { i.With = append(i.With, p.substitution()) })
	}
	return i
}

func (p *Parser) substitution() Substitution {
	t := p.peek()
	s := Substitution{Ident: Ident{t.Pos, Canonical(t.Text)}}
	if t.Kind == Symbol || t.Kind == Keyword {
		p.Next()
	} else {
		s.Ident = p.ident("the name of a constant or variable")
	}
	p.expect("<-", "in WITH")
	s.Value = p.argumentBefore()
	return s
}

// argumentBefore reads an expression, or an operator that stands alone.
func (p *Parser) argumentBefore() Expr {
	if t := p.peek(); p.alone() {
		p.Next()
		return apply(t, Canonical(t.Text))
	}
	return p.expr()
}

// alone reports whether the next token is an operator without operands, at the end of a
// substitution. An operator that may begin an expression has no operand if a comma or
// another unit follows. For other operators, a name in another line is enough.
func (p *Parser) alone() bool {
	t, next := p.peek(), p.Ahead(1)
	prefix, infix, postfix := t.operator()
	begins := prefix && t.Text != "-." || t.Is(`/\`) || t.Is(`\/`)
	switch {
	case !infix && !prefix && !postfix:
		return false
	case next.Is(",") || next.Is("IN") || next.Kind == End || next.Kind == Rule:
		return true
	case next.Kind == Keyword:
		return starters[next.Text]
	}
	return next.Kind == Name && next.Pos.Line > t.Pos.Line && (!begins || p.Ahead(2).Is("=="))
}
