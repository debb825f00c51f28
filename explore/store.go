package explore

import (
	"math/bits"

	"interleave/internal/hugepage"
)

// store holds whole states, numbered from 0 in the order of their insertion, and a hash table
// with open addressing that finds them. The table is divided into regions by the hash of a state.
// Each region is filled by one goroutine at a time, so as many goroutines as there are regions
// may fill the table without locks.
type store struct {
	width   int
	count   int
	pages   [][]uint64 // pageStates states each
	regions [regionCount]region
}

// region is a part of the table. A slot is 0 if it is free. Otherwise it has number+1 in the bits
// of low, and as many high bits of the hash in the bits above. Comparing those first avoids most
// looks at states other than the one sought.
type region struct {
	slots  []uint32 // a power of two long
	filled int
	low    uint32 // one less than a power of two
	moved  bool   // the slots have moved since the batch began

	touched uint64 // has what was read only to bring it into the cache
}

const (
	pageBits    = 14
	pageStates  = 1 << pageBits
	maxStates   = 1<<32 - 1<<26 // numbers have 32 bits, and candidates have provisional ones
	regionBits  = 6
	regionCount = 1 << regionBits
	regionStart = 1 << 5
	largeRegion = 1 << 13
	systemPage  = 1 << 12 // bytes, or a multiple
	hugeFrom    = 1 << 2  // the first page of states that is worth huge pages
	hugeArray   = 1 << 15 // bytes of the smallest array that is worth them
	lowStart    = 1<<12 - 1
)

func newStore(width int) *store {
	s := &store{width: width}
	for i := range s.regions {
		s.regions[i] = region{slots: make([]uint32, regionStart), low: lowStart}
	}
	return s
}

// state returns the words of state n, to be read only.
func (s *store) state(n int) []uint64 {
	at := (n & (pageStates - 1)) * s.width
	return s.pages[n>>pageBits][at : at+s.width : at+s.width]
}

// Hash mixes the words of a state. It is the same in every run.
func Hash(words []uint64) uint64 {
	last := len(words) - 1
	first := words[0]
	for _, w := range words[1:max(1, last)] {
		first = mix(first) ^ w
	}
	return hashNarrow(first, words[last])
}

// hashNarrow is the Hash of a state of two words. A state of one word is given twice.
func hashNarrow(first, last uint64) uint64 {
	hi, lo := bits.Mul64(mix(first)^last, 0xa0761d6478bd642f)
	return hi ^ lo
}

func mix(w uint64) uint64 {
	hi, lo := bits.Mul64(w^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// regionOf returns the number of the region in which a hash belongs.
func regionOf(h uint64) int { return int(h % regionCount) }

// home returns the slot where the search for a hash begins.
func (r *region) home(h uint64) uint32 { return uint32(h>>regionBits) & uint32(len(r.slots)-1) }

// touch reads the slot where the search for each hash begins. It does so in a loop of its own, so
// that the processor overlaps its waits for memory.
func (r *region) touch(hashes []uint64) {
	all := uint32(0)
	for _, h := range hashes {
		all |= r.slots[r.home(h)]
	}
	r.touched |= uint64(all)
}

// entry returns what the slot of a state with number n and hash h contains.
func (r *region) entry(n int, h uint64) uint32 { return uint32(h>>32)&^r.low | uint32(n+1) }

// number returns the number in an entry.
func (r *region) number(entry uint32) int { return int(entry&r.low) - 1 }

// find returns the number of a state, or -1. Several goroutines may call it while nobody inserts.
func (s *store) find(words []uint64, h uint64) int {
	r := &s.regions[regionOf(h)]
	for slot := r.seek(r.home(h), h); r.slots[slot] != 0; slot = r.seek(slot+1, h) {
		if n := r.number(r.slots[slot]); equal(s.state(n), words) {
			return n
		}
	}
	return -1
}

// findAll appends to out the numbers of consecutive states, noState for those that are not there.
// It looks up a few at a time, so that the processor overlaps its waits for memory. Several
// goroutines may call it while nobody inserts.
func (s *store) findAll(states []uint64, out []uint32) []uint32 {
	const few = 16
	var hashes [few]uint64
	var entries [few]uint32
	for len(states) > 0 {
		n := min(few, len(states)/s.width)
		for i := range n {
			h := Hash(states[i*s.width:][:s.width])
			r := &s.regions[regionOf(h)]
			hashes[i], entries[i] = h, r.slots[r.home(h)]
		}
		for i := range n {
			words, r := states[i*s.width:][:s.width], &s.regions[regionOf(hashes[i])]
			at := r.number(entries[i])
			if at < 0 || !r.fits(entries[i], hashes[i]) || !equal(s.state(at), words) {
				at = s.find(words, hashes[i])
			}
			out = append(out, uint32(at))
		}
		states = states[n*s.width:]
	}
	return out
}

// seek returns the first slot, from the given one on, that is free or that may be that of a state
// with hash h.
func (r *region) seek(slot uint32, h uint64) uint32 {
	last := uint32(len(r.slots) - 1)
	for slot &= last; r.slots[slot] != 0 && !r.fits(r.slots[slot], h); slot = (slot + 1) & last {
	}
	return slot
}

// fits reports whether the bits of a hash in the entry of a state are those of h.
func (r *region) fits(entry uint32, h uint64) bool { return (entry^uint32(h>>32))&^r.low == 0 }

func equal(a, b []uint64) bool {
	for i, w := range a {
		if w != b[i] {
			return false
		}
	}
	return true
}

// slotOf returns the slot that contains number n, of a state with hash h.
func (r *region) slotOf(n int, h uint64) uint32 {
	last := uint32(len(r.slots) - 1)
	slot := r.home(h)
	for r.number(r.slots[slot]) != n {
		slot = (slot + 1) & last
	}
	return slot
}

// full reports whether there is no room for one more state: at most three quarters of the slots
// of a region are filled.
func (r *region) full() bool { return r.filled+1 > len(r.slots)/4*3 }

// size returns how many slots the region has once that many more are filled.
func (r *region) size(more int) int {
	size := len(r.slots)
	for r.filled+more > size/4*3 {
		size = grown(size)
	}
	return size
}

// sizes returns how many slots each region should have if that many more are filled in each.
// Hashes fill all regions evenly, so large ones grow together: when one has to, those that are
// more than two thirds full do, too.
func (s *store) sizes(more int) (sizes [regionCount]int) {
	together := false
	for i := range s.regions {
		r := &s.regions[i]
		sizes[i] = r.size(more)
		together = together || len(r.slots) >= largeRegion && sizes[i] > len(r.slots)
	}
	for i := range s.regions {
		if r := &s.regions[i]; together && len(r.slots) >= largeRegion && r.filled > len(r.slots)/3*2 {
			sizes[i] = max(sizes[i], grown(len(r.slots)))
		}
	}
	return sizes
}

// grown returns the next size. A small region grows faster.
func grown(size int) int {
	if size < largeRegion {
		return 4 * size
	}
	return 2 * size
}

// widen makes room in the entries for numbers up to last, at the expense of bits of the hash.
func (r *region) widen(last int) {
	low := r.low
	for uint64(last)+1 > uint64(low) {
		low = 2*low + 1
	}
	if low == r.low {
		return
	}
	taken := low &^ r.low
	r.low = low
	for i := range r.slots {
		r.slots[i] &^= taken
	}
}

// newSlots returns free slots. It writes to each page of theirs before anybody reads it: a page
// that is read first and written later is mapped twice, and the second mapping makes the system
// flush what all processors know of the page.
func newSlots(size int) []uint32 {
	slots := make([]uint32, size)
	if 4*size >= hugeArray {
		hugepage.Want(slots)
	}
	for at := 0; at < size; at += systemPage / 4 {
		slots[at] = 0
	}
	return slots
}

// grow makes more slots; state returns the words of a state by its number. Entries are read,
// hashed and put a few at a time, so that the processor overlaps its waits for memory.
func (r *region) grow(state func(n int) []uint64) {
	const few = 32
	var entries [few]uint32
	var hashes [few]uint64
	old := r.slots
	r.slots, r.moved = newSlots(grown(len(old))), true
	for ; len(old) > 0; old = old[few:] {
		n := 0
		for _, entry := range old[:few] {
			entries[n] = entry
			if entry != 0 {
				n++
			}
		}
		for i, entry := range entries[:n] {
			hashes[i] = Hash(state(r.number(entry)))
		}
		for i, h := range hashes[:n] {
			r.slots[r.free(h)] = entries[i]
		}
	}
}

// enter puts number n, of a state with hash h, into a free slot and returns that. If the region
// has to grow, this is another slot than the given one.
func (r *region) enter(slot uint32, n int, h uint64, state func(n int) []uint64) uint32 {
	if r.full() {
		r.grow(state)
		slot = r.free(h)
	}
	r.slots[slot] = r.entry(n, h)
	r.filled++
	return slot
}

// lead moves the entry of a state with hash h from its slot to where the search for it begins,
// since the state met last is met most often. What was there goes to the slot, which the search
// for that passes too: last come, first served.
func (r *region) lead(slot uint32, h uint64) {
	home := r.home(h)
	r.slots[home], r.slots[slot] = r.slots[slot], r.slots[home]
}

// free returns the slot in which a state with hash h can be put.
func (r *region) free(h uint64) uint32 {
	last := uint32(len(r.slots) - 1)
	slot := r.home(h)
	for r.slots[slot] != 0 {
		slot = (slot + 1) & last
	}
	return slot
}

// addPages makes room for states numbered below count.
func (s *store) addPages(count int) {
	for len(s.pages)<<pageBits < count {
		s.pages = append(s.pages, newPage(len(s.pages), s.width))
	}
}

// newPage returns the page with a number, for states of the given width.
func newPage(number, width int) []uint64 {
	page := make([]uint64, pageStates*width)
	if number >= hugeFrom {
		hugepage.Want(page)
	}
	return page
}

// put writes the words of state n.
func (s *store) put(n int, words []uint64) {
	page := s.pages[n>>pageBits]
	at := (n & (pageStates - 1)) * s.width
	for i, w := range words {
		page[at+i] = w
	}
}

// pageGrowth is by how many bytes the store grows when it gets pages for count states.
func (s *store) pageGrowth(count int) int64 {
	pages := (count + pageStates - 1) >> pageBits
	return int64(max(0, pages-len(s.pages))) * s.pageBytes()
}

// slotGrowth is by how many bytes the store grows when its regions get slots of the given sizes.
func (s *store) slotGrowth(sizes [regionCount]int) (n int64) {
	for i, size := range sizes {
		n += int64(size-len(s.regions[i].slots)) * 4
	}
	return n
}

// bytes is the memory held.
func (s *store) bytes() int64 {
	n := int64(len(s.pages)) * s.pageBytes()
	for i := range s.regions {
		n += int64(len(s.regions[i].slots)) * 4
	}
	return n
}

func (s *store) pageBytes() int64 { return int64(pageStates * s.width * 8) }

// few is the largest number of states that are sorted by insertion.
const few = 24

// sort sorts the states numbered lo up to hi by their words, with all workers. Their numbers
// change, so the table is useless afterwards.
func (s *store) sort(c *pool, lo, hi int) {
	digit := 0
	for digit < s.width*8 {
		ends := s.distribute(lo, hi, digit)
		digit++
		if ends != nil {
			c.each(len(ends), func(_ *worker, b int) {
				s.sortFrom(before(ends, b, lo), ends[b], digit)
			})
			return
		}
	}
}

// before returns where bucket b begins.
func before(ends *[256]int, b, lo int) int {
	if b == 0 {
		return lo
	}
	return ends[b-1]
}

// sortFrom sorts states that are equal in all digits before the given one: a
// digit is a byte, the highest of the first word is number 0.
func (s *store) sortFrom(lo, hi, digit int) {
	for hi-lo > few && digit < s.width*8 {
		ends := s.distribute(lo, hi, digit)
		digit++
		if ends == nil {
			continue
		}
		for b := range ends {
			s.sortFrom(before(ends, b, lo), ends[b], digit)
		}
		return
	}
	for i := lo + 1; i < hi; i++ {
		for n := i; n > lo && compare(s.state(n), s.state(n-1)) < 0; n-- {
			s.swap(n, n-1)
		}
	}
}

// distribute puts states into buckets by a digit, and returns where each bucket
// ends; nil if all have the same digit.
func (s *store) distribute(lo, hi, digit int) *[256]int {
	var count [256]int
	word, shift := digit/8, 56-digit%8*8
	of := func(n int) byte { return byte(s.pages[n>>pageBits][(n&(pageStates-1))*s.width+word] >> shift) }
	for n := lo; n < hi; n++ {
		count[of(n)]++
	}
	if lo == hi || count[of(lo)] == hi-lo {
		return nil
	}
	var next, ends [256]int
	at := lo
	for b, n := range count {
		next[b] = at
		at += n
		ends[b] = at
	}
	for b := range next {
		for next[b] < ends[b] {
			home := of(next[b])
			if int(home) != b {
				s.swap(next[b], next[home])
			}
			next[home]++
		}
	}
	return &ends
}

func (s *store) swap(n, m int) {
	a, b := s.state(n), s.state(m)
	for i := range a {
		a[i], b[i] = b[i], a[i]
	}
}

// compare compares states by their words, the first one first.
func compare(a, b []uint64) int {
	for i, w := range a {
		if w != b[i] {
			if w < b[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}
