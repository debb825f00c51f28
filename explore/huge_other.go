//go:build !linux

package explore

// wantHuge asks for huge pages, where we know how to.
func wantHuge[W uint32 | uint64]([]W) {}
