package model

import (
	"fmt"
	"maps"
	"slices"

	"interleave/spec"
)

// moves are the moves of one process that differ only in the local state.
type moves struct {
	tables *tables
	letter uint32
	move   *move             // one of them
	to     map[uint32]uint32 // local state afterwards, by the one before

	live spec.Set // who is live, if the handlers may ask
	rule Rule     // that lets them happen
}

// movesOf returns the moves of a process that an expander knows, or learns.
func (s *System) movesOf(t *tables, x *expander) []*moves {
	groups := map[string]*moves{}
	add := func(local uint32, live spec.Set, rule Rule, letter uint32, number int32) {
		m := &t.moves[number]
		if m.refused {
			return
		}
		g := &moves{tables: t, rule: rule, letter: letter, move: m}
		if s.traits.Oracle {
			g.live = live
		}
		key := fmt.Sprint(m.action, g.live, rule.Asks, rule.Spends, m.sends, m.beyond, m.panic != "", m.broken, m.saves)
		if groups[key] == nil {
			g.to = map[uint32]uint32{}
			groups[key] = g
		}
		groups[key].to[local] = m.to
	}
	for _, live := range s.liveSets(t.id) {
		x.live = live
		for l := range uint32(len(t.local)) {
			for k, rules := range together(s.reference.rules.of(t.id, t.locals.values[l])) {
				number, known := x.offered(t, l, k)
				for _, rule := range rules {
					if known {
						add(l, live, rule, 0, number)
					}
				}
			}
			if t.local[l].Status != Up {
				continue
			}
			for letter, e := range t.letters.values {
				if number, known := x.delivered(t, l, uint32(letter)); known {
					add(l, live, Rule{Step: spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}}, uint32(letter), number)
				}
			}
		}
	}
	var list []*moves
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		list = append(list, groups[key])
	}
	return list
}

// downCase says who is down among the processes that matter to an event.
type downCase struct{ matter, down spec.Set }

// cases returns the cases of an event. Who is down decides whom its messages reach, and whether
// it may happen at all.
func (s *System) cases(g *moves) []downCase {
	p := g.tables.id
	var matter spec.Set
	cases := []downCase{{}}
	for _, m := range g.move.sends {
		switch {
		case m.to == spec.NextLive:
			cases = s.nextLiveCases(p)
		case s.config.Recoveries == 0:
			matter = matter.With(m.to)
		}
	}
	for _, c := range g.rule.Asks {
		if matter |= c.Of; c.Ask == NoneAwaited && s.config.Recoveries > 0 { // messages to a process that is down hold nothing up
			matter = s.all
		}
	}
	if s.traits.Oracle {
		matter = s.all
	}
	matter = matter.Without(p)
	var all []downCase
	for _, c := range cases {
		for _, down := range s.downSets(matter &^ c.matter) {
			d := downCase{c.matter | matter, c.down | down}
			if len(s.downSets(d.down)) == 1<<d.down.Len() && s.possible(g, d) {
				all = append(all, d)
			}
		}
	}
	return all
}

// nextLiveCases returns the cases of who is the next live process on the ring after p.
func (s *System) nextLiveCases(p spec.ID) []downCase {
	var cases []downCase
	var c downCase
	ring := s.ring
	for i := slices.Index(ring, p) + 1; ; i++ {
		q := ring[i%len(ring)]
		if q == p {
			return append(cases, c)
		}
		c.matter = c.matter.With(q)
		cases = append(cases, c)
		c.down = c.down.With(q)
	}
}

// possible reports whether an event may happen with these processes down, as far as that alone
// decides.
func (s *System) possible(g *moves, d downCase) bool {
	for _, c := range g.rule.Asks {
		if c.Ask == AllUp && c.Of&d.down != 0 || c.Ask == AllDown && c.Of&^d.down != 0 {
			return false
		}
	}
	return !s.traits.Oracle || g.live == s.all&^d.down || g.rule.Step.Kind == spec.Recover && g.live.With(g.tables.id) == (s.all&^d.down).With(g.tables.id)
}

// sent returns the parcel that a send of p puts into the network while certain processes are
// down; false if it is put nowhere. It does not consider a divided network.
func (s *System) sent(m sending, p spec.ID, down spec.Set) (_ parcel, arrives bool) {
	to, letter := m.to, m.letter
	if to == spec.NextLive {
		to = spec.NextOnRing(s.ring, p, s.all&^down)
		letter = m.letters[to-1]
	}
	return s.parcel(to, letter), s.config.Recoveries > 0 || !down.Has(to)
}

func (s *System) parcel(to spec.ID, letter uint32) parcel {
	return parcel{to: to, from: s.tables[to-1].letters.values[letter].From, letter: letter}
}
