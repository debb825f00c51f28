package tla

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"interleave/tla/value"
)

// symmetry is the group of permutations of model values that SYMMETRY generates. States
// that a permutation maps to one another count as one, represented by the least of them
// (C. N. Ip, D. L. Dill: Better verification through symmetry, 1996). This is sound if
// the specification does not distinguish the values. That is certain if no constant
// distinguishes them and there is no CHOOSE, since a formula of TLA+ has no other way
// to name a model value.
type symmetry struct {
	group []permutation // without the identity
}

// permutation maps model values to others. Missing ones stay.
type permutation map[value.Model]value.Model

// maxGroup bounds the number of permutations.
const maxGroup = 10_000

// newSymmetry returns the group that a set of functions generates.
func newSymmetry(set value.Value) (*symmetry, error) {
	if !value.IsSet(set) || !value.Finite(set) {
		return nil, fmt.Errorf("%s is no set of permutations", value.Brief(set))
	}
	var generators []permutation
	for _, f := range value.List(set) {
		p, err := permutationOf(f)
		if err != nil {
			return nil, err
		}
		generators = append(generators, p)
	}
	group := []permutation{{}}
	known := map[string]bool{fmt.Sprint(group[0]): true}
	for at := 0; at < len(group); at++ {
		for _, g := range generators {
			p := g.after(group[at])
			if name := fmt.Sprint(p); !known[name] {
				known[name] = true
				group = append(group, p)
			}
		}
		if len(group) > maxGroup {
			return nil, fmt.Errorf("it generates more than %d permutations", maxGroup)
		}
	}
	return &symmetry{group[1:]}, nil
}

func permutationOf(f value.Value) (permutation, error) {
	if _, ok := f.(*value.Func); !ok && !value.Same(f, value.Empty) {
		return nil, fmt.Errorf("%s is no permutation of model values", value.Brief(f))
	}
	keys, vals := value.Entries(f)
	p := permutation{}
	for i := range keys {
		from, ok := keys[i].(value.Model)
		to, ok2 := vals[i].(value.Model)
		if !ok || !ok2 || !slices.ContainsFunc(vals, func(v value.Value) bool { return value.Same(v, from) }) {
			return nil, fmt.Errorf("%s is no permutation of model values", value.Brief(f))
		}
		if from != to {
			p[from] = to
		}
	}
	return p, nil
}

// after is q, and then p.
func (p permutation) after(q permutation) permutation {
	r := permutation{}
	maps.Copy(r, p)
	for from, middle := range q {
		to, ok := p[middle]
		if !ok {
			to = middle
		}
		r[from] = to
	}
	maps.DeleteFunc(r, func(from, to value.Model) bool { return from == to })
	return r
}

func (p permutation) inverse() permutation {
	r := permutation{}
	for from, to := range p {
		r[to] = from
	}
	return r
}

// of applies the permutation to all model values in a value.
func (p permutation) of(v value.Value) value.Value { return p.by(v, p.of) }

// by is of, where part gives the image of each part of the value.
func (p permutation) by(v value.Value, part func(value.Value) value.Value) value.Value {
	switch v := v.(type) {
	case value.Model:
		if to, ok := p[v]; ok {
			return to
		}
	case *value.Tuple:
		if vals, other := value.Map(v.Elems, part); other {
			return value.NewTuple(vals...)
		}
	case *value.Record:
		if vals, other := value.Map(v.Vals, part); other {
			return value.SortedRecord(v.Names, vals)
		}
	case *value.Set:
		if vals, other := value.Map(v.Elems, part); other {
			return value.NewSet(vals)
		}
	case *value.Func:
		keys, other := value.Map(v.Keys, part)
		vals, other2 := value.Map(v.Vals, part)
		if other || other2 {
			return value.NewFunc(slices.Clone(keys), slices.Clone(vals))
		}
	}
	return v
}

// images has the images of values under the permutations, all by number.
type images struct {
	mu sync.RWMutex
	of [][]uint32 // by permutation and value; 0: not known
}

// image returns the image of a value under permutation k; 0 if it is not known.
func (m *images) image(k int, n uint32) uint32 {
	if value.SelfNumbered(n) {
		return n
	}
	if of := m.of[k]; int(n) < len(of) {
		return of[n]
	}
	return 0
}

// least returns the representative of a state under all permutations, and the
// permutation that leads there. It is the least by the numbers of its values: any order
// will do, if it stays the same.
func (s *system) least(vals []value.Value) (_ []value.Value, by permutation) {
	row := make([]uint32, len(vals))
	for i, v := range vals {
		row[i] = s.values.Number(v)
	}
	m := &s.images
	m.learn(s, row)
	m.mu.RLock()
	least := slices.Clone(row)
	for k := range m.of {
		for i, n := range row {
			if c := cmp.Compare(m.image(k, n), least[i]); c > 0 {
				break
			} else if c == 0 {
				continue
			}
			for j, n := range row {
				least[j] = m.image(k, n)
			}
			by = s.symmetry.group[k]
			break
		}
	}
	m.mu.RUnlock()
	if by == nil {
		return vals, nil
	}
	image := make([]value.Value, len(vals))
	for i, n := range least {
		image[i] = s.values.Value(n)
	}
	return image, by
}

// learn computes the images of some values.
func (m *images) learn(s *system, row []uint32) {
	m.mu.RLock()
	last := len(m.of) - 1
	unknown := last < 0 || slices.ContainsFunc(row, func(n uint32) bool { return m.image(last, n) == 0 })
	m.mu.RUnlock()
	if !unknown {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil {
		m.of = make([][]uint32, len(s.symmetry.group))
	}
	for k := range m.of {
		for _, n := range row {
			m.find(s, k, n)
		}
	}
}

// find computes the image under permutation k of a value, and of its parts.
func (m *images) find(s *system, k int, n uint32) uint32 {
	if image := m.image(k, n); image != 0 {
		return image
	}
	v := s.symmetry.group[k].by(s.values.Value(n), func(part value.Value) value.Value {
		return s.values.Value(m.find(s, k, s.values.Number(part)))
	})
	if more := int(n) + 1 - len(m.of[k]); more > 0 {
		m.of[k] = append(m.of[k], make([]uint32, more)...)
	}
	m.of[k][n] = s.values.Number(v)
	return m.of[k][n]
}

// moves reports whether some permutation changes a value.
func (s *symmetry) moves(v value.Value) bool {
	return slices.ContainsFunc(s.group, func(p permutation) bool { return !value.Same(p.of(v), v) })
}

// replays reports whether a trace is a run of the specification, which is certain
// unless there is doubt.
func (s *system) replays(t *Trace) (ok bool, err error) {
	among := func(want []value.Value, each func(yield func([]value.Value) bool) error) {
		if err != nil {
			return
		}
		ok = false
		err = each(func(vals []value.Value) bool {
			ok = slices.EqualFunc(vals, want, value.Same)
			return !ok
		})
	}
	ev := s.machine.Evaluator()
	among(t.States[0], ev.Initial)
	for i := 1; ok && i < len(t.States); i++ {
		among(t.States[i], func(yield func([]value.Value) bool) error {
			return ev.Next(t.States[i-1], func(_ int, next []value.Value) bool { return yield(next) })
		})
	}
	return ok, err
}
