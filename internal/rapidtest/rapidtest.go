// Package rapidtest has what tests of random cases in several packages need.
package rapidtest

import (
	"testing"

	"pgregory.net/rapid"
)

// most is how often something is tried until it is enough: what one round lacks three
// times in four, fifty lack less than once in a million.
const most = 50

// Until makes the checks of rapid again and again until a test has seen what it wants to
// see: missing returns what it has not, nil if nothing. How many checks rapid makes, and which,
// does not matter then.
func Until(t testing.TB, missing func() error, check func(*rapid.T)) {
	t.Helper()
	Rounds(t, missing, func() { rapid.Check(t, check) })
}

// Rounds is Until for checks of another form.
func Rounds(t testing.TB, missing func() error, round func()) {
	t.Helper()
	for range most {
		if round(); t.Failed() || missing() == nil {
			return
		}
	}
	t.Error(missing())
}
