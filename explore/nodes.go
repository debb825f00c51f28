package explore

import (
	"iter"
	"math/bits"
	"slices"
)

// nodes is a set of numbers below a limit. The rank of a number is how many smaller ones the set
// has. The set takes a bit and a half for each number below the limit, or is a list if it was
// made of few numbers.
type nodes struct {
	limit int
	words []uint64
	ranks []uint32 // of the first bit of each word
	count int
	few   []int // in place of words
}

func newNodes(limit int) *nodes {
	words := (limit + 63) / 64
	return &nodes{limit: limit, words: make([]uint64, words), ranks: make([]uint32, words)}
}

// fewNodes is the set of the given numbers. None may be added.
func fewNodes(limit int, numbers []int) *nodes {
	slices.Sort(numbers)
	return &nodes{limit: limit, few: numbers, count: len(numbers)}
}

// nodeBytes is what a set of numbers below a limit takes.
func nodeBytes(limit int) int64 { return int64(limit) * 3 / 16 }

// listed is how many numbers the function that numbers returns holds in memory of its own.
func (s *nodes) listed() int {
	if s.words == nil || s.count == s.limit {
		return 0
	}
	return s.count
}

// allNodes is the set of all numbers below a limit.
func allNodes(limit int) *nodes {
	s := newNodes(limit)
	for n := range limit {
		s.add(n)
	}
	s.settle()
	return s
}

// add adds a number. The ranks are known again after settle.
func (s *nodes) add(n int) { s.words[n/64] |= 1 << (n % 64) }

func (s *nodes) drop(n int) { s.words[n/64] &^= 1 << (n % 64) }

func (s *nodes) has(n int) bool {
	if s.words == nil {
		_, found := slices.BinarySearch(s.few, n)
		return found
	}
	return s.words[n/64]>>(n%64)&1 != 0
}

// settle computes the ranks, and how many numbers there are.
func (s *nodes) settle() {
	s.count = 0
	for i, w := range s.words {
		s.ranks[i] = uint32(s.count)
		s.count += bits.OnesCount64(w)
	}
}

// rank returns how many numbers of the set are below n.
func (s *nodes) rank(n int) int {
	if s.words == nil {
		rank, _ := slices.BinarySearch(s.few, n)
		return rank
	}
	return int(s.ranks[n/64]) + bits.OnesCount64(s.words[n/64]&(1<<(n%64)-1))
}

// all yields the numbers, the smallest first.
func (s *nodes) all() iter.Seq[int] {
	if s.words == nil {
		return slices.Values(s.few)
	}
	return func(yield func(int) bool) {
		for i, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// numbers returns a function that finds a number by its rank.
func (s *nodes) numbers() func(rank int) int {
	switch {
	case s.words == nil:
		return func(rank int) int { return s.few[rank] }
	case s.count == s.limit:
		return func(rank int) int { return rank }
	}
	list := make([]int, 0, s.count)
	for n := range s.all() {
		list = append(list, n)
	}
	return func(rank int) int { return list[rank] }
}
