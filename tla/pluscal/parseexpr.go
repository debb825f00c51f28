package pluscal

import (
	"unicode/utf8"

	"interleave/tla/syntax"
)

// expr reads an expression, which ends before the first token outside of all
// brackets that can be no part of one.
func (p *parser) expr(what string) Expr {
	var e Expr
	var open []syntax.Token
	binders := 0 // \A and its like, outside of all brackets, whose : is to come
	lets := 0    // LET, outside of all brackets, whose IN is to come
	for !p.endsExpr(e, open, binders, lets, what) {
		t := p.next()
		switch {
		case closerOf(t) != "":
			open = append(open, t)
		case isCloser(t):
			p.match(open[len(open)-1], t)
			open = open[:len(open)-1]
		case len(open) > 0:
		case t.Is(`\A`), t.Is(`\E`), t.Is("CHOOSE"), t.Is("LAMBDA"):
			binders++
		case t.Is(":"):
			binders--
		case t.Is("LET"):
			lets++
		case t.Is("IN"):
			lets--
		}
		source := p.text[t.Offset : t.Offset+t.Length]
		e = append(e, Token{Token: t, Source: source, Width: utf8.RuneCountInString(source)})
	}
	if len(e) == 0 {
		p.fail(p.peek().Pos, "write it as in TLA+", "an expression wanted for %s, but found %v", what, p.peek())
	}
	return e
}

// endsExpr reports whether what comes is no part of e.
func (p *parser) endsExpr(e Expr, open []syntax.Token, binders, lets int, what string) bool {
	t := p.peek()
	ends := t.Kind == syntax.EOF || isReserved(t) || t.Is(";") || t.Is(":=")
	if len(open) > 0 {
		if first := open[len(open)-1]; ends {
			p.fail(first.Pos, "close it with "+closerOf(first), "the %s in %s is not closed before %v", first.Text, what, t)
		}
		return false
	}
	switch {
	case ends, isCloser(t), t.Is("||"):
		return true
	case t.Is(","), t.Is(":"):
		return binders <= 0 && lets <= 0
	case lets > 0:
		return false // a definition follows the one before
	}
	// Two values side by side are no expression: the second begins something else.
	return len(e) > 0 && isOperand(e[len(e)-1].Token) && (t.Is("{") || t.Kind == syntax.Name || t.Kind == syntax.Number || t.Kind == syntax.String)
}

// isOperand reports whether t can be the end of an expression.
func isOperand(t syntax.Token) bool {
	switch t.Kind {
	case syntax.Name, syntax.Number, syntax.String:
		return true
	}
	return isCloser(t) || t.Is("'")
}

// match checks that two brackets belong together.
func (p *parser) match(first, last syntax.Token) {
	want := closerOf(first)
	if last.Text == want || last.Text == want+"_" && (want == "]" || want == ">>") {
		return
	}
	p.fail(last.Pos, "close it with "+want, "%s where %s of %v should be closed", last.Text, first.Text, first.Pos)
}

// arguments reads (e, ...).
func (p *parser) arguments(of string) []Expr {
	p.want("(", "behind "+of)
	var list []Expr
	for !p.take(")") {
		if len(list) > 0 {
			p.want(",", "between two arguments")
		}
		list = append(list, p.expr("an argument of "+of))
	}
	return list
}
