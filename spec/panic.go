package spec

import (
	"bytes"
	"fmt"
	"strings"
)

// TellPanic describes a panic by what it said and where it was, as in "no at file.go:12".
// The stack is of the goroutine that panicked.
func TellPanic(said any, stack []byte) string { return fmt.Sprintf("%v%s", said, panicSite(stack)) }

// panicSite returns " at file.go:12", the first place in stack below the panic that is neither
// in the runtime nor in a method of Proc or of its call; empty if there is none.
func panicSite(stack []byte) string {
	_, below, found := bytes.Cut(stack, []byte("\npanic("))
	if !found {
		return ""
	}
	lines := strings.Split(string(below), "\n")
	for i := 3; i < len(lines); i += 2 {
		place, _, _ := strings.Cut(strings.TrimSpace(lines[i]), " +")
		if !strings.Contains(place, "/runtime/") && !strings.HasPrefix(lines[i-1], "interleave/spec.(*Proc[") && !strings.HasPrefix(lines[i-1], "interleave/spec.(*call).") {
			return " at " + place[strings.LastIndexByte(place, '/')+1:]
		}
	}
	return ""
}
