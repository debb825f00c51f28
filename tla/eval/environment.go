package eval

import (
	"slices"
	"sync"
	"sync/atomic"

	"interleave/tla/value"
)

// env is where code runs.
type env struct {
	frame     []value.Value // by slot number
	cur, next []value.Value // by variable; nil where it has no value yet
	*track
	depth  int           // recursion depth
	aside  []value.Value // slots saved by the callers of recursive operators
	action int           // the part of the next-state relation that is evaluated
	params []code        // the arguments of the definition of the part
	yield  func(e *env) bool
	meter  *meter
	memory *memory // nil: nothing is remembered
}

// assigned returns the list in which an action, or a predicate of initial states, gives
// variables their values.
func (e *env) assigned(init bool) []value.Value {
	if init {
		return e.cur
	}
	return e.next
}

// track is shared by the frames of nested calls.
type track struct {
	at    *site // of the expression evaluated last
	steps int   // taken so far
}

// apart is an environment for what is evaluated later, when e has changed.
func (e *env) apart() *env {
	own := *e
	own.frame, own.aside = slices.Clone(e.frame), nil
	own.cur, own.next = slices.Clone(e.cur), slices.Clone(e.next)
	own.track = &track{at: e.at}
	return &own
}

// again is an environment for one call of what is evaluated later. Several goroutines
// may call at once.
func (e *env) again(at *site) *env {
	call := *e
	call.track = &track{at: at}
	return call.deeper(at)
}

// lazy is a function whose values are computed on demand, each once.
type lazy struct {
	binding *binding // of the names in its argument
	body    code
	site    *site
	env     *env // where the body runs
	calls   atomic.Int64

	mu    sync.Mutex
	known map[uint64][]value.Value // by the hash of the argument: arguments and values, alternately
}

// newLazy makes a function. If it may call itself, self is the name by which it does.
func newLazy(e *env, b *binding, domain value.Value, body code, self *local, at *site) value.Value {
	l := &lazy{binding: b, body: body, site: at, env: e.apart(), known: map[uint64][]value.Value{}}
	f := &value.Lazy{Domain: domain, Apply: l.apply}
	if self != nil {
		l.env.frame[self.slot] = f
	}
	return f
}

func (l *lazy) apply(arg value.Value) value.Value {
	arg = value.Explicit(arg)
	h := value.Hash(arg)
	if v := l.find(h, arg); v != nil {
		return v
	}
	call := l.env.again(l.site)
	call.depth = int(l.calls.Add(1)) + l.env.depth // those of the function inside of itself are not over yet
	defer l.calls.Add(-1)
	if call.depth > MaxRecursion {
		l.site.fail("the recursion is deeper than %d calls", MaxRecursion)
	}
	l.binding.putKey(call, arg)
	v := value.Explicit(l.body(call))
	call.ended()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[h] = append(l.known[h], arg, v)
	return v
}

// find returns the value for an argument; nil if it is not known yet.
func (l *lazy) find(h uint64, arg value.Value) value.Value {
	l.mu.Lock()
	defer l.mu.Unlock()
	for known := l.known[h]; len(known) > 0; known = known[2:] {
		if value.Compare(known[0], arg) == 0 {
			return known[1]
		}
	}
	return nil
}
