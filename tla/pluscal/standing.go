package pluscal

import (
	"regexp"
	"slices"

	"interleave/tla/syntax"
)

// Standing is how the translation in a module stands to its algorithm.
type Standing uint8

const (
	Unknown  Standing = iota // there is no algorithm, or none that can be translated
	Missing                  // an algorithm has no translation
	Differs                  // the translation is not what Translate makes of the algorithm
	UpToDate                 // it is, except for layout, comments and parentheses
)

// options is how a module tells a translator how to translate.
var options = regexp.MustCompile(`(?i)PlusCal[ \t]+options`)

// StandingOf compares the translation in a module with its algorithm. Translators use
// different parentheses and lines, and put pc elsewhere among the variables, so it is
// compared word for word. One that differs may still be by another translator; for
// options, which are not read here, nothing is known.
func StandingOf(file, module string) Standing {
	where, err := find(file, module)
	if err != nil {
		return Unknown
	}
	from, to, err := markers(file, module, where.comment)
	if err != nil {
		return Unknown
	}
	var there []string
	if from >= 0 {
		there = words(file, module[:to], from)
	}
	if len(there) == 0 {
		return Missing
	}
	translation, err := Translate(file, module)
	switch {
	case err != nil:
		return Unknown
	case slices.Equal(there, words(file, translation, 0)):
		return UpToDate
	case options.MatchString(module):
		return Unknown
	}
	return Differs
}

// words returns the words of a text from some place on, up to one that is none.
// UNCHANGED x is read as x' = x, lists of all variables or of unchanged ones are in
// alphabetical order, and parentheses are left out.
func words(file, text string, from int) (out []string) {
	tokens, err := syntax.Tokens(file, text, from)
	if err != nil {
		return []string{err.Error()}
	}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case t.Is("(") || t.Is(")") || t.Kind == syntax.EOF:
			continue
		case t.Is("UNCHANGED") && tokens[i+1].Kind == syntax.Name && tokens[i+1].Text != "vars":
			out = append(out, tokens[i+1].Text, "'", "=")
			continue
		case t.Kind == syntax.String:
			out = append(out, `"`+t.Text)
			continue
		}
		out = append(out, t.Text)
		if listsVariables(tokens[:i+1]) {
			names := namesAt(tokens[i+1:])
			i += max(0, 2*len(names)-1)
			slices.Sort(names)
			out = append(out, names...)
		}
	}
	return out
}

// listsVariables reports whether names of variables follow what was read, in an order
// that does not matter: VARIABLES, UNCHANGED << or vars == <<.
func listsVariables(read []syntax.Token) bool {
	last := read[len(read)-1]
	if !last.Is("<<") || len(read) < 3 {
		return last.Is("VARIABLES")
	}
	before := read[len(read)-2]
	return before.Is("UNCHANGED") || before.Is("==") && read[len(read)-3].Text == "vars"
}

// namesAt returns the names, with commas between, that some tokens begin with.
func namesAt(tokens []syntax.Token) (names []string) {
	for i := 0; tokens[i].Kind == syntax.Name; i += 2 {
		names = append(names, tokens[i].Text)
		if !tokens[i+1].Is(",") {
			break
		}
	}
	return names
}
