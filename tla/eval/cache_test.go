package eval

import (
	"math/rand/v2"
	"testing"

	"interleave/tla/value"
)

// TestCache: what is looked up by a key was put there by the same key, whatever took
// whose place; and a cache in which nothing is found takes a rest.
func TestCache(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	c := &cache{memory: &memory{Spec: &Spec{}}}
	put := map[things]value.Value{}
	hits, rests := 0, 0
	for i := range 100_000 {
		k := things{1 + r.Uint64N(27), r.Uint64N(9) << 32}
		if i > 50_000 {
			k.b = uint64(i)
		}
		if c.resting() {
			rests++
			continue
		}
		v := c.lookUp(k)
		if v != nil {
			hits++
		} else {
			c.missed()
		}
		if v != nil && v != put[k] {
			t.Fatalf("%v is worth %v, not %v", k, v, put[k])
		}
		put[k] = value.Int(i)
		c.put(k, put[k])
	}
	if hits < 40_000 || rests < 20_000 {
		t.Errorf("%d hits, %d times at rest", hits, rests)
	}
	blind := &cache{memory: c.memory}
	for range window {
		blind.missed()
	}
	if !blind.resting() {
		t.Error("a cache whose keys are not known does not rest")
	}
}

// TestVerdicts: a verdict that is known was put there for the same number, of a natural
// number or of a value of the pool.
func TestVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	of := (&memory{Spec: &Spec{}}).verdictsOf(3)
	put := map[uint32]bool{}
	for range 100_000 {
		n := uint32(r.IntN(5000))
		if r.IntN(2) == 0 {
			n, _ = value.NewPool().Find(value.Int(n))
		}
		known, holds := of.at(n)
		if was, ok := put[n]; known != ok || holds != was {
			t.Fatalf("of %x: known %t and holds %t; put was %t, %t", n, known, holds, ok, was)
		}
		if !known {
			put[n] = r.IntN(2) == 0
			of.put(n, put[n])
		}
	}
	large, _ := value.NewPool().Find(value.Int(mostNaturals))
	of.put(large, true)
	if known, _ := of.at(large); known {
		t.Error("verdicts are kept of natural numbers without bound")
	}
	if held := of.held.Load(); held != int64(len(of.pooled)+len(of.natural))*8 {
		t.Errorf("%d bytes are said to be held", held)
	}
}
