package model

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/spec"
)

// SymbolicEvent is a kind of step: a process handles a message, a timer or the like, in all local
// states in which that has the same effect on others, while certain processes are down. Every
// step of the System is a step of exactly one event.
type SymbolicEvent struct {
	*dd.Event
	Process spec.ID
	Kind    uint8  // see System.Kinds
	Fair    bool   // a state in which it may happen is not quiescent
	Beyond  bool   // the bound forbids it: it leads nowhere
	Panic   bool   // the handler panics: it leads nowhere
	Broken  uint64 // watches whose claim it breaks
	Sends   int    // number of messages, whether or not they arrive

	class   explore.Class // if fairness is owed
	owed    explore.Strength
	traffic *traffic // nil: it cannot be part of a cycle
}

// leads reports whether the event leads to a state.
func (e *SymbolicEvent) leads() bool { return !e.Beyond && !e.Panic }

// addEvents adds the events of the world, unless the context ends.
func (y *Symbolic) addEvents(ctx context.Context) error {
	s := y.sys
	for _, t := range s.tables {
		for _, g := range s.movesOf(t, s.learner) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			for _, d := range s.cases(g) {
				y.addHandling(g, d, false)
				if y.Loose && g.rule.Step.Kind == spec.Receive {
					y.addHandling(g, d, true)
				}
			}
		}
		if s.config.Crashes > 0 {
			y.addCrash(t)
		}
		if s.mishaps {
			y.addMishaps(t)
		}
	}
	if s.config.Partitions > 0 {
		y.addDivisions()
	}
	return nil
}

// An effect is what an event does to the value of one place, and whether it can happen with that.
// It is a function of the value before the event, and of the value after the effects so far.
type effect func(before, now uint32) (uint32, bool)

// draft is an event under construction: effects by place.
type draft struct {
	y       *Symbolic
	stays   bool // the message that is taken stays in flight
	effects map[int][]effect
}

func (y *Symbolic) draft() *draft { return &draft{y: y, effects: map[int][]effect{}} }

func (d *draft) clone() *draft {
	c := d.y.draft()
	c.stays = d.stays
	for place, list := range d.effects {
		c.effects[place] = slices.Clone(list)
	}
	return c
}

func (d *draft) at(place int, e effect) { d.effects[place] = append(d.effects[place], e) }

// finish adds the drafted event, which is that of an action.
func (d *draft) finish(e SymbolicEvent, a explore.Action) {
	e.Event, e.Sends = d.event(), MessagesSent(a)
	if e.owed = d.y.sys.reference.strengths[e.Kind]; e.owed != explore.Unfair {
		e.class = d.y.sys.classOf(a)
	}
	d.y.Events = append(d.y.Events, &e)
}

// event returns the drafted event.
func (d *draft) event() *dd.Event {
	e := d.y.Forest.NewEvent()
	for _, place := range slices.Sorted(maps.Keys(d.effects)) {
		list := d.effects[place]
		e.At(place, func(before uint32) (uint32, bool) {
			now, ok := before, true
			for _, effect := range list {
				if now, ok = effect(before, now); !ok {
					return 0, false
				}
			}
			return now, true
		})
	}
	return e
}

// status requires that a process is down, or that it is not.
func (d *draft) status(p spec.ID, down bool) {
	t := d.y.sys.tables[p-1]
	d.at(d.y.locals[p-1], func(before, now uint32) (uint32, bool) {
		return now, (t.local[before].Status == Down) == down
	})
}

// budget requires something of the budgets, and changes them.
func (d *draft) budget(spend func(b *budget) bool) {
	if !d.y.budgeted {
		return
	}
	d.at(0, func(_, now uint32) (uint32, bool) {
		b := d.y.budgets.values[now]
		if !spend(&b) {
			return 0, false
		}
		number, _ := d.y.budgets.number(b)
		return number, true
	})
}

// spend spends one of a budget, if any is left.
func (d *draft) spend(spends Budget) {
	c := &d.y.sys.config
	d.budget(func(b *budget) bool {
		if spends == Crashes && c.Recoveries == 0 {
			b.down++
		}
		b.Env = c.pay(spends, b.Env)
		return c.spent(spends, &b.Env, b.down) <= c.Limit(spends)
	})
}

// ask requires a condition of a rule of p while certain processes are down. What it asks of these is required by itself.
func (d *draft) ask(c Condition, p spec.ID, down spec.Set) {
	y, s := d.y, d.y.sys
	switch c.Ask {
	case AllUp, AllDown:
	case NoneOwing:
		for _, t := range s.tables {
			d.at(y.locals[t.id-1], func(before, now uint32) (uint32, bool) {
				return now, !t.local[before].owing[c.Timer].Has(p)
			})
		}
	case NoneAwaited:
		awaited := s.traits.Rules[c.Timer].Awaited
		d.nothing(func(q parcel) bool {
			e := s.tables[q.to-1].letters.values[q.letter]
			return !down.Has(q.to) && awaited(p, e.From, q.to, e.Message)
		})
	case NoneFrom:
		if silent := c.Of & down; silent != 0 {
			d.nothing(func(q parcel) bool { return silent.Has(q.from) && (c.Process == spec.None || c.Process == q.to) })
		}
	case Whole:
		d.budget(func(b *budget) bool { return b.Side == 0 })
	case Divided:
		d.budget(func(b *budget) bool { return b.Side != 0 })
	default:
		panic("model: a world without tables")
	}
}

// nothing requires that no channel holds a parcel for which what is true.
func (d *draft) nothing(what func(parcel) bool) {
	for _, c := range d.y.channels {
		if slices.ContainsFunc(c.may, what) {
			d.at(c.place, func(before, now uint32) (uint32, bool) { return now, !c.holds(before, what) })
		}
	}
}

// take takes a parcel that may arrive next. With stays, the parcel remains in flight.
func (d *draft) take(p parcel) {
	c := d.y.channelOf(p)
	if c == nil { // never sent
		d.at(d.y.locals[0], func(_, _ uint32) (uint32, bool) { return 0, false })
		return
	}
	if d.stays {
		d.at(c.place, func(_, now uint32) (uint32, bool) { return now, c.next(now, p) >= 0 })
		return
	}
	d.at(c.place, func(_, now uint32) (uint32, bool) { return c.take(now, p) })
}

func (d *draft) put(p parcel) {
	c := d.y.channelOf(p)
	if !slices.Contains(c.may, p) { // events made before do not look for it here
		panic(fmt.Sprintf("model: %+v is sent, and was not foreseen", p))
	}
	d.at(c.place, func(_, now uint32) (uint32, bool) { return c.put(now, p), true })
}

// crash has a process go down that is not down.
func (d *draft) crash(p spec.ID) {
	s := d.y.sys
	d.at(d.y.locals[p-1], func(_, now uint32) (uint32, bool) { return s.tables[p-1].local[now].down, true })
	if s.config.Recoveries > 0 {
		return
	}
	for _, c := range d.y.channels {
		if slices.ContainsFunc(c.may, func(q parcel) bool { return q.to == p }) {
			d.at(c.place, func(_, now uint32) (uint32, bool) { return c.empty(now, p), true })
		}
	}
}

// addHandling adds the event in which a process makes one of some moves while certain others are
// down, and those in which a crash cuts it short. With stays, a message that it handles remains
// in flight.
func (y *Symbolic) addHandling(g *moves, c downCase, stays bool) {
	s, p, m := y.sys, g.tables.id, g.move
	e := SymbolicEvent{
		Process: p, Kind: s.reference.kinds.ofRule(g.rule, &s.traits), Fair: !g.rule.Fault(), Beyond: m.beyond, Panic: m.panic != "", Broken: m.broken,
	}
	e.traffic = s.traffic(g, c)
	d := y.draft()
	d.stays = stays
	d.at(y.locals[p-1], func(before, now uint32) (uint32, bool) {
		to, ok := g.to[before]
		return to, ok
	})
	for q := range c.matter.All() {
		d.status(q, c.down.Has(q))
	}
	if g.rule.Step.Kind == spec.Receive {
		d.take(s.parcel(p, g.letter))
	}
	for _, ask := range g.rule.Asks {
		d.ask(ask, p, c.down)
	}
	if g.rule.Fault() {
		d.spend(g.rule.Spends)
	}
	if len(m.sends) == 0 || s.config.Partitions == 0 {
		y.addSends(d, e, g, c, 0)
		return
	}
	for _, side := range append([]spec.Set{0}, sides(s.config.N)...) {
		d := d.clone()
		d.budget(func(b *budget) bool { return b.Side == side })
		y.addSends(d, e, g, c, side)
	}
}

// addSends adds a drafted event with its sends, and the events in which something cuts it short.
func (y *Symbolic) addSends(d *draft, e SymbolicEvent, g *moves, c downCase, side spec.Set) {
	s, p, m := y.sys, g.tables.id, g.move
	for k, send := range m.sends {
		for _, cut := range s.cuts {
			if least, end := cut.Sends(len(m.sends), m.saves); k < least || k >= end {
				continue
			}
			short := d.clone()
			if short.spend(cut.Spends); cut.Deed.Down() {
				short.crash(p)
			}
			short.finish(SymbolicEvent{Process: p, Kind: s.reference.kinds.deeds[cut.Deed]}, s.cutAction(m.action, cut.Deed, k))
		}
		parcel, arrives := s.sent(send, p, c.down)
		if parted := side != 0 && side.Has(p) != side.Has(parcel.to); arrives && !parted {
			d.put(parcel)
		}
	}
	d.finish(e, m.action)
}

func (y *Symbolic) addCrash(t *tables) {
	d := y.draft()
	d.at(y.locals[t.id-1], func(before, now uint32) (uint32, bool) { return now, t.local[before].fails })
	d.spend(Crashes)
	d.crash(t.id)
	d.finish(SymbolicEvent{Process: t.id, Kind: y.sys.reference.kinds.deeds[Crash]}, y.sys.doing(Crash, t.id, 0))
}

// addMishaps adds what may happen to messages in flight to a process.
func (y *Symbolic) addMishaps(t *tables) {
	s := y.sys
	for letter := range t.letters.values {
		p := s.parcel(t.id, uint32(letter))
		c := y.channelOf(p)
		if c == nil {
			continue
		}
		for _, rule := range s.reference.rules.messages(t.id) {
			for _, stays := range []bool{false, true} {
				if stays && (!y.Loose || rule.Deed == Copy) {
					continue
				}
				d := y.mishap(rule, t.id)
				if d.stays = stays; rule.Deed == Copy {
					d.at(c.place, func(_, now uint32) (uint32, bool) { return c.twice(now, p) })
				} else {
					d.take(p)
				}
				e := SymbolicEvent{Process: t.id, Kind: s.reference.kinds.ofRule(rule, &s.traits), Fair: !rule.Fault()}
				if e.Fair {
					e.traffic = s.dropping(p)
				}
				d.finish(e, s.doing(rule.Deed, t.id, uint32(letter))|receiving)
			}
		}
	}
}

// mishap drafts what a rule of p, or of none, asks and spends, except for what it does.
func (y *Symbolic) mishap(rule Rule, p spec.ID) *draft {
	d := y.draft()
	for _, c := range rule.Asks {
		if c.Ask == AllDown {
			for q := range c.Of.All() {
				d.status(q, true)
			}
		}
		d.ask(c, p, 0)
	}
	if rule.Fault() {
		d.spend(rule.Spends)
	}
	return d
}

// addDivisions adds the events in which the network divides and heals.
func (y *Symbolic) addDivisions() {
	s := y.sys
	for _, rule := range s.reference.rules.network() {
		d := y.mishap(rule, spec.None)
		d.budget(func(b *budget) bool {
			b.Side = rule.Side
			return true
		})
		d.finish(SymbolicEvent{Kind: s.reference.kinds.ofRule(rule, &s.traits), Fair: !rule.Fault()}, s.doing(rule.Deed, spec.None, 0))
	}
}
