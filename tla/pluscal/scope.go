package pluscal

import (
	"errors"
	"fmt"
	"strings"

	"interleave/tla/syntax"
)

// words counts the names that were made of each word, so that names can be made that
// are not in use.
type words map[string]int

// fresh makes a name of another.
func (w words) fresh(name string) string {
	for {
		w[name]++
		made := fmt.Sprintf("%s_%d", name, w[name])
		if _, used := w[made]; !used {
			w[made] = 0
			return made
		}
	}
}

// binder finds out what the names in an algorithm stand for, as it is written. It marks
// them in the expressions, and numbers the names that are bound: by with, by a part of an
// expression such as \A, or as the parameter of a macro.
type binder struct {
	firstError
	last  int // the last number
	words words

	tokens map[syntax.Pos]*Token // of the current expression
	except int                   // how many EXCEPT the current part of it is in
	old    bool                  // @ may stand outside of them
}

// binding is a bound name with what is bound around it; nil: nothing is.
type binding struct {
	around *binding
	name   string
	number int
	use    string // what it is called, so that it hides no other
}

func (b *binding) lookup(name string) *binding {
	for ; b != nil; b = b.around {
		if b.name == name {
			return b
		}
	}
	return &binding{name: name, use: name}
}

// bindNames marks the names in an algorithm.
func bindNames(file string, a *Algorithm) error {
	b := &binder{firstError: firstError{file: file}, words: a.words}
	for _, list := range a.declared() {
		for i := range list {
			b.value(&list[i].Init, nil)
		}
	}
	for i := range a.Macros {
		m := &a.Macros[i]
		var in *binding
		for _, p := range m.Parameters {
			in = b.bind(p, in)
			m.numbers = append(m.numbers, in.number)
		}
		b.list(m.Body, in)
	}
	for _, q := range a.Procedures {
		b.list(q.Body, nil)
	}
	for _, p := range a.Processes {
		b.oneLine(p.ID, b.expr(p.ID, nil))
		b.list(p.Body, nil)
	}
	b.list(a.Body, nil)
	return b.err
}

// bind gives a name a number, and if it hides another, a name of its own.
func (b *binder) bind(name string, around *binding) *binding {
	b.last++
	inner := &binding{around, name, b.last, name}
	if around.lookup(name).number > 0 {
		inner.use = b.words.fresh(name)
	}
	return inner
}

func (b *binder) list(list []Statement, in *binding) {
	for i := range list {
		b.deed(list[i].Do, in)
	}
}

func (b *binder) deed(d Deed, in *binding) {
	switch d := d.(type) {
	case *Assign:
		for i := range d.Parts {
			b.part(&d.Parts[i], in)
		}
	case *If:
		b.expr(d.Test, in)
		b.list(d.Then, in)
		b.list(d.Else, in)
	case *Either:
		for _, branch := range d.Branches {
			b.list(branch, in)
		}
	case *While:
		b.expr(d.Test, in)
		b.list(d.Body, in)
	case *With:
		b.expr(d.Value, in)
		in = b.bind(d.Name, in)
		d.Name, d.number = in.use, in.number
		b.list(d.Body, in)
	case *Await:
		b.expr(d.Test, in)
	case *Assert:
		b.expr(d.Test, in)
	case *Print:
		b.expr(d.Value, in)
	case *Call:
		for i := range d.Arguments {
			b.value(&d.Arguments[i], in)
		}
	case *Use:
		for _, e := range d.Arguments {
			b.expr(e, in)
		}
	}
}

// value marks the names in an expression that will stand behind an =, and puts it in
// parentheses if it needs them there, as a disjunction does.
func (b *binder) value(to *Expr, in *binding) {
	e := *to
	b.expr(e, in)
	if len(e) < 2 || b.err != nil {
		return
	}
	tokens := []syntax.Token{{Kind: syntax.Number, Text: "0", Pos: e[0].Pos}, {Kind: syntax.Symbol, Text: "=", Pos: e[0].Pos}}
	for _, t := range e {
		tokens = append(tokens, t.Token)
	}
	x, err := syntax.NewParser(b.file, append(tokens, syntax.Token{Kind: syntax.EOF, Pos: e[len(e)-1].Pos})).Expr()
	if sides := operands(x, "="); err == nil && len(sides) == 2 {
		if _, zero := sides[0].(*syntax.Numeral); zero {
			return
		}
	}
	*to = Expr{{Token: syntax.Token{Kind: syntax.Symbol, Pos: e[0].Pos}, Source: e.Text(), Sub: e}}
}

// part marks an assignment; where it assigns to is read as the part that EXCEPT changes.
func (b *binder) part(p *Part, in *binding) {
	to := in.lookup(p.Variable)
	p.Variable, p.bound = to.use, to.number
	if len(p.Sub) > 0 {
		symbol := func(kind syntax.Kind, text string) Token {
			return Token{Token: syntax.Token{Kind: kind, Text: text, Pos: p.Pos}}
		}
		whole := Expr{symbol(syntax.Symbol, "["), symbol(syntax.Number, "0"), symbol(syntax.Keyword, "EXCEPT"), symbol(syntax.Symbol, "!")}
		whole = append(append(whole, p.Sub...), symbol(syntax.Symbol, "="), symbol(syntax.Number, "0"), symbol(syntax.Symbol, "]"))
		b.expr(whole, in)
		copy(p.Sub, whole[4:])
	}
	b.old = true
	b.value(&p.Value, in)
	b.old = false
}

// expr marks the names in an expression, and returns its syntax tree.
func (b *binder) expr(e Expr, in *binding) syntax.Expr {
	if len(e) == 0 || b.err != nil {
		return nil
	}
	b.tokens = map[syntax.Pos]*Token{}
	tokens := make([]syntax.Token, len(e), len(e)+1)
	for i := range e {
		tokens[i] = e[i].Token
		b.tokens[e[i].Pos] = &e[i]
	}
	last := tokens[len(e)-1]
	end := syntax.Token{Kind: syntax.EOF, Pos: syntax.Pos{Line: last.Pos.Line, Col: last.Pos.Col + e[len(e)-1].Width}}
	p := syntax.NewParser(b.file, append(tokens, end))
	x, err := p.Expr()
	if err == nil && p.Peek().Kind != syntax.EOF {
		err = p.Errorf(p.Peek(), "%v does not belong to the expression before it", p.Peek())
	}
	if at := (*syntax.Error)(nil); errors.As(err, &at) {
		b.fail(at.Pos, "write the expression as in TLA+", "%s", strings.Replace(at.Text, "the end of the text", "the end of the expression", 1))
		return nil
	}
	b.walk(x, in)
	return x
}

// oneLine refuses an expression of several lines that means something else in one: so is
// the identity of a process written.
func (b *binder) oneLine(e Expr, x syntax.Expr) {
	if b.err != nil || e[0].Pos.Line == e[len(e)-1].Pos.Line {
		return
	}
	tokens, err := syntax.Tokens("", e.Text(), 0)
	if err == nil {
		var y syntax.Expr
		if y, err = syntax.NewParser("", tokens).Expr(); err == nil && shapeOf(x) == shapeOf(y) {
			return
		}
	}
	b.fail(e[0].Pos, "write it in one line, or define a name for it", "the identity of a process means something else in one line")
}

// walk marks the names in a part of an expression.
func (b *binder) walk(x syntax.Expr, in *binding) {
	switch x := x.(type) {
	case *syntax.Ref:
		if name := x.Steps[0].Name; name == "'" || name == "UNCHANGED" || name == "ENABLED" {
			b.fail(x.Pos(), "write an expression about the current values", "%s in an algorithm", name)
		}
		b.mark(x.Steps[0].Ident, in.lookup(x.Steps[0].Name))
		for _, s := range x.Steps {
			b.walkAll(s.Args, in)
		}
	case *syntax.Lambda:
		b.walk(x.Body, b.params(x.Params, in))
	case *syntax.Let:
		b.let(x, in)
	case *syntax.Quantified:
		b.bounds(x.Bounds, x.Body, in)
	case *syntax.Choose:
		b.bounds([]syntax.Bound{x.Bound}, x.Body, in)
	case *syntax.Filter:
		b.bounds([]syntax.Bound{x.Bound}, x.Body, in)
	case *syntax.Image:
		b.bounds(x.Bounds, x.Body, in)
	case *syntax.Function:
		b.bounds(x.Bounds, x.Body, in)
	case *syntax.Except:
		b.changes(x, in)
	case *syntax.Label:
		b.fail(x.Pos(), "take the name away", "a part of an expression of an algorithm is named with ::")
	case *syntax.Current:
		if b.except == 0 && !b.old {
			b.fail(x.Pos(), "write what it stands for", "@ stands for the old value behind := and in EXCEPT only")
		}
	case nil:
	default:
		b.walkAll(syntax.Parts(x), in)
	}
}

func (b *binder) walkAll(all []syntax.Expr, in *binding) {
	for _, x := range all {
		b.walk(x, in)
	}
}

// mark writes at a name what it stands for.
func (b *binder) mark(id syntax.Ident, to *binding) {
	if t := b.tokens[id.At]; t != nil && t.Kind == syntax.Name {
		t.named, t.bound, t.Text, t.Source = true, to.number, to.use, to.use
	}
}

// bounds marks a binder: its sets are outside of the names that it binds.
func (b *binder) bounds(bounds []syntax.Bound, body syntax.Expr, in *binding) {
	var names []syntax.Ident
	for _, bound := range bounds {
		b.walk(bound.Set, in)
		names = append(names, bound.Names...)
	}
	b.walk(body, b.bindAll(names, in))
}

func (b *binder) params(params []syntax.Param, in *binding) *binding {
	var names []syntax.Ident
	for _, p := range params {
		names = append(names, p.Ident)
	}
	return b.bindAll(names, in)
}

// bindAll binds names side by side.
func (b *binder) bindAll(names []syntax.Ident, in *binding) *binding {
	seen := map[string]bool{}
	for _, id := range names {
		if seen[id.Name] {
			b.fail(id.At, "give one of them another name", "%s is bound twice at once", id.Name)
		}
		seen[id.Name] = true
		in = b.bind(id.Name, in)
		b.mark(id, in)
	}
	return in
}

// let marks the definitions of a LET, each with those before it, and what they are for.
func (b *binder) let(x *syntax.Let, in *binding) {
	announced := map[string]bool{}
	for _, u := range x.Defs {
		switch u := u.(type) {
		case *syntax.Recursive:
			for _, p := range u.Names {
				announced[p.Name] = true
			}
			in = b.params(u.Names, in)
		case *syntax.OpDef:
			before := in
			if !announced[u.Name] {
				in = b.bind(u.Name, in)
			}
			b.mark(u.Ident, in.lookup(u.Name))
			if announced[u.Name] || u.Function {
				before = in
			}
			b.walk(u.Body, b.params(u.Params, before))
		default:
			b.fail(x.Pos(), "put the INSTANCE before the algorithm", "an INSTANCE in an expression of an algorithm")
		}
	}
	b.walk(x.Body, in)
}

// changes marks an EXCEPT; @ stands for the old value in each of the new ones.
func (b *binder) changes(x *syntax.Except, in *binding) {
	b.walk(x.Fn, in)
	for _, u := range x.Updates {
		for _, args := range u.Path {
			b.walkAll(args, in)
		}
		b.except++
		b.walk(u.Value, in)
		b.except--
	}
}
