package pluscal

import (
	"fmt"

	"interleave/tla/syntax"
)

// Error is an error in an algorithm, its position, and a hint.
type Error struct {
	File   string
	Pos    syntax.Pos
	Text   string
	Remedy string // may be empty
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%v: %s", e.File, e.Pos, e.Text) }

// arguments writes how many arguments something takes.
func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// given writes how many there are.
func given(n int) string {
	if n == 1 {
		return "is 1"
	}
	return fmt.Sprintf("are %d", n)
}

// firstError keeps the first error that a pass over an algorithm finds.
type firstError struct {
	file string
	err  error
}

func (f *firstError) fail(at syntax.Pos, remedy, format string, args ...any) {
	if f.err == nil {
		f.err = &Error{f.file, at, fmt.Sprintf(format, args...), remedy}
	}
}
