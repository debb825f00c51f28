package impl

import (
	"testing"

	"go.uber.org/goleak"

	"interleave/spec/ble"
)

var bleMended = ble.Mended

// TestMain wants no goroutine to be left when all tests are over.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}
