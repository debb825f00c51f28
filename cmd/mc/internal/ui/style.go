package ui

import (
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
	Good  = printable.Style("1;32") // bold and green
	Bad   = printable.Style("1;31") // bold and red
	Doubt = printable.Style("1;33") // bold and yellow
	Title = printable.Style("1")    // bold
	Faint = printable.Style("2")
)

// StyleOf returns the style of a verdict.
func StyleOf(v explore.Verdict) printable.Style {
	switch v {
	case explore.Verified:
		return Good
	case explore.Violated:
		return Bad
	}
	return Doubt
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

// Wrapped breaks a text between words, so that its lines are no longer than a
// width; a word may be.
func Wrapped(text string, width int) string {
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

// Fewest is how many columns a text needs to be wrapped in.
const Fewest = 16

// Narrowed breaks the lines of a help text that are too long. A paragraph with such a line is
// filled anew; an indented line goes on below its last column. A command, which begins with mc,
// is left whole, to be copied.
func Narrowed(text string, width int) string {
	var out, paragraph []string
	fill := func() {
		if lipgloss.Width(strings.Join(paragraph, "\n")) > width { // of the longest line
			paragraph = []string{Wrapped(strings.Join(paragraph, " "), width)}
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
	if width-indent < Fewest {
		at = len(line) - len(strings.TrimLeft(line, " "))
		indent = at
	}
	return line[:at] + strings.ReplaceAll(Wrapped(line[at:], width-indent), "\n", "\n"+strings.Repeat(" ", indent))
}

// isTerminal reports whether w is a terminal on which the cursor can be moved.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && !dumb()
}

// dumb reports whether the terminal says that it can do nothing but print.
func dumb() bool { return os.Getenv("TERM") == "dumb" }
