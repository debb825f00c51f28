package link

// replayWindow recognises copies of bare datagrams of one incarnation of a peer: it
// remembers the last sequences. Older ones count as copies.
type replayWindow struct {
	last uint64
	seen [replaySize / 64]uint64 // a bit for each sequence in (last-replaySize, last], by sequence modulo replaySize
}

const replaySize = 1024

// add adds a sequence, and reports whether it is new.
func (w *replayWindow) add(sequence uint64) bool {
	if w.last >= replaySize && sequence <= w.last-replaySize {
		return false
	}
	if sequence > w.last {
		for back := range min(sequence-w.last, replaySize) {
			s := sequence - back
			w.seen[s%replaySize/64] &^= 1 << (s % 64)
		}
		w.last = sequence
	}
	bit := uint64(1) << (sequence % 64)
	word := &w.seen[sequence%replaySize/64]
	fresh := *word&bit == 0
	*word |= bit
	return fresh
}

// replayWindows are those of the last two incarnations of a peer. A frame of an older one may
// be a copy of one that was handled then.
type replayWindows struct {
	now, before      uint32 // incarnations; 0: none
	window, formerly *replayWindow
}

// begin begins the window of a new incarnation.
func (w *replayWindows) begin(incarnation uint32) {
	w.before, w.formerly = w.now, w.window
	w.now, w.window = incarnation, &replayWindow{}
}

// of returns the window of an incarnation, or nil.
func (w *replayWindows) of(incarnation uint32) *replayWindow {
	switch incarnation {
	case w.now:
		return w.window
	case w.before:
		return w.formerly
	}
	return nil
}
