package picture_test

import (
	"context"
	"fmt"

	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec/bully"
)

func ExampleOf() {
	report, err := properties.Verify(context.Background(), bully.Published, model.Config{N: 2, Timers: model.Any},
		[]properties.Property{election.OneLeader}, properties.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	trace := report.Findings[0].Trace
	r, run, err := model.Replay(bully.Published, trace)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(picture.Mermaid(picture.Of(r, run, trace)))
	// Output:
	// sequenceDiagram
	//     participant 1 as process 1
	//     participant 2 as process 2
	//     Note over 1: notice<br/>Mode idle → electing<br/>arms T_ok
	//     Note over 1: timeout T_ok<br/>Mode electing → idle<br/>Leader none → 1<br/>disarms T_ok
	//     Note over 2: notice<br/>Leader none → 2
	//     1--)2: ELECTION (still on its way)
	//     1--)2: COORDINATOR (still on its way)
	//     2--)1: COORDINATOR (still on its way)
}
