package eval

import (
	"context"
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

// Limit bounds what evaluations take: none goes on after ctx is done, nor when the
// heap has grown beyond so many bytes; 0: no limit. It returns what ends it.
func (s *Spec) Limit(ctx context.Context, memory int64) (end func() bool) {
	b := &budget{ctx: ctx, memory: memory}
	s.budget.Store(b)
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
func (s *Spec) heed(at *site) {
	if b := s.budget.Load(); b.stopped.Load() {
		panic(&OutOfBudget{at.error("the evaluation was interrupted"), b.ctx.Err()})
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
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
