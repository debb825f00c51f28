package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"interleave/cmd/mc/internal/ui"
)

// yamlNode is a value in a YAML file: a scalar, a list or a mapping. We read
// the plain part of YAML only: whoever reads the file sees what it says.
type yamlNode struct {
	line   int
	kind   string // one of the constants below
	text   string // of a scalar, as it is written but for the quotes
	items  []yamlNode
	fields []yamlField
}

const (
	yamlScalar  = "single value"
	yamlList    = "list"
	yamlMapping = "mapping"
)

// yamlField is a key of a mapping with its value.
type yamlField struct {
	line  int
	key   string
	value yamlNode
}

// placeError is an error on a line of a file.
type placeError struct {
	line int
	error
}

func (e placeError) Unwrap() error { return e.error }

func at(line int, format string, args ...any) error {
	return placeError{line, fmt.Errorf(format, args...)}
}

// errEmpty says that there is nothing in a file.
var errEmpty = errors.New("the file is empty")

// orEmpty adds to errEmpty what ought to be in the file.
func orEmpty(err error, remedy string) error {
	if errors.Is(err, errEmpty) {
		return at(1, "%w: write %s", errEmpty, remedy)
	}
	return err
}

// placed puts the name of the file before the line of an error.
func placed(file string, err error) error {
	var place placeError
	if errors.As(err, &place) {
		return fmt.Errorf("%s:%d: %w", file, place.line, place.error)
	}
	return err
}

func unknownKey(f yamlField, where string, keys []string) error {
	return placeError{f.line, ui.Hint(fmt.Errorf("%s has no key %q", where, f.key),
		ui.Suggest(f.key, keys, "there are "+strings.Join(keys, ", ")))}
}

// scalars returns the value, or the values of the list, none of them twice.
func (f yamlField) scalars() ([]yamlNode, error) {
	if f.value.kind == yamlScalar {
		return []yamlNode{f.value}, nil
	}
	if f.value.kind != yamlList || len(f.value.items) == 0 {
		return nil, at(f.value.line, "%s is an empty list or a mapping: write a value, or a list of values", f.key)
	}
	for _, item := range f.value.items {
		if item.kind != yamlScalar {
			return nil, at(item.line, "%s has a %s in its list: write single values", f.key, item.kind)
		}
	}
	return f.value.items, nil
}

func (f yamlField) duration() (time.Duration, error) {
	d, err := time.ParseDuration(f.value.text)
	if err != nil || d <= 0 {
		return 0, at(f.value.line, "%s: %q is not a time: write one as in 90s", f.key, f.value.text)
	}
	return d, nil
}
