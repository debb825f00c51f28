package compiled

import "slices"

// lane is what an expander needs for one process in every state: where its numbers are, and the
// rows that it remembers.
type lane struct {
	bits       uint   // of the local state in a pair
	shift      uint   // of a pair in its word; 0 if the layout is apart
	first      uint64 // all ones if the inbox is in the first word, else 0
	rows       rows
	tables     *Tables
	local, box field
}

// pair returns the numbers of the local state and, above it, of the inbox.
func (l *lane) pair(words []uint64) uint64 {
	return uint64(l.local.get(words)) | uint64(l.box.get(words))<<(l.bits&63)
}

// rest returns the inbox after a rowStep of r.
func (l *lane) rest(r *row, st *rowStep) uint32 {
	return uint32((r.pair ^ st.change>>(l.shift&63)) >> (l.bits & 63))
}

// row returns the row that is remembered where that of a pair belongs.
func (l *lane) row(pair uint64) *row {
	local, box := uint32(pair&l.local.mask), uint32(pair>>(l.bits&63))
	if place := l.rows.place(local, box); place < len(l.rows.of) {
		return l.rows.of[place]
	}
	return nil
}

// with returns the inbox with one more message.
func (l *lane) with(box, message uint32, learning bool) (uint32, bool) {
	t := l.tables
	after := t.insert.at(box, message)
	if after == unlearned {
		if !learning {
			return 0, false
		}
		after = int32(t.numberInbox(t.inbox[box].content.With(t.config.Network, t.Messages.Values[message]))) + 1
		t.insert.set(box, message, after)
	}
	return uint32(after - 1), l.fits(uint32(after-1), learning)
}

// without returns the inbox without the message that its k-th choice takes.
func (l *lane) without(box uint32, k int, learning bool) (uint32, bool) {
	t := l.tables
	c := t.choices[box][k]
	if c.rest == unlearned {
		if !learning {
			return 0, false
		}
		c.rest = int32(t.numberInbox(t.inbox[box].content.Without(int(c.place)))) + 1
		t.choices[box][k].rest = c.rest
	}
	return uint32(c.rest - 1), l.fits(uint32(c.rest-1), learning)
}

// withCopy returns the inbox with a copy of the message of its k-th choice.
func (l *lane) withCopy(box uint32, k int, learning bool) (uint32, bool) {
	t := l.tables
	c := t.choices[box][k]
	if c.more == unlearned {
		if !learning {
			return 0, false
		}
		content := t.inbox[box].content
		c.more = int32(t.numberInbox(slices.Insert(slices.Clone(content), int(c.place), content[c.place]))) + 1
		t.choices[box][k].more = c.more
	}
	return uint32(c.more - 1), l.fits(uint32(c.more-1), learning)
}

// fits reports whether the number of an inbox fits into its field. If not, the
// layout is widened next, and there is nothing to learn from the step before that.
func (l *lane) fits(box uint32, learning bool) bool {
	return !learning || uint64(box) <= l.box.mask
}
