package eval

import (
	"testing"

	"interleave/tla/value"
)

// TestStepsOfWhatIsPutOff: calls that take few steps each are counted.
func TestStepsOfWhatIsPutOff(t *testing.T) {
	for _, body := range []string{
		`f[n \in Int] == IF n = 0 THEN 0 ELSE f[n - 1]` + "\nX == f[500]",
		`Even == {n \in Int : n % 2 = 0}` + "\n" + `X == Cardinality({n \in 1..500 : n \in Even})`,
	} {
		text := "---- MODULE M ----\nEXTENDS Integers, FiniteSets\n" + body + "\n===="
		s, err := Load("M", Alone("M", "M.tla", text))
		if err != nil {
			t.Fatal(err)
		}
		x, err := s.Named("X")
		if err != nil {
			t.Fatal(err)
		}
		e, c := s.env(0), &compiler{spec: s}
		code := c.expr(x.x, x.p)
		e.frame = make([]value.Value, c.slots)
		before := e.taken()
		if code(e); e.taken()-before < 1000 {
			t.Errorf("%d steps: %s", e.taken()-before, body)
		}
	}
}
