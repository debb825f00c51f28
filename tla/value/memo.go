package value

// The limits of one value: how many elements of a set are spelt out, how large a
// value may be, in values of which it consists, how deeply these may be nested, and
// how long a string may be, in bytes.
const (
	MaxElements = 1_000_000
	MaxSize     = 1 << 25
	MaxNesting  = 10_000
	MaxText     = 1 << 20
)

// extent is how large a value is. It is known when the value is made, so that
// nothing grows beyond the limits, not even what shares its parts: to walk through
// a value takes MaxSize steps at most, and MaxNesting calls.
type extent struct {
	size  int32
	depth int32
}

// memo is the extent of a value and, once somebody has asked, its hash and its number.
type memo struct {
	extent
	hash   uint64 // 0: nobody has; read and written by atomic operations
	number uint64 // in a Pool, whose id it begins with, if the value is canonical; likewise
}

func (x extent) of() extent { return x }

// measured is what knows its extent.
type measured interface{ of() extent }

// measure returns the memo of a value that consists of others.
func measure(a, b []Value) memo {
	var x extent
	for _, v := range a {
		x.add(v)
	}
	for _, v := range b {
		x.add(v)
	}
	x.close()
	return memo{extent: x}
}

// grow returns the extent of a set made of others and not spelt out.
func grow(parts ...Value) extent {
	var x extent
	for _, v := range parts {
		x.add(v)
	}
	x.close()
	return x
}

func (x *extent) add(v Value) {
	part := extent{1, 0}
	switch v := v.(type) {
	case Bool, Int, Model:
	case *Tuple:
		part = v.extent
	case *Record:
		part = v.extent
	case *Set:
		part = v.extent
	case measured:
		part = v.of()
	case String:
		part.size += int32(len(v) / 16)
	}
	if x.size += part.size; x.size > MaxSize {
		fail("a value grows too large: it consists of more than %d others", MaxSize)
	}
	x.depth = max(x.depth, part.depth)
}

func (x *extent) close() {
	x.size++
	if x.depth++; x.depth > MaxNesting {
		fail("a value is nested more than %d deep", MaxNesting)
	}
}

// width returns of how many values an element of a set that is not spelt out
// consists, or fewer.
func width(v Value) int {
	switch s := v.(type) {
	case *Subsets:
		n, _ := Size(s.Of)
		return n / 2
	case *Functions:
		n, _ := Size(s.From)
		return n
	case *Records:
		return len(s.Sets)
	case *Product:
		return len(s.Factors)
	}
	return 1
}
