package wiretest

import (
	"math"
	"runtime"
	"testing"

	"interleave/impl/wire"
)

// Encode returns a frame as bytes.
func Encode(t testing.TB, f wire.Frame, k wire.Key) []byte {
	t.Helper()
	b, err := f.Append(nil, k)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Allocated returns how many bytes f allocates, the least of a few calls: other
// goroutines may allocate as well.
func Allocated(f func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
