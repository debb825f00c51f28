package compiled

import (
	"cmp"
	"math/bits"
	"slices"

	"interleave/explore"
)

// layout packs a global state into words: for each process, in turn, the numbers of its local
// state and of its inbox, and last that of the environment, if it has one. As a rule the two
// numbers of a process are side by side in one word. If it takes fewer words to have them in
// different ones, the layout is apart. What is left of a word is divided among its fields as
// room to grow.
type layout struct {
	fields []field  // local of 1, inbox of 1, local of 2, ..., environment
	width  int      // words
	locals []uint64 // the bits of the local states
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

// place returns a value at its place in the word.
func (f *field) place(value uint32) uint64 { return uint64(value) << (f.shift & 63) }

// newLayout returns a layout whose fields hold values below counts. If all local states are
// known, their fields need no room to grow. The processes are in order, or otherwise distributed
// so that all words have some room.
func newLayout(counts []int, allLocals, inOrder bool) layout {
	need := make([]uint, len(counts))
	for i, n := range counts {
		need[i] = uint(max(1, bits.Len(uint(n-1))))
	}
	words, apart := inTurn(need), false
	if even := evenly(need, len(words)); !inOrder && even != nil {
		words = even
	}
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

// inTurn distributes fields that need that many bits over words in order, with the two fields of
// a process in the same word.
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

// evenly distributes fields over n words so that all words have some room left, and the two
// fields of a process are in the same one: the largest pair first, each into the word with the
// most room. It returns nil if they do not fit in this way.
func evenly(need []uint, n int) [][]int {
	words, used := make([][]int, n), make([]uint, n)
	pairs := slices.Collect(slices.Chunk(allFields(need), 2))
	together := func(pair []int) (sum uint) {
		for _, i := range pair {
			sum += need[i]
		}
		return sum
	}
	slices.SortStableFunc(pairs, func(a, b []int) int { return cmp.Compare(together(b), together(a)) })
	for _, pair := range pairs {
		w := slices.Index(used, slices.Min(used))
		if used[w] += together(pair); used[w] > 64 {
			return nil
		}
		words[w] = append(words[w], pair...)
	}
	return words
}

// firstFit distributes fields that need that many bits over words: the largest first, each into
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

// allFields returns the indices of the fields.
func allFields(need []uint) []int {
	all := make([]int, len(need))
	for i := range all {
		all[i] = i
	}
	return all
}

// fillWord places fields in a word and distributes the bits that are left. Inboxes, which grow
// faster, come first, and among these the longest, which go on growing.
func (l *layout) fillWord(word int, fields []int, need []uint, allLocals bool) {
	spare, size := uint(64), make([]uint, len(fields))
	for k, i := range fields {
		size[k] = need[i]
		spare -= need[i]
	}
	longest := allFields(size)
	slices.SortStableFunc(longest, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	for turn := 1; spare > 0 && turn <= 64; turn++ { // after 64 turns every field is as wide as a number can be
		for _, k := range longest {
			if isInbox := fields[k]%2 == 1; spare > 0 && (isInbox || turn%2 == 0 && !allLocals) && size[k] < 32 {
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

// repacking returns a function that packs the states of an old layout in this one. Fields that
// are shifted alike are moved together.
func (l *layout) repacking(old *layout) explore.Repack {
	type move struct {
		from, To int    // words
		left     int    // bits by which to rotate
		mask     uint64 // of the fields, in the old word
	}
	var moves []move
	for i, is := range l.fields {
		was := old.fields[i]
		m := move{was.word, is.word, int(is.shift) - int(was.shift), was.mask << was.shift}
		at := slices.IndexFunc(moves, func(o move) bool { return o.from == m.from && o.To == m.To && o.left == m.left })
		if at < 0 {
			moves = append(moves, m)
			continue
		}
		moves[at].mask |= m.mask
	}
	return func(dst, src []uint64) {
		clear(dst)
		for _, m := range moves {
			dst[m.To] |= bits.RotateLeft64(src[m.from]&m.mask, m.left)
		}
	}
}
