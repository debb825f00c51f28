package explore

import "math/bits"

// store holds states whole, numbered from 0 in the order of their insertion,
// and finds them again through a table with open addressing. An entry of the
// table is 0 where free, else number+1 in as many low bits as the table's
// length has; the bits above hold as many high bits of the hash, which spare
// most looks at states that are not the one sought.
type store struct {
	width int
	count int
	pages [][]uint64 // pageStates states each
	table []uint32   // a power of two long, at most three quarters full
}

const (
	pageBits   = 14
	pageStates = 1 << pageBits
	maxStates  = 1<<32 - 2 // numbers are 32 bits, 0 marks a free slot
	tableStart = 1 << 12
)

func newStore(width int) *store {
	return &store{width: width, table: make([]uint32, tableStart)}
}

// state returns the words of state n, to be read only.
func (s *store) state(n int) []uint64 {
	at := (n & (pageStates - 1)) * s.width
	return s.pages[n>>pageBits][at : at+s.width : at+s.width]
}

// Hash mixes the words of a state. It is the same in every run.
func Hash(words []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range words {
		hi, lo := bits.Mul64(h^w, 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	return h ^ h>>32
}

// find returns the number of the state, or -1 and the free slot where it
// belongs. Safe to call from several goroutines while nobody inserts.
func (s *store) find(words []uint64, h uint64) (n int, slot uint64) {
	mask := uint64(len(s.table) - 1)
	for slot = h & mask; ; slot = (slot + 1) & mask {
		entry := s.table[slot]
		if entry == 0 {
			return -1, slot
		}
		if n, ok := s.holds(entry, words, h); ok {
			return n, slot
		}
	}
}

// holds returns the number in an entry, and whether it is that of the state.
func (s *store) holds(entry uint32, words []uint64, h uint64) (int, bool) {
	low := uint32(len(s.table) - 1)
	if (entry^uint32(h>>32))&^low != 0 {
		return 0, false
	}
	n := int(entry&low) - 1
	return n, equal(s.state(n), words)
}

func (s *store) entry(n int, h uint64) uint32 {
	low := uint32(len(s.table) - 1)
	return uint32(h>>32)&^low | uint32(n+1)
}

// first appends for each hash the entry where the search for it begins.
func (s *store) first(out []uint32, hashes []uint64) []uint32 {
	mask := uint64(len(s.table) - 1)
	for _, h := range hashes {
		out = append(out, s.table[h&mask])
	}
	return out
}

func equal(a, b []uint64) bool {
	for i, w := range a {
		if w != b[i] {
			return false
		}
	}
	return true
}

// insert adds a state that find did not find, at the slot that it returned.
func (s *store) insert(words []uint64, h, slot uint64) {
	page := s.count >> pageBits
	if page == len(s.pages) {
		s.pages = append(s.pages, make([]uint64, 0, pageStates*s.width))
	}
	s.pages[page] = append(s.pages[page], words...)
	s.table[slot] = s.entry(s.count, h)
	s.count++
}

// room is the memory, in bytes, that must be at hand before one more state is
// inserted; 0 if there is a place for it.
func (s *store) room() int64 {
	var need int64
	if s.count>>pageBits == len(s.pages) {
		need = int64(pageStates * s.width * 8)
	}
	if s.full() {
		need += int64(2*len(s.table)) * 4
	}
	return need
}

// full reports whether the table has no place for one more state: it is kept
// at most three quarters full.
func (s *store) full() bool { return s.count+1 > len(s.table)/4*3 }

// reserve makes a place in the table for one more state.
func (s *store) reserve() {
	if s.full() {
		s.rehash(2 * len(s.table))
	}
}

func (s *store) rehash(size int) {
	s.table = make([]uint32, size)
	mask := uint64(size - 1)
	for n := range s.count {
		h := Hash(s.state(n))
		slot := h & mask
		for s.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		s.table[slot] = s.entry(n, h)
	}
}

// repack rewrites every state in place of the old ones, keeping its number.
func (s *store) repack(width int, repack Repack) {
	words := make([]uint64, width)
	for i, old := range s.pages {
		page := make([]uint64, 0, pageStates*width)
		for at := 0; at < len(old); at += s.width {
			repack(words, old[at:at+s.width])
			page = append(page, words...)
		}
		s.pages[i] = page
	}
	s.width = width
	s.rehash(len(s.table))
}

// bytes is the memory held.
func (s *store) bytes() int64 {
	return int64(len(s.pages))*int64(pageStates*s.width*8) + int64(len(s.table))*4
}
