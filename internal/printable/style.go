package printable

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// Style is how a terminal shows a text: the numbers of a code of ANSI, as "1;31" for bold and red.
// The empty style is none.
type Style string

// mark is in the codes that Render writes, and in no others: whoever wrote a text could not know
// it. It stands where a number may, so that a code has no width, as any code.
var mark = fmt.Sprint(rand.Uint64()|1<<63) + ";"

var marked = regexp.MustCompile("\x1b\\[" + mark + "([0-9;]*m)")

// Render returns a text in the style. Each line is in codes of its own. What the text has
// of codes stays as it is, for Styled or Writer to escape.
func (s Style) Render(text string) string {
	if s == "" {
		return text
	}
	on, off := "\x1b["+mark+string(s)+"m", "\x1b["+mark+"m"
	return on + strings.ReplaceAll(text, "\n", off+"\n"+on) + off
}

// Styled is Text, but leaves the codes of Render. All others are escaped, though they may be the
// same to a terminal: a name or a message has no style.
func Styled(text string) string {
	var out strings.Builder
	for {
		code := marked.FindStringSubmatchIndex(text)
		if code == nil {
			return out.String() + Text(text)
		}
		out.WriteString(Text(text[:code[0]]) + "\x1b[" + text[code[2]:code[3]])
		text = text[code[1]:]
	}
}
