// Package testsize says how much of its work a test does:
//
//	go test -short ./...                  little, for the race detector, which makes it ten times as long
//	go test ./...                         some: each comparison on fewer or smaller cases
//	INTERLEAVE_TESTS=all go test ./...    all, as .ci/run does
//
// With the variable set, -short still means little.
package testsize

import (
	"fmt"
	"os"
	"runtime/debug"
	"testing"
)

// Tests keep little, and most of what they allocate is garbage soon: to collect it less often takes a third off their
// time.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// variable is set to all where everything is to be tested.
const variable = "INTERLEAVE_TESTS"

// Of returns how much a test does: little, some or all of it.
func Of[T any](little, some, all T) T {
	switch {
	case testing.Short():
		return little
	case All():
		return all
	}
	return some
}

// All reports whether all is tested.
func All() bool {
	switch value := os.Getenv(variable); value {
	case "", "all":
		return value == "all" && !testing.Short()
	default:
		panic(fmt.Sprintf("%s is %q: set it to all, or not at all", variable, value))
	}
}

// Test skips a test of which nothing smaller is worth its time, unless all is tested.
func Test(t testing.TB) {
	t.Helper()
	if !All() {
		t.Skipf("takes long: %s=all runs it, without -short", variable)
	}
}

// Alone skips a test of what runs in one goroutine, or is run in many by other tests, under -short: no race is
// found there.
func Alone(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs alone: without -short")
	}
}
