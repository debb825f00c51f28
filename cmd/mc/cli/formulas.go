package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interleave/explore/ltl"
	"interleave/properties"
)

// newFormulas is a topic of mc help.
func newFormulas() *cobra.Command {
	return &cobra.Command{Use: "formulas", Short: "The syntax of formulas about runs", Long: formulasHelp()}
}

// operatorHelp says what the operators mean, those first that bind tightest.
var operatorHelp = []struct{ operator, form, meaning string }{
	{"!", "!p", "not p"},
	{"[]", "[]p", "always: p from here on, for ever"},
	{"<>", "<>p", "eventually: p here or later"},
	{"U", "p U q", "until: q comes here or later, and p up to then"},
	{"W", "p W q", "the same, but q need not come if p holds for ever"},
	{"R", "p R q", "release: q up to and including where p comes, for ever if it does not"},
	{"&", "p & q", "and"},
	{"|", "p | q", "or"},
	{"->", "p -> q", "implies"},
	{"<->", "p <-> q", "if and only if"},
	{"~>", "p ~> q", "leads to: whenever p, then q there or later; [](p -> <>q)"},
}

var atomHelp = []struct{ atom, meaning string }{
	{"up(2)", "process 2 is live"},
	{"knows(2)", "process 2 knows a leader"},
	{"leads(2)", "process 2 follows itself"},
	{"rest", "nothing has to happen any more"},
}

// formulaExamples are commands, which a test runs.
var formulaExamples = []string{
	"mc verify bully --property '[](C-elected -> <>[]Q-max)'",
	"mc verify bully --crashes 1 --property 'up(3) U leads(3) | <>!up(3)'",
	"mc verify bully --crashes 1 --property '!knows(3) ~> !up(3)'",
	"mc verify chang-roberts --property '[]<>rest' --unfair receive",
}

func formulasHelp() string {
	var text strings.Builder
	line := func(format string, args ...any) {
		text.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
	}
	line("A formula says something of whole runs. Give one to mc verify --property, in quotes,")
	line("or expect something of it in a row of mc sweep. It holds if every fair run satisfies it.")
	line("")
	line("  %-9s %-10s %s", "FORMULA", "OR", "MEANING")
	for _, o := range operatorHelp {
		line("  %-9s %-10s %s", o.form, strings.Join(ltl.Spellings(o.operator)[1:], " "), o.meaning)
	}
	line("  %-9s %-10s %s", "true false", "", "")
	line("")
	line("The first lines bind tightest: ! [] <>, then U W R, then &, then |, then the arrows.")
	line("U, W and R do not go side by side without parentheses, nor do different arrows, nor")
	line("two ~>. There is no next: a run may stutter.")
	line("")
	line("p and q are formulas or atoms, which are true or false of a state:")
	line("")
	for _, a := range atomHelp {
		line("  %-9s %s", a.atom, a.meaning)
	}
	line("  and what these properties say of states:")
	line("  %s", strings.Join(properties.OfStates(), ", "))
	line("")
	line("The properties about runs that mc list shows are formulas, too; of two processes")
	line("")
	for _, p := range []properties.Property{properties.L1, properties.L2, properties.T} {
		line("  %-3s %s", p.Name, p.Formula(2))
	}
	line("")
	line("Weak fairness is owed to all but failures: what stays possible happens in the end.")
	line("Strong fairness (--strong) is owed to what is possible again and again, nothing to what")
	line("--unfair names, and a run may end only where nothing is possible that is owed any.")
	line("")
	line("Examples:")
	for _, e := range formulaExamples {
		line("  %s", e)
	}
	return text.String()
}

// isFormula reports whether a name that is none is meant as a formula.
func isFormula(name string) bool {
	word, _, isOfOne := strings.Cut(name, "(")
	if isOfOne {
		return !slices.Contains([]string{"M", "LE1", "LE2"}, strings.ToUpper(word))
	}
	return strings.ContainsAny(name, "[]<>!&|~= □◇¬∧∨→↔↝") || slices.Contains(properties.Predicates(), name) ||
		slices.Contains(properties.Predicates(), name+"(p)")
}

// formulaError says what is wrong with a formula, and what its atoms may have
// meant.
func formulaError(text string) error {
	const remedy = "mc help formulas shows what one is made of"
	_, err := properties.Formula(text)
	var unknown *properties.AtomError
	if !errors.As(err, &unknown) {
		return hinted{err, remedy}
	}
	_, number, isOfOne := strings.Cut(unknown.Atom, "(")
	if !isOfOne {
		number = "1)"
	}
	var known []string
	for _, name := range properties.Predicates() {
		known = append(known, strings.Replace(name, "(p)", "("+number, 1))
	}
	if slices.Contains(known, unknown.Atom) {
		return hinted{err, remedy}
	}
	return hinted{err, suggest(unknown.Atom, known, remedy)}
}
