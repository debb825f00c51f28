package certificate_test

import (
	"bytes"
	"context"
	"fmt"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/certificate"
	"interleave/properties/election"
	"interleave/spec/bully"
)

// A pass is written down, and confirmed without the engine that found it.
func ExampleOpen() {
	ctx := context.Background()
	report, err := properties.Verify(ctx, bully.Mended, model.Config{N: 3}, []properties.Property{election.AgreementOnTop}, properties.Options{Keep: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := certificate.Write(ctx, &file, bully.Mended, certificate.Of(report), report.States(), certificate.WriteOptions{}); err != nil {
		fmt.Println(err)
		return
	}
	c, err := certificate.Open(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := c.Check(ctx, bully.Mended, certificate.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d states and %d steps were looked at\n", result.States, result.Steps)
	for _, f := range result.Findings {
		fmt.Println(f.Property.Name, f.Doubt == "")
	}
	// Output:
	// 862 states and 2349 steps were looked at
	// agreement-on-top true
}
