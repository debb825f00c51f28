package model

import (
	"cmp"
	"math/bits"
	"slices"
)

// layout packs a global state into words: for each process, in turn, the number
// of its local state and of its inbox, one above the other in one word; then, if
// need be, that of the environment. Where fewer words would do if the two were in
// different ones, they may be: then the layout is apart. What is left of a word is
// shared out among its fields as room to grow.
type layout struct {
	fields []field  // local of 1, inbox of 1, local of 2, ..., environment
	width  int      // words
	locals []uint64 // masks out all but the local states
	apart  bool
}

type field struct {
	word  int
	shift uint
	mask  uint64 // before shifting: the largest value
}

func (f *field) get(s []uint64) uint32 { return uint32(s[f.word] >> (f.shift & 63) & f.mask) }

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
	words, apart := inTurn(need), false
	if few := firstFit(need); len(few) < len(words) {
		words, apart = few, true
	}
	l := layout{fields: make([]field, len(counts)), width: len(words), apart: apart}
	for w, fields := range words {
		l.fillWord(w, fields, need, allLocals)
	}
	l.locals = make([]uint64, l.width)
	for i := 0; i+1 < len(l.fields); i += 2 {
		f := l.fields[i]
		l.locals[f.word] |= f.mask << f.shift
	}
	return l
}

// inTurn shares out fields of so many bits among words, in their order, those of a
// process together.
func inTurn(need []uint) (words [][]int) {
	room := uint(0)
	for pair := range slices.Chunk(allFields(need), 2) {
		together := uint(0)
		for _, i := range pair {
			together += need[i]
		}
		if together > room {
			words, room = append(words, nil), 64
		}
		last := len(words) - 1
		words[last] = append(words[last], pair...)
		room -= together
	}
	return words
}

// firstFit shares out fields of so many bits among words: the largest first, each into
// the first word that has room for it.
func firstFit(need []uint) (words [][]int) {
	largest := allFields(need)
	slices.SortStableFunc(largest, func(a, b int) int { return cmp.Compare(need[b], need[a]) })
	var room []uint
	for _, i := range largest {
		w := slices.IndexFunc(room, func(room uint) bool { return room >= need[i] })
		if w < 0 {
			w, words, room = len(room), append(words, nil), append(room, 64)
		}
		words[w] = append(words[w], i)
		room[w] -= need[i]
	}
	return words
}

// allFields returns the indices of fields of so many bits.
func allFields(need []uint) []int {
	all := make([]int, len(need))
	for i := range all {
		all[i] = i
	}
	return all
}

// fillWord lays fields into a word and shares out the bits that they leave; inboxes
// grow faster, so they come first.
func (l *layout) fillWord(word int, fields []int, need []uint, allLocals bool) {
	spare, size := uint(64), make([]uint, len(fields))
	for k, i := range fields {
		size[k] = need[i]
		spare -= need[i]
	}
	for turn := 1; spare > 0 && turn <= 64; turn++ { // by then every field is as wide as a number can be
		for k, i := range fields {
			if isInbox := i%2 == 1; spare > 0 && (isInbox || turn%2 == 0 && !allLocals) && size[k] < 32 {
				size[k]++
				spare--
			}
		}
	}
	shift := uint(0)
	for k, i := range fields {
		l.fields[i] = field{word: word, shift: shift, mask: 1<<size[k] - 1}
		shift += size[k]
	}
}

func (l *layout) local(p int) *field { return &l.fields[2*p] }
func (l *layout) inbox(p int) *field { return &l.fields[2*p+1] }
func (l *layout) env() *field        { return &l.fields[len(l.fields)-1] }

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
