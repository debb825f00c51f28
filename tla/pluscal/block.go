package pluscal

import (
	"strings"
	"unicode/utf8"
)

// block is lines of text that belong together; moved as one they keep their
// meaning.
type block []string

// hang puts text before the first line and moves the others by its width.
func hang(text string, b block) block {
	if len(b) == 0 {
		return block{text}
	}
	out := make(block, len(b))
	space := strings.Repeat(" ", utf8.RuneCountInString(text))
	for i, line := range b {
		out[i] = space + line
	}
	out[0] = text + b[0]
	return out
}

// follow puts text behind the last line.
func (b block) follow(text string) block {
	b[len(b)-1] += text
	return b
}

// list is a junction list of blocks, with a bullet before each.
func list(bullet string, items []block) block {
	var out block
	for _, item := range items {
		out = append(out, hang(bullet+" ", item)...)
	}
	return out
}

// conjunction is a junction list, or its only item itself.
func conjunction(items []block) block {
	if len(items) == 1 {
		return items[0]
	}
	return list(`/\`, items)
}

// width is how long a line of names may become.
const width = 78

// wrap is names between commas, on several lines if need be.
func wrap(head string, names []string, tail string) block {
	return wrapBy(head, names, ", ", "", tail)
}

// wrapBy is words with something between them. Where a line ends, the next one
// begins with bullet.
func wrapBy(head string, words []string, between, bullet, tail string) block {
	var out block
	space := strings.Repeat(" ", utf8.RuneCountInString(head))
	line := head
	for i, w := range words {
		switch {
		case i == 0:
		case utf8.RuneCountInString(line+between+w) > width:
			if bullet == "" {
				line += strings.TrimRight(between, " ")
			}
			out = append(out, line)
			line = space + bullet
		default:
			line += between
		}
		line += w
	}
	return append(out, line+tail)
}
