package ltl

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// symbol is a token of a formula.
type symbol struct {
	kind   op
	text   string
	column int // in characters, from 1
}

// Kinds of symbols that are no operators.
const (
	opening op = "("
	closing op = ")"
	end     op = "end"
)

// spellings lists all symbols except words. A symbol that is a prefix of another comes after it.
var spellings = []struct {
	text string
	kind op
}{
	{"<->", iff}, {"<=>", iff}, {"↔", iff},
	{"<>", eventually}, {"◇", eventually},
	{"[]", always}, {"□", always},
	{"->", implies}, {"=>", implies}, {"→", implies},
	{"~>", leadsTo}, {"↝", leadsTo},
	{"&&", and}, {"&", and}, {`/\`, and}, {"∧", and},
	{"||", or}, {"|", or}, {`\/`, or}, {"∨", or},
	{"!", not}, {"¬", not},
	{"(", opening}, {")", closing},
}

// Operators lists the operators, as String writes them.
var Operators = []string{"!", "[]", "<>", "U", "R", "W", "&", "|", "->", "<->", "~>"}

// Spellings returns everything that Parse reads as an operator. What String writes comes first.
func Spellings(operator string) []string {
	all := []string{operator}
	for word, kind := range words {
		if string(kind) == operator && word != operator {
			all = append(all, word)
		}
	}
	for _, s := range spellings {
		if string(s.kind) == operator && s.text != operator {
			all = append(all, s.text)
		}
	}
	return all
}

// words are the names that no atom may have.
var words = map[string]op{
	"true": truth, "false": falsity,
	"G": always, "F": eventually, "U": until, "R": release, "W": weakUntil,
	next: "",
}

const next = "X" // refused

func reserved(name string) bool {
	_, ok := words[name]
	return ok
}

func (s symbol) wrong(format string, args ...any) error {
	return fmt.Errorf("column %d: %s", s.column, fmt.Sprintf(format, args...))
}

// scan splits a text into symbols and adds one for its end.
func scan(text string) ([]symbol, error) {
	var symbols []symbol
	column := 1
	for {
		rest := strings.TrimLeftFunc(text, unicode.IsSpace)
		column += utf8.RuneCountInString(text[:len(text)-len(rest)])
		if rest == "" {
			return append(symbols, symbol{end, "the end", column}), nil
		}
		s := first(rest)
		s.column = column
		if n := len(symbols); s.kind == opening && n > 0 && symbols[n-1].kind == atom {
			return nil, s.wrong("%s", misnumbered(symbols[n-1].text, rest))
		}
		switch {
		case s.text == next:
			return nil, s.wrong("next (X) is refused, for runs may stutter and the next state is then the same one: use <> or U")
		case s.kind == "":
			return nil, s.wrong("%q is no part of a formula: atoms start with a letter, operators are %s", s.text, strings.Join(Operators, " "))
		}
		symbols = append(symbols, s)
		column += utf8.RuneCountInString(s.text)
		text = rest[len(s.text):]
	}
}

// misnumbered says what is wrong with a text in parentheses that follows an atom and is not its
// number.
func misnumbered(atom, text string) string {
	number := text[1:]
	number = number[:len(number)-len(strings.TrimLeft(number, "0123456789"))]
	switch {
	case number == "":
		return fmt.Sprintf("an operator, such as & or ->, is missing before (, or a number after it, as in %s(1)", atom)
	case strings.HasPrefix(text, "("+number+")"):
		return fmt.Sprintf("the number of an atom follows it at once: write %s(%s)", atom, number)
	}
	return fmt.Sprintf("this ( is never closed: write %s(%s)", atom, number)
}

// first returns the symbol at the start of a text. It has no kind if there is no such symbol.
func first(text string) symbol {
	for _, s := range spellings {
		if strings.HasPrefix(text, s.text) {
			return symbol{kind: s.kind, text: s.text}
		}
	}
	n := wordLength(text)
	if n == 0 {
		_, n = utf8.DecodeRuneInString(text)
		return symbol{text: text[:n]}
	}
	word := text[:n]
	if kind, ok := words[word]; ok {
		return symbol{kind: kind, text: word}
	}
	return symbol{kind: atom, text: word}
}

// wordLength returns how many bytes at the start of a text are a name, with its number if it may
// have one, or 0. The - of a -> does not belong to the name.
func wordLength(text string) int {
	n := strings.IndexFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r)
	})
	if n < 0 {
		n = len(text)
	}
	if strings.HasSuffix(text[:n], "-") && strings.HasPrefix(text[n:], ">") {
		n--
	}
	if r, _ := utf8.DecodeRuneInString(text); n == 0 || !unicode.IsLetter(r) {
		return 0
	}
	if reserved(text[:n]) {
		return n
	}
	return n + numberLength(text[n:])
}

// numberLength returns how many bytes at the start of a text are a number in
// parentheses, or 0.
func numberLength(text string) int {
	inside, ok := strings.CutPrefix(text, "(")
	rest := strings.TrimLeft(inside, "0123456789")
	if !ok || len(rest) == len(inside) || !strings.HasPrefix(rest, ")") {
		return 0
	}
	return len(text) - len(rest) + 1
}

// Column returns the column of the first atom with the given name in a text, in characters from
// 1; 0 if there is none, or if the text is no formula.
func Column(text, name string) int {
	symbols, _ := scan(text)
	for _, s := range symbols {
		if s.kind == atom && s.text == name {
			return s.column
		}
	}
	return 0
}
