package eval

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLevelsOfCycles compares the levels of definitions that are about one another, as they are
// found one within another, with those that are found by looking at all until none rises.
func TestLevelsOfCycles(t *testing.T) {
	type found struct {
		level  level
		primes bool
	}
	for seed := range uint64(3000) {
		text, names := cycles(rand.New(rand.NewPCG(seed, 1)))
		s, err := Load("M", Alone("M", "M.tla", text))
		if err != nil {
			t.Fatal(err, text)
		}
		var ops []*operator
		got := map[*operator]found{}
		for _, name := range names {
			op := s.root.scope.names[name].(*operator)
			ops, got[op] = append(ops, op), found{op.levelOf(), op.primes}
		}
		for _, op := range ops {
			op.level, op.primes, op.checked = constantLevel, false, true // so that none is looked at but by us
		}
		for rose := true; rose; {
			rose = false
			for _, op := range ops {
				before := found{op.level, op.primes}
				op.look()
				rose = rose || before != found{op.level, op.primes}
			}
		}
		for _, op := range ops {
			if want := (found{op.level, op.primes}); got[op] != want {
				t.Errorf("seed %d: %s is %v, want %v\n%s", seed, op.name, got[op], want, text)
			}
		}
	}
}

// odds are what may stand in a definition besides other definitions.
var odds = []string{"x", "x'", "p'", "*(x)", "ENABLED (*(0) = 1)", "LET L == *(p) IN L"}

// cycles returns a module of definitions that are about one another, and few about anything else.
func cycles(chance *rand.Rand) (text string, names []string) {
	names = strings.Split("A B C D E F G", " ")[:4+chance.IntN(4)]
	b := &strings.Builder{}
	fmt.Fprintf(b, "---- MODULE M ----\nVARIABLE x\nRECURSIVE %s(_)\n", strings.Join(names, "(_), "))
	for _, i := range chance.Perm(len(names)) {
		fmt.Fprintf(b, "%s(p) == <<0", names[i])
		for range 1 + chance.IntN(3) {
			part := "*(0)"
			if odd := chance.IntN(8 * len(names)); odd < len(odds) {
				part = odds[odd]
			}
			b.WriteString(", " + strings.ReplaceAll(part, "*", names[chance.IntN(len(names))]))
		}
		b.WriteString(">>\n")
	}
	b.WriteString("====")
	return b.String(), names
}
