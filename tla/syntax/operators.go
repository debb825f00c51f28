package syntax

import "strings"

// operator says how tightly an operator binds: from lo to hi. If the ranges of two
// neighbours overlap, neither binds tighter, and parentheses are needed. Only the same
// operator twice needs none if it associates to the left.
type operator struct {
	lo, hi int
	left   bool
	name   string // one for all ways to write the operator
}

var prefixes = table(
	group{4, 4, false, `~ \lnot \neg`},
	group{4, 15, false, `ENABLED UNCHANGED [] <>`},
	group{10, 13, false, `SUBSET UNION DOMAIN`},
	group{12, 12, false, `- -.`},
)

var infixes = table(
	group{1, 1, false, `=>`},
	group{2, 2, false, `-+-> \equiv <=> ~>`},
	group{3, 3, true, `/\ \land \/ \lor`},
	group{5, 5, false, `= # /= ::= := < > =< <= \leq >= \geq \approx \asymp \cong \doteq \gg \ll \in \notin
		\prec \preceq \propto \sim \simeq \sqsubset \sqsubseteq \sqsupset \sqsupseteq \subset \subseteq
		\succ \succeq \supset \supseteq |- -| |= =|`},
	group{5, 14, true, `\cdot`},
	group{6, 6, true, `@@`},
	group{7, 7, false, `:> <:`},
	group{8, 8, false, `\`},
	group{8, 8, true, `\cap \intersect \cup \union`},
	group{9, 9, false, `.. ...`},
	group{9, 13, false, `!!`},
	group{9, 13, true, `## $ $$ ?? \sqcap \sqcup \uplus`},
	group{9, 14, false, `\wr`},
	group{10, 10, true, `+ ++ \oplus (+)`},
	group{10, 11, true, `%% | ||`},
	group{10, 11, false, `%`},
	group{10, 13, true, `\X \times`},
	group{11, 11, true, `- -- \ominus (-)`},
	group{13, 13, true, `& && * ** \bigcirc \bullet \o \circ \odot (.) \otimes (\X) \star`},
	group{13, 13, false, `/ // \div \oslash (/)`},
	group{14, 14, false, `^ ^^`},
)

func init() {
	minus := prefixes["-"]
	minus.name = "-."
	prefixes["-"] = minus
}

var postfixes = table(group{15, 15, false, `^+ ^* ^# '`})

// synonyms has the names of operators that can be written in another way, by that.
var synonyms = map[string]string{
	`\lnot`: "~", `\neg`: "~", `<=>`: `\equiv`, `\land`: `/\`, `\lor`: `\/`, "/=": "#", "<=": "=<", `\leq`: "=<",
	`\geq`: ">=", `\intersect`: `\cap`, `\union`: `\cup`, "(+)": `\oplus`, "(-)": `\ominus`, "(.)": `\odot`,
	"(/)": `\oslash`, `(\X)`: `\otimes`, `\times`: `\X`, `\circ`: `\o`,
}

// operator reports in which places an operator can stand that t is; in none if it is no operator.
func (t Token) operator() (prefix, infix, postfix bool) {
	if t.Kind != Symbol && t.Kind != Keyword {
		return false, false, false
	}
	_, prefix = prefixes[t.Text]
	_, infix = infixes[t.Text]
	_, postfix = postfixes[t.Text]
	return prefix, infix, postfix
}

// Canonical returns the name of an operator, however it is written.
func Canonical(operator string) string {
	if name, ok := synonyms[operator]; ok {
		return name
	}
	return operator
}

type group struct {
	lo, hi int
	left   bool
	ops    string
}

func table(groups ...group) map[string]operator {
	ops := map[string]operator{}
	for _, g := range groups {
		for _, written := range strings.Fields(g.ops) {
			ops[written] = operator{lo: g.lo, hi: g.hi, left: g.left, name: Canonical(written)}
		}
	}
	return ops
}
