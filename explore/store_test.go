package explore

import (
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// clashing returns states that, in the first packing, belong in the same slot
// of a filter and of any table that is no longer.
var clashing = sync.OnceValue(func() []uint64 {
	var states []uint64
	for s := uint64(0); len(states) < 32; s++ {
		if Hash([]uint64{s})%filterSize == 0 {
			states = append(states, s)
		}
	}
	return states
})

// clashes makes states of which many clash in the first packing, and many have
// the same hash in others.
func clashes() *rapid.Generator[uint64] {
	return rapid.OneOf(rapid.SampledFrom(clashing()), rapid.Uint64Range(0, 40))
}

// anyPacking makes indices into packings.
func anyPacking() *rapid.Generator[int] { return rapid.IntRange(0, len(packings)-1) }

// words packs a state.
func (p packing) words(s uint64) []uint64 {
	words := make([]uint64, p.width)
	p.pack(words, s)
	return words
}

// register is a store, and what it must hold.
type register struct {
	*store
	packing int
	states  []uint64
	numbers map[uint64]int
}

func newRegister(packing int) *register {
	return &register{store: newStore(packings[packing].width), packing: packing, numbers: map[uint64]int{}}
}

// add adds a state unless it is known.
func (r *register) add(t rapid.TB, s uint64) {
	words := packings[r.packing].words(s)
	h := Hash(words)
	n, _ := r.find(words, h)
	if want, known := r.numbers[s]; known != (n >= 0) || known && n != want {
		t.Fatalf("state %d has number %d, want %d %v", s, n, want, known)
	}
	if n < 0 {
		r.makeRoom(t)
		most := r.bytes() + r.room()
		_, slot := r.find(words, h)
		r.insert(words, h, slot)
		if r.bytes() > most || r.count > len(r.table)/4*3 {
			t.Fatalf("%d bytes, foreseen %d; %d states in a table of %d", r.bytes(), most, r.count, len(r.table))
		}
		r.numbers[s] = len(r.states)
		r.states = append(r.states, s)
	}
}

func (r *register) makeRoom(t rapid.TB) {
	most := r.bytes() + r.room()
	r.reserve()
	if r.bytes() > most || r.count+1 > len(r.table)/4*3 {
		t.Fatalf("%d bytes, foreseen %d; %d states in a table of %d", r.bytes(), most, r.count, len(r.table))
	}
}

func (r *register) pack(packing int) {
	from, to := packings[r.packing], packings[packing]
	r.packing = packing
	r.repack(to.width, func(dst, src []uint64) { to.pack(dst, from.state(src)) })
}

// check looks at all states both ways.
func (r *register) check(t rapid.TB) {
	if r.count != len(r.states) {
		t.Fatalf("%d states, want %d", r.count, len(r.states))
	}
	held := 4 * cap(r.table)
	for _, page := range r.pages {
		held += 8 * cap(page)
	}
	if int(r.bytes()) != held {
		t.Fatalf("%d bytes said to be held, of %d", r.bytes(), held)
	}
	p := packings[r.packing]
	for n, s := range r.states {
		words := p.words(s)
		if got := r.state(n); len(got) != p.width || !equal(got, words) {
			t.Fatalf("state %d is %x, want %x", n, got, words)
		}
		if got, _ := r.find(words, Hash(words)); got != n {
			t.Fatalf("state %d has number %d, want %d", s, got, n)
		}
	}
}

func TestStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRegister(anyPacking().Draw(t, "packing"))
		t.Repeat(map[string]func(*rapid.T){
			"":       func(t *rapid.T) { r.check(t) },
			"add":    func(t *rapid.T) { r.add(t, clashes().Draw(t, "state")) },
			"room":   func(t *rapid.T) { r.makeRoom(t) },
			"repack": func(t *rapid.T) { r.pack(anyPacking().Draw(t, "packing")) },
		})
	})
}

// TestPages fills several pages, and repacks them.
func TestPages(t *testing.T) {
	for _, states := range []uint64{pageStates - 1, pageStates, pageStates + 1, 2*pageStates + 1} {
		r := newRegister(0)
		for s := range states {
			r.add(t, s)
		}
		for packing := range packings {
			r.pack(packing)
			r.add(t, 0)
			r.add(t, states+uint64(packing))
			r.check(t)
		}
	}
}

// TestHash: all bits of all words count, and their order.
func TestHash(t *testing.T) {
	hashes := map[uint64][]uint64{}
	for width := 1; width <= 3; width++ {
		for bit := range 64 * width {
			words := make([]uint64, width)
			words[bit/64] = 1 << (bit % 64)
			h := Hash(words)
			if other, ok := hashes[h]; ok {
				t.Errorf("%x and %x have the same hash", words, other)
			}
			hashes[h] = words
		}
	}
}

// TestFilter: a filter may forget a state, but remembers no other.
func TestFilter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCrew(draw("", ""), 1)
		f := &c.workers[0].filter
		c.forget() // as each level does
		p := packings[anyPacking().Draw(t, "packing")]
		met := map[uint64]bool{}
		t.Repeat(map[string]func(*rapid.T){
			"meet": func(t *rapid.T) {
				s := clashes().Draw(t, "state")
				words := p.words(s)
				if f.seen(words, Hash(words)) && !met[s] {
					t.Fatalf("state %d was never met", s)
				}
				if !f.seen(words, Hash(words)) {
					t.Fatalf("state %d is forgotten at once", s)
				}
				met[s] = true
			},
			"forget": func(t *rapid.T) {
				p = packings[anyPacking().Draw(t, "packing")]
				c.forget()
				clear(met)
			},
		})
	})
}
