package explore

import (
	"encoding/binary"
	"math"
)

// printBits is how many bits of its hash are the fingerprint of a state. In a search of a billion
// states, seven others are expected to be omitted; of a thousand searches of ten million states,
// not one is expected to omit any.
const printBits = bucketBits + 8*entryBytes

const (
	bucketBits  = 16 // which need not be stored
	bucketCount = 1 << bucketBits
	entryBytes  = 5
)

// fingerprints is a set of fingerprints. The lowest bucketBits bits of a fingerprint are the number of
// its bucket, which stores the other bits. The lowest regionBits bits are the region, as in the
// Hash of the state. All others are those of the Hash mixed once more: the Hashes of some states
// that differ little share too many bits.
type fingerprints struct {
	bits    uint // in a fingerprint; tests make it small
	buckets [bucketCount]bucket
	regions [regionCount]fingerprintRegion
}

// fingerprintRegion counts the fingerprints of a region.
type fingerprintRegion struct {
	count   int
	bytes   int64
	omitted float64  // states expected to have been taken for others
	_       [40]byte // keeps regions in different cache lines
}

func newFingerprints(bits uint) *fingerprints { return &fingerprints{bits: bits} }

func (p *fingerprints) enter(c *chunk, region int) {
	r := &p.regions[region]
	space := math.Ldexp(1, int(p.bits)-regionBits)
	s := &c.sorted
	for at, end := s.of(region); at < end; at++ {
		print := (mix(s.hashes[at])&^(regionCount-1) | uint64(region)) & (1<<p.bits - 1)
		b := &p.buckets[print%bucketCount]
		held := len(b.entries)
		c.numbers[s.order[at]] = noState
		if b.add(max(print>>bucketBits, 1)) {
			c.numbers[s.order[at]] = 0
			r.omitted += missed(float64(r.count) / space)
			r.count++
			r.bytes += int64(len(b.entries) - held)
		}
	}
}

// missed returns how many states are expected to be omitted before the next one that is not, if
// each is omitted with the given chance.
func missed(chance float64) float64 { return chance / max(1-chance, 1e-18) }

func (p *fingerprints) loss() Loss {
	l := Loss{Bits: int(p.bits)}
	count := 0
	for i := range p.regions {
		l.Omitted += p.regions[i].omitted
		count += p.regions[i].count
	}
	l.Fill = math.Ldexp(float64(count), -int(p.bits))
	l.Mistake = l.Fill
	l.Omitted += missed(l.Mistake) // after the last one that was not
	return l
}

func (p *fingerprints) bytes() int64 {
	const bucketBytes = 32
	n := int64(bucketCount * bucketBytes)
	for i := range p.regions {
		n += p.regions[i].bytes
	}
	return n
}

// bucket is a table with open addressing, of entries of entryBytes bytes. An entry of 0 is free.
type bucket struct {
	entries []byte
	count   int
}

// add adds a value that is not 0, and reports whether it is new.
func (b *bucket) add(print uint64) bool {
	if b.entries == nil {
		b.grow(8)
	}
	slot, found := b.find(print)
	if found {
		return false
	}
	if size := len(b.entries) / entryBytes; b.count+1 > size-size/8 {
		b.grow(size + size/4)
		slot, _ = b.find(print)
	}
	b.put(slot, print)
	b.count++
	return true
}

// find returns the slot of an entry, or the free one where it belongs. A search begins at a slot
// that grows with the entry, so that grow goes through memory in order.
func (b *bucket) find(print uint64) (slot int, found bool) {
	size := len(b.entries) / entryBytes
	for slot = int(print * uint64(size) >> (8 * entryBytes)); ; slot++ {
		if slot >= size {
			slot = 0
		}
		switch b.at(slot) {
		case 0:
			return slot, false
		case print:
			return slot, true
		}
	}
}

func (b *bucket) at(slot int) uint64 {
	e := b.entries[slot*entryBytes:][:entryBytes]
	return uint64(binary.LittleEndian.Uint32(e)) | uint64(e[4])<<32
}

func (b *bucket) put(slot int, print uint64) {
	e := b.entries[slot*entryBytes:][:entryBytes]
	binary.LittleEndian.PutUint32(e, uint32(print))
	e[4] = byte(print >> 32)
}

func (b *bucket) grow(size int) {
	old := *b
	b.entries = make([]byte, size*entryBytes)
	for slot := range len(old.entries) / entryBytes {
		if print := old.at(slot); print != 0 {
			free, _ := b.find(print)
			b.put(free, print)
		}
	}
}
