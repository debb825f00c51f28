package compiled

import (
	"math/bits"
	"slices"

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

// pair returns the numbers of the local state and, above it, of the inbox.
func (l *lane) pair(words []uint64) uint64 {
	return uint64(l.local.get(words)) | uint64(l.box.get(words))<<(l.bits&63)
}

// rest returns the inbox after a rowStep of r.
func (l *lane) rest(r *row, st *rowStep) uint32 {
	return uint32((r.pair ^ st.change>>(l.shift&63)) >> (l.bits & 63))
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
	shift uint   // bits of the local state in a place
}

const leastRows, mostRows = 1 << 6, 1 << 14

func (m *rows) place(local, box uint32) int { return int(box<<(m.shift&31)|local) & (len(m.of) - 1) } // past the end if m.of is empty

// put remembers a row of a process with that many known local states. It returns the row that was
// at its place.
func (m *rows) put(r *row, locals int) (old *row) {
	shift := uint(bits.Len(uint(locals - 1)))
	if need := int(r.box+1) << shift; shift != m.shift || need > len(m.of) && len(m.of) < mostRows {
		before := m.of
		m.of, m.shift = make([]*row, min(max(leastRows, 1<<bits.Len(uint(need-1)), len(before)), mostRows)), shift
		for _, r := range before {
			if r != nil {
				m.of[m.place(r.local, r.box)] = r
			}
		}
	}
	place := &m.of[m.place(r.local, r.box)]
	old, *place = *place, r
	return old
}

// mostOracleRows is how many rows are remembered of an algorithm with an Oracle, each at a place
// that is computed from what it depends on.
const mostOracleRows = 1 << 16

// row makes the row of process i+1; nil if the tables lack something.
func (x *expander) row(i int, pair uint64) *row {
	if x.sys.traits.Oracle {
		return x.rowNow(i, pair)
	}
	r := x.compiled(i, pair)
	if r != nil {
		x.replaced(x.lanes[i].rows.put(r, len(x.sys.tables[i].Info)), r)
	}
	return r
}

// row returns the row that is remembered where that of a pair belongs.
func (l *lane) row(pair uint64) *row {
	local, box := uint32(pair&l.local.mask), uint32(pair>>(l.bits&63))
	if place := l.rows.place(local, box); place < len(l.rows.of) {
		return l.rows.of[place]
	}
	return nil
}

func (x *expander) rowNow(i int, pair uint64) *row {
	if x.oracleRows == nil {
		x.oracleRows = make([]oracleRow, mostOracleRows)
	}
	place := (pair*0x9e3779b97f4a7c15 + uint64(x.live)*0xd6e8feb86659fd93 + uint64(i)*0xa0761d6478bd642f) >> 32
	r := &x.oracleRows[place%uint64(len(x.oracleRows))]
	if r.row == nil || r.row.pair != pair || r.process != i || r.live != x.live {
		made := x.compiled(i, pair)
		if made == nil {
			return nil
		}
		x.replaced(r.row, made)
		*r = oracleRow{made, i, x.live}
	}
	return r.row
}

// Bytes is approximately the memory of the rows that x remembers.
func (x *expander) Bytes() int64 { return x.rowBytes.Load() }

// replaced counts the memory of a row in place of another one; nil is none.
func (x *expander) replaced(old, row *row) { x.rowBytes.Add(row.bytes() - old.bytes()) }

// bytes is a rough count of the memory held.
func (r *row) bytes() int64 {
	if r == nil {
		return 0
	}
	return 200 + int64(len(r.steps))*250 + int64(len(r.internal))*16
}

func (x *expander) compiled(i int, pair uint64) *row {
	r := x.compile(i, pair)
	if r != nil && len(r.steps)+len(r.internal) > 0 {
		r.busy = 1
	}
	return r
}

// compile makes a row of the tables.
func (x *expander) compile(i int, pair uint64) *row {
	t := x.sys.tables[i]
	lane := &x.lanes[i]
	local, box := uint32(pair&lane.local.mask), uint32(pair>>lane.bits)
	r := &row{pair: pair, local: local, box: box, status: t.Info[local].Status, unseen: true}
	for k, o := range t.internal[local] {
		if o.move == unlearned || !t.Moves[o.move-1].Refused {
			r.internal = append(r.internal, rowInternal{number: int32(k)})
		}
	}
	if r.status != model.Down {
		r.live = spec.SetOf(t.ID)
	}
	r.view = x.sys.view(i, &t.Info[local])
	switch r.status {
	case model.Booting:
		return x.compileStart(i, r)
	case model.Up:
		return x.compileReceptions(i, r)
	}
	return r
}

// compileStart adds the start to a row, the only internal action.
func (x *expander) compileStart(i int, r *row) *row {
	number, ok := x.internalMove(x.sys.tables[i], r.local, 0)
	if !ok {
		return nil
	}
	r.internal = nil
	if !x.addStep(i, r, number, r.box) {
		return nil
	}
	return r
}

func (x *expander) compileReceptions(i int, r *row) *row {
	t := x.sys.tables[i]
	var refused []model.Envelope
	for k := range t.choices[r.box] {
		number, ok := x.delivered(t, r.local, t.choices[r.box][k].message)
		if !ok {
			return nil
		}
		if t.Moves[number].Refused {
			refused = append(refused, t.inbox[r.box].content[t.choices[r.box][k].place])
			continue
		}
		rest, ok := x.rest(t, r.box, k)
		if !ok {
			return nil
		}
		if !x.addStep(i, r, number, rest) {
			return nil
		}
	}
	if refused != nil && x.sys.refusing {
		r.outstanding = t.outstanding(x.sys.config.Network, r.box, refused)
	}
	return r
}

// outstanding sums up the messages in an inbox that have not arrived yet: all except those that
// are refused and those behind them in a queue. See Reference.waits.
func (t *Tables) outstanding(n model.Network, box uint32, refused []model.Envelope) *blocks {
	sum := &blocks{}
	for _, e := range t.inbox[box].content {
		if !slices.ContainsFunc(refused, func(f model.Envelope) bool { return e == f || n == model.FIFO && e.From == f.From }) {
			message, _ := t.Messages.Find(e)
			sum.add(&t.blocks[message])
		}
	}
	return sum
}

// addStep adds a move that leaves rest as the inbox, unless the layout is too
// narrow for where it leads.
func (x *expander) addStep(i int, r *row, number int32, rest uint32) bool {
	t, lane := x.sys.tables[i], &x.lanes[i]
	m := t.Moves[number]
	if m.Refused {
		return true
	}
	if x.learning && uint64(m.To) > lane.local.mask {
		return false
	}
	st := rowStep{action: m.Action, move: &m}
	st.change = (r.pair ^ (uint64(m.To) | uint64(rest)<<lane.bits)) << lane.shift
	st.to, st.message = x.receiver(i, &m)
	r.unseen = r.unseen && x.sys.reduction != nil && x.isUnseen(t, r.local, &m)
	r.steps = append(r.steps, st)
	return true
}

// cutsShort reports whether something may ever cut a move short.
func (s *System) cutsShort(m *Move) bool {
	return slices.ContainsFunc(s.cuts, func(cut model.Cut) bool {
		least, end := cut.Sends(len(m.Sends), m.Saves)
		return least < end
	})
}

// receiver returns the receiver of the message of a move of process i+1, and the message.
func (x *expander) receiver(i int, m *Move) (to int32, message uint32) {
	switch {
	case m.deadEnd, m.Broken != 0, len(m.Sends) > 1, x.sys.cutsShort(m):
	case len(m.Sends) == 0:
		return nobody, 0
	case x.sys.config.Partitions == 0 && m.Sends[0].To != spec.NextLive && m.Sends[0].To != spec.ID(i+1):
		return int32(m.Sends[0].To - 1), m.Sends[0].ID
	}
	return several, 0
}
