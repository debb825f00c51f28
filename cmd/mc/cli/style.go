package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"golang.org/x/term"

	"interleave/explore"
	"interleave/internal/printable"
)

// The styles. Whoever writes to something that is no terminal gets plain text.
var (
	styleGood  = printable.Style("1;32") // bold and green
	styleBad   = printable.Style("1;31") // bold and red
	styleDoubt = printable.Style("1;33") // bold and yellow
	styleTitle = printable.Style("1")    // bold
	styleFaint = printable.Style("2")
)

func styleOf(v explore.Verdict) printable.Style {
	switch v {
	case explore.Verified:
		return styleGood
	case explore.Violated:
		return styleBad
	}
	return styleDoubt
}

// columns returns how wide a terminal is; 0 if w is none.
func columns(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || dumb() {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// wrapped breaks a text between words, so that its lines are no longer than a
// width; a word may be.
func wrapped(text string, width int) string {
	var out strings.Builder
	begun, at := false, 0 // on this line
	for word := range strings.SplitSeq(text, " ") {
		wide := lipgloss.Width(word)
		switch {
		case !begun:
			at = wide
		case at+1+wide > width:
			out.WriteByte('\n')
			begun, at = false, wide
		default:
			out.WriteByte(' ')
			at += 1 + wide
		}
		out.WriteString(word)
		begun = begun || word != ""
	}
	return out.String()
}

// fewest is how many columns a text needs to be wrapped in.
const fewest = 16

// narrowed breaks the lines of a help text that are too long. A paragraph with such a line is
// filled anew; an indented line goes on below its last column. A command, which begins with mc,
// is left whole, to be copied.
func narrowed(text string, width int) string {
	var out, paragraph []string
	fill := func() {
		if lipgloss.Width(strings.Join(paragraph, "\n")) > width { // of the longest line
			paragraph = []string{wrapped(strings.Join(paragraph, " "), width)}
		}
		out, paragraph = append(out, paragraph...), nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		fill()
		if !strings.HasPrefix(line, "  mc ") {
			line = hung(line, width)
		}
		out = append(out, line)
	}
	fill()
	return strings.Join(out, "\n")
}

// hung breaks a line of a table so that it goes on below its last column, if that has room.
func hung(line string, width int) string {
	if lipgloss.Width(line) <= width {
		return line
	}
	at := strings.LastIndex(line, "  ") + len("  ")
	indent := lipgloss.Width(line[:at])
	if width-indent < fewest {
		at = len(line) - len(strings.TrimLeft(line, " "))
		indent = at
	}
	return line[:at] + strings.ReplaceAll(wrapped(line[at:], width-indent), "\n", "\n"+strings.Repeat(" ", indent))
}

// hanging prints a text behind something, wrapped on a terminal; its further
// lines begin below its first.
func (u *tool) hanging(lead, text string) {
	indent := lipgloss.Width(lead)
	if room := u.columns - indent; room >= fewest {
		text = strings.ReplaceAll(wrapped(text, room), "\n", "\n"+strings.Repeat(" ", indent))
	}
	fmt.Fprintf(u.out, "%s%s\n", lead, text)
}

// assume prints assumptions of a world, each of which begins with what it is of.
func (u *tool) assume(all []string) {
	const name = len("initiators  ")
	for _, a := range all {
		lead := ""
		if len(a) > name && a[name-1] == ' ' {
			lead, a = a[:name], a[name:]
		}
		u.hanging("  "+lead, a)
	}
}

// isTerminal reports whether w is a terminal on which the cursor can be moved.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && !dumb()
}

// dumb reports whether the terminal says that it can do nothing but print.
func dumb() bool { return os.Getenv("TERM") == "dumb" }
