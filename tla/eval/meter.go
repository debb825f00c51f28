package eval

import (
	"context"
	"errors"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
)

// MaxSteps is how many turns of loops and calls of recursive definitions one
// evaluation may take: of an assumption, of what is asked of a state, of the steps
// out of a state or, from one initial state to the next, of the initial predicate.
const MaxSteps = 1_000_000_000

// budget is what evaluations may take altogether.
type budget struct {
	ctx     context.Context
	stopped atomic.Bool // ctx is done
	memory  int64       // of the heap, in bytes; 0: no limit
}

// limits bound what evaluations take altogether.
type limits struct{ budget atomic.Pointer[budget] }

// Limit bounds what evaluations take: none goes on after ctx is done, nor when the
// heap has grown beyond so many bytes; 0: no limit. It returns what ends it.
func (l *limits) Limit(ctx context.Context, memory int64) (end func() bool) {
	b := &budget{ctx: ctx, memory: memory}
	l.budget.Store(b)
	return context.AfterFunc(ctx, func() { b.stopped.Store(true) })
}

// OutOfBudget says that an evaluation was given up, which says nothing of the module.
type OutOfBudget struct {
	At    *Error
	Cause error // that of the context, or nil: the memory is used up
}

func (o *OutOfBudget) Error() string { return o.At.Error() }
func (o *OutOfBudget) Unwrap() error { return o.Cause }

// meter counts the steps of one evaluation. What is evaluated later, a function
// with infinitely many values say, counts for where it was made.
type meter struct {
	*Spec
	left atomic.Int64
}

// look is after how many steps the heap is looked at.
const look = 1 << 14

func (m *meter) reset() { m.left.Store(MaxSteps) }

// stride is how many steps are told to the meter at once.
const stride = 64

// tick counts a step.
func (e *env) tick() {
	if e.steps++; e.steps%stride == 0 {
		e.tell(stride)
	}
}

// ended tells the meter of the last steps of what was evaluated on its own.
func (e *env) ended() { e.tell(int64(e.steps % stride)) }

// taken returns how many steps were taken, those of what was put off included.
func (e *env) taken() int { return e.steps%stride - int(e.meter.left.Load()) }

// tell tells the meter of some steps.
func (e *env) tell(steps int64) {
	m := e.meter
	left := m.left.Add(-steps)
	b := m.budget.Load()
	switch {
	case b.stopped.Load():
		m.heed(e.here())
	case left <= 0:
		e.here().fail("the evaluation takes more than %d steps", MaxSteps)
	case left/look != (left+steps)/look && b.memory > 0 && heap() > b.memory:
		panic(&OutOfBudget{e.here().error("the evaluation takes more memory than is given"), nil})
	}
}

// heed gives up if the context is done.
func (l *limits) heed(at *site) {
	if b := l.budget.Load(); b.stopped.Load() {
		cause := context.Cause(b.ctx)
		text := "the evaluation was interrupted"
		switch {
		case errors.Is(cause, context.DeadlineExceeded):
			text = "time ran out during the evaluation"
		case !errors.Is(cause, context.Canceled):
			text += ": " + cause.Error()
		}
		panic(&OutOfBudget{at.error(text), cause})
	}
}

// maxStack bounds the bytes of all stacks: that of a goroutine doubles when it grows, and
// at 1 GiB the program would end.
const maxStack = 300 << 20

// stack fails if the evaluation is nested so deeply that there may soon be no room on the
// stack. It looks at some depths only.
func (m *meter) stack(depth int, at *site) {
	const now = 64
	if depth%now != now-1 {
		return
	}
	most := int64(maxStack)
	if b := m.budget.Load(); b.memory > 0 {
		most = min(most, max(b.memory/4, 32<<20))
	}
	const stacks = "/memory/classes/heap/stacks:bytes"
	if inUse(stacks) <= most {
		return
	}
	runtime.GC() // a stack that is mostly empty by now becomes smaller
	if inUse(stacks) > most {
		at.fail("the evaluation is nested too deeply: its stack takes more than %d MiB", most>>20)
	}
}

// here is where the evaluation is, as far as that is known.
func (e *env) here() *site {
	if e.at == nil {
		return &site{file: e.meter.Name}
	}
	return e.at
}

// heap returns the bytes of the objects in the heap.
func heap() int64 { return inUse("/memory/classes/heap/objects:bytes") }

// inUse returns a figure of the runtime.
func inUse(name string) int64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
