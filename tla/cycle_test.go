package tla_test

import (
	"strings"
	"testing"

	"interleave/tla"
)

// TestCycles: definitions that replacements lead back to themselves are an error with a
// place, wherever they are looked into.
func TestCycles(t *testing.T) {
	const body = `CONSTANTS A, B, F(_)
VARIABLE x
P == A
Q == B
G(z) == F(z)
True == 0 = 0
Not == ~True
Init == x = 0
Next == x' = x
Same == Next
vars == <<x>>
vv == vars
Spec == Init /\ [][Next]_vars
Again == Spec
Late == <>(x = 0)
Later == Late
Inv == A = B
Ends == F(1) = 1
Given == 1
Id(z) == z
`
	const constants = " CONSTANTS A = 1 B = 1 F <- Id "
	for config, want := range map[string]string{
		"INIT Init NEXT Next INVARIANT Inv CONSTANTS A <- Q B <- P F <- Id":            "M.tla:5:6: the definitions used here are nested more than",
		"INIT Init NEXT Next INVARIANT Ends CONSTANTS A = 1 B = 1 F <- G":              "M.tla:7:9: the definitions used here are nested more than",
		"INIT Init NEXT Next INVARIANT True" + constants + "True <- Not":               "M.tla:9:9: the definitions used here are nested more than",
		"INIT Init NEXT Next" + constants + "Next <- Same":                             "M.tla:12:9: the definitions used here are nested more than",
		"SPECIFICATION Spec" + constants + "Spec <- Again":                             "M.tla:16:10: the definitions used here are nested more than",
		"SPECIFICATION Spec" + constants + "vars <- vv":                                "M.tla:14:7: the definitions used here are nested more than",
		"INIT Init NEXT Next PROPERTY Late" + constants + "Late <- Later":              "M.tla:18:10: the definitions used here are nested more than",
		"INIT Init NEXT Next INVARIANT Inv CONSTANTS A <- B B <- A F <- Id":            "is given no value",
		"INIT Init NEXT Next INVARIANT Inv CONSTANTS F <- Id A <- Given B <- Given \n": "Inv VERIFIED",
	} {
		m, err := compile(t, body, config)
		got := ""
		if err == nil {
			r, err2 := m.Check(t.Context(), tla.Options{})
			if err = err2; err == nil {
				got = verdicts(r)
				for _, f := range r.Findings {
					got += " " + f.Why
				}
			}
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || strings.Contains(want, "nested") && !strings.Contains(got, "does a replacement of the configuration lead back") {
			t.Errorf("%s: %s; want %s", config, got, want)
		}
	}
}
