package syntax_test

import (
	"strings"
	"testing"

	"interleave/tla/syntax"
)

func TestTokens(t *testing.T) {
	for text, want := range map[string]string{
		`x' = [y EXCEPT ![1] = @]`:              "x ' = [ y EXCEPT ! [ 1 ] = @ ]",
		`/\ a \/ b \in S \ T \* rest`:           `/\ a \/ b \in S \ T`,
		`(* one (* two *) *) 1..3 (+) {}`:       "1 .. 3 (+) { }",
		`[][Next]_vars /\ WF_vars(A)`:           `[] [ Next ]_ vars /\ WF_ vars ( A )`,
		`<<a, b>>_<<c>>`:                        "<< a , b >>_ << c >>",
		`---- MODULE M1 ---- 1b a_1 ====`:       "---- MODULE M1 ---- 1b a_1 ====",
		`x := 1 || y := "a\"b"; L: skip`:        `x := 1 || y := the string "a\"b" ; L : skip`,
		`1.5 \hFF \b10 \o17 s \o t 2.x`:         `1.5 \hFF \b10 \o17 s \o t 2 . x`,
		`S \X T (\X) a|->b [=] -+-> ... A!B@@c`: `S \X T (\X) a |-> b [=] -+-> ... A ! B @@ c`,
		"S\\E":                                  `S \E`,
	} {
		tokens, err := syntax.Tokens("m", text, 0)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, tok := range tokens[:len(tokens)-1] {
			got = append(got, tok.String())
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s:\n got %s\nwant %s", text, s, want)
		}
	}
}

func TestPositions(t *testing.T) {
	text := "a\n\té /\\ b"
	tokens, err := syntax.Tokens("m", strings.Replace(text, "é", "e", 1), 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []syntax.Pos{{2, 9}, {2, 11}, {2, 14}, {2, 15}} {
		if tokens[i].Pos != want {
			t.Errorf("token %v at %v, not %v", tokens[i], tokens[i].Pos, want)
		}
	}
}

func TestLexerErrors(t *testing.T) {
	for text, want := range map[string]string{
		" (* a":   "m:1:2: a comment",
		"\n\"abc": "m:2:1: a string is not ended",
		`"\q"`:    `m:1:1: a string holds \q`,
		"a é":     "m:1:3: 'é' has no meaning",
	} {
		if _, err := syntax.Tokens("m", text, 0); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}
