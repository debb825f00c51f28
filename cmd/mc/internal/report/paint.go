package report

import (
	"interleave/cmd/mc/internal/ui"
	"interleave/model/picture"
)

// Paint gives a part of a drawing its colour.
func Paint(tone picture.Tone, text string) string {
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
