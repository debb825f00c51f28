package eval

import (
	"fmt"
	"strings"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Error is an error in a module, or in an evaluation, and its position.
type Error struct {
	File  string
	Pos   syntax.Pos
	Text  string
	Stack []string // the definitions that led there, the innermost first
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%v: %s", e.File, e.Pos, e.Text)
	if len(e.Stack) > 0 {
		s += "\n  in " + strings.Join(e.Stack, "\n  in ")
	}
	return s
}

// site is a position in a module and the definition that it is in.
type site struct {
	file string
	pos  syntax.Pos
	name string // the definition that pos is in, or empty
	from *site  // where the definition is used
	deep int    // how many definitions that one is in
}

func (s *site) place() Place { return Place{s.file, s.pos} }

func (s *site) fail(format string, args ...any) {
	panic(s.error(fmt.Sprintf(format, args...)))
}

// wrongNumber fails because an operator is applied to more or fewer arguments than it
// takes.
func (s *site) wrongNumber(name string, takes, given int) {
	are := "are"
	if given == 1 {
		are = "is"
	}
	s.fail("%s takes %s, and %d %s given", name, count(takes, "argument"), given, are)
}

// count formats a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

func (s *site) error(text string) *Error {
	e := &Error{s.file, s.pos, text, nil}
	for up := s; up != nil && len(e.Stack) < 20; up = up.from {
		if up.name == "" {
			continue
		}
		in := up.name
		if up.from != nil {
			in += fmt.Sprintf(", used at %s:%v", up.from.file, up.from.pos)
		}
		if last := len(e.Stack) - 1; last < 0 || e.Stack[last] != in { // a definition may lead to itself
			e.Stack = append(e.Stack, in)
		}
	}
	return e
}

// recovered turns a panic of an evaluation into an error; at is the current position of
// the evaluation.
func recovered(at **site, err *error) {
	switch r := recover().(type) {
	case nil:
	case *Error:
		*err = r
	case *syntax.Error:
		*err = r
	case *Violation:
		*err = r
	case *OutOfBudget:
		*err = r
	case *value.Error:
		if at == nil || *at == nil {
			*err = r
			return
		}
		*err = (*at).error(r.Text)
	default:
		panic(r)
	}
}
