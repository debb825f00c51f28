package explain_test

import (
	"context"
	"fmt"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/properties/explain"
	"interleave/spec/bully"
)

func ExampleOf() {
	report, err := properties.Verify(context.Background(), bully.Published, model.Config{N: 3, Crashes: 1, Split: true},
		[]properties.Property{election.Agreement}, properties.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := explain.Of(context.Background(), bully.Published, report.Findings[0].Trace, explain.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Sentence())
	fmt.Println("what matters:", e.Matters)
	// Output:
	// agreement requires that all live processes follow the same one; but after step 5 nothing has to happen any more: process 1 knows no leader; after step 4 (process 3: receive ELECTION from 2, crash after 1 of its sends) no fair run can avert it
	// what matters: [true true true true false]
}
