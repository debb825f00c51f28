package printable

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

var shown = map[string]string{
	"": "",
	"plain, ütf-8 → ✓ 漢字\n\tand breaks": "plain, ütf-8 → ✓ 漢字\n\tand breaks",
	"a\u00a0b":                 "a\u00a0b",
	"\xff and \xe2\x82":        `\xff and \xe2\x82`,
	"\ufffd":                   `\ufffd`,
	"\xed\xa0\x80":             `\xed\xa0\x80`, // a lone surrogate
	"\x1b[2J\r\b\x00\x7f":      `\u001b[2J\u000d\u0008\u0000\u007f`,
	"\u0085\u009b2J":           `\u0085\u009b2J`,
	"\u202e\u2066\u200f\u061c": `\u202e\u2066\u200f\u061c`,
	"\u2028\u200b\ufeff\u00ad": `\u2028\u200b\ufeff\u00ad`,
	"\U000e0041":               `\udb40\udc41`,
}

func TestText(t *testing.T) {
	for text, want := range shown {
		if have := Text(text); have != want {
			t.Errorf("%q is shown as %s, not as %s", text, have, want)
		}
	}
}

// TestWriter: however a text is cut, what is written is what Text makes of it.
func TestWriter(t *testing.T) {
	for text, want := range shown {
		for size := 1; size <= len(text); size++ {
			var out bytes.Buffer
			w := &Writer{To: &out}
			for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				part := rest[:min(size, len(rest))]
				if n, err := w.Write(part); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
			if err := w.Flush(); err != nil || out.String() != want {
				t.Errorf("%q by %d bytes: %s, not %s (%v)", text, size, out.String(), want, err)
			}
		}
	}
}

// TestStyles: a style reaches a terminal, and what a text has of codes does not, even if it is the
// code of a style, in a style or out of it.
func TestStyles(t *testing.T) {
	const red = "\x1b[1;31mRED\x1b[m"
	style := Style("1;31")
	text := red + style.Render("a"+red+"\nb") + red + style.Render("") + Style("").Render(red)
	const shown = `\u001b[1;31mRED\u001b[m`
	want := shown + "\x1b[1;31ma" + shown + "\x1b[m\n\x1b[1;31mb\x1b[m" + shown + "\x1b[1;31m\x1b[m" + shown
	var styled, plain bytes.Buffer
	for out, w := range map[*bytes.Buffer]*Writer{&styled: {To: &styled, Styled: true}, &plain: {To: &plain}} {
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if out == &styled && out.String() != want {
			t.Errorf("%q, not %q", out.String(), want)
		}
	}
	if strings.Contains(plain.String(), "\x1b") {
		t.Errorf("a writer without styles writes %q", plain.String())
	}
}

// FuzzText: what is shown is UTF-8 without anything hidden, stays as it is when it is shown
// again, and a document of JSON means the same.
func FuzzText(f *testing.F) {
	for text := range shown {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		have := Text(text)
		if !utf8.ValidString(have) || Text(have) != have {
			t.Errorf("%q is shown as %q", text, have)
		}
		doc, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var before, after string
		if err := json.Unmarshal(doc, &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(Text(string(doc))), &after); err != nil || before != after {
			t.Errorf("%s means %q, and as it is shown %q (%v)", doc, before, after, err)
		}
	})
}
