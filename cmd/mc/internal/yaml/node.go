// Package yaml reads the plain part of YAML, with the line of each value: whoever reads a file sees
// what it says.
package yaml

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"interleave/cmd/mc/internal/ui"
)

// Node is a value in a YAML file: a scalar, a list or a mapping. We read
// the plain part of YAML only: whoever reads the file sees what it says.
type Node struct {
	Line   int
	Kind   string // one of the constants below
	Text   string // of a scalar, as it is written but for the quotes
	Items  []Node
	Fields []Field
}

// The kinds of values.
const (
	Scalar  = "single value"
	List    = "list"
	Mapping = "mapping"
)

// Field is a key of a mapping with its value.
type Field struct {
	Line  int
	Key   string
	Value Node
}

// PlaceError is an error on a line of a file.
type PlaceError struct {
	line int
	error
}

func (e PlaceError) Unwrap() error { return e.error }

// AtLine puts an error on a line.
func AtLine(line int, err error) error { return PlaceError{line, err} }

// At returns an error on a line.
func At(line int, format string, args ...any) error {
	return AtLine(line, fmt.Errorf(format, args...))
}

// errEmpty says that there is nothing in a file.
var errEmpty = errors.New("the file is empty")

// OrEmpty adds to errEmpty what ought to be in the file.
func OrEmpty(err error, remedy string) error {
	if errors.Is(err, errEmpty) {
		return At(1, "%w: write %s", errEmpty, remedy)
	}
	return err
}

// Placed puts the name of the file before the line of an error.
func Placed(file string, err error) error {
	var place PlaceError
	if errors.As(err, &place) {
		return fmt.Errorf("%s:%d: %w", file, place.line, place.error)
	}
	return err
}

// UnknownKey refuses a key, and suggests one of those there are.
func UnknownKey(f Field, where string, keys []string) error {
	return AtLine(f.Line, ui.Hint(fmt.Errorf("%s has no key %q", where, f.Key),
		ui.Suggest(f.Key, keys, "there are "+strings.Join(keys, ", "))))
}

// Scalars returns the value, or the values of the list, none of them twice.
func (f Field) Scalars() ([]Node, error) {
	if f.Value.Kind == Scalar {
		return []Node{f.Value}, nil
	}
	if f.Value.Kind != List || len(f.Value.Items) == 0 {
		return nil, At(f.Value.Line, "%s is an empty list or a mapping: write a value, or a list of values", f.Key)
	}
	for _, item := range f.Value.Items {
		if item.Kind != Scalar {
			return nil, At(item.Line, "%s has a %s in its list: write single values", f.Key, item.Kind)
		}
	}
	return f.Value.Items, nil
}

// Duration reads a time above 0.
func (f Field) Duration() (time.Duration, error) {
	d, err := time.ParseDuration(f.Value.Text)
	if err != nil || d <= 0 {
		return 0, At(f.Value.Line, "%s: %q is not a time: write one as in 90s", f.Key, f.Value.Text)
	}
	return d, nil
}

// ReadFile returns the text of a file, or so much of it that readYAML refuses the rest.
func ReadFile(name string) ([]byte, error) { return ui.ReadFile(name, MaxBytes+1) }
