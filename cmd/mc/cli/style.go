package cli

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"golang.org/x/term"

	"interleave/properties"
)

// The styles. Whoever writes to something that is no terminal gets plain text.
var (
	styleGood  = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Green)
	styleBad   = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Red)
	styleDoubt = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Yellow)
	styleTitle = lipgloss.NewStyle().Bold(true)
	styleFaint = lipgloss.NewStyle().Faint(true)
)

func styleOf(v properties.Verdict) lipgloss.Style {
	switch v {
	case properties.Verified:
		return styleGood
	case properties.Violated:
		return styleBad
	}
	return styleDoubt
}

// columns returns how wide a terminal is; 0 if w is none.
func columns(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
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
	var lines []string
	line := ""
	for _, word := range strings.Split(text, " ") {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return strings.Join(append(lines, line), "\n")
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
