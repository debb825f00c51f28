package ltl_test

import (
	"fmt"

	"interleave/explore/ltl"
)

// A checker looks for a run on which the negation holds.
func Example() {
	f, err := ltl.Parse("request ~> granted")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("not vacuous if some run satisfies", f.Antecedents()[0])

	// Positions 0 and 1, then 1 forever: asked for, and never granted.
	run := []map[string]bool{{}, {"request": true}}
	at := func(i int, atom string) bool { return run[i][atom] }
	fmt.Println(f, "on the run:", f.Holds(len(run), 1, at))

	a := ltl.Not(f).Automaton(f.Atoms()) // granted is bit 0, request is bit 1
	fmt.Println("starts in", a.Initial)
	for i, s := range a.States {
		fmt.Printf("%d: has %02b, lacks %02b, goes on to %v, accepting %b\n", i, s.True, s.False, s.Next, s.Accept)
	}
	// Output:
	// not vacuous if some run satisfies <>request
	// request ~> granted on the run: false
	// starts in [0 1]
	// 0: has 10, lacks 01, goes on to [2], accepting 1
	// 1: has 00, lacks 00, goes on to [0 1], accepting 0
	// 2: has 00, lacks 01, goes on to [2], accepting 1
}

// Errors name the column.
func ExampleParse() {
	for _, text := range []string{"[](p -> <>q", "p -> X q", "p U q U r"} {
		_, err := ltl.Parse(text)
		fmt.Println(err)
	}
	// Output:
	// column 3: this ( is never closed: add a )
	// column 6: next (X) is refused, for runs may stutter and the next state is then the same one: use <> or U
	// column 7: it is not clear which comes first: put parentheses around one of U and U
}
