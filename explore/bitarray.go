package explore

import (
	"math"
	"math/bits"
)

// bitsEach is how many bits are set for a state. With four or five bits of the array for each
// state, three would be best. With ten, six would be best and three would still do. Four lose
// little where there are few bits, and gain a lot where there are more.
const bitsEach = 4

// bitArray is a set of states, a Bloom filter: a state is in it if all its bits
// are set.
type bitArray struct {
	words   []uint64 // of all regions
	regions [regionCount]bitRegion
}

type bitRegion struct {
	words   []uint64
	count   int      // states
	set     int      // bits
	omitted float64  // states expected to have been taken for others
	_       [16]byte // keeps regions in different cache lines
}

// newBitArray returns an array of that many bytes, or a few more.
func newBitArray(bytes int64) *bitArray {
	each := int(max(1, (bytes+8*regionCount-1)/(8*regionCount)))
	b := &bitArray{words: make([]uint64, each*regionCount)}
	if 8*len(b.words) >= hugeArray {
		wantHuge(b.words)
	}
	for i := range b.regions {
		b.regions[i].words = b.words[i*each : (i+1)*each]
	}
	return b
}

func (b *bitArray) enter(c *chunk, region int) {
	r := &b.regions[region]
	s := &c.sorted
	for at, end := s.of(region); at < end; at++ {
		mistake := r.mistake()
		c.numbers[s.order[at]] = noState
		if r.add(s.hashes[at]) {
			c.numbers[s.order[at]] = 0
			r.omitted += missed(mistake)
			r.count++
		}
	}
}

// add sets the bits of a hash, and reports whether one of them was not set. The distance between
// them is a second hash, made of the first.
func (r *bitRegion) add(h uint64) (added bool) {
	h = mix(h)
	stride := mix(h) | 1
	for range bitsEach {
		h += stride
		bit, _ := bits.Mul64(h, uint64(len(r.words))*64)
		word, mask := &r.words[bit/64], uint64(1)<<(bit%64)
		if *word&mask == 0 {
			*word |= mask
			r.set++
			added = true
		}
	}
	return added
}

// fill returns the share of bits that are set.
func (r *bitRegion) fill() float64 { return float64(r.set) / float64(len(r.words)*64) }

// mistake returns the chance that a new state is taken for another: all its bits are set, or its
// hash is that of a state in the region.
func (r *bitRegion) mistake() float64 {
	f := r.fill()
	return min(f*f*f*f+math.Ldexp(float64(r.count), regionBits-64), 1)
}

func (b *bitArray) loss() Loss {
	l := Loss{Bits: bitsEach}
	for i := range b.regions {
		r := &b.regions[i]
		l.Fill += r.fill() / regionCount
		l.Mistake += r.mistake() / regionCount
		l.Omitted += r.omitted
	}
	l.Omitted += missed(l.Mistake) // after the last one that was not
	return l
}

func (b *bitArray) bytes() int64 { return int64(len(b.words)) * 8 }
