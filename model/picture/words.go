package picture

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"interleave/model"
	"interleave/spec"
)

// The kinds of events that are drawn in a special way.
var (
	kindReceive = spec.Receive.String()
	kindRound   = model.Round.String()
	kindLose    = model.Lose.String()
	kindDrop    = model.Drop.String()
	kindCopy    = model.Copy.String()
	kindCrash   = model.Crash.String()
)

// Lost says why a message does not arrive; empty if it does, or still may.
func (m Message) Lost() string {
	switch m.Fate {
	case ToDown:
		return fmt.Sprintf("%v is down", m.To)
	case Unheard:
		return fmt.Sprintf("%v does not listen any more", m.To)
	case Lost, CutOff:
		return m.Fate.String()
	case Absorbed:
		return "absorbed by an equal one"
	}
	return ""
}

// words says what an event does apart from the messages that arrive with it, and what it changes;
// nil if nothing.
func (e *Event) words() []string {
	var words []string
	if e.Kind != kindReceive && e.Kind != kindRound && e.Kind != kindCrash {
		words = append(words, e.Title)
	}
	switch {
	case e.Panic != "":
		return append(words, "PANIC: "+e.Panic)
	case e.Crash:
		words = append(words, e.crashed())
		if e.keeps != "" {
			words = append(words, e.keeps)
		}
		return words
	}
	return append(words, e.Changes...)
}

// crashed says when a process crashes.
func (e *Event) crashed() string {
	switch {
	case e.Cut == 0 && (e.Kind == kindCrash || e.Kind == kindRound):
		return "CRASH"
	case e.Cut == 0:
		return "CRASH before its first send" + model.OnDisk(e.Disk)
	case e.Cut == 1:
		return "CRASH after 1 send" + model.OnDisk(e.Disk)
	}
	return fmt.Sprintf("CRASH after %d sends%s", e.Cut, model.OnDisk(e.Disk))
}

// OneLine returns a text without line breaks and other characters that do not print, which
// messages and states may have in their text.
func OneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
}
