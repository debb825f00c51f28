package eval

import "interleave/tla/value"

// The truth of a condition about one thing takes two bits for each value of the thing.
// That is so little that all of them are kept.

// light is the least weight of a condition about one thing that is remembered.
const light = 4

// aboutOne returns the condition of c.reads, if it depends on one thing and is to be
// remembered by that; nil otherwise.
func (c *compiler) aboutOne() *remembered {
	r := &c.reads
	if c.spec.naive || c.init || r.open || r.unknown || r.weight < light || r.things() != 1 || len(c.spec.vars) == 1 {
		return nil
	}
	return c.note()
}

// truth looks up whether a condition about one thing holds before it computes it.
func (m *remembered) truth(t truth) truth {
	about := m.on[0]
	return func(e *env) bool {
		if e.memory == nil || m.off {
			return t(e)
		}
		n, ok := e.memory.values.Find(about.of(e)[about.at])
		if !ok {
			return t(e)
		}
		of := e.memory.verdictsOf(m.site)
		if known, holds := of.at(n); known {
			return holds
		}
		holds := t(e)
		of.put(n, holds)
		return holds
	}
}

// verdicts stores, by the numbers of values, whether it is known that a condition holds
// of the value, and whether it does.
type verdicts struct {
	*memory
	pooled, natural []uint64 // two bits for each number
}

// mostNaturals bounds the natural numbers for which verdicts are kept.
const mostNaturals = 1 << 16

func (m *memory) verdictsOf(site int) *verdicts {
	of := placed(&m.verdicts, site)
	if *of == nil {
		*of = &verdicts{memory: m}
	}
	return *of
}

// list returns where the verdict on the value with a number is kept.
func (of *verdicts) list(n uint32) (list *[]uint64, at int) {
	if value.SelfNumbered(n) {
		return &of.natural, int(value.Natural(n))
	}
	return &of.pooled, int(n)
}

func (of *verdicts) at(n uint32) (known, holds bool) {
	list, at := of.list(n)
	if at/32 >= len(*list) {
		return false, false
	}
	bits := (*list)[at/32] >> (at % 32 * 2)
	return bits&1 != 0, bits&2 != 0
}

func (of *verdicts) put(n uint32, holds bool) {
	list, at := of.list(n)
	if list == &of.natural && at >= mostNaturals {
		return
	}
	if need := at/32 + 1; need > len(*list) {
		if of.held.Load() >= maxBytes {
			return
		}
		longer := make([]uint64, need+need/2)
		of.held.Add(int64(len(longer)-len(*list)) * 8)
		copy(longer, *list)
		*list = longer
	}
	bits := uint64(1)
	if holds {
		bits = 3
	}
	(*list)[at/32] |= bits << (at % 32 * 2)
}
