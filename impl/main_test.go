package impl

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"interleave/spec/ble"
)

var bleMended = ble.Mended

// TestMain wants no goroutine to be left when all tests are over.
func TestMain(m *testing.M) {
	if folder := os.Getenv(saver); folder != "" {
		saveForever(folder)
	}
	goleak.VerifyTestMain(m)
}
