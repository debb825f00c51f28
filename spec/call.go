package spec

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
)

// call is one call of a handler, in which its Proc is valid.
type call struct {
	process ID
	kind    EventKind
	over    uint32  // 1: the handler has returned
	watched bool    // see Event.Watched
	misuse  *uint32 // of the algorithm: the first use of a Proc by what is no handler
	effects Effects
}

// Watched returns e for a step in which the process must be used by the goroutine of its handler
// only. To see to that takes a microsecond for each use.
func (e Event) Watched() Event {
	e.watched = true
	return e
}

// use sees to it that a Proc is used during the call of its handler, and by that. If it is not, use
// panics; or, in a goroutine of nobody who could catch that, takes a note for the next step.
func (c *call) use() (mayAct bool) {
	switch {
	case c == nil:
		panic("spec: a Proc is used that no handler was given")
	case atomic.LoadUint32(&c.over) == 1:
		c.misused(keptProc)
	case c.watched && !inStep():
		c.misused(strayProc)
	default:
		return true
	}
	return false
}

// Ways to use a Proc wrongly.
const (
	keptProc  = 1 + iota // after its handler has returned
	strayProc            // by another goroutine
)

func (c *call) misused(way uint32) {
	code := way | uint32(c.kind)<<8 | uint32(c.process)<<16
	if stack := debug.Stack(); bytes.Contains(stack, []byte("\n"+stepping)) || bytes.Contains(stack, []byte("\ninterleave/properties.")) {
		panic(tellMisuse(code)) // below a step, or a search
	}
	atomic.CompareAndSwapUint32(c.misuse, 0, code)
}

// tellMisuse says how a Proc was used wrongly.
func tellMisuse(code uint32) string {
	handler := fmt.Sprintf("process %v, given to a handler of %v,", code>>16, EventKind(code>>8&0xff))
	if code&0xff == keptProc {
		return "spec: the Proc of " + handler + " is used after that has returned: it is valid during one call, so keep none"
	}
	return "spec: the Proc of " + handler + " is used by another goroutine: a handler starts none"
}

// inStep reports whether the caller runs below a step, and not in a goroutine that a handler began.
func inStep() bool {
	for size := 16; ; size *= 8 { // as a rule the step is near
		callers := make([]uintptr, size)
		callers = callers[:runtime.Callers(3, callers)]
		for _, pc := range callers {
			if strings.HasPrefix(runtime.FuncForPC(pc-1).Name(), stepping) {
				return true
			}
		}
		if len(callers) < size {
			return false
		}
	}
}

// stepping begins the names of the functions that call handlers.
const stepping = "interleave/spec.(*Algorithm["
