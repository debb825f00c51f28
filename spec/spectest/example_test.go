package spectest_test

import (
	"fmt"

	"interleave/spec/bully"
	"interleave/spec/spectest"
)

// Check tries whether the handlers are what they have to be: functions of their arguments
// over plain values. Run is the same within a test.
func ExampleCheck() {
	fmt.Println(spectest.Check(bully.Mended))
	// Output: <nil>
}
