package explore

import (
	"syscall"
	"unsafe"
)

// hugePage is how many bytes a huge page has on most processors.
const hugePage = 1 << 21

// wantHuge asks for huge pages where words are: they come where
// /sys/kernel/mm/transparent_hugepage/enabled says madvise or always. A read at random
// then takes fewer looks at page tables, and what is new takes fewer faults:
// BenchmarkSearch. Neighbours in the first page and the last get them as well. A system
// that has none refuses, and nothing is lost. The smallest searches do not ask: they
// would not fill one.
func wantHuge[W uint32 | uint64](words []W) {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(words)))
	end := first + uintptr(len(words))*unsafe.Sizeof(words[0])
	first &^= hugePage - 1
	end = (end + hugePage - 1) &^ (hugePage - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, first, end-first, syscall.MADV_HUGEPAGE)
}
