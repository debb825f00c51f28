package spec

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"interleave/internal/cell"
)

// call is one call of a handler, in which its Proc is valid.
type call struct {
	process ID
	kind    EventKind
	over    uint32  // 1: the handler has returned
	watched bool    // see Event.Watched
	misuse  *uint32 // of the algorithm: the first use of a Proc by what is no handler
	effects Effects
	choices []int // what is left of Event.Choices
	chose   int   // how often it has chosen
	author  interface{ types() []reflect.Type }
	lent    []lent
	fault   string     // what it gave away that it may not; empty: nothing
	memory  func() any // what a crash would leave now; nil: Persist may not be called
}

// lent is what a handler gave away, and may still change.
type lent struct {
	what  string // and how it is given away
	given any
	now   func() (any, error) // what it is now
}

// lend returns what a handler gives away as it is given, and remembers it if the handler can change it later.
func (c *call) lend(what string, close func() (any, error)) any {
	closed, err := close()
	if err != nil && c.fault == "" {
		c.fault = fmt.Sprintf("it %s %v", what, err)
	}
	if cell.Is(closed) {
		c.lent = append(c.lent, lent{what, closed, close})
	}
	return closed
}

// changedLater says what a handler changed after it had given it away; empty if nothing.
func (c *call) changedLater() string {
	for _, l := range c.lent {
		now, err := l.now()
		if err != nil {
			return fmt.Sprintf("it %s what becomes %v", l.what, err)
		}
		if now != l.given {
			return fmt.Sprintf("it %s a value that it changes afterwards: %s. Give away a copy, as slices.Clone and maps.Clone make", l.what, cell.Difference(l.given, now))
		}
	}
	return ""
}

// Watched returns e for a step in which the process must be used by the goroutine of its handler
// only. To see to that takes a microsecond for each use.
func (e Event) Watched() Event {
	e.watched = true
	return e
}

// IsWatched reports whether e is such a step, which is taken a second time to see whether it comes out the same.
func (e Event) IsWatched() bool { return e.watched }

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

// MaxChoice is among how many Choose chooses at most, and MaxChoices how often a handler may.
const MaxChoice, MaxChoices = 255, 16

// choose returns the next of the event's choices. If there are no more it ends the handler.
func (c *call) choose(n int) int {
	switch {
	case c.kind == Init:
		panic("spec: Init chooses, which only a handler of an event may")
	case n < 1 || n > MaxChoice:
		panic(fmt.Sprintf("spec: it chooses one of %d: give 1 to %d", n, MaxChoice))
	case c.effects.Choose > 0: // it was ended, and did not let itself be
		panic(endOfChoices)
	}
	if c.chose++; c.chose > MaxChoices {
		panic(fmt.Sprintf("spec: it chooses more than %d times in one step: let it choose less often, or of more at once", MaxChoices))
	}
	if len(c.choices) == 0 {
		c.effects.Choose = n
		panic(endOfChoices)
	}
	next := c.choices[0]
	if next < 0 || next >= n {
		panic(fmt.Sprintf("spec: it chooses one of %d, and the event says %d", n, next))
	}
	c.choices = c.choices[1:]
	return next
}

const endOfChoices = "spec: a handler that has to choose once more goes on: let it recover from no panic of Choose"

// unchosen is what comes of a handler that has to choose once more.
func (c *call) unchosen() Effects {
	if c.effects.Choose > 0 && c.effects.Refused {
		return Effects{Refused: true}
	}
	return Effects{Choose: c.effects.Choose}
}

// checkChoices returns what is wrong with the choices of the event, or with what the handler made of them.
func (c *call) checkChoices() string {
	switch {
	case len(c.choices) > 0:
		return fmt.Sprintf("the event has %d choices more than it makes", len(c.choices))
	case c.chose > 0 && c.effects.Refused:
		return "it refuses after it has chosen: whether it refuses may not depend on a choice"
	}
	return ""
}
