package pluscal

import (
	"fmt"
	"regexp"
	"strings"
)

// The lines between which a translation stands.
const (
	BeginMarker = `\* BEGIN TRANSLATION`
	EndMarker   = `\* END TRANSLATION`
)

var (
	beginLine = regexp.MustCompile(`(?m)^[ \t]*\\\*+[ \t]*BEGIN TRANSLATION\b.*$`)
	endLine   = regexp.MustCompile(`(?m)^[ \t]*\\\*+[ \t]*END TRANSLATION\b.*$`)
)

// Update returns a module with the translation of its algorithm between the markers,
// which are put after the algorithm's comment if there are none. The old translation is
// replaced. A module that is up to date is returned unchanged.
func Update(file, module string) (string, error) {
	translation, err := Translate(file, module)
	if err != nil {
		return "", err
	}
	where, err := find(file, module)
	if err != nil {
		return "", err
	}
	newline := "\n"
	if strings.Contains(module, "\r\n") {
		newline = "\r\n"
		translation = strings.ReplaceAll(translation, "\n", newline)
	}
	text := BeginMarker + newline + translation + EndMarker
	from, to, err := markers(file, module, where.comment)
	if err != nil {
		return "", err
	}
	if from < 0 {
		from = where.comment + endOfLine(module[where.comment:])
		to, text = from, newline+text
	}
	return module[:from] + text + module[to:], nil
}

// Holds reports whether the translation in a module stands at a line, among others.
func Holds(module string, line int) bool {
	from, to, err := markers("", module, 0)
	return err == nil && from >= 0 && posOf(module, from).Line < line && line < posOf(module, to).Line
}

// markers returns where the translation begins and ends, its markers included;
// -1 if there are none.
func markers(file, module string, after int) (from, to int, err error) {
	begins := beginLine.FindAllStringIndex(module, -1)
	ends := endLine.FindAllStringIndex(module, -1)
	fail := func(at int, remedy, format string, args ...any) (int, int, error) {
		return 0, 0, &Error{file, posOf(module, at), fmt.Sprintf(format, args...), remedy}
	}
	switch {
	case len(begins) == 0 && len(ends) == 0:
		return -1, -1, nil
	case len(begins) == 0:
		return fail(ends[0][0], "take the line away", "%s without %s", EndMarker, BeginMarker)
	case len(ends) == 0:
		return fail(begins[0][0], "put "+EndMarker+" behind the old translation", "%s without %s", BeginMarker, EndMarker)
	case len(begins) > 1:
		return fail(begins[1][0], "leave one", "a second %s", BeginMarker)
	case len(ends) > 1:
		return fail(ends[1][0], "leave one", "a second %s", EndMarker)
	case begins[0][0] < after:
		return fail(begins[0][0], "put the markers behind the algorithm's comment", "%s before the end of the algorithm", BeginMarker)
	case ends[0][0] < begins[0][0]:
		return fail(ends[0][0], "exchange them", "%s before %s", EndMarker, BeginMarker)
	}
	return begins[0][0], ends[0][1], nil
}
