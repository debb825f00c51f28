package model_test

import (
	"fmt"

	"interleave/model"
	"interleave/spec/bully"
)

// A Reference steps through a world by hand: what may happen in a state, and
// what comes of it.
func ExampleReference() {
	r, err := model.NewReference(bully.Mended, model.Config{N: 2, Crashes: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := r.Initial()[0]
	for _, step := range r.Steps(s) {
		fmt.Printf("process %v may %s: %v\n", step.Event.Process, r.Describe(step.Event), r.Changes(s, step))
	}
	// Output:
	// process 1 may notice: [Mode idle → electing arms T_ok sends ELECTION to 2]
	// process 1 may crash: [down]
	// process 2 may notice: [Leader none → 2 sends COORDINATOR to 1]
	// process 2 may crash: [down]
}

// What cannot happen has a reason.
func ExampleWhyDisabled() {
	r, err := model.NewReference(bully.Mended, model.Config{N: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range model.WhyDisabled(r, r.Initial()[0]) {
		if o.Process == 1 {
			fmt.Printf("%s: %s\n", o.Action, o.Why)
		}
	}
	// Output:
	// timeout T_ok: it is not armed
	// timeout T_coord: it is not armed
	// crash: the world allows no crash
}
