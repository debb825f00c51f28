// Package hugepage asks for huge pages of memory.
package hugepage
