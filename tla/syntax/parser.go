package syntax

import "fmt"

// MaxDepth bounds how deeply expressions and modules may be nested, and MaxChain how
// many operators may follow one another.
const (
	MaxDepth = 400
	MaxChain = 5000
)

// Parser reads expressions and units from tokens. Its methods that return no
// error panic with an *Error inside the package; exported ones return it.
type Parser struct {
	// Stop, if set, tells of tokens at which an expression ends, although they
	// might go on with it.
	Stop func(Token) bool

	file    string
	tokens  []Token
	at      int
	bullets []int // columns of the junction lists around
	depth   int
}

// NewParser returns a Parser of tokens, the last of which is of kind EOF.
func NewParser(file string, tokens []Token) *Parser {
	return &Parser{file: file, tokens: tokens}
}

// Peek returns the next token.
func (p *Parser) Peek() Token { return p.tokens[p.at] }

// Next returns the next token and moves on; at the end it stays.
func (p *Parser) Next() Token {
	t := p.tokens[p.at]
	if p.at+1 < len(p.tokens) {
		p.at++
	}
	return t
}

// Expr reads an expression.
func (p *Parser) Expr() (e Expr, err error) {
	defer p.recovered(&err)
	return p.expr(), nil
}

// Fail returns an *Error at a token.
func (p *Parser) Fail(t Token, format string, args ...any) error {
	return &Error{p.file, t.Pos, fmt.Sprintf(format, args...)}
}

// recovered turns the panic of fail into an error, and leaves the Parser as if
// nothing were open.
func (p *Parser) recovered(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(*Error)
		if !ok {
			panic(r)
		}
		p.bullets, p.depth = nil, 0
		*err = e
	}
}

func (p *Parser) fail(t Token, format string, args ...any) {
	panic(p.Fail(t, format, args...))
}

// peek is the next token, unless the item of a junction list ends before it:
// then it is an EOF, at the same place.
func (p *Parser) peek() Token {
	t := p.tokens[p.at]
	if n := len(p.bullets); n > 0 && t.Pos.Col <= p.bullets[n-1] {
		return Token{Kind: EOF, Pos: t.Pos, Offset: t.Offset}
	}
	return t
}

// ahead is the token i places behind the next.
func (p *Parser) ahead(i int) Token { return p.tokens[min(p.at+i, len(p.tokens)-1)] }

func (p *Parser) sees(text string) bool { return p.peek().Is(text) }

// accept moves over a symbol or keyword, if it is next.
func (p *Parser) accept(text string) bool {
	if !p.sees(text) {
		return false
	}
	p.Next()
	return true
}

func (p *Parser) expect(text, where string) Token {
	t := p.peek()
	if !t.Is(text) {
		p.fail(t, "%s where %s is expected, %s", p.describe(t), text, where)
	}
	return p.Next()
}

func (p *Parser) describe(t Token) string {
	if actual := p.tokens[p.at]; t.Kind == EOF && actual.Kind != EOF && actual.Pos == t.Pos {
		return fmt.Sprintf("the item of a junction list ends before %v, which is not to the right of its bullet,", actual)
	}
	return t.String()
}

func (p *Parser) ident(what string) Ident {
	t := p.peek()
	if t.Kind != Name || t.Text == "@" {
		p.fail(t, "%s where %s is expected", p.describe(t), what)
	}
	p.Next()
	return Ident{t.Pos, t.Text}
}

// down notes one more level of nesting; what it returns, one less.
func (p *Parser) down() func() {
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.Peek(), "nested more than %d deep", MaxDepth)
	}
	return func() { p.depth-- }
}

// list reads items with commas between.
func (p *Parser) list(item func()) {
	for {
		item()
		if !p.accept(",") {
			return
		}
	}
}

func (p *Parser) exprs() (all []Expr) {
	p.list(func() { all = append(all, p.expr()) })
	return all
}
