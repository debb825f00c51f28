package pluscal

import (
	"fmt"
	"regexp"
	"strings"

	"interleave/tla/syntax"
)

// begins is how an algorithm begins.
var begins = regexp.MustCompile(`^--(fair[ \t]+)?algorithm\b`)

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
		for _, at := range openings(text[c[0]:c[1]]) {
			opens = c[0] + at
			found = append(found, place{opens, c[1] - len("*)"), c[1]})
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

// openings returns where algorithms begin in a comment. What stands in a string, or behind
// \* in its line, begins none.
func openings(comment string) (at []int) {
	for i := 0; i < len(comment); i++ {
		rest := comment[i:]
		switch {
		case strings.HasPrefix(rest, `\*`):
			i += endOfLine(rest)
		case rest[0] == '"':
			if end := endOfString(rest); strings.HasPrefix(rest[end:], `"`) {
				i += end
			}
		case begins.MatchString(rest):
			at = append(at, i)
		}
	}
	return at
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

// The lines between which a translation stands.
const (
	BeginMarker = `\* BEGIN TRANSLATION`
	EndMarker   = `\* END TRANSLATION`
)

var (
	beginLine = regexp.MustCompile(`(?m)^[ \t]*\\\*+[ \t]*BEGIN TRANSLATION\b.*$`)
	endLine   = regexp.MustCompile(`(?m)^[ \t]*\\\*+[ \t]*END TRANSLATION\b.*$`)
)

// Update returns a module with the translation of its algorithm between the markers,
// which are put after the algorithm's comment if there are none. The old translation is
// replaced. A module that is up to date is returned unchanged.
func Update(file, module string) (string, error) {
	translation, err := Translate(file, module)
	if err != nil {
		return "", err
	}
	where, err := find(file, module)
	if err != nil {
		return "", err
	}
	newline := "\n"
	if strings.Contains(module, "\r\n") {
		newline = "\r\n"
		translation = strings.ReplaceAll(translation, "\n", newline)
	}
	text := BeginMarker + newline + translation + EndMarker
	from, to, err := markers(file, module, where.comment)
	if err != nil {
		return "", err
	}
	if from < 0 {
		from = where.comment + endOfLine(module[where.comment:])
		to, text = from, newline+text
	}
	return module[:from] + text + module[to:], nil
}

// Holds reports whether the translation in a module stands at a line, among others.
func Holds(module string, line int) bool {
	from, to, err := markers("", module, 0)
	return err == nil && from >= 0 && posOf(module, from).Line < line && line < posOf(module, to).Line
}

// markers returns where the translation begins and ends, its markers included;
// -1 if there are none.
func markers(file, module string, after int) (from, to int, err error) {
	begins := beginLine.FindAllStringIndex(module, -1)
	ends := endLine.FindAllStringIndex(module, -1)
	fail := func(at int, remedy, format string, args ...any) (int, int, error) {
		return 0, 0, &Error{file, posOf(module, at), fmt.Sprintf(format, args...), remedy}
	}
	switch {
	case len(begins) == 0 && len(ends) == 0:
		return -1, -1, nil
	case len(begins) == 0:
		return fail(ends[0][0], "take the line away", "%s without %s", EndMarker, BeginMarker)
	case len(ends) == 0:
		return fail(begins[0][0], "put "+EndMarker+" behind the old translation", "%s without %s", BeginMarker, EndMarker)
	case len(begins) > 1:
		return fail(begins[1][0], "leave one", "a second %s", BeginMarker)
	case len(ends) > 1:
		return fail(ends[1][0], "leave one", "a second %s", EndMarker)
	case begins[0][0] < after:
		return fail(begins[0][0], "put the markers behind the algorithm's comment", "%s before the end of the algorithm", BeginMarker)
	case ends[0][0] < begins[0][0]:
		return fail(ends[0][0], "exchange them", "%s before %s", EndMarker, BeginMarker)
	}
	return begins[0][0], ends[0][1], nil
}
