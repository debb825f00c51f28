package explore

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
