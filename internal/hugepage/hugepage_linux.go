package hugepage

import (
	"syscall"
	"unsafe"
)

// size is how many bytes a huge page has on most processors.
const size = 1 << 21

// Want asks for huge pages for the memory of words. The system grants them if
// /sys/kernel/mm/transparent_hugepage/enabled says madvise or always. Random reads then take
// fewer accesses to page tables, and new memory takes fewer page faults (BenchmarkSearch of package explore). What
// shares the first and the last page gets them as well. A system that has none refuses, which
// does no harm.
func Want[W uint32 | uint64](words []W) {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(words)))
	end := first + uintptr(len(words))*unsafe.Sizeof(words[0])
	first &^= size - 1
	end = (end + size - 1) &^ (size - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, first, end-first, syscall.MADV_HUGEPAGE)
}
