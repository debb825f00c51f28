package value

import (
	"strings"
	"testing"

	"interleave/internal/printable"
)

// TestSourcePrints: in a module every string prints, those that print anyway stay as they are, and
// those that differ go on to differ.
func TestSourcePrints(t *testing.T) {
	parts := []string{"", `\`, "u", "202e", "\u202e", `\u202e`, "x9b", "\x9b", "\u009b", "\x1b[8m", "\u2028", "5c"}
	from := map[string]string{}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				s := a + b + c
				text := Source(String(s), isField)
				if printable.Text(text) != text {
					t.Errorf("%q is written as %q", s, text)
				}
				if other, taken := from[text]; taken && other != s {
					t.Errorf("%q and %q are both written as %s", s, other, text)
				}
				from[text] = s
			}
		}
	}
	for _, s := range []string{`a\b "c"`, "ü → 漢字", "two\nlines"} {
		want := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
		if text := Source(String(s), isField); text != want {
			t.Errorf("%q is written as %s, not as %s", s, text, want)
		}
	}
}
