package cli

import (
	"math"
	"testing"
)

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 5, ""},
		{"a → b; c", 3, "a →\nb;\nc"},
		{"a → b; c", 5, "a →\nb; c"},
		{"a → b; c", 8, "a → b; c"},
		{"a → b; c", math.MaxInt, "a → b; c"},
		{"immeasurable a b", 3, "immeasurable\na b"},
	} {
		if have := wrapped(c.text, c.width); have != c.want {
			t.Errorf("%q in %d: %q", c.text, c.width, have)
		}
	}
}
