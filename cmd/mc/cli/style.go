package cli

import (
	"io"
	"os"

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

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
