package explore

import (
	"syscall"
	"unsafe"
)

// hugePage is how many bytes a huge page has on most processors.
const hugePage = 1 << 21

// wantHuge asks for huge pages for the memory of words. The system grants them if
// /sys/kernel/mm/transparent_hugepage/enabled says madvise or always. Random reads then take
// fewer accesses to page tables, and new memory takes fewer page faults (BenchmarkSearch). What
// shares the first and the last page gets them as well. A system that has none refuses, which
// does no harm. The smallest searches do not ask, as they would not fill a huge page.
func wantHuge[W uint32 | uint64](words []W) {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(words)))
	end := first + uintptr(len(words))*unsafe.Sizeof(words[0])
	first &^= hugePage - 1
	end = (end + hugePage - 1) &^ (hugePage - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, first, end-first, syscall.MADV_HUGEPAGE)
}
