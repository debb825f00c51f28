package list

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/names"
	"interleave/explore/ltl"
	"interleave/properties"
	"interleave/properties/election"
)

// Formulas is a topic of mc help.
func Formulas(known names.Table) *cobra.Command {
	return &cobra.Command{Use: "formulas", Short: "The syntax of formulas about runs", Long: formulasHelp(known)}
}

// operatorHelp says what the operators mean, those first that bind tightest.
var operatorHelp = []struct{ operator, form, meaning string }{
	{"!", "!p", "not p"},
	{"[]", "[]p", "always: p now and at every later moment"},
	{"<>", "<>p", "eventually: p now or later"},
	{"U", "p U q", "until: q holds now or later, and p holds until then"},
	{"W", "p W q", "weak until: the same, but q need never hold if p holds forever"},
	{"R", "p R q", "release: q holds up to and including the moment when p does, or forever"},
	{"&", "p & q", "and"},
	{"|", "p | q", "or"},
	{"->", "p -> q", "implies"},
	{"<->", "p <-> q", "if and only if"},
	{"~>", "p ~> q", "leads to: whenever p holds, q holds then or later; [](p -> <>q)"},
}

var atomHelp = []struct {
	atom, meaning string
	elections     bool // it is about them
}{
	{"up(2)", "process 2 is live", false},
	{"knows(2)", "process 2 knows a leader", true},
	{"leads(2)", "process 2 follows itself", true},
	{"quiescent", "nothing has to happen any more; rest says the same", false},
}

// formulaExamples are commands, which a test runs.
var formulaExamples = []string{
	"mc verify bully --property '[](can-elect -> <>[]agreement-on-top)'",
	"mc verify bully --crashes 1 --property 'up(3) U leads(3) | <>!up(3)'",
	"mc verify bully --crashes 1 --property '!knows(3) ~> !up(3)'",
	"mc verify chang-roberts --property '[]<>quiescent' --unfair receive",
}

func formulasHelp(known names.Table) string {
	elections := known.Elect()
	predicates, temporal, examples := election.OfStates(), []properties.Property{election.LeaderEventually, election.StableLeader, properties.Termination}, formulaExamples
	if !elections {
		predicates, temporal, examples = []string{properties.NoDeadlock.Name}, temporal[2:], nil
	}
	var text strings.Builder
	line := func(format string, args ...any) {
		text.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
	}
	line("A formula is a property of whole runs, in linear temporal logic (LTL). Give one to")
	line("mc verify --property, in quotes, or in the expect of a row of mc sweep. A formula holds")
	line("if every fair run satisfies it.")
	line("")
	line("  %-9s %-10s %s", "FORMULA", "OR", "MEANING")
	for _, o := range operatorHelp {
		line("  %-9s %-10s %s", o.form, strings.Join(ltl.Spellings(o.operator)[1:], " "), o.meaning)
	}
	line("  %-9s %-10s %s", "true false", "", "")
	line("")
	line("The first lines bind tightest: ! [] <>, then U W R, then &, then |, then the arrows.")
	line("Parentheses are required between U, W and R, between different arrows, and between")
	line("two ~>. There is no next operator: a run may stutter.")
	line("")
	line("p and q are formulas or atoms. An atom is true or false in a state:")
	line("")
	for _, a := range atomHelp {
		if elections || !a.elections {
			line("  %-9s %s", a.atom, a.meaning)
		}
	}
	line("  and each of these properties, as a predicate on states:")
	for names := range slices.Chunk(predicates, 5) {
		line("  %s", strings.Join(names, ", "))
	}
	line("  and the algorithm's own invariants, quiescent properties and covers, by their names.")
	line("")
	line("The properties about runs in mc list are formulas, too. For two processes:")
	line("")
	for _, p := range temporal {
		line("  %-17s %s", p.Name, p.Formula(2))
	}
	line("")
	line("Every step except a failure is weakly fair: if it stays possible, it eventually happens.")
	line("Steps named by --strong are strongly fair: if possible infinitely often, they happen.")
	line("Steps named by --unfair need never happen. A run may end only where no step with any")
	line("fairness is possible.")
	if len(examples) > 0 {
		line("")
		line("Examples:")
	}
	for _, e := range examples {
		line("  %s", e)
	}
	return text.String()
}
