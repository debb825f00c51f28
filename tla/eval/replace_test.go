package eval_test

import (
	"io/fs"
	"strings"
	"testing"

	"interleave/tla/eval"
	"interleave/tla/value"
)

// besides are modules that one with replacements uses.
var besides = map[string]string{
	"Both": "EXTENDS Naturals\nF(a) == a + 10\nG == F(0)",
	"Mid":  "EXTENDS Both\nH == F(0)",
	"Low":  "EXTENDS Naturals\nCONSTANT k\nOwn(a) == a + 10\nUse == Own(0)\nK == k\nBy(plus(_), a) == plus(a)\nOwns == By(Own, 0)",
}

// replacing loads a module and replaces what is named in pairs, as in "a b, [In] c d".
func replacing(body, pairs string) (*eval.Spec, error) {
	s, err := eval.Load("M", func(name string) (string, string, error) {
		text, ok := besides[name]
		if name == "M" {
			text, ok = "EXTENDS Integers, Sequences, Both\n"+body, true
		}
		if !ok {
			return "", "", fs.ErrNotExist
		}
		return name + ".tla", "---- MODULE " + name + " ----\n" + text + "\n====", nil
	})
	for _, pair := range strings.Split(pairs, ", ") {
		if err != nil {
			break
		}
		if f := strings.Fields(pair); len(f) == 2 {
			err = s.Replace(f[0], f[1])
		} else {
			err = s.ReplaceIn(strings.Trim(f[0], "[]"), f[1], f[2])
		}
	}
	return s, err
}

// TestReplace: what stands in the place of a definition stands there wherever the
// definition is meant, by whatever name, and nowhere else.
func TestReplace(t *testing.T) {
	const body = `CONSTANT k
plus(a) == a + 1
minus(a) == a - 1
Own(a) == a
five == 5
few == {1, 2}
six == 6
By(op(_), a) == op(a)
I == INSTANCE Low WITH k <- five
J(i) == INSTANCE Low WITH k <- i + 1
L == INSTANCE Low
M2 == INSTANCE Mid
Result == `
	for _, c := range []struct{ replace, expr, want string }{
		{"plus minus", `<<plus(2), By(plus, 2), By(LAMBDA a : plus(a), 2)>>`, `<<1, 1, 1>>`},
		{"plus minus", `SelectSeq(<<0, 1>>, LAMBDA a : plus(a) = 0)`, `<<1>>`},
		{"plus minus", `I!By(minus, 2) + J(1)!By(Own, 10)`, `11`},
		{"Own minus", `<<Own(2), I!Own(2), I!Use, J(1)!Use, I!Owns>>`, `<<1, 12, 10, 10, 10>>`},
		{"k six", `<<k, I!K, J(1)!K, L!K>>`, `<<6, 5, 2, 6>>`},
		{"five six", `<<five, I!K, J(five)!K>>`, `<<6, 6, 7>>`},
		{"five six, six five", `<<five, six, By(LAMBDA a : a + five, six)>>`, `<<6, 5, 11>>`},
		{"F minus", `<<F(0), G, M2!G, M2!H, M2!F(0)>>`, `<<-1, -1, -1, -1, 10>>`},
		{"[Low] Own minus", `<<Own(2), I!Own(2), I!Use, J(1)!Use, I!Owns>>`, `<<2, 1, -1, -1, -1>>`},
		{"[Mid] F minus", `<<F(0), G, M2!G, M2!H, M2!F(0)>>`, `<<-1, -1, -1, -1, -1>>`},
		{"[Mid] F minus, F plus", `<<F(0), G, M2!G, M2!H, M2!F(0)>>`, `<<1, 1, 1, 1, -1>>`},
		{"[Naturals] Nat few", `<<7 \in Nat, 7 \in Int>>`, `<<FALSE, TRUE>>`},
	} {
		s, err := replacing(body+c.expr, c.replace)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Constant("Result")
		if err != nil {
			t.Errorf("%s: %s: %v", c.replace, c.expr, err)
		} else if got := value.Format(v); got != c.want {
			t.Errorf("%s: %s is %s, not %s", c.replace, c.expr, got, c.want)
		}
	}
}

// TestReplaceByMore: what is compiled as a constant, or as an expression about a state, is
// nothing else by the configuration.
func TestReplaceByMore(t *testing.T) {
	const body = `VARIABLE v
CONSTANT k
minus(a) == a - 1
M2 == INSTANCE Mid
one == 1
here == v
there == v'
step == v' = v
same(a) == a
prime(a) == a'
I == INSTANCE Low`
	for replace, want := range map[string]string{
		"k here":                        "here is an expression about a state, and cannot stand for k, which is a constant expression",
		"k v":                           "v is an expression about a state, and cannot stand for k, which is a constant expression",
		"one here":                      "here is an expression about a state, and cannot stand for one, which is a constant expression",
		"here there":                    "there is an action, and cannot stand for here, which is an expression about a state",
		"same prime":                    "prime is an action, and cannot stand for same, which is a constant expression",
		"prime same":                    "",
		"step one":                      "",
		"[Low] K here":                  "here is an expression about a state, and cannot stand for K, which is a constant expression",
		"[Mid] F minus, [Both] F minus": "",
		"[Mid] F minus, [Both] F same":  "F of Both is replaced twice",
		"[Bags] F minus":                "no module Bags that defines F is used by M",
		"v one":                         "v is neither a constant nor a definition of M",
		"[M] v one":                     "v is no definition of M that one can stand for",
		"[Low] k one":                   "k is no definition of Low that one can stand for",
		"Nat here":                      "here is an expression about a state, and cannot stand for Nat, which is a constant expression",
	} {
		_, err := replacing(body, replace)
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v; want %q", replace, err, want)
		}
	}
}
