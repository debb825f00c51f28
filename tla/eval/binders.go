package eval

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// binding is names bound to the elements of sets.
type binding struct {
	sets   []code // one for each name or tuple of names
	slots  [][]int
	tuples []bool
	sites  []*site
}

// bindAll compiles bounds; in x, y \in S each name is bound by itself.
func (c *compiler) bindAll(bounds []syntax.Bound, e syntax.Expr, p place) (*binding, *scope) {
	b := &binding{}
	inner := p.sc.inner()
	for _, bound := range bounds {
		if bound.Set == nil {
			p.site(e).fail("%s is bound to no set: what is not bounded cannot be enumerated", bound.Names[0].Name)
		}
		set, at := c.elements(bound.Set, p), p.site(bound.Set)
		var slots []int
		for _, id := range bound.Names {
			l := &local{slot: c.slot()}
			inner.names[id.Name] = l
			slots = append(slots, l.slot)
		}
		if bound.Tuple {
			b.add(set, slots, true, at)
			continue
		}
		for _, slot := range slots {
			b.add(set, []int{slot}, false, at)
		}
	}
	return b, inner
}

// spellOut bounds the size of a constant set that is enumerated once, before its
// elements are iterated over.
const spellOut = 1 << 12

// elements compiles a set whose elements are to be iterated over.
func (c *compiler) elements(x syntax.Expr, p place) code {
	set := c.expr(x, p)
	if !c.fixed {
		return set
	}
	return settled(c.spec.Values, func(e *env) value.Value {
		v := set(e)
		if n, ok := value.Size(v); ok && n <= spellOut {
			return value.Explicit(v)
		}
		return v
	})
}

func (b *binding) add(set code, slots []int, tuple bool, at *site) {
	b.sets = append(b.sets, set)
	b.slots = append(b.slots, slots)
	b.tuples = append(b.tuples, tuple)
	b.sites = append(b.sites, at)
}

// put binds the names at i to an element.
func (b *binding) put(e *env, i int, v value.Value) {
	e.tick()
	if !b.tuples[i] {
		e.frame[b.slots[i][0]] = v
		return
	}
	e.at = b.sites[i]
	elems := value.Elems(v, "a bound tuple of names")
	if len(elems) != len(b.slots[i]) {
		b.sites[i].fail("%s is no tuple of %d", value.Brief(v), len(b.slots[i]))
	}
	for k, slot := range b.slots[i] {
		e.frame[slot] = elems[k]
	}
}

// each calls f for every choice of elements, until it returns false.
func (b *binding) each(e *env, f func(e *env) bool) bool { return b.from(e, 0, f) }

func (b *binding) from(e *env, i int, f func(e *env) bool) bool {
	if i == len(b.sets) {
		return f(e)
	}
	set := b.sets[i](e)
	e.at = b.sites[i]
	switch s := set.(type) { // the most frequent forms first
	case *value.Set:
		for _, v := range s.Elems {
			b.put(e, i, v)
			if !b.from(e, i+1, f) {
				return false
			}
		}
		return true
	case value.Interval:
		for k := s.Lo; k <= s.Hi; k++ {
			b.put(e, i, value.Int(k))
			if !b.from(e, i+1, f) {
				return false
			}
			if k == math.MaxInt64 {
				break
			}
		}
		return true
	}
	return b.through(set, e, i, f)
}

// through is from for a set of any form.
func (b *binding) through(set value.Value, e *env, i int, f func(e *env) bool) bool {
	for v := range value.Each(set) {
		b.put(e, i, v)
		if !b.from(e, i+1, f) {
			return false
		}
	}
	return true
}

func (c *compiler) choose(x *syntax.Choose, p place) code {
	c.spec.chooses = true
	b, inner := c.bindAll([]syntax.Bound{x.Bound}, x, p)
	body, at := c.boolean(x.Body, p.in(inner)), p.site(x)
	return func(e *env) value.Value {
		set := b.sets[0](e)
		e.at = b.sites[0]
		s, spelt := set.(*value.Set)
		if !spelt {
			return b.first(set, e, body, at)
		}
		for _, v := range s.Elems {
			if b.put(e, 0, v); body(e) {
				return v
			}
		}
		at.fail("CHOOSE: no element of the set is such")
		return nil
	}
}

// first returns the first element, of a set of any form, that satisfies a condition.
func (b *binding) first(set value.Value, e *env, such func(e *env) bool, at *site) value.Value {
	for v := range value.Each(set) {
		if b.put(e, 0, v); such(e) {
			return v
		}
	}
	at.fail("CHOOSE: no element of the set is such")
	return nil
}

func (c *compiler) filter(x *syntax.Filter, p place) code {
	b, inner := c.bindAll([]syntax.Bound{x.Bound}, x, p)
	body, at := c.boolean(x.Body, p.in(inner)), p.site(x)
	return func(e *env) value.Value {
		set := b.sets[0](e)
		e.at = b.sites[0]
		if value.Finite(set) {
			return value.Filter(set, func(v value.Value) bool {
				b.put(e, 0, v)
				return body(e)
			})
		}
		later := e.apart()
		return value.Filter(set, func(v value.Value) bool {
			own := later.again(at)
			b.put(own, 0, v)
			ok := body(own)
			own.ended()
			return ok
		})
	}
}

func (c *compiler) image(x *syntax.Image, p place) code {
	b, inner := c.bindAll(x.Bounds, x, p)
	body, at := c.expr(x.Body, p.in(inner)), p.site(x)
	return func(e *env) value.Value {
		var elems []value.Value
		b.each(e, func(e *env) bool {
			elems = append(elems, body(e))
			if len(elems) > value.MaxElements {
				at.fail("the set has more than %d elements", value.MaxElements)
			}
			return true
		})
		e.at = at
		return value.NewSet(elems)
	}
}

// function compiles [x \in S |-> e]. If it has a name, e may use the name.
func (c *compiler) function(x *syntax.Function, p place, name string) code {
	var self *local
	outer := p
	if name != "" {
		self = &local{c.slot(), !p.primed}
		outer = p.in(p.sc.inner())
		outer.sc.names[name] = self
	}
	b, inner := c.bindAll(x.Bounds, x, outer)
	body, at := c.expr(x.Body, outer.in(inner)), p.site(x)
	return func(e *env) value.Value {
		sets := run(e, b.sets)
		e.at = at
		domain := sets[0]
		if len(sets) > 1 {
			domain = value.NewProduct(sets...)
		}
		if self != nil || !value.Finite(domain) {
			return newLazy(e, b, domain, body, self, at)
		}
		if r, ok := domain.(value.Interval); ok && r.Lo == 1 && r.Hi <= value.MaxElements {
			vals := make([]value.Value, max(r.Hi, 0))
			for i := range vals {
				b.put(e, 0, value.Int(i+1))
				vals[i] = body(e)
			}
			e.at = at
			return e.memory.known().Concat(vals, nil)
		}
		keys := slices.Clone(value.List(domain))
		vals := make([]value.Value, len(keys))
		for i, k := range keys {
			b.putKey(e, k)
			vals[i] = body(e)
		}
		e.at = at
		return value.NewFunc(keys, vals)
	}
}

// putKey binds all names to an argument of a function.
func (b *binding) putKey(e *env, k value.Value) {
	if len(b.sets) == 1 {
		b.put(e, 0, k)
		return
	}
	for i, v := range value.Elems(k, "a function of several arguments") {
		b.put(e, i, v)
	}
}

func (c *compiler) except(x *syntax.Except, p place) code {
	fn, at := c.expr(x.Fn, p), p.site(x)
	old := &local{c.slot(), !p.primed}
	inner := p.sc.inner()
	inner.names["@"] = old
	var changes []change
	for _, u := range x.Updates {
		var path []code
		for _, args := range u.Path {
			path = append(path, c.key(args, p))
		}
		changes = append(changes, change{path, c.expr(u.Value, p.in(inner)), old.slot, at})
	}
	return func(e *env) value.Value {
		f := fn(e)
		for i := range changes {
			f = changes[i].of(e, f, changes[i].path)
		}
		return f
	}
}

// change is one of those that EXCEPT makes.
type change struct {
	path []code
	val  code
	old  int // the slot of @
	at   *site
}

// of returns f with another value at the end of a path; f itself if the path leads nowhere.
func (ch *change) of(e *env, f value.Value, path []code) value.Value {
	if len(path) == 0 {
		before := e.frame[ch.old]
		e.frame[ch.old] = f
		v := ch.val(e)
		e.frame[ch.old] = before
		return v
	}
	arg := path[0](e)
	e.at = ch.at
	old, ok := value.Lookup(f, arg)
	if !ok {
		return f
	}
	v := ch.of(e, old, path[1:])
	e.at = ch.at
	return e.memory.known().Replace(f, arg, v)
}

// key compiles the argument in brackets.
func (c *compiler) key(args []syntax.Expr, p place) code {
	codes := c.exprs(args, p)
	if len(codes) == 1 {
		return codes[0]
	}
	return func(e *env) value.Value { return value.NewTuple(run(e, codes)...) }
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
