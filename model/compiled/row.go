package compiled

import (
	"math/bits"
	"sync/atomic"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// row is what a process may do in one local state with one inbox: an excerpt of the tables in the
// form that an expander reads. Each expander has its own rows, which fit one layout.
type row struct {
	pair     uint64   // the number of the local state, and above it that of the inbox
	live     spec.Set // the process, unless it is down
	view     uint64   // at its place in a number that has the views of all processes; 0 if these do not fit
	busy     int      // 1 if there are steps or internal actions, else 0
	box      uint32
	local    uint32
	steps    []rowStep     // what may happen whatever the rest of the state is; after the internal actions
	internal []rowInternal // what may happen if the world lets it
	status   model.Status
	unseen   bool // in a reduction: none of its steps changes what the watches look at

	outstanding *blocks // of the messages that have not come yet, if some have come and are refused; else nil
}

// rowInternal is an internal action of the local state of a row, and its move.
type rowInternal struct {
	number int32 // of the internal action
	move   int32 // number plus 1, or unlearned
}

// oracleRow is a row of an algorithm with an Oracle. It depends on who is live, as the handlers
// may ask.
type oracleRow struct {
	row     *row
	process int
	live    spec.Set
}

// rowStep is a move in one local state with one inbox.
type rowStep struct {
	action  explore.Action
	change  uint64 // of the pair, at its place in the word: bits to be flipped
	to      int32  // the receiver of the only message, less 1; or nobody or several
	message uint32
	move    *Move
}

// The receivers of a rowStep, if it is not one other process.
const (
	nobody  = -1
	several = -2 // or the step is unusual in another way
)

// rows remembers rows of one process, close together in memory. If the numbers are large, one row
// may replace another.
type rows struct {
	of    []*row // a power of two long
	shift uint   // bits of a place that the local state has for itself
	boxes int    // that the shift is for
}

const leastRows, mostRows = 1 << 6, 1 << 16

func (m *rows) place(local, box uint32) int { return int(box<<(m.shift&31)^local) & (len(m.of) - 1) } // past the end if m.of is empty

// put returns where a row of a process with that many known local states belongs.
func (m *rows) put(local, box uint32, locals int) **row {
	m.boxes = max(m.boxes, 1<<bits.Len32(box))
	shift := uint(bits.Len(uint(locals - 1)))
	need := m.boxes << shift
	if need > mostRows {
		shift = uint(bits.Len(uint(mostRows/min(mostRows, m.boxes))) - 1)
	}
	if shift != m.shift || need > len(m.of) && len(m.of) < mostRows {
		before := m.of
		m.of, m.shift = make([]*row, min(max(leastRows, need, len(before)), mostRows)), shift
		for _, r := range before {
			if r != nil {
				m.of[m.place(r.local, r.box)] = r
			}
		}
	}
	return &m.of[m.place(local, box)]
}

// mostOracleRows is how many rows are remembered of an algorithm with an Oracle, each at a place
// that is computed from what it depends on.
const mostOracleRows = 1 << 16

// rowMaker makes rows of what is learned, and remembers them.
type rowMaker struct {
	reader
	sys        *System
	lanes      [model.MaxN]lane // by process
	oracleRows []oracleRow      // of an algorithm with an Oracle
	fitted     int              // the version of the layout that the lanes fit
	rowBytes   atomic.Int64     // approximately, of the rows that are remembered
}

// row makes the row of process i+1 and remembers it; nil if the tables lack something.
func (x *rowMaker) row(i int, pair uint64) *row {
	if x.traits.Oracle {
		return x.rowNow(i, pair)
	}
	lane := &x.lanes[i]
	place := lane.rows.put(uint32(pair&lane.local.mask), uint32(pair>>lane.bits), len(x.tables[i].Info))
	r, before := *place, (*place).bytes()
	if r == nil {
		r = new(row)
	}
	if *place = r; !x.compile(i, pair, r) {
		*place, r = nil, nil
	}
	x.rowBytes.Add(r.bytes() - before)
	return r
}

func (x *rowMaker) rowNow(i int, pair uint64) *row {
	if x.oracleRows == nil {
		x.oracleRows = make([]oracleRow, mostOracleRows)
	}
	place := (pair*0x9e3779b97f4a7c15 + uint64(x.live)*0xd6e8feb86659fd93 + uint64(i)*0xa0761d6478bd642f) >> 32
	r := &x.oracleRows[place%uint64(len(x.oracleRows))]
	if r.row == nil || r.row.pair != pair || r.process != i || r.live != x.live {
		made := new(row) // since the state that is expanded may have the one that was there
		if !x.compile(i, pair, made) {
			return nil
		}
		x.rowBytes.Add(made.bytes() - r.row.bytes())
		*r = oracleRow{made, i, x.live}
	}
	return r.row
}

// Held is approximately the memory of the rows that x remembers.
func (x *rowMaker) Held() int64 { return x.rowBytes.Load() }

// bytes is a rough count of the memory held; that of nil is none.
func (r *row) bytes() int64 {
	if r == nil {
		return 0
	}
	return 130 + int64(cap(r.steps))*32 + int64(cap(r.internal))*8
}

// compile makes r the row of process i+1, in the memory that r has; false if the tables lack something.
func (x *rowMaker) compile(i int, pair uint64, r *row) bool {
	t := x.tables[i]
	lane := &x.lanes[i]
	local, box := uint32(pair&lane.local.mask), uint32(pair>>lane.bits)
	*r = row{pair: pair, local: local, box: box, status: t.Info[local].Status, unseen: true, steps: r.steps[:0], internal: r.internal[:0]}
	for k, o := range t.internal[local] {
		if o.move == unlearned || !t.Moves[o.move-1].Refused {
			r.internal = append(r.internal, rowInternal{number: int32(k)})
		}
	}
	if r.status != model.Down {
		r.live = spec.SetOf(t.ID)
	}
	r.view = t.Info[local].viewAt(i, len(x.tables))
	switch {
	case r.status == model.Booting && !x.addStart(i, r), r.status == model.Up && !x.addReceptions(i, r):
		return false
	case len(r.steps)+len(r.internal) > 0:
		r.busy = 1
	}
	return true
}

// addStart adds the start to a row, the only internal action.
func (x *rowMaker) addStart(i int, r *row) bool {
	number, ok := x.internalMove(x.tables[i], r.local, 0)
	r.internal = r.internal[:0]
	return ok && x.addSteps(i, r, number, r.box)
}

// addSteps adds a move, and those in which the handler chooses otherwise.
func (x *rowMaker) addSteps(i int, r *row, number int32, rest uint32) bool {
	for k := range x.tables[i].Moves[number].others + 1 {
		if !x.addStep(i, r, number+k, rest) {
			return false
		}
	}
	return true
}

// addReceptions adds what may be received to a row.
func (x *rowMaker) addReceptions(i int, r *row) bool {
	t, lane := x.tables[i], &x.lanes[i]
	var refused []model.Envelope
	for k := range t.choices[r.box] {
		number, ok := x.delivered(t, r.local, t.choices[r.box][k].message)
		if !ok {
			return false
		}
		if t.Moves[number].Refused {
			refused = append(refused, t.inbox[r.box].content[t.choices[r.box][k].place])
			continue
		}
		rest, ok := lane.without(r.box, k, x.learning)
		if !ok || !x.addSteps(i, r, number, rest) {
			return false
		}
	}
	if refused != nil && x.refusing {
		r.outstanding = t.outstanding(r.box, refused)
	}
	return true
}

// addStep adds a move that leaves rest as the inbox, unless the layout is too
// narrow for where it leads.
func (x *rowMaker) addStep(i int, r *row, number int32, rest uint32) bool {
	t, lane := x.tables[i], &x.lanes[i]
	m := &t.Moves[number]
	if m.Refused {
		return true
	}
	if x.learning && uint64(m.To) > lane.local.mask {
		return false
	}
	st := rowStep{action: m.Action, move: m}
	st.change = (r.pair ^ (uint64(m.To) | uint64(rest)<<lane.bits)) << lane.shift
	st.to, st.message = x.receiver(i, m)
	r.unseen = r.unseen && x.sys.reduction != nil && x.sys.reduction.isUnseen(t, r.local, m)
	r.steps = append(r.steps, st)
	return true
}

// receiver returns the receiver of the message of a move of process i+1, and the message.
func (x *rowMaker) receiver(i int, m *Move) (to int32, message uint32) {
	switch {
	case m.deadEnd, m.Broken != 0, len(x.config.Monitors) > 0, len(m.Sends) > 1, x.sys.cutsShort(m):
	case len(m.Sends) == 0:
		return nobody, 0
	case x.config.Partitions == 0 && m.Sends[0].To != spec.NextLive && m.Sends[0].To != spec.ID(i+1):
		return int32(m.Sends[0].To - 1), m.Sends[0].ID
	}
	return several, 0
}

// fit makes x fit the layout of the system.
func (x *rowMaker) fit() {
	l := &x.sys.layout
	x.fitted, x.oracleRows = x.sys.version, nil
	x.rowBytes.Store(0)
	for i, t := range x.tables {
		lane := lane{tables: t, local: *l.local(i), box: *l.inbox(i)}
		lane.bits = uint(bits.Len64(lane.local.mask))
		if !l.apart {
			lane.shift = lane.local.shift
		}
		if lane.box.word == 0 {
			lane.first = ^uint64(0)
		}
		x.lanes[i] = lane
	}
}

// liveIn returns who is live in a state.
func (x *rowMaker) liveIn(words []uint64) spec.Set {
	live := spec.Set(0)
	for i, t := range x.tables {
		if t.Info[x.lanes[i].local.get(words)].Status != model.Down {
			live |= 1 << i
		}
	}
	return live
}

// internalMoveOf returns the number of the move of internal action k in a row, and has the row remember it.
func (x *rowMaker) internalMoveOf(t *Tables, r *row, k int) (int32, bool) {
	o := &r.internal[k]
	if o.move == unlearned {
		m, ok := x.internalMove(t, r.local, int(o.number))
		if !ok {
			return 0, false
		}
		o.move = m + 1
	}
	return o.move - 1, true
}
