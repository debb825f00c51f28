package pluscal

import (
	"fmt"

	"interleave/tla/syntax"
)

// Error is what is wrong with an algorithm, where, and what would help.
type Error struct {
	File   string
	Pos    syntax.Pos
	Text   string
	Remedy string // may be empty
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%v: %s", e.File, e.Pos, e.Text) }
