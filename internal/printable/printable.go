// Package printable escapes what a terminal or a page may take for more than text: control
// characters, those that change the direction of what follows or cannot be seen, and bytes that
// are not UTF-8. Names, messages of errors and files may have any of them.
package printable

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns a text as it may be shown: what does not print is escaped as in JSON, so
// that a document of JSON stays the same; a byte that is not UTF-8 becomes \xff, say. Line breaks
// and tabs stay.
func Text(text string) string {
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var out strings.Builder
	for at, size := 0, 0; at < len(text); at += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[at])
		case !hidden(r):
			out.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		}
	}
	return out.String()
}

// hidden reports whether a character may not be shown as it is. A byte that is not UTF-8 is
// decoded as one that prints, but is rare enough to be looked at again.
func hidden(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case utf8.RuneError, '\u0085', '\u2028', '\u2029': // the last three break lines
		return true
	}
	return !unicode.IsPrint(r) && !unicode.IsSpace(r) || unicode.IsControl(r)
}

// Writer writes to To what Text makes of each text, or Styled if it is to keep styles. A text may be cut anywhere, so what begins
// a character at its end waits for the next one; Flush writes it. Goroutines may share one.
type Writer struct {
	To     io.Writer
	Styled bool

	lock  sync.Mutex
	begun []byte
}

func (w *Writer) Write(text []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	all := append(w.begun, text...)
	whole := len(all) - cut(all)
	w.begun = append([]byte(nil), all[whole:]...)
	escape := Text
	if w.Styled {
		escape = Styled
	}
	if _, err := io.WriteString(w.To, escape(string(all[:whole]))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Flush writes the beginning of a character that did not go on.
func (w *Writer) Flush() error {
	w.lock.Lock()
	defer w.lock.Unlock()
	begun := string(w.begun)
	w.begun = nil
	_, err := io.WriteString(w.To, Text(begun))
	return err
}

// cut returns how many bytes at the end begin a character that they do not end.
func cut(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}
