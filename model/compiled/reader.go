package compiled

import "interleave/spec"

// A reader looks up local steps while certain processes are live. If it is learning, it adds what the tables lack.
type reader struct {
	*world
	live     spec.Set
	learning bool
}

// internalMove returns the number of the move of an internal action.
func (r *reader) internalMove(t *Tables, local uint32, k int) (int32, bool) {
	if r.traits.Oracle {
		return r.asked(t, oracleStep{local: local, number: uint32(k), live: r.live}, t.internal[local][k].event)
	}
	if m := t.internal[local][k].move; m != unlearned || !r.learning {
		return m - 1, m != unlearned
	}
	m := r.learnMove(t, local, r.live, t.internal[local][k].event, 0)
	t.internal[local][k].move = m + 1 // the slice of internal actions may have moved
	return m, true
}

// delivered returns the number of the move that takes a message in a local state.
func (r *reader) delivered(t *Tables, local, message uint32) (int32, bool) {
	if m := t.receive.at(local, message); m != unlearned && !r.traits.Oracle {
		return m - 1, true
	}
	e := t.Messages.Values[message]
	event := spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}
	if r.traits.Oracle {
		return r.asked(t, oracleStep{local: local, isMessage: true, number: message, live: r.live}, event)
	}
	if !r.learning {
		return 0, false
	}
	m := r.learnMove(t, local, r.live, event, message)
	t.receive.set(local, message, m+1)
	return m, true
}

// asked returns the number of a move that depends on who is live.
func (r *reader) asked(t *Tables, o oracleStep, e spec.Event) (int32, bool) {
	m, ok := t.oracle[o]
	if ok || !r.learning {
		return m, ok
	}
	message := uint32(0)
	if o.isMessage {
		message = o.number
	}
	m = r.learnMove(t, o.local, o.live, e, message)
	t.oracle[o] = m
	return m, true
}
