package cli

import (
	"interleave/cmd/mc/internal/ui"
	"interleave/model/picture"
)

// paint gives a part of a drawing its colour.
func paint(tone picture.Tone, text string) string {
	switch tone {
	case picture.Faint:
		return ui.Faint.Render(text)
	case picture.Bad:
		return ui.Bad.Render(text)
	case picture.Title:
		return ui.Title.Render(text)
	}
	return text
}
