//go:build !linux

package hugepage

// Want asks for huge pages, where we know how to.
func Want[W uint32 | uint64]([]W) {}
