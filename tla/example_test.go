package tla_test

import (
	"context"
	"fmt"

	"interleave/tla"
)

// A module and its configuration are checked without Java.
func ExampleOpen() {
	m, err := tla.Open("ChangRoberts.tla", "ChangRoberts.cfg")
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := m.Check(context.Background(), tla.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	verdict, _ := report.Verdict()
	fmt.Println(verdict, report.Stats.States)
	// Output:
	// VERIFIED 137
}
