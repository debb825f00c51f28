// Package numbering numbers values from 0, in the order in which they are first met.
package numbering

// Of numbers values of a type. Its zero value has none.
type Of[T comparable] struct {
	numbers map[T]uint32
	Values  []T // by number
}

// Number returns the number of v, and whether it is new.
func (n *Of[T]) Number(v T) (number uint32, isNew bool) {
	if number, ok := n.numbers[v]; ok {
		return number, false
	}
	if n.numbers == nil {
		n.numbers = map[T]uint32{}
	}
	number = uint32(len(n.Values))
	n.numbers[v] = number
	n.Values = append(n.Values, v)
	return number, true
}

// Find returns the number of v, if it has one.
func (n *Of[T]) Find(v T) (number uint32, found bool) {
	number, found = n.numbers[v]
	return number, found
}
