package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Lexer reads the tokens of a text, without comments.
type Lexer struct {
	file string
	text string
	at   int
	pos  Pos
}

// NewLexer returns a Lexer that begins at a byte offset of a text. Positions are those in
// the whole text. Errors name the file.
func NewLexer(file, text string, offset int) *Lexer {
	l := &Lexer{file: file, text: text, pos: Pos{1, 1}}
	l.skip(min(max(offset, 0), len(text)))
	return l
}

// Next returns the next token. At the end of the text it is of kind EOF.
func (l *Lexer) Next() (Token, error) {
	if err := l.blank(); err != nil {
		return Token{}, err
	}
	t := Token{Pos: l.pos, Offset: l.at}
	rest := l.text[l.at:]
	if rest == "" {
		return t, nil
	}
	var err error
	switch c := rest[0]; {
	case c == '"':
		err = l.quoted(&t)
	case c == '@' && !strings.HasPrefix(rest, "@@"):
		l.take(&t, Name, 1)
	case isWord(c):
		l.word(&t, rest)
	case c == '\\' && len(rest) > 1 && isWord(rest[1]):
		l.command(&t, rest)
	case run(rest, '-') >= 4:
		l.take(&t, Rule, run(rest, '-'))
	case run(rest, '=') >= 4:
		l.take(&t, End, run(rest, '='))
	default:
		err = l.symbol(&t, rest)
	}
	return t, err
}

// Tokens returns all tokens from a byte offset on. The last is of kind EOF.
func Tokens(file, text string, offset int) ([]Token, error) {
	l := NewLexer(file, text, offset)
	var all []Token
	for {
		t, err := l.Next()
		if err != nil {
			return all, err
		}
		if all = append(all, t); t.Kind == EOF {
			return all, nil
		}
	}
}

// IsName reports whether a text is a name. Only a name can be a field of a record.
func IsName(text string) bool {
	all, err := Tokens("", text, 0)
	return err == nil && len(all) == 2 && all[0].Kind == Name && all[0].Text == text && text != "@"
}

func (l *Lexer) fail(at Pos, format string, args ...any) error {
	return &Error{l.file, at, fmt.Sprintf(format, args...)}
}

// skip moves to an offset.
func (l *Lexer) skip(to int) {
	for l.at < to {
		c, size := utf8.DecodeRuneInString(l.text[l.at:])
		l.at += size
		switch c {
		case '\n':
			l.pos = Pos{l.pos.Line + 1, 1}
		case '\t':
			l.pos.Col += 8 - (l.pos.Col-1)%8
		default:
			l.pos.Col++
		}
	}
}

// take makes the next n bytes the token t.
func (l *Lexer) take(t *Token, kind Kind, n int) {
	t.Kind, t.Text, t.Length = kind, l.text[l.at:l.at+n], n
	l.skip(l.at + n)
}

// blank moves over spaces and comments.
func (l *Lexer) blank() error {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch {
		case strings.IndexByte(" \t\r\n\f", rest[0]) >= 0:
			l.skip(l.at + 1)
		case strings.HasPrefix(rest, `\*`):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.skip(l.at + n)
		case strings.HasPrefix(rest, "(*"):
			n := comment(rest)
			if n < 0 {
				return l.fail(l.pos, "a comment that begins with (* is not ended by *)")
			}
			l.skip(l.at + n)
		default:
			return nil
		}
	}
	return nil
}

// comment returns the length of the comment at the beginning of a text, or -1 if it does
// not end. Comments nest.
func comment(text string) int {
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch text[i : i+2] {
		case "(*":
			depth++
			i++
		case "*)":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

func (l *Lexer) quoted(t *Token) error {
	var b strings.Builder
	rest := l.text[l.at:]
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch c := rest[i]; c {
		case '"':
			l.take(t, String, i+1)
			t.Text = b.String()
			return nil
		case '\\':
			i++
			if i == len(rest) {
				continue
			}
			k := strings.IndexByte(`"\tnfr`, rest[i])
			if k < 0 {
				return l.fail(l.pos, `a string holds \%c; write \\ for a backslash`, rest[i])
			}
			b.WriteByte("\"\\\t\n\f\r"[k])
		default:
			b.WriteByte(c)
		}
	}
	return l.fail(l.pos, "a string is not ended on its line")
}

func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// run returns how many bytes c are at the beginning of a text.
func run(text string, c byte) int { return len(text) - len(strings.TrimLeft(text, string(c))) }

// word takes a name, a keyword or a number. WF_ and SF_ are keywords, whatever follows.
func (l *Lexer) word(t *Token, rest string) {
	n := 1
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	word := rest[:n]
	switch {
	case strings.HasPrefix(word, "WF_"), strings.HasPrefix(word, "SF_"):
		l.take(t, Keyword, 3)
	case strings.Trim(word, "0123456789") == "":
		if n+1 < len(rest) && rest[n] == '.' && isDigit(rest[n+1]) {
			n += 1 + run09(rest[n+1:])
		}
		l.take(t, Number, n)
	case keywords[word]:
		l.take(t, Keyword, n)
	default:
		l.take(t, Name, n)
	}
}

func run09(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// command takes an operator such as \in, a number such as \hFF, or a lone backslash.
func (l *Lexer) command(t *Token, rest string) {
	n := 1
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	for base, digits := range map[byte]string{'b': "01", 'o': "01234567", 'h': "0123456789abcdefABCDEF"} {
		if n > 2 && rest[1]|0x20 == base && strings.Trim(rest[2:n], digits) == "" {
			l.take(t, Number, n)
			return
		}
	}
	letters := 1
	for letters < n && isLetter(rest[letters]) {
		letters++
	}
	if commands[rest[:letters]] {
		l.take(t, Symbol, letters)
		return
	}
	l.take(t, Symbol, 1)
}

func (l *Lexer) symbol(t *Token, rest string) error {
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			l.take(t, Symbol, len(s))
			return nil
		}
	}
	c, _ := utf8.DecodeRuneInString(rest)
	return l.fail(l.pos, "%q has no meaning in TLA+", c)
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
