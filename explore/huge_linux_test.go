package explore

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// TestHuge: the system is asked for huge pages where states beyond the first so many are,
// and large arrays. What is asked for first is asked for by nobody else yet.
func TestHuge(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("a system without huge pages: ", err)
	}
	for _, row := range []struct {
		what string
		make func() (at uintptr, size int)
	}{
		{"a page of states", func() (uintptr, int) {
			s := newStore(1)
			s.pages = slices.Repeat([][]uint64{nil}, hugeFrom)
			s.addPages((hugeFrom + 1) << pageBits)
			return where(s.pages[hugeFrom]), 8 * pageStates
		}},
		{"slots", func() (uintptr, int) { return where(newSlots(hugeArray / 4)), hugeArray }},
		{"bits", func() (uintptr, int) { return where(newBitArray(hugeArray).words), hugeArray }},
	} {
		first, size := row.make()
		for _, at := range []uintptr{first, first + uintptr(size) - 1} {
			if !asked(t, at) {
				t.Errorf("%s: nobody asked at byte %d of %d", row.what, at-first, size)
			}
		}
	}
}

// where returns the address of words.
func where[W uint32 | uint64](words []W) uintptr {
	return uintptr(unsafe.Pointer(unsafe.SliceData(words)))
}

// asked reports whether the system was asked for huge pages at an address.
func asked(t *testing.T, at uintptr) bool {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	within := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var first, end uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &first, &end); n == 2 {
			within = first <= at && at < end
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags: "); ok && within {
			return slices.Contains(strings.Fields(flags), "hg")
		}
	}
	t.Fatalf("nothing is mapped at %x", at)
	return false
}
