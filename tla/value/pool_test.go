package value

import (
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// TestPool: a number is that of one value, and the canonical value consists of such.
func TestPool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pools := []*Pool{NewPool(), NewPool()}
		vals := rapid.SliceOfN(rapid.Custom(value), 1, 12).Draw(t, "values")
		for _, p := range pools {
			numbers := map[uint32]string{}
			texts := map[string]uint32{}
			for _, v := range vals {
				if n, ok := p.Find(v); ok && !SelfNumbered(n) && n != texts[naive(v)] && texts[naive(v)] != 0 {
					t.Fatalf("%s is found as %d", naive(v), n)
				}
				n, text := p.Number(v), naive(v)
				if other, ok := numbers[n]; ok && other != text {
					t.Fatalf("%s and %s have one number", other, text)
				}
				if other, ok := texts[text]; ok && other != n {
					t.Fatalf("%s has two numbers", text)
				}
				numbers[n], texts[text] = text, n
				if w := p.Value(n); naive(w) != text || Hash(w) != Hash(v) || p.Canonical(v) != w || p.Number(w) != n {
					t.Fatalf("%s stands for %s", naive(w), text)
				}
				if again, ok := p.Find(v); !ok || again != n {
					t.Fatalf("%s is not found", text)
				}
				checkParts(t, p, p.Value(n))
			}
		}
	})
}

// checkParts: what a canonical value consists of is canonical.
func checkParts(t *rapid.T, p *Pool, v Value) {
	m := memoOf(v)
	if m == nil {
		return
	}
	if m.numbered(p) == 0 {
		t.Fatalf("%s is not canonical", naive(v))
	}
	var parts []Value
	switch v := v.(type) {
	case *Set:
		parts = v.Elems
	case *Func:
		parts = append(append(parts, v.Keys...), v.Vals...)
	default:
		_, parts = Entries(v)
	}
	for _, part := range parts {
		checkParts(t, p, part)
	}
}

// TestPoolTogether: many number the same values at once, so that the table grows
// under them.
func TestPoolTogether(t *testing.T) {
	const most, workers = 3000, 4
	p := NewPool()
	var got [workers][]uint32
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range most {
				k := (i*7 + w*1000) % most
				n := p.Number(NewTuple(Int(-1-k), Int(k), NewTuple(Int(k))))
				if v := p.Value(n).(*Tuple); v.Elems[1] != Value(Int(k)) {
					t.Errorf("%d stands for %s", n, naive(v))
				}
			}
			for k := range most {
				got[w] = append(got[w], p.Number(NewTuple(Int(-1-k), Int(k), NewTuple(Int(k)))))
			}
		})
	}
	all.Wait()
	for w := range workers {
		for k := range most {
			if a, b := got[0][k], got[w][k]; a != b {
				t.Fatalf("%d and %d stand for one value", a, b)
			}
		}
	}
}
