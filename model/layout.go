package model

import "math/bits"

// layout packs a global state into words: for each process, in turn, the number
// of its local state and of its inbox, one above the other in one word; then, if
// need be, that of the environment. What is left of a word is shared out among
// its fields as room to grow.
type layout struct {
	fields []field  // local of 1, inbox of 1, local of 2, ..., environment
	width  int      // words
	locals []uint64 // masks out all but the local states
}

type field struct {
	word  int
	shift uint
	mask  uint64 // before shifting: the largest value
}

func (f *field) get(s []uint64) uint32 { return uint32(s[f.word] >> (f.shift & 63) & f.mask) }

// all is get for a field that may be wider.
func (f *field) all(s []uint64) uint64 { return s[f.word] >> (f.shift & 63) & f.mask }

// change replaces one value in s by another.
func (f *field) change(s []uint64, from, to uint32) { s[f.word] ^= f.place(from ^ to) }

// place returns a value in its place in the word.
func (f *field) place(value uint32) uint64 { return uint64(value) << (f.shift & 63) }

// newLayout returns a layout whose fields hold values below counts. If the local
// states are all known, their fields need no room to grow.
func newLayout(counts []int, allLocals bool) layout {
	need := make([]uint, len(counts))
	for i, n := range counts {
		need[i] = uint(max(1, bits.Len(uint(n-1))))
	}
	l := layout{fields: make([]field, len(counts))}
	for first := 0; first < len(need); l.width++ {
		last, used := first, uint(0)
		for last < len(need) && used+sum(need[last:min(last+2, len(need))]) <= 64 {
			used += sum(need[last:min(last+2, len(need))])
			last = min(last+2, len(need))
		}
		l.fillWord(first, need[first:last], 64-used, allLocals)
		first = last
	}
	l.locals = make([]uint64, l.width)
	for i := 0; i+1 < len(l.fields); i += 2 {
		f := l.fields[i]
		l.locals[f.word] |= f.mask << f.shift
	}
	return l
}

func sum(sizes []uint) (n uint) {
	for _, size := range sizes {
		n += size
	}
	return n
}

// fillWord lays fields, the first of them numbered first, into one word with
// spare bits to share out; inboxes grow faster, so they come first.
func (l *layout) fillWord(first int, need []uint, spare uint, allLocals bool) {
	size := append([]uint(nil), need...)
	for turn := 1; spare > 0; turn++ {
		for i := range size {
			if isInbox := (first+i)%2 == 1; spare > 0 && (isInbox || turn%2 == 0 && !allLocals) && size[i] < 32 {
				size[i]++
				spare--
			}
		}
		if turn > 64 {
			break // every field is as wide as a number can be
		}
	}
	shift := uint(0)
	for i, n := range size {
		l.fields[first+i] = field{word: l.width, shift: shift, mask: 1<<n - 1}
		shift += n
	}
}

func (l *layout) local(p int) *field { return &l.fields[2*p] }
func (l *layout) inbox(p int) *field { return &l.fields[2*p+1] }
func (l *layout) env() *field        { return &l.fields[len(l.fields)-1] }

// pair returns the field that holds the local state of a process and its inbox.
func (l *layout) pair(p int) field {
	local, inbox := l.local(p), l.inbox(p)
	return field{word: local.word, shift: local.shift, mask: local.mask | inbox.mask<<(inbox.shift-local.shift)}
}

// holds reports whether values below counts fit.
func (l *layout) holds(counts []int) bool {
	for i, n := range counts {
		if uint64(n-1) > l.fields[i].mask {
			return false
		}
	}
	return true
}

// repack writes to dst, in layout l, the state that src is in layout old.
func (l *layout) repack(old *layout, dst, src []uint64) {
	clear(dst)
	for i := range l.fields {
		l.fields[i].change(dst, 0, old.fields[i].get(src))
	}
}
