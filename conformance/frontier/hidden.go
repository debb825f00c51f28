package frontier

import (
	"encoding/binary"
	"slices"

	"interleave/spec"
)

// hidden yields every way that is one hidden step further.
func (l *Incarnation) hidden(n *Node, s search, yield func(*Node)) {
	t := &l.world.traits
	take := func(in Input, change func(*way)) { l.take(n, in, s, change, yield) }
	event := func(e spec.Event, change func(*way)) { take(Input{Event: e}, change) }
	switch n.stage {
	case down:
		take(Input{Event: spec.Event{Kind: spec.Init}, Memory: n.state}, func(w *way) { w.stage = booting })
		return
	case booting:
		recovers := l.Number > 1 && t.Handles.Has(spec.Recover)
		if recovers {
			event(spec.Event{Kind: spec.Recover}, func(w *way) { w.stage = started })
		}
		if !recovers || !l.Again {
			next := *n
			next.stage = started
			l.start(&next, take)
		}
		return
	case started:
		l.start(n, take)
		return
	}
	if t.Handles.Has(spec.Round) {
		l.rounds(n, s, yield)
		return
	}
	l.inbox.next(n.read, func(m Message, then string) {
		take(Input{Event: spec.Event{Kind: spec.Receive, From: m.From, Message: m.Content}, Received: m}, func(w *way) { w.read = then })
	})
	for i := 0; i < len(n.own); i += ownSize {
		m := l.ownMessage(n.own[i:])
		take(Input{Event: spec.Event{Kind: spec.Receive, From: l.ID, Message: m.Content}, Received: m},
			func(w *way) { w.own = n.own[:i] + n.own[i+ownSize:] })
		if !l.world.Unordered {
			break
		}
	}
	for timer := range t.Rules {
		if n.armed>>timer&1 != 0 {
			event(spec.Event{Kind: spec.Timeout, Timer: spec.Timer(timer)}, func(w *way) { w.armed &^= 1 << timer })
		}
	}
	l.actions(n, event)
	l.opinions(n, event)
}

// actions are what the process may do of its own accord, or because a client asks for it.
func (l *Incarnation) actions(n *Node, event func(spec.Event, func(*way))) {
	t := &l.world.traits
	for i, act := range t.Actions {
		if act.Leaderless && t.Leader(n.state) == l.ID || !act.When(n.state) {
			continue
		}
		for _, v := range act.Values {
			event(spec.Event{Kind: spec.Act, Action: uint8(i), Value: v}, nil)
		}
		if !declared(act) {
			l.world.Undeclared = l.world.Undeclared.With(l.ID)
		}
	}
}

// opinions are the possible reports of the failure detector.
func (l *Incarnation) opinions(n *Node, event func(spec.Event, func(*way))) {
	handles := l.world.traits.Handles.Has
	for q := range spec.UpTo(len(l.world.Ring)).Without(l.ID).All() {
		if handles(spec.Suspect) && !n.suspected.Has(q) {
			event(spec.Event{Kind: spec.Suspect, Peer: q}, func(w *way) { w.suspected = w.suspected.With(q) })
		}
		if handles(spec.Restore) && n.suspected.Has(q) {
			event(spec.Event{Kind: spec.Restore, Peer: q}, func(w *way) { w.suspected = w.suspected.Without(q) })
		}
	}
}

// start takes the Start of the algorithm, if it has one.
func (l *Incarnation) start(n *Node, take func(Input, func(*way))) {
	if !l.world.traits.Handles.Has(spec.Start) {
		take(Input{Seen: true}, func(w *way) { w.stage = up })
		return
	}
	for _, initiator := range []bool{true, false} {
		take(Input{Event: spec.Event{Kind: spec.Start, Initiator: initiator}}, func(w *way) { w.stage = up })
	}
}

// take takes one step, for every set of processes that may be thought up if that
// matters.
func (l *Incarnation) take(n *Node, in Input, s search, change func(*way), yield func(*Node)) {
	if in.Seen {
		next := &Node{way: n.way, Before: n, Input: in}
		change(&next.way)
		yield(next)
		return
	}
	if !l.asks(n, in) {
		l.takeOne(n, in, s, change, yield)
		return
	}
	for _, live := range l.world.liveSets(l.ID) {
		in.Live = live
		l.takeOne(n, in, s, change, yield)
	}
}

// asks reports whether a step depends on who is up.
func (l *Incarnation) asks(n *Node, in Input) bool {
	if l.world.traits.Oracle {
		return true
	}
	return slices.ContainsFunc(l.world.step(l.ID, n.state, in.Event), func(o stepped) bool {
		return slices.ContainsFunc(o.fx.Sends, func(s spec.Send) bool { return s.To == spec.NextLive })
	})
}

// takeOne takes one step, with each answer to what its handler chooses.
func (l *Incarnation) takeOne(n *Node, in Input, s search, change func(*way), yield func(*Node)) {
	*s.steps--
	event := in.Event
	if !l.world.traits.Oracle {
		event.Live = 0
	}
	for i, outcome := range l.world.step(l.ID, n.state, event) {
		if i > 0 {
			*s.steps--
		}
		in.Choices = outcome.choices
		l.end(n, in, outcome, s, change, yield)
	}
}

// end yields the way behind a step, if it sends what it may.
func (l *Incarnation) end(n *Node, in Input, outcome stepped, s search, change func(*way), yield func(*Node)) {
	after, fx := outcome.after, outcome.fx
	if len(fx.Sends) > 0 && n.sent >= s.most {
		l.world.Short = l.world.Short || s.ahead
		return
	}
	next := &Node{way: n.way, Before: n, Input: in}
	if change != nil {
		change(&next.way)
	}
	next.state, next.armed = after, next.armed&^fx.Stopped|fx.Armed
	for _, send := range fx.Sends {
		if send.To == spec.NextLive {
			send.To = spec.NextOnRing(l.world.Ring, l.ID, in.Live)
		}
		next.sent++
		l.world.say(l.ID, send.To, send.Message)
		if !l.send(&next.way, Send{Sequence: next.sent, To: send.To, Content: send.Message}, s) {
			return
		}
	}
	yield(next)
}

// send adds a message to those that are unseen; false if the tap will see a different one, or another in its place.
func (l *Incarnation) send(w *way, m Send, s search) bool {
	if m.To == l.ID {
		b := binary.BigEndian.AppendUint64([]byte(w.own), m.Sequence)
		w.own = string(binary.BigEndian.AppendUint32(b, l.contents.place(m.Content)))
	}
	if s.foresee {
		if other, known := l.Future(m.Sequence); known && other.bare() != m {
			return false
		}
	}
	if m.To != l.ID && l.Links != nil {
		places, ok := l.Links(w.places, m.To, m.Sequence)
		if !ok {
			return false
		}
		w.places = places
	}
	if m.To != l.ID && (l.Expects == nil || l.Expects(m.Sequence)) {
		w.unseen = l.contents.appendSend(w.unseen, m)
	}
	return true
}

// ownSize is the size of a message in way.own: its sequence, and its content as a
// place in Incarnation.contents.
const ownSize = 8 + 4

func (l *Incarnation) ownMessage(b string) Message {
	return Message{
		From: l.ID, Incarnation: l.Number, Sequence: binary.BigEndian.Uint64([]byte(b[:8])),
		Content: l.contents.values[binary.BigEndian.Uint32([]byte(b[8:]))],
	}
}
