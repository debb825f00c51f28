package ui

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/dustin/go-humanize"
)

// Comma writes a number as people do.
func Comma(n int) string { return humanize.Comma(int64(n)) }

// Count counts what a noun says, whose plural ends in s.
func Count(n int, noun string) string { return Plural(n, noun, noun+"s") }

// Plural counts what has a plural of its own.
func Plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return Comma(n) + " " + more
}

// Steps counts steps.
func Steps(n int) string { return Count(n, "step") }

// Times says how often, as in "once".
func Times(n int) string {
	if n == 1 {
		return "once"
	}
	return Comma(n) + " times"
}

// Seconds writes a time in seconds with two digits, or all before the point.
func Seconds(s float64) string {
	if s >= 99.5 {
		return fmt.Sprintf("%.0f s", s)
	}
	return fmt.Sprintf("%.2g s", s)
}

// plainWord is what a shell leaves as it is.
var plainWord = regexp.MustCompile(`^[\pL\pN@%_+=:,./-]+$`)

// ShellWord returns a word as a shell has to be given it.
func ShellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Plain returns a text without the codes of colours.
func Plain(text string) string {
	var out bytes.Buffer
	w := colorprofile.Writer{Forward: &out, Profile: colorprofile.NoTTY}
	if _, err := w.WriteString(text); err != nil {
		return text
	}
	return out.String()
}
