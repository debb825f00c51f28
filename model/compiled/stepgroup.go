package compiled

import (
	"fmt"
	"maps"
	"slices"

	"interleave/model"
	"interleave/spec"
)

// StepGroup are the moves of one process that differ only in the local state.
type StepGroup struct {
	Tables    *Tables
	MessageID uint32
	Move      *Move             // one of them
	To        map[uint32]uint32 // local state afterwards, by the one before

	Live spec.Set   // who is live, if the handlers may ask
	Rule model.Rule // that lets them happen
}

// Groups returns the moves of a process, all of which are learned.
func (s *System) Groups(t *Tables) []*StepGroup { return s.groupsOf(t, s.learner) }

// groupsOf returns the moves of a process that an expander knows, or learns.
func (s *System) groupsOf(t *Tables, x *expander) []*StepGroup {
	groups := map[string]*StepGroup{}
	add := func(local uint32, live spec.Set, rule model.Rule, message uint32, number int32) {
		m := &t.Moves[number]
		if m.Refused {
			return
		}
		g := &StepGroup{Tables: t, Rule: rule, MessageID: message, Move: m}
		if s.traits.Oracle {
			g.Live = live
		}
		key := fmt.Sprint(m.Action, g.Live, rule.Asks, rule.Spends, m.Sends, m.Beyond, m.Panic != "", m.Broken, m.Saves)
		if groups[key] == nil {
			g.To = map[uint32]uint32{}
			groups[key] = g
		}
		groups[key].To[local] = m.To
	}
	for _, live := range s.liveSets(t.ID) {
		x.live = live
		for l := range uint32(len(t.Info)) {
			for k, rules := range model.ByEvent(s.reference.Rules().Of(t.ID, t.Locals.Values[l])) {
				number, known := x.internalMove(t, l, k)
				for _, rule := range rules {
					if known {
						add(l, live, rule, 0, number)
					}
				}
			}
			if t.Info[l].Status != model.Up {
				continue
			}
			for message, e := range t.Messages.Values {
				if number, known := x.delivered(t, l, uint32(message)); known {
					add(l, live, model.Rule{Step: spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}}, uint32(message), number)
				}
			}
		}
	}
	var list []*StepGroup
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		list = append(list, groups[key])
	}
	return list
}

// DownCase says who is down among the processes that matter to an event.
type DownCase struct{ Matter, Down spec.Set }

// Cases returns the cases of an event. Who is down decides whom its messages reach, and whether
// it may happen at all.
func (s *System) Cases(g *StepGroup) []DownCase {
	p := g.Tables.ID
	var matter spec.Set
	cases := []DownCase{{}}
	for _, m := range g.Move.Sends {
		switch {
		case m.To == spec.NextLive:
			cases = s.nextLiveCases(p)
		case s.config.Recoveries == 0:
			matter = matter.With(m.To)
		}
	}
	for _, c := range g.Rule.Asks {
		if matter |= c.Of; c.Ask == model.NoneAwaited && s.config.Recoveries > 0 { // messages to a process that is down hold nothing up
			matter = s.all
		}
	}
	if s.traits.Oracle {
		matter = s.all
	}
	matter = matter.Without(p)
	var all []DownCase
	for _, c := range cases {
		for _, down := range s.downSets(matter &^ c.Matter) {
			d := DownCase{c.Matter | matter, c.Down | down}
			if len(s.downSets(d.Down)) == 1<<d.Down.Len() && s.Possible(g, d) {
				all = append(all, d)
			}
		}
	}
	return all
}

// nextLiveCases returns the cases of who is the next live process on the ring after p.
func (s *System) nextLiveCases(p spec.ID) []DownCase {
	var cases []DownCase
	var c DownCase
	ring := s.ring
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
func (s *System) Possible(g *StepGroup, d DownCase) bool {
	for _, c := range g.Rule.Asks {
		if c.Ask == model.AllUp && c.Of&d.Down != 0 || c.Ask == model.AllDown && c.Of&^d.Down != 0 {
			return false
		}
	}
	return !s.traits.Oracle || g.Live == s.all&^d.Down || g.Rule.Step.Kind == spec.Recover && g.Live.With(g.Tables.ID) == (s.all&^d.Down).With(g.Tables.ID)
}

// Sent returns the message that a send of p puts into the network while certain processes are
// down; false if it is put nowhere. It does not consider a divided network.
func (s *System) Sent(m Sending, p spec.ID, down spec.Set) (_ Message, arrives bool) {
	to, message := m.To, m.ID
	if to == spec.NextLive {
		to = spec.NextOnRing(s.ring, p, s.all&^down)
		message = m.IDs[to-1]
	}
	return s.Message(to, message), s.config.Recoveries > 0 || !down.Has(to)
}

func (s *System) Message(to spec.ID, message uint32) Message {
	return Message{To: to, From: s.tables[to-1].Messages.Values[message].From, ID: message}
}

// Message is a message in flight. Its ID is its number in the tables of its receiver.
type Message struct {
	To, From spec.ID
	ID       uint32
}

// Before is an order of messages.
func (p Message) Before(q Message) bool { return p.To < q.To || p.To == q.To && p.ID < q.ID }
