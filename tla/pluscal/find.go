package pluscal

import (
	"regexp"
	"strings"

	"interleave/tla/syntax"
)

// begins is how an algorithm begins.
var begins = regexp.MustCompile(`--(fair[ \t]+)?algorithm\b`)

// place is where an algorithm stands in the text of a module: behind its
// beginning word, up to the end of its comment.
type place struct {
	word, end int
	comment   int // of the comment's last byte
}

// find returns where the algorithm of a module stands.
func find(file, text string) (place, error) {
	var found []place
	opens := 0
	for _, c := range comments(text) {
		for _, m := range begins.FindAllStringIndex(text[c[0]:c[1]], -1) {
			found = append(found, place{c[0] + m[0], c[1] - len("*)"), c[1]})
			opens = c[0] + m[0]
		}
	}
	switch {
	case len(found) == 0:
		return place{}, &Error{file, syntax.Pos{Line: 1, Col: 1}, "there is no algorithm in this module",
			"write one in a comment, (* --algorithm NAME ... *)"}
	case len(found) > 1:
		return place{}, &Error{file, posOf(text, opens), "a second algorithm in the same module", "put it into a module of its own"}
	}
	return found[0], nil
}

// Before returns a module up to the end of its algorithm's comment.
func Before(file, module string) (string, error) {
	where, err := find(file, module)
	return module[:where.comment], err
}

// comments returns where the comments in parentheses begin and end, the
// outermost ones, each with its parentheses. One that is not ended runs on to
// the end of the text.
func comments(text string) [][2]int {
	var found [][2]int
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "(*"):
			if depth == 0 {
				start = i
			}
			depth++
			i++
		case depth > 0 && strings.HasPrefix(rest, "*)"):
			depth--
			i++
			if depth == 0 {
				found = append(found, [2]int{start, i + 1})
			}
		case depth == 0 && strings.HasPrefix(rest, `\*`):
			i += endOfLine(rest)
		case depth == 0 && text[i] == '"':
			i += endOfString(rest)
		}
	}
	return found
}

func endOfLine(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		text = text[:n]
	}
	return len(strings.TrimSuffix(text, "\r"))
}

// endOfString returns how far it is to the quote that ends the string that text
// begins with; to the end of the line if none does.
func endOfString(text string) int {
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return endOfLine(text)
}

// posOf returns the place of a byte.
func posOf(text string, offset int) syntax.Pos {
	pos := syntax.Pos{Line: 1, Col: 1}
	for _, c := range text[:offset] {
		switch c {
		case '\n':
			pos = syntax.Pos{Line: pos.Line + 1, Col: 1}
		case '\t':
			pos.Col += 8 - (pos.Col-1)%8
		default:
			pos.Col++
		}
	}
	return pos
}
