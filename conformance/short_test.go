package conformance_test

import "testing"

// fewer returns how many of so many cases a test tries: all, or if -short is set, as
// under the race detector, which makes each ten times as long and sees the same in all of them, a few.
func fewer[N int | uint64](all, few N) N {
	if testing.Short() {
		return few
	}
	return all
}
