package explore

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"interleave/internal/testsize"
)

// clashing returns states that, in the first packing, belong in the same slot
// of a filter and of any table that is no longer.
var clashing = sync.OnceValue(func() []uint64 {
	var states []uint64
	for s := uint64(0); len(states) < 32; s++ {
		if Hash([]uint64{s})%filterWords == 0 {
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
	batch   *batch
	packing int
	states  []uint64
	numbers map[uint64]int
}

func newRegister(packing, workers int) *register {
	st := newStore(packings[packing].width)
	b := newBatch(st, newPool(draw("", ""), workers), chunkStates)
	return &register{store: st, batch: b, packing: packing, numbers: map[uint64]int{}}
}

// add adds states, a chunk for each list, less those that are known; beyond
// most there is no room.
func (r *register) add(t rapid.TB, squeeze bool, most int, lists ...[]uint64) {
	r.batch.take(len(lists))
	room := true
	for i, c := range r.batch.chunks {
		c.reset(r.width)
		for _, s := range lists[i] {
			words := packings[r.packing].words(s)
			c.add(words, Hash(words))
			if _, known := r.numbers[s]; !known && len(r.states) < most {
				r.numbers[s] = len(r.states)
				r.states = append(r.states, s)
			} else if !known {
				room = false
			}
		}
		if !r.batch.inTurn {
			c.sort()
		}
	}
	before, foreseen := r.bytes(), r.batch.growth()
	if squeeze {
		if got := r.batch.squeeze(most, 1<<40); (got == Unfinished) != room {
			t.Fatalf("squeezed: %v", got)
		}
	} else if got := r.batch.commit(most); got != room {
		t.Fatalf("room for all: %v", got)
	}
	if r.bytes()-before > foreseen {
		t.Fatalf("%d bytes more, foreseen %d", r.bytes()-before, foreseen)
	}
}

func (r *register) pack(packing int) {
	from, to := packings[r.packing], packings[packing]
	r.packing = packing
	r.batch.repack(to.width, func(dst, src []uint64) { to.pack(dst, from.state(src)) })
}

// check looks at all states both ways.
func (r *register) check(t rapid.TB) {
	if r.count != len(r.states) {
		t.Fatalf("%d states, want %d", r.count, len(r.states))
	}
	held := 0
	for i := range r.regions {
		region := &r.regions[i]
		held += 4 * cap(region.slots)
		if filled := len(region.slots) - free(region.slots); filled != region.filled || filled > len(region.slots)/4*3 {
			t.Fatalf("region %d: %d of %d slots are filled, said to be %d", i, filled, len(region.slots), region.filled)
		}
	}
	for _, page := range r.pages {
		held += 8 * cap(page)
	}
	if int(r.bytes()) != held {
		t.Fatalf("%d bytes said to be held, of %d", r.bytes(), held)
	}
	p := packings[r.packing]
	var all []uint64
	for n, s := range r.states {
		words := p.words(s)
		all = append(all, words...)
		if got := r.state(n); len(got) != p.width || !equal(got, words) {
			t.Fatalf("state %d is %x, want %x", n, got, words)
		}
		if got := r.find(words, Hash(words)); got != n {
			t.Fatalf("state %d has number %d, want %d", s, got, n)
		}
	}
	for n, got := range r.findAll(all, nil) {
		if int(got) != n {
			t.Fatalf("one of all, state %d has number %d, want %d", r.states[n], got, n)
		}
	}
}

func free(slots []uint32) int {
	n := 0
	for _, entry := range slots {
		if entry == 0 {
			n++
		}
	}
	return n
}

func TestStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRegister(anyPacking().Draw(t, "packing"), rapid.SampledFrom([]int{1, 3}).Draw(t, "workers"))
		lists := rapid.SliceOfN(rapid.SliceOfN(clashes(), 0, 40), 1, 5)
		t.Repeat(map[string]func(*rapid.T){
			"":       func(t *rapid.T) { r.check(t) },
			"add":    func(t *rapid.T) { r.add(t, rapid.Bool().Draw(t, "squeeze"), maxStates, lists.Draw(t, "chunks")...) },
			"repack": func(t *rapid.T) { r.pack(anyPacking().Draw(t, "packing")) },
		})
		r.addUpTo(t, len(r.states)+rapid.IntRange(0, 9).Draw(t, "room"), lists.Draw(t, "chunks"))
	})
}

// addUpTo adds states up to a limit, the last thing that happens to a store:
// those that found no room must not be found.
func (r *register) addUpTo(t rapid.TB, most int, lists [][]uint64) {
	if most == 0 {
		return
	}
	r.add(t, false, most, lists...)
	for _, list := range lists {
		for _, s := range list {
			words := packings[r.packing].words(s)
			n, known := r.numbers[s]
			if got := r.find(words, Hash(words)); known && got != n || !known && got != -1 {
				t.Fatalf("state %d has number %d, want %d %v", s, got, n, known)
			}
			if got := r.findAll(words, []uint32{7}); len(got) != 2 || got[0] != 7 || known && int(got[1]) != n || !known && got[1] != noState {
				t.Fatalf("7 and state %d have numbers %d, want %d %v", s, got, n, known)
			}
		}
	}
}

// TestPages fills several pages, and repacks them.
func TestPages(t *testing.T) {
	testsize.Alone(t)
	for _, states := range []uint64{pageStates - 1, pageStates, pageStates + 1, 2*pageStates + 1} {
		r := newRegister(0, 3)
		all := make([]uint64, states)
		for s := range all {
			all[s] = uint64(s)
		}
		r.add(t, false, maxStates, slices.Collect(slices.Chunk(all, pageStates/8))...)
		for packing := range packings {
			r.pack(packing)
			r.add(t, false, maxStates, []uint64{0, states + uint64(packing)})
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
		c := newPool(draw("", ""), 1)
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

// TestGather: of the successors of some states, every one that was not met before
// becomes a candidate, whatever their width.
func TestGather(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newPool(draw("", ""), 1).workers[0]
		width := rapid.IntRange(1, 3).Draw(t, "width")
		var c chunk
		c.reset(width)
		w.filter.fit(width)
		met, kept, steps := map[[3]uint64]bool{}, 0, 0
		for range rapid.IntRange(1, 30).Draw(t, "states") {
			w.steps.follow(&w.several)
			for range rapid.IntRange(0, 8).Draw(t, "steps") {
				var s [3]uint64
				for k := range width {
					s[k] = rapid.Uint64Range(0, 3).Draw(t, "word")
				}
				w.steps.Add(0, s[:width])
				met[s] = true
				steps++
			}
			if w.several.take(&w.steps); rapid.Bool().Draw(t, "gather") {
				w.gather(&c)
			}
		}
		w.gather(&c)
		got := map[[3]uint64]bool{}
		for ; kept < len(c.hashes); kept++ {
			var s [3]uint64
			words := c.states[kept*width:][:width]
			copy(s[:], words)
			got[s] = true
			if c.hashes[kept] != Hash(words) {
				t.Fatalf("candidate %x has another hash", s)
			}
		}
		if !maps.Equal(got, met) || len(c.states) != kept*width || c.transitions != steps {
			t.Fatalf("%v by %d steps, want %v by %d", got, c.transitions, met, steps)
		}
	})
}
