package spec

// IsRing reports whether a ring names each of the processes 1 to n once.
func IsRing(ring []ID, n int) bool {
	var named Set
	for _, id := range ring {
		if id < 1 || int(id) > n || id > MaxID || named.Has(id) {
			return false
		}
		named = named.With(id)
	}
	return named.Len() == n
}

// NextOnRing returns the first member of s after p in ring order, or p itself
// if s has no other.
func NextOnRing(ring []ID, p ID, s Set) ID {
	at := 0
	for ring[at] != p {
		at++
	}
	for k := 1; k < len(ring); k++ {
		if q := ring[(at+k)%len(ring)]; s.Has(q) {
			return q
		}
	}
	return p
}
