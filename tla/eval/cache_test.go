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
