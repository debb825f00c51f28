package compiled

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"interleave/model"
	"interleave/spec"
)

// StepGroup are the moves of one process that differ only in the local state.
type StepGroup struct {
	Tables    *Tables
	MessageID uint32
	Move      *Move                // one of them
	To        map[uint32]uint32    // local state afterwards, by the one before
	persists  map[uint32]*persists // by local state, if existing code tells when it persists

	Live spec.Set   // who is live, if the handlers may ask
	Rule model.Rule // that lets them happen
}

// StepGroups returns the moves of a process, after Close.
func StepGroups(s *LocalSteps, t *Tables) []*StepGroup { return groupsOf(t, s.each(t)) }

// groupsOf returns the moves of those of some local steps of a process that are learned.
func groupsOf(t *Tables, steps iter.Seq[localStep]) []*StepGroup {
	groups := map[string]*StepGroup{}
	for l := range steps {
		m := l.move
		if m == nil || m.Refused {
			continue
		}
		g := &StepGroup{Tables: t, Rule: l.rule, MessageID: l.message, Move: m}
		if t.world.traits.Oracle {
			g.Live = l.live
		}
		key := fmt.Sprint(m.Action, g.Live, g.Rule.Asks, g.Rule.Spends, m.Sends, m.Beyond, m.Panic != "", m.Broken, m.Saves)
		for _, persisted := range m.Persists() {
			key += fmt.Sprint(" ", persisted.Sends, persisted.Outputs)
		}
		if groups[key] == nil {
			g.To = map[uint32]uint32{}
			if groups[key] = g; m.persists != nil {
				g.persists = map[uint32]*persists{}
			}
		}
		if groups[key].To[l.local] = m.To; m.persists != nil {
			groups[key].persists[l.local] = m.persists
		}
	}
	var list []*StepGroup
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		list = append(list, groups[key])
	}
	return list
}

// Left returns the local state that a crash within the step leaves, for a value of model.Event.Disk that is not zero.
func (g *StepGroup) Left(local uint32, disk int) uint32 { return g.persists[local].left[disk] }

// DownCase says who is down among the processes that matter to an event.
type DownCase struct{ Matter, Down spec.Set }

// Cases returns the cases of an event. Who is down decides whom its messages reach, and whether
// it may happen at all.
func (g *StepGroup) Cases() []DownCase {
	w, p := g.Tables.world, g.Tables.ID
	var matter spec.Set
	cases := []DownCase{{}}
	for _, m := range g.Move.Sends {
		switch {
		case m.To == spec.NextLive:
			cases = w.nextLiveCases(p)
		case w.config.Recoveries == 0:
			matter = matter.With(m.To)
		}
	}
	for _, c := range g.Rule.Asks {
		if matter |= c.Of; c.Ask == model.NoneAwaited && w.config.Recoveries > 0 { // messages to a process that is down hold nothing up
			matter = w.all
		}
	}
	if w.traits.Oracle {
		matter = w.all
	}
	matter = matter.Without(p)
	var all []DownCase
	for _, c := range cases {
		for _, down := range w.downSets(matter &^ c.Matter) {
			d := DownCase{c.Matter | matter, c.Down | down}
			if len(w.downSets(d.Down)) == 1<<d.Down.Len() && g.Possible(d) {
				all = append(all, d)
			}
		}
	}
	return all
}

// nextLiveCases returns the cases of who is the next live process on the ring after p.
func (w *world) nextLiveCases(p spec.ID) []DownCase {
	var cases []DownCase
	var c DownCase
	ring := w.ring
	for i := slices.Index(ring, p) + 1; ; i++ {
		q := ring[i%len(ring)]
		if q == p {
			return append(cases, c)
		}
		c.Matter = c.Matter.With(q)
		cases = append(cases, c)
		c.Down = c.Down.With(q)
	}
}

// Possible reports whether an event may happen with these processes down, as far as that alone
// decides.
func (g *StepGroup) Possible(d DownCase) bool {
	w, p := g.Tables.world, g.Tables.ID
	for _, c := range g.Rule.Asks {
		if c.Ask == model.AllUp && c.Of&d.Down != 0 || c.Ask == model.AllDown && c.Of&^d.Down != 0 {
			return false
		}
	}
	return !w.traits.Oracle || g.Live == w.all&^d.Down || g.Rule.Step.Kind == spec.Recover && g.Live.With(p) == (w.all&^d.Down).With(p)
}

// Sent returns the message that a send of g puts into the network while certain processes are
// down; false if it is put nowhere. It does not consider a divided network.
func (g *StepGroup) Sent(m Sending, down spec.Set) (_ Message, arrives bool) {
	w, p := g.Tables.world, g.Tables.ID
	to, message := m.To, m.ID
	if to == spec.NextLive {
		to = spec.NextOnRing(w.ring, p, w.all&^down)
		message = m.IDs[to-1]
	}
	return Message{To: to, From: p, ID: message}, w.config.Recoveries > 0 || !down.Has(to)
}

// Message is a message in flight. Its ID is its number in the tables of its receiver.
type Message struct {
	To, From spec.ID
	ID       uint32
}

// Before is an order of messages.
func (p Message) Before(q Message) bool { return p.To < q.To || p.To == q.To && p.ID < q.ID }
