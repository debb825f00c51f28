package pluscal

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"interleave/tla/syntax"
)

// Expr is an expression as written. The places of its tokens matter, since
// TLA+ tells junction lists by their columns.
type Expr []Token

// Token is a word of an expression, with what the translation puts to it.
type Token struct {
	syntax.Token
	Source string // as written
	Width  int    // of it, before any renaming
	Behind string // a prime, a subscript
	Sub    Expr   // stands in its place: the argument for a parameter
	named  bool   // it is a name that stands for something, and no field of a record
	bound  int    // the number of what binds that name; 0: a variable, or a name of the module
}

// Text returns e in one line, for a message.
func (e Expr) Text() string {
	var b strings.Builder
	for i, t := range e {
		if i > 0 && (t.Pos.Line != e[i-1].Pos.Line || t.Offset > e[i-1].Offset+e[i-1].Length) {
			b.WriteByte(' ')
		}
		b.WriteString(t.Source)
	}
	return b.String()
}

// mapNames returns e with something done to the tokens that are names.
func (e Expr) mapNames(change func(*Token)) Expr {
	if e == nil {
		return nil
	}
	out := make(Expr, len(e))
	copy(out, e)
	for i := range out {
		if out[i].Sub != nil {
			out[i].Sub = out[i].Sub.mapNames(change)
		} else if out[i].named {
			change(&out[i])
		}
	}
	return out
}

// eachName calls a function for each name in e.
func (e Expr) eachName(look func(Token)) {
	for _, t := range e {
		if t.Sub != nil {
			t.Sub.eachName(look)
		} else if t.named {
			look(t)
		}
	}
}

// substitute returns e with arguments for the parameters of those numbers. An argument of
// several words is put in parentheses.
func (e Expr) substitute(arguments map[int]Expr) Expr {
	return e.mapNames(func(t *Token) { t.Sub = arguments[t.bound] })
}

// rename returns e with other names for what is bound in it or around it, or for all else.
func (e Expr) rename(names map[string]string, bound bool) Expr {
	return e.mapNames(func(t *Token) {
		if n, ok := names[t.Text]; ok && bound == (t.bound != 0) {
			t.Text, t.Source = n, n
		}
	})
}

// Put returns e with other words for names that are not bound in e. The key of what a with
// around e binds is that of the With.
func (e Expr) Put(words map[string]string) Expr {
	return e.mapNames(func(t *Token) {
		name := t.Text
		if t.bound != 0 {
			name = key(t.bound)
		}
		if w, ok := words[name]; ok {
			t.Text, t.Source = w, w
		}
	})
}

// Key identifies the name that a With binds.
func (w *With) Key() string { return key(w.number) }

func key(number int) string { return fmt.Sprint("bound ", number) }

// Lines returns e as text, laid out so that it means the same.
func (e Expr) Lines() []string { return e.block() }

// isTrue reports whether e is TRUE.
func (e Expr) isTrue() bool {
	return len(e) == 1 && e[0].Sub == nil && e[0].Kind == syntax.Name && e[0].Text == "TRUE"
}

// block lays e out. Tokens of a line keep their distance, and a line moves to
// the right as far as the token that it stands under: so an item of a junction
// list stays below the item before.
func (e Expr) block() block {
	c := &canvas{}
	oneLine := len(e) > 0 && e[0].Pos.Line == e[len(e)-1].Pos.Line
	shifts := make([]int, len(e))
	shift, row := 0, -1
	for i, t := range e {
		if i == 0 || t.Pos.Line != e[i-1].Pos.Line {
			row = len(c.rows)
			shift = shiftAbove(e[:i], shifts, t.Pos.Col)
		}
		shifts[i] = shift
		col := t.Pos.Col + shift
		end := c.put(row, col, t)
		row = len(c.rows) - 1
		if grown := end - (col + t.Width); grown > 0 || oneLine {
			shift += grown
		}
	}
	return c.block()
}

// shiftAbove returns how far the token was moved that a line beginning in
// column col stands under.
func shiftAbove(above Expr, shifts []int, col int) int {
	for end := len(above); end > 0; {
		first := end - 1
		for first > 0 && above[first-1].Pos.Line == above[first].Pos.Line {
			first--
		}
		if above[first].Pos.Col <= col {
			at := first
			for at+1 < end && above[at+1].Pos.Col <= col {
				at++
			}
			return shifts[at]
		}
		end = first
	}
	return 0
}

// canvas is rows of text in the making; columns count from 1.
type canvas struct{ rows []row }

// row is a line of text with its width, counted as it grows: an expression may
// be one long line.
type row struct {
	text  []byte
	width int // in characters
}

// put writes a token, on further rows if need be, and returns the column behind.
func (c *canvas) put(at, col int, t Token) int {
	text := block{t.Source}
	if t.Sub != nil {
		text = t.Sub.block()
		if len(t.Sub) > 1 || t.Sub[0].Sub != nil {
			text = hang("(", text)
			text[len(text)-1] += ")"
		}
	}
	text[len(text)-1] += t.Behind
	for i, line := range text {
		for len(c.rows) <= at+i {
			c.rows = append(c.rows, row{})
		}
		r := &c.rows[at+i]
		line = strings.Repeat(" ", max(0, col-1-r.width)) + line
		r.text = append(r.text, line...)
		r.width += utf8.RuneCountInString(line)
	}
	return c.rows[len(c.rows)-1].width + 1
}

func (c *canvas) block() block {
	margin := -1
	for _, r := range c.rows {
		if n := len(r.text) - len(bytes.TrimLeft(r.text, " ")); margin < 0 || n < margin {
			margin = n
		}
	}
	b := make(block, len(c.rows))
	for i, r := range c.rows {
		b[i] = string(r.text[margin:])
	}
	return b
}

// closers are the brackets that end what another begins.
var closers = map[string]string{"(": ")", "[": "]", "{": "}", "<<": ">>"}

// closerOf returns the bracket that closes t, or nothing.
func closerOf(t syntax.Token) string {
	if t.Kind != syntax.Symbol {
		return ""
	}
	return closers[t.Text]
}

func isCloser(t syntax.Token) bool {
	switch {
	case t.Kind != syntax.Symbol:
		return false
	case t.Text == ")", t.Text == "]", t.Text == "}", t.Text == ">>", t.Text == "]_", t.Text == ">>_":
		return true
	}
	return false
}
