package compiled

import (
	"interleave/model"
	"interleave/spec"
)

// guardedAction is an internal action in a flat system.
type guardedAction struct {
	flatStep
	guard
	internal *internalAction
}

// guard says when the world lets an internal action happen, as far as the bits of a state tell.
type guard struct {
	down   spec.Set // none of these is live
	absent wordPair // none of these is in flight
	silent spec.Set // no message from one of these that is down is in flight
	asks   bool     // its enablings must be asked as well
}

// unguarded is the guard that holds in every state.
var unguarded guard

// told reports whether the bits of one word tell if the guard holds, where states have so many
// words.
func (g *guard) told(words int) bool { return *g == unguarded || words == 1 && !g.asks }

// wordPair is a set of messages, as bits at their places in a state of one or two words.
type wordPair [2]uint64

func (p wordPair) or(q wordPair) wordPair  { return wordPair{p[0] | q[0], p[1] | q[1]} }
func (p wordPair) and(q wordPair) wordPair { return wordPair{p[0] & q[0], p[1] & q[1]} }

// places returns the messages to process i+1 of a kind.
func (f *flat) places(i int, kind func(in *inboxInfo) bool) (p wordPair) {
	t, inbox := f.tables[i], f.layout.inbox(i)
	for k := range t.Messages.Values {
		if kind(&t.inbox[1<<k]) {
			p[inbox.word] |= inbox.place(1 << k)
		}
	}
	return p
}

// guardedActions returns the internal actions of process i+1 in a local state.
func (f *flat) guardedActions(i int, local uint32) (internal []guardedAction) {
	t := f.tables[i]
	for k, rules := range model.ByEvent(f.reference.Rules().Of(t.ID, t.Locals.Values[local])) {
		o := &t.internal[local][k]
		if m := &t.Moves[o.move-1]; !m.Refused {
			internal = append(internal, guardedAction{f.flatStep(i, local, m), f.guard(i, rules), o})
		}
	}
	return internal
}

// guard returns rules of an event of process i+1, as far as the bits of a state tell whether they are
// met.
func (f *flat) guard(i int, rules []model.Rule) (g guard) {
	if len(rules) > 1 || rules[0].Fault() {
		return guard{asks: true}
	}
	for _, c := range rules[0].Asks {
		switch {
		case c.Ask == model.AllDown:
			g.down |= c.Of
		case c.Ask == model.NoneFrom && c.Process == spec.None:
			g.silent |= c.Of
		case c.Ask == model.NoneAwaited:
			for q := range f.tables {
				g.absent = g.absent.or(f.places(q, func(in *inboxInfo) bool { return in.timers[c.Timer].Has(spec.ID(i + 1)) }))
			}
		default: // as NoneOwing, which depends on the local states of others
			return guard{asks: true}
		}
	}
	return g
}

// addInternal adds the steps of those internal actions of process i+1 that the world lets happen.
func (f *flat) addInternal(x *expander, i int, open *wordPair) bool {
	out, width := x.out, len(x.words)
	w0, w1 := x.words[0], x.words[width-1]
	internal := f.internal[i][f.layout.local(i).get(x.words)]
	for k := range internal {
		o := &internal[k]
		if o.down&x.live != 0 || w0&o.absent[0]|w1&o.absent[1] != 0 || !o.plainly() && !f.lets(x, i, o) {
			continue
		}
		if !o.how.usual(x.allLive) {
			return false
		}
		out.Quiet = false
		out.Actions = append(out.Actions, o.action)
		out.States = append(out.States, w0^o.change[0]|o.sends[0]&open[0], w1^o.change[1]|o.sends[1]&open[1])[:len(out.States)+width]
	}
	return true
}

// plainly reports whether the guard only asks who is down and what is in flight.
func (g *guard) plainly() bool { return g.silent == 0 && !g.asks }

// lets reports whether everything else is met that the guard of an internal action asks.
func (f *flat) lets(x *expander, i int, o *guardedAction) bool {
	w0, w1 := x.words[0], x.words[len(x.words)-1]
	for p := range (o.silent &^ x.live).All() {
		if from := &f.from[p-1]; w0&from[0]|w1&from[1] != 0 {
			return false
		}
	}
	return !o.asks || x.allowed(x.tables[i], o.internal, f.layout.inbox(i).get(x.words)) != nil
}
