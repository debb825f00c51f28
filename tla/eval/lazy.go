package eval

import (
	"sync"
	"sync/atomic"

	"interleave/tla/value"
)

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
