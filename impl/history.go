package impl

// history recognises copies of bare datagrams of one incarnation of a peer: it
// remembers the last sequences. Older ones count as copies.
type history struct {
	last uint64
	seen [historySize / 64]uint64 // a bit for each sequence in (last-historySize, last], by sequence modulo historySize
}

const historySize = 1024

// add adds a sequence, and reports whether it is new.
func (h *history) add(sequence uint64) bool {
	if h.last >= historySize && sequence <= h.last-historySize {
		return false
	}
	if sequence > h.last {
		for back := range min(sequence-h.last, historySize) {
			s := sequence - back
			h.seen[s%historySize/64] &^= 1 << (s % 64)
		}
		h.last = sequence
	}
	bit := uint64(1) << (sequence % 64)
	word := &h.seen[sequence%historySize/64]
	fresh := *word&bit == 0
	*word |= bit
	return fresh
}

// histories are those of the last two lives of a peer. A frame of an older life may be a copy
// of one that was handled then.
type histories struct {
	now, before       uint32 // incarnations; 0: none
	history, formerly *history
}

// begin begins the history of a new life.
func (h *histories) begin(incarnation uint32) {
	h.before, h.formerly = h.now, h.history
	h.now, h.history = incarnation, &history{}
}

// of returns the history of a life, or nil.
func (h *histories) of(incarnation uint32) *history {
	switch incarnation {
	case h.now:
		return h.history
	case h.before:
		return h.formerly
	}
	return nil
}
