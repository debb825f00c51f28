package pluscal

import (
	"strings"
	"testing"
)

// TestOptions: an option is obeyed, as the TLA+ tools obey it, or refused with its place.
func TestOptions(t *testing.T) {
	const one = "{ variable x = 0; { a: x := 1 } }"
	const several = "{ variable x = 0; fair process (P = 1) { a: skip } process (Q \\in {2}) { b: skip } }"
	for _, c := range []struct{ options, fair, algorithm, want string }{
		{"", "", one, `Spec == Init /\ [][Next]_vars`},
		{"PlusCal options (wf)", "", one, `/\ Init /\ [][Next]_vars /\ WF_vars(Next)`},
		{"PlusCal options (-sf)", "", one, `/\ Init /\ [][Next]_vars /\ WF_vars(Next)`},
		{"PlusCal options (wfNext)", "", one, `/\ Init /\ [][Next]_vars /\ WF_vars(Next)`},
		{"PlusCal options (nof)", "", one, `Spec == Init /\ [][Next]_vars`},
		{"PlusCal options ( -wf , -nocfg\n)", "", several, `/\ Init /\ [][Next]_vars /\ WF_vars(P) /\ \A self \in {2} : WF_vars(Q(self))`},
		{"PlusCal options (sf)", "", several, `/\ Init /\ [][Next]_vars /\ WF_vars(P) /\ \A self \in {2} : SF_vars(Q(self))`},
		{"PlusCal options (wfNext)", "", several, `/\ Init /\ [][Next]_vars /\ WF_vars(Next) /\ WF_vars(P)`},
		{"PlusCal options (nof)", "", several, `Spec == Init /\ [][Next]_vars`},
		{"PlusCal options (noDoneDisjunct)", "", several, `Next == P \/ (\E self \in {2}: Q(self))`},
		{"the PlusCal options are many", "", one, `Spec == Init /\ [][Next]_vars`},
		{"PlusCal options (wf)", "fair ", one, "M.tla:2:21: the PlusCal option wf, and the fairness of the algorithm is given already"},
		{"PlusCal options (wf, sf)", "", one, "M.tla:2:25: the PlusCal option sf, and the fairness"},
		{"PlusCal options (termination)", "", one, "M.tla:2:21: the PlusCal option termination is not supported"},
		{"PlusCal options (wf)\nPlusCal options (wf)", "", one, "M.tla:3:1: a second list of PlusCal options"},
		{`"--algorithm" is said here, and --fair algorithms`, "", one, `Spec == Init /\ [][Next]_vars`},
		{"\n\\* --algorithm A\n", "", one, `Spec == Init /\ [][Next]_vars`},
		{"a quote \" that is not ended, --algorithm A", "", one, "a second algorithm in the same module"},
		{"no option", "", `{ variable x = "--algorithm A"; { a: x := 1 } }`, `x = "--algorithm A"`},
		{"pluscal options (wf)", "", one, "M.tla:2:4: options of PlusCal are written with other letters"},
		{"PlusCal options (version 1.5)", "", one, "M.tla:2:21: the PlusCal option version is not supported"},
		{"PlusCal options (lineWidth 80)", "", one, "the PlusCal option lineWidth is not supported"},
		{"PlusCal options (label)", "", one, "the PlusCal option label is not supported"},
		{"PlusCal options (fast)", "", one, "the PlusCal option fast is not supported"},
	} {
		text, err := Translate("M.tla", "---- MODULE M ----\n(* "+c.options+" --"+c.fair+"algorithm M "+c.algorithm+" *)\n====")
		if err != nil {
			text = err.Error()
		}
		if text = strings.Join(strings.Fields(text), " "); !strings.Contains(text, c.want) {
			t.Errorf("%s: %s, want %s", c.options, text, c.want)
		}
		if strings.Contains(text, "Terminating") == strings.Contains(c.options, "noDone") && err == nil {
			t.Errorf("%s: Terminating in %s", c.options, text)
		}
	}
}
