package ltl

import (
	"fmt"
	"slices"
)

// What a formula may have at most.
const (
	maxAtoms   = 64 // a letter is one word
	maxDepth   = 100
	maxSymbols = 1000
)

// Parse reads a formula.
//
//	p  known(3)  is-top      an atom: a letter, then letters, digits, _ - or ., perhaps a number
//	true  false
//	!p                       not; also ¬
//	[]p  <>p                 always, eventually; also G F □ ◇
//	p U q  p R q  p W q      until, release, weak until (p may go on forever)
//	p & q  p | q             also && || /\ \/ ∧ ∨
//	p -> q  p <-> q  p ~> q  implies, if and only if, leads to: [](p -> <>q); also => <=> → ↔ ↝
//
// The first lines bind the tightest, and & tighter than |. U, R and W do not go
// side by side without parentheses, nor do different arrows, nor two ~>.
// Next (X) is refused: runs may stutter. An error names the column, from 1.
func Parse(text string) (*Formula, error) {
	symbols, err := scan(text)
	if err != nil {
		return nil, err
	}
	p := parser{symbols: symbols}
	switch {
	case len(symbols) == 1:
		return nil, p.wrong("the formula is empty: write one, such as [](request -> <>granted)")
	case len(symbols) > maxSymbols:
		return nil, p.wrong("the formula has more than %d symbols: split it in two", maxSymbols)
	}
	f, err := p.arrows()
	if err != nil {
		return nil, err
	}
	switch s := p.symbol(); {
	case s.kind == closing:
		return nil, p.wrong("this ) closes nothing: remove it, or open it before")
	case s.kind != end:
		return nil, p.wrong("an operator, such as & or ->, is missing before %s", s.text)
	case len(f.Atoms()) > maxAtoms:
		return nil, fmt.Errorf("column 1: the formula has %d atoms, the limit is %d: split it in two", len(f.Atoms()), maxAtoms)
	}
	return f, nil
}

// parser goes over the symbols of a text; the last is its end.
type parser struct {
	symbols []symbol
	depth   int // of parentheses and unary operators
}

func (p *parser) symbol() symbol { return p.symbols[0] }

// accept goes past the next symbol if it is of one of the kinds.
func (p *parser) accept(kinds ...op) (symbol, bool) {
	s := p.symbol()
	if !slices.Contains(kinds, s.kind) {
		return s, false
	}
	p.symbols = p.symbols[1:]
	return s, true
}

// wrong returns an error about the next symbol.
func (p *parser) wrong(format string, args ...any) error {
	return p.symbol().wrong(format, args...)
}

func (p *parser) arrows() (*Formula, error) {
	f, err := p.junction(or)
	if err != nil {
		return nil, err
	}
	operands := []*Formula{f}
	arrow := p.symbol().kind
	for err == nil {
		s, ok := p.accept(implies, iff, leadsTo)
		switch {
		case !ok && arrow == iff:
			return foldLeft(iff, operands), nil
		case !ok:
			return foldRight(arrow, operands), nil
		case s.kind != arrow || arrow == leadsTo && len(operands) == 2:
			return nil, s.wrong("it is not clear which arrow comes first: put parentheses around one of %s and %s", arrow, s.kind)
		}
		f, err = p.junction(or)
		operands = append(operands, f)
	}
	return nil, err
}

func foldLeft(o op, f []*Formula) *Formula {
	whole := f[0]
	for _, g := range f[1:] {
		whole = apply(o, whole, g)
	}
	return whole
}

func foldRight(o op, f []*Formula) *Formula {
	whole := f[len(f)-1]
	for _, g := range slices.Backward(f[:len(f)-1]) {
		whole = apply(o, g, whole)
	}
	return whole
}

// junction reads operands of | or of &.
func (p *parser) junction(o op) (*Formula, error) {
	var operands []*Formula
	for {
		f, err := p.operand(o)
		if err != nil {
			return nil, err
		}
		operands = append(operands, f)
		if _, ok := p.accept(o); !ok {
			break
		}
	}
	if o == and {
		return And(operands...), nil
	}
	return Or(operands...), nil
}

func (p *parser) operand(o op) (*Formula, error) {
	if o == or {
		return p.junction(and)
	}
	return p.until()
}

func (p *parser) until() (*Formula, error) {
	f, err := p.unary()
	if err != nil {
		return nil, err
	}
	first, ok := p.accept(until, release, weakUntil)
	if !ok {
		return f, nil
	}
	g, err := p.unary()
	if err != nil {
		return nil, err
	}
	if second, ok := p.accept(until, release, weakUntil); ok {
		return nil, second.wrong("it is not clear which comes first: put parentheses around one of %s and %s", first.kind, second.kind)
	}
	return apply(first.kind, f, g), nil
}

func (p *parser) unary() (*Formula, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.wrong("the formula is nested more than %d deep: say it with less", maxDepth)
	}
	defer func() { p.depth-- }()
	s := p.symbol()
	if _, ok := p.accept(not, always, eventually); ok {
		f, err := p.unary()
		return apply(s.kind, f), err
	}
	if _, ok := p.accept(opening); ok {
		f, err := p.arrows()
		if err != nil {
			return nil, err
		}
		if _, ok := p.accept(closing); !ok {
			return nil, p.unclosed(s)
		}
		return f, nil
	}
	return p.primary()
}

// unclosed says why the parenthesis before a formula is not closed after it.
func (p *parser) unclosed(opened symbol) error {
	if s := p.symbol(); s.kind != end {
		return s.wrong("an operator, such as & or ->, or a ) is missing before %s", s.text)
	}
	return opened.wrong("this ( is never closed: add a )")
}

func (p *parser) primary() (*Formula, error) {
	s := p.symbol()
	if _, ok := p.accept(truth, falsity, atom); !ok {
		if s.kind == end {
			return nil, s.wrong("the formula ends too soon: an operand, such as an atom, is missing")
		}
		return nil, s.wrong("an operand, such as an atom, is missing before %s", s.text)
	}
	if s.kind == atom {
		return Atom(s.text), nil
	}
	return apply(s.kind), nil
}
