package dd

// Operations in the cache, numbered from 1. Those of the events follow.
const (
	opUnion = iota + 1
	opMinus
	opIntersect
	opSaturate
	opNews   // of depth 1
	opEvents = opNews + depthOfNews
)

// Union returns the vectors in a or b.
func (f *Forest) Union(a, b Set) Set {
	switch {
	case a == b || b == Empty:
		return a
	case a == Empty:
		return b
	case a > b:
		a, b = b, a
	}
	return f.apply(opUnion, a, b)
}

// Minus returns the vectors in a and not in b.
func (f *Forest) Minus(a, b Set) Set {
	switch {
	case a == b || a == Empty:
		return Empty
	case b == Empty:
		return a
	}
	return f.apply(opMinus, a, b)
}

// Intersect returns the vectors in both a and b.
func (f *Forest) Intersect(a, b Set) Set {
	switch {
	case a == b:
		return a
	case a == Empty || b == Empty:
		return Empty
	case a > b:
		a, b = b, a
	}
	return f.apply(opIntersect, a, b)
}

// apply combines two different sets, neither of them Empty.
func (f *Forest) apply(op uint32, a, b Set) Set {
	if f.err != nil { // nothing is remembered any more, so the rest would take forever
		return Empty
	}
	if s, ok := f.recall(op, uint32(a), uint32(b)); ok {
		return s
	}
	f.pin(a)
	f.pin(b)
	r := f.newRow()
	// The arcs may move while the children are combined, so this holds no slice of them.
	for i, k := uint32(0), uint32(0); ; {
		onlyA, onlyB := i < f.nodes[a].size, k < f.nodes[b].size
		if !onlyA && !onlyB {
			break
		}
		var x, y arc
		if onlyA {
			x = f.arcs[f.nodes[a].first+i]
		}
		if onlyB {
			y = f.arcs[f.nodes[b].first+k]
		}
		if onlyA && onlyB {
			onlyA, onlyB = x.value < y.value, y.value < x.value
		}
		value, child := x.value, Empty
		switch {
		case onlyA:
			i++
			if op != opIntersect {
				child = x.child
			}
		case onlyB:
			k++
			value = y.value
			if op == opUnion {
				child = y.child
			}
		default:
			i, k = i+1, k+1
			child = f.combine(op, x.child, y.child)
		}
		if child != Empty {
			r.arcs = append(r.arcs, arc{value, child})
		}
	}
	s := f.build(f.level(a), r)
	f.unpin()
	f.unpin()
	return f.remember(op, uint32(a), uint32(b), s)
}

func (f *Forest) combine(op uint32, a, b Set) Set {
	switch op {
	case opUnion:
		return f.Union(a, b)
	case opMinus:
		return f.Minus(a, b)
	case opIntersect:
		return f.Intersect(a, b)
	}
	return f.news(a, b, int(op-opNews))
}

// depthOfNews is how many levels down news separates new vectors from old ones. Sets that are
// separated farther down are smaller, but each occurs only once, so the cache helps less.
const depthOfNews = 3

// news returns a part of after that includes everything not in before, which is a subset of
// after. It is their difference down to a depth; below that, all of a set that differs.
func (f *Forest) news(after, before Set, depth int) Set {
	switch {
	case after == before:
		return Empty
	case before == Empty || depth == 0:
		return after
	}
	return f.apply(opNews+uint32(depth)-1, after, before)
}

// gather sorts the arcs of a row and unites those with the same value.
func (f *Forest) gather(r *row) {
	sortArcs(r.arcs)
	kept := 0
	for i := 1; i < len(r.arcs); i++ {
		if r.arcs[i].value == r.arcs[kept].value {
			r.arcs[kept].child = f.Union(r.arcs[kept].child, r.arcs[i].child)
			continue
		}
		kept++
		r.arcs[kept] = r.arcs[i]
	}
	if len(r.arcs) > 0 {
		r.arcs = r.arcs[:kept+1]
	}
}
