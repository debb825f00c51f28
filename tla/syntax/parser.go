package syntax

import "fmt"

// MaxDepth bounds the nesting of expressions and modules. MaxChain bounds the number of
// operators in a row.
const (
	MaxDepth = 400
	MaxChain = 5000
)

// Parser reads expressions and units from tokens. Exported methods return an *Error;
// Fail and the others panic with it.
type Parser struct {
	// Stop, if set, reports whether an expression ends before a token that could
	// continue it.
	Stop func(Token) bool

	file    string
	tokens  []Token
	at      int
	bullets []int // columns of the junction lists that are open
	depth   int
}

// NewParser returns a Parser of tokens. The last has to be of kind EOF.
func NewParser(file string, tokens []Token) *Parser {
	return &Parser{file: file, tokens: tokens}
}

// Peek returns the next token.
func (p *Parser) Peek() Token { return p.tokens[p.at] }

// Next returns the next token and moves behind it, but not behind the last.
func (p *Parser) Next() Token {
	t := p.tokens[p.at]
	if p.at+1 < len(p.tokens) {
		p.at++
	}
	return t
}

// Expr reads an expression.
func (p *Parser) Expr() (e Expr, err error) {
	defer p.Recovered(&err)
	return p.expr(), nil
}

// Errorf returns an *Error at a token.
func (p *Parser) Errorf(t Token, format string, args ...any) error {
	return &Error{p.file, t.Pos, fmt.Sprintf(format, args...)}
}

// Recovered, deferred, turns a panic of Fail into an error. After that nothing is open.
func (p *Parser) Recovered(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(*Error)
		if !ok {
			panic(r)
		}
		p.bullets, p.depth = nil, 0
		*err = e
	}
}

// Fail panics with an *Error at a token, for a reader that defers Recovered.
func (p *Parser) Fail(t Token, format string, args ...any) {
	panic(p.Errorf(t, format, args...))
}

// peek returns the next token. If the item of a junction list ends before it, it returns
// an EOF at the same place.
func (p *Parser) peek() Token {
	t := p.tokens[p.at]
	if n := len(p.bullets); n > 0 && t.Pos.Col <= p.bullets[n-1] {
		return Token{Kind: EOF, Pos: t.Pos, Offset: t.Offset}
	}
	return t
}

// Ahead returns the token that is i places behind the next; that before it for -1.
func (p *Parser) Ahead(i int) Token { return p.tokens[min(p.at+i, len(p.tokens)-1)] }

func (p *Parser) sees(text string) bool { return p.peek().Is(text) }

// accept moves behind a symbol or keyword if that is next.
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
		p.Fail(t, "%s where %s is expected, %s", p.describe(t), text, where)
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
		p.Fail(t, "%s where %s is expected", p.describe(t), what)
	}
	p.Next()
	return Ident{t.Pos, t.Text}
}

// down begins a level of nesting. The function that it returns ends it.
func (p *Parser) down() func() {
	if p.depth++; p.depth > MaxDepth {
		p.Fail(p.Peek(), "nested more than %d deep", MaxDepth)
	}
	return func() { p.depth-- }
}

// list reads items with commas between them.
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
