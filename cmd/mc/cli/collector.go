package cli

import (
	"runtime"
	"runtime/debug"
)

// collectLater has the collector wait until the heap is some 30 MiB, by when most checks are
// over, in place of 4. From then on it is what GOGC says, so that no more memory is taken
// where much is.
func collectLater() {
	usual := debug.SetGCPercent(700)
	if usual < 0 {
		debug.SetGCPercent(usual)
		return
	}
	runtime.AddCleanup(new(*int), func(usual int) { debug.SetGCPercent(usual) }, usual)
}
