package model

import (
	"math/bits"

	"interleave/explore"
	"interleave/spec"
)

// row is what a process may do in one local state with one inbox, and all that
// the others need to know of it: an excerpt of the tables in the form that an
// expander reads. Each expander has its own.
type row struct {
	local, box uint32
	down       bool
	leader     spec.ID
	senders    spec.Set                 // of what is in the inbox
	held       [spec.MaxTimers]spec.Set // by timer: those whose expiry it makes unjustified
	offers     []offer
	receives   []stride
}

// oracleRow is what a row depends on if the handlers may ask who is live.
type oracleRow struct {
	process    int
	local, box uint32
	live       spec.Set
}

// stride is a move in one local state with one inbox.
type stride struct {
	action     explore.Action
	local, box uint32 // what changes in the two numbers, to be added modulo 2
	sends      []sending
	down       uint32 // the local state after a crash in the middle
	broken     uint64
	refused    bool
	odd        bool // one of the following
	beyond     bool
	panics     bool
}

// newStride returns the stride of a move that leaves rest as the inbox.
func newStride(r *row, m *move, rest uint32) stride {
	return stride{
		action: m.action, local: r.local ^ m.to, box: r.box ^ rest, sends: m.sends, down: m.down, broken: m.broken,
		refused: m.refused, odd: m.beyond || m.panic != "", beyond: m.beyond, panics: m.panic != "",
	}
}

// rows remembers rows of one process. Where the numbers are large one may push
// out another.
type rows struct {
	of    []*row // a power of two long
	shift uint   // bits of a slot that are of the local state
}

const leastRows, mostRows = 1 << 6, 1 << 16

func (m *rows) slot(local, box uint32) int { return int(box<<m.shift|local) & (len(m.of) - 1) }

func (m *rows) get(local, box uint32) *row {
	if len(m.of) > 0 {
		if r := m.of[m.slot(local, box)]; r != nil && r.local == local && r.box == box {
			return r
		}
	}
	return nil
}

// put remembers a row of a process of which so many local states are known.
func (m *rows) put(r *row, locals int) {
	shift := uint(bits.Len(uint(locals)))
	if need := int(r.box+1) << shift; shift != m.shift || need > len(m.of) && len(m.of) < mostRows {
		old := m.of
		m.shift = shift
		m.of = make([]*row, min(max(leastRows, 1<<bits.Len(uint(need))), mostRows))
		for _, r := range old {
			if r != nil {
				m.of[m.slot(r.local, r.box)] = r
			}
		}
	}
	m.of[m.slot(r.local, r.box)] = r
}

// mostAsks bounds how many rows are remembered of an algorithm with an Oracle.
const mostAsks = 1 << 17

// row returns the row of process i+1; nil if the tables lack something.
func (x *expander) row(i int, local, box uint32) *row {
	if x.sys.traits.Oracle {
		return x.rowNow(oracleRow{i, local, box, x.live})
	}
	r := x.memo[i].get(local, box)
	if r == nil {
		if r = x.compile(i, local, box); r != nil {
			x.memo[i].put(r, len(x.sys.tables[i].local))
		}
	}
	return r
}

func (x *expander) rowNow(key oracleRow) *row {
	r := x.asks[key]
	if r == nil {
		if r = x.compile(key.process, key.local, key.box); r != nil {
			if x.asks == nil || len(x.asks) == mostAsks {
				x.asks = map[oracleRow]*row{}
			}
			x.asks[key] = r
		}
	}
	return r
}

// compile makes a row of the tables.
func (x *expander) compile(i int, local, box uint32) *row {
	t := x.sys.tables[i]
	info, in := &t.local[local], &t.inbox[box]
	r := &row{
		local: local, box: box, down: info.Status == Down, leader: info.leader, senders: in.senders, offers: t.offers[local],
	}
	if info.Status != Up {
		return x.holding(r, info, in)
	}
	for k := range t.choices[box] {
		m, ok := x.delivered(t, local, t.choices[box][k].letter)
		if !ok {
			return nil
		}
		if t.moves[m].refused {
			continue
		}
		rest, ok := x.rest(t, box, k)
		if !ok {
			return nil
		}
		r.receives = append(r.receives, newStride(r, &t.moves[m], rest))
	}
	info = &t.local[local] // may have moved
	return x.holding(r, info, &t.inbox[box])
}

// holding fills in whose timers may not expire because of a live process.
func (x *expander) holding(r *row, info *localInfo, in *inboxInfo) *row {
	if !r.down {
		for timer := range x.sys.traits.Rules {
			r.held[timer] = in.holdsUp[timer] | info.owing[timer]
		}
	}
	return r
}
