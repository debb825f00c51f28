package ui

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
		if have := Wrapped(c.text, c.width); have != c.want {
			t.Errorf("%q in %d: %q", c.text, c.width, have)
		}
	}
}

func TestNarrowed(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"a long paragraph\nof two lines\n\nand another\n", 14, "a long\nparagraph of\ntwo lines\n\nand another\n"},
		{"Flags:\n      --loss string   how many are lost at most\n  -h\n", 44, "Flags:\n      --loss string   how many are lost at\n                      most\n  -h\n"},
		{"  --loss string   how many are lost\n", 20, "  --loss string  \n  how many are lost\n"},
		{"a\nb\n c", 80, "a\nb\n c"},
		{"  mc verify bully --crashes 1\n", 20, "  mc verify bully --crashes 1\n"},
	} {
		if have := Narrowed(c.text, c.width); have != c.want {
			t.Errorf("%q in %d: %q", c.text, c.width, have)
		}
	}
}
