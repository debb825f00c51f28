package drive_test

import (
	"context"
	"fmt"

	"interleave/conformance/drive"
	"interleave/model"
	"interleave/spec/bully"
)

// Two real processes are made to take every local step that the model has.
func ExampleCover() {
	c, err := model.Home(bully.Mended, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := drive.Cover(context.Background(), bully.Mended, c, drive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict, report.Classes.Covered == report.Classes.Total, len(report.Uncovered))
	// Output: agrees true 0
}
