package pluscal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"interleave/tla/syntax"
)

// MaxDepth is how deeply statements may be nested.
const MaxDepth = 200

// Parse reads the algorithm of a module. Its error is an *Error, or a
// *syntax.Error for text that has no words.
func Parse(file, text string) (*Algorithm, error) {
	where, err := find(file, text)
	if err != nil {
		return nil, err
	}
	// What follows the algorithm in its comment need not be TLA+: an error of
	// the lexer counts only if the parser gets there.
	tokens, lexError := syntax.Tokens(file, text[:where.end], where.word)
	if n := len(tokens); n == 0 || tokens[n-1].Kind != syntax.EOF {
		tokens = append(tokens, syntax.Token{Kind: syntax.EOF, Pos: posOf(text, where.end), Offset: where.end})
		var at *syntax.Error
		if errors.As(lexError, &at) {
			tokens[len(tokens)-1].Pos = at.Pos
		}
	}
	p := &parser{Parser: syntax.NewParser(file, tokens), file: file, text: text}
	used := words{}
	for _, t := range tokens {
		if t.Kind == syntax.Name {
			used[t.Text] = 0
		}
	}
	a, err := p.algorithm(used)
	switch {
	case err != nil && lexError != nil && p.Peek().Kind == syntax.EOF:
		return nil, lexError
	case err != nil:
		return nil, err
	}
	return a, a.obey(file, text)
}

// parser reads both syntaxes. Its methods panic with an *Error, which algorithm
// recovers.
type parser struct {
	*syntax.Parser
	file   string
	text   string
	braces bool // C-syntax
	depth  int
}

// is reports whether a word or symbol comes.
func (p *parser) is(text string) bool { return isWord(p.Peek(), text) }

func isWord(t syntax.Token, text string) bool {
	return t.Is(text) || t.Kind == syntax.Name && t.Text == text
}

// take takes a word or symbol if it comes.
func (p *parser) take(text string) bool {
	if p.is(text) {
		p.Next()
		return true
	}
	return false
}

// want takes a word or symbol that has to come.
func (p *parser) want(text, where string) syntax.Token {
	if !p.is(text) {
		p.fail(p.Peek().Pos, "write "+text+" there", "%s wanted %s, but found %v", text, where, p.Peek())
	}
	return p.Next()
}

func (p *parser) fail(at syntax.Pos, remedy, format string, args ...any) {
	panic(&Error{p.file, at, fmt.Sprintf(format, args...), remedy})
}

// reserved are the words of PlusCal, which name nothing.
var reserved = strings.Fields(`assert await begin call define do either else elsif end fair goto if macro or print
	procedure process return skip then variable variables when while with`)

func isReserved(t syntax.Token) bool {
	return t.Kind == syntax.Name && slices.Contains(reserved, t.Text)
}

// name takes a name for something.
func (p *parser) name(what string) syntax.Token {
	t := p.Peek()
	switch {
	case isReserved(t):
		p.fail(t.Pos, "choose another name", "a name wanted for %s, but %s is a word of PlusCal", what, t.Text)
	case t.Kind == syntax.Keyword:
		p.fail(t.Pos, "choose another name", "a name wanted for %s, but %s is a word of TLA+", what, t.Text)
	case t.Kind != syntax.Name || t.Text == "@":
		p.fail(t.Pos, "names are letters, digits and _", "a name wanted for %s, but found %v", what, t)
	}
	return p.Next()
}

// algorithm reads the whole.
func (p *parser) algorithm(used words) (a *Algorithm, err error) {
	defer func() {
		if e := recover(); e != nil {
			failed, ours := e.(*Error)
			if !ours {
				panic(e)
			}
			a, err = nil, failed
		}
	}()
	a = &Algorithm{Pos: p.Peek().Pos, words: used}
	p.want("--", "before the algorithm")
	a.Fair = p.take("fair")
	p.want("algorithm", "at its beginning")
	a.Name = p.name("the algorithm").Text
	p.braces = p.take("{")
	a.Variables = p.variables()
	if p.is("define") {
		a.Define = p.define()
	}
	for p.is("macro") {
		a.Macros = append(a.Macros, p.macro())
	}
	for p.is("procedure") {
		a.Procedures = append(a.Procedures, p.procedure())
	}
	for p.is("process") || p.is("fair") {
		a.Processes = append(a.Processes, p.process())
	}
	switch {
	case len(a.Processes) > 0 && p.braces:
		p.want("}", "at the end of the algorithm")
	case len(a.Processes) > 0:
		p.ends("algorithm")
	default:
		p.outOfOrder()
		a.Body = p.body("algorithm")
		if p.braces {
			p.want("}", "at the end of the algorithm")
		}
	}
	return a, nil
}

// outOfOrder complains of a part that comes too late.
func (p *parser) outOfOrder() {
	for _, word := range []string{"define", "macro", "variables", "variable"} {
		if p.is(word) {
			p.fail(p.Peek().Pos, "the order is variables, define, macro, procedure, process", "%s comes too late in the algorithm", word)
		}
	}
}

// body reads { ... } or begin ... end what.
func (p *parser) body(what string) []Statement {
	if p.braces {
		return p.braced()
	}
	p.want("begin", "before the statements of the "+what)
	list := p.statements()
	p.ends(what)
	return list
}

// ends reads end what, and a semicolon perhaps.
func (p *parser) ends(what string) {
	p.want("end", "at the end of the "+what)
	p.want(what, "behind end")
	p.take(";")
}

// variables reads declarations, if there are any.
func (p *parser) variables() []Variable {
	if !p.take("variables") && !p.take("variable") {
		return nil
	}
	var list []Variable
	for {
		list = append(list, p.variable())
		if !p.take(";") && !p.take(",") || p.Peek().Kind != syntax.Name || isReserved(p.Peek()) {
			return list
		}
		if p.Ahead(1).Is(":") { // the label of what follows
			return list
		}
	}
}

func (p *parser) variable() Variable {
	t := p.name("a variable")
	v := Variable{Name: t.Text, Pos: t.Pos}
	var given bool
	if v.In, given = p.equalsOrIn(); given {
		v.Init = p.expr("the initial value of " + v.Name)
	}
	return v
}

// equalsOrIn reads = or \in, if one of them is there.
func (p *parser) equalsOrIn() (in, ok bool) {
	in = p.take(`\in`)
	return in, in || p.take("=")
}

// define reads definitions, as text.
func (p *parser) define() string {
	p.Next()
	if p.braces {
		p.want("{", "behind define")
	}
	first := p.Peek()
	depth := 0
	for p.Peek().Kind != syntax.EOF {
		t := p.Peek()
		if depth == 0 && (p.braces && t.Is("}") || !p.braces && isWord(t, "end") && isWord(p.Ahead(1), "define")) {
			break
		}
		switch {
		case closerOf(t) != "":
			depth++
		case isCloser(t):
			depth--
		}
		p.Next()
	}
	text := p.text[first.Offset:p.Peek().Offset]
	if p.braces {
		p.want("}", "at the end of the definitions")
	} else {
		p.want("end", "at the end of the definitions")
		p.want("define", "behind end")
	}
	p.take(";")
	return dedent(strings.Repeat(" ", first.Pos.Col-1) + strings.TrimRight(text, " \t\r\n"))
}

// dedent takes the common indentation off.
func dedent(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	margin := -1
	for i, line := range lines {
		lines[i] = strings.TrimRight(expandTabs(line), " ")
		if n := len(lines[i]) - len(strings.TrimLeft(lines[i], " ")); lines[i] != "" && (margin < 0 || n < margin) {
			margin = n
		}
	}
	for i, line := range lines {
		lines[i] = line[min(len(line), max(0, margin)):]
	}
	return strings.Join(lines, "\n")
}

func expandTabs(line string) string {
	var b strings.Builder
	col := 0
	for _, c := range line {
		if c != '\t' {
			b.WriteRune(c)
			col++
			continue
		}
		n := 8 - col%8
		b.WriteString(strings.Repeat(" ", n))
		col += n
	}
	return b.String()
}

func (p *parser) macro() Macro {
	p.Next()
	t := p.name("the macro")
	m := Macro{Name: t.Text, Pos: t.Pos}
	p.parameters("macro", func() { m.Parameters = append(m.Parameters, p.name("a parameter").Text) })
	m.Body = p.body("macro")
	p.take(";")
	return m
}

// parameters reads a list in parentheses, which may be empty.
func (p *parser) parameters(of string, read func()) {
	p.want("(", "behind the name of the "+of)
	for first := true; !p.take(")"); first = false {
		if !first {
			p.want(",", "between two parameters")
		}
		read()
	}
}

func (p *parser) procedure() Procedure {
	p.Next()
	t := p.name("the procedure")
	q := Procedure{Name: t.Text, Pos: t.Pos}
	p.parameters("procedure", func() { q.Parameters = append(q.Parameters, p.local("parameter")) })
	q.Variables = p.locals()
	q.Body = p.body("procedure")
	p.take(";")
	return q
}

// locals reads the variables of a procedure, which have one initial value.
func (p *parser) locals() []Variable {
	list := p.variables()
	for _, v := range list {
		p.oneValue(v, "variable")
	}
	return list
}

func (p *parser) local(what string) Variable {
	v := p.variable()
	p.oneValue(v, what)
	return v
}

func (p *parser) oneValue(v Variable, what string) {
	if v.In {
		p.fail(v.Pos, "give it one value with =", `the %s %s of a procedure cannot begin with \in a set`, what, v.Name)
	}
}

func (p *parser) process() Process {
	var q Process
	if p.take("fair") {
		q.Fair = Weak
		if p.take("+") {
			q.Fair = Strong
		}
	}
	p.want("process", "here")
	if p.braces {
		p.want("(", "behind process")
	}
	t := p.name("the process")
	q.Name, q.Pos = t.Text, t.Pos
	var ok bool
	if q.Set, ok = p.equalsOrIn(); !ok {
		p.fail(p.Peek().Pos, `write process (NAME = ID) or process (NAME \in SET)`, `= or \in wanted behind the name of the process, but found %v`, p.Peek())
	}
	q.ID = p.expr("the identity of the process")
	if p.braces {
		p.want(")", "behind the identity of the process")
	}
	q.Variables = p.variables()
	q.Body = p.body("process")
	p.take(";")
	return q
}

// expr reads an expression, which ends before the first token outside of all
// brackets that can be no part of one.
func (p *parser) expr(what string) Expr {
	var e Expr
	var open []syntax.Token
	binders := 0 // \A and its like, outside of all brackets, whose : is to come
	lets := 0    // LET, outside of all brackets, whose IN is to come
	for !p.endsExpr(e, open, binders, lets, what) {
		t := p.Next()
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
		p.fail(p.Peek().Pos, "write it as in TLA+", "an expression wanted for %s, but found %v", what, p.Peek())
	}
	return e
}

// endsExpr reports whether what comes is no part of e.
func (p *parser) endsExpr(e Expr, open []syntax.Token, binders, lets int, what string) bool {
	t := p.Peek()
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
