package diagram

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
)

// Event is a kind of step: a process handles a message, a timer or the like, in all local
// states in which that has the same effect on others, while certain processes are down. Every
// step of the System is a step of exactly one event.
type Event struct {
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
	traffic *compiled.Traffic // nil: it cannot be part of a cycle
}

// leads reports whether the event leads to a state.
func (e *Event) leads() bool { return !e.Beyond && !e.Panic }

// addEvents adds the events of the world, unless the context ends.
func (y *System) addEvents(ctx context.Context) error {
	for _, t := range y.tables {
		for _, g := range compiled.StepGroups(y.sys, t) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			for _, d := range g.Cases() {
				y.addHandling(g, d, false)
				if y.Overapprox && g.Rule.Step.Kind == spec.Receive {
					y.addHandling(g, d, true)
				}
			}
		}
		if y.config.Crashes > 0 {
			y.addCrash(t)
		}
		y.addMessageFaults(t)
	}
	if y.config.Partitions > 0 {
		y.addNetworkFaults()
	}
	return nil
}

// An effect is what an event does to the value of one place, and whether it can happen with that.
// It is a function of the value before the event, and of the value after the effects so far.
type effect func(before, now uint32) (uint32, bool)

// draft is an event under construction: effects by place.
type draft struct {
	y       *System
	stays   bool // the message that is taken stays in flight
	effects map[int][]effect
}

func (y *System) draft() *draft { return &draft{y: y, effects: map[int][]effect{}} }

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
func (d *draft) finish(e Event, a explore.Action) {
	e.Event, e.Sends = d.event(), model.MessagesSent(a)
	if e.owed = d.y.strengths[e.Kind]; e.owed != explore.Unfair {
		e.class = d.y.sys.ClassOf(a)
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
	t := d.y.tables[p-1]
	d.at(d.y.locals[p-1], func(before, now uint32) (uint32, bool) {
		return now, (t.Info[before].Status == model.Down) == down
	})
}

// budget requires something of the budgets, and changes them.
func (d *draft) budget(spend func(b *budget) bool) {
	if !d.y.budgeted {
		return
	}
	d.at(0, func(_, now uint32) (uint32, bool) {
		b := d.y.budgets.Values[now]
		if !spend(&b) {
			return 0, false
		}
		number, _ := d.y.budgets.Number(b)
		return number, true
	})
}

// spend spends one of a budget, if any is left.
func (d *draft) spend(spends model.Budget) {
	c := &d.y.config
	d.budget(func(b *budget) bool {
		if spends == model.Crashes && c.Recoveries == 0 {
			b.down++
		}
		b.Env = c.Pay(spends, b.Env)
		return c.Spent(spends, &b.Env, b.down) <= c.Limit(spends)
	})
}

// ask requires a condition of a rule of p while certain processes are down. What it asks of these is required by itself.
func (d *draft) ask(c model.Condition, p spec.ID, down spec.Set) {
	y := d.y
	switch c.Ask {
	case model.AllUp, model.AllDown:
	case model.NoneOwing:
		for _, t := range y.tables {
			d.at(y.locals[t.ID-1], func(before, now uint32) (uint32, bool) {
				return now, !t.Info[before].Owing[c.Timer].Has(p)
			})
		}
	case model.NoneAwaited:
		awaited := y.traits.Rules[c.Timer].Awaited
		d.nothing(func(q compiled.Message) bool {
			e := y.tables[q.To-1].Messages.Values[q.ID]
			return !down.Has(q.To) && awaited(p, e.From, q.To, e.Message)
		})
	case model.NoneFrom:
		if silent := c.Of & down; silent != 0 {
			d.nothing(func(q compiled.Message) bool {
				return silent.Has(q.From) && (c.Process == spec.None || c.Process == q.To)
			})
		}
	case model.Whole:
		d.budget(func(b *budget) bool { return b.Side == 0 })
	case model.Divided:
		d.budget(func(b *budget) bool { return b.Side != 0 })
	default:
		panic("model: a world without tables")
	}
}

// nothing requires that no channel holds a message for which what is true.
func (d *draft) nothing(what func(compiled.Message) bool) {
	for _, c := range d.y.channels {
		if slices.ContainsFunc(c.may, what) {
			d.at(c.place, func(before, now uint32) (uint32, bool) { return now, !c.holds(before, what) })
		}
	}
}

// take takes a message that may arrive next. With stays, the message remains in flight.
func (d *draft) take(p compiled.Message) {
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

func (d *draft) put(p compiled.Message) {
	c := d.y.channelOf(p)
	if !slices.Contains(c.may, p) { // events made before do not look for it here
		panic(fmt.Sprintf("model: %+v is sent, and was not foreseen", p))
	}
	d.at(c.place, func(_, now uint32) (uint32, bool) { return c.put(now, p), true })
}

// crash has a process go down that is not down.
func (d *draft) crash(p spec.ID) {
	y := d.y
	d.at(d.y.locals[p-1], func(_, now uint32) (uint32, bool) { return y.tables[p-1].Info[now].Down, true })
	if y.config.Recoveries > 0 {
		return
	}
	for _, c := range y.channels {
		if slices.ContainsFunc(c.may, func(q compiled.Message) bool { return q.To == p }) {
			d.at(c.place, func(_, now uint32) (uint32, bool) { return c.empty(now, p), true })
		}
	}
}

// addHandling adds the event in which a process makes one of some moves while certain others are
// down, and those in which a crash cuts it short. With stays, a message that it handles remains
// in flight.
func (y *System) addHandling(g *compiled.StepGroup, c compiled.DownCase, stays bool) {
	p, m := g.Tables.ID, g.Move
	e := Event{
		Process: p, Kind: y.reference.StepKinds().OfRule(g.Rule), Fair: !g.Rule.Fault(), Beyond: m.Beyond, Panic: m.Panic != "", Broken: m.Broken,
	}
	e.traffic = g.Traffic(c)
	d := y.draft()
	d.stays = stays
	d.at(y.locals[p-1], func(before, now uint32) (uint32, bool) {
		to, ok := g.To[before]
		return to, ok
	})
	for q := range c.Matter.All() {
		d.status(q, c.Down.Has(q))
	}
	if g.Rule.Step.Kind == spec.Receive {
		d.take(g.Tables.Message(g.MessageID))
	}
	for _, ask := range g.Rule.Asks {
		d.ask(ask, p, c.Down)
	}
	if g.Rule.Fault() {
		d.spend(g.Rule.Spends)
	}
	if len(m.Sends) == 0 || y.config.Partitions == 0 {
		y.addSends(d, e, g, c, 0)
		return
	}
	for _, side := range append([]spec.Set{0}, model.Sides(y.config.N)...) {
		d := d.clone()
		d.budget(func(b *budget) bool { return b.Side == side })
		y.addSends(d, e, g, c, side)
	}
}

// addSends adds a drafted event with its sends, and the events in which something cuts it short.
func (y *System) addSends(d *draft, e Event, g *compiled.StepGroup, c compiled.DownCase, side spec.Set) {
	p, m := g.Tables.ID, g.Move
	for k, send := range m.Sends {
		for _, cut := range y.reference.Rules().Cuts() {
			if least, end := cut.Sends(len(m.Sends), m.Saves); k < least || k >= end {
				continue
			}
			short := d.clone()
			if short.spend(cut.Spends); cut.Action.Down() {
				short.crash(p)
			}
			short.finish(Event{Process: p, Kind: y.reference.StepKinds().OfAction(cut.Action)}, y.sys.CutAction(m.Action, cut.Action, k))
		}
		message, arrives := g.Sent(send, c.Down)
		if parted := side != 0 && side.Has(p) != side.Has(message.To); arrives && !parted {
			d.put(message)
		}
	}
	d.finish(e, m.Action)
}

func (y *System) addCrash(t *compiled.Tables) {
	d := y.draft()
	d.at(y.locals[t.ID-1], func(before, now uint32) (uint32, bool) { return now, t.Info[before].Fails })
	d.spend(model.Crashes)
	d.crash(t.ID)
	d.finish(Event{Process: t.ID, Kind: y.reference.StepKinds().OfAction(model.Crash)}, y.sys.Doing(model.Crash, t.ID, 0))
}

// addMessageFaults adds what may happen to messages in flight to a process.
func (y *System) addMessageFaults(t *compiled.Tables) {
	for message := range t.Messages.Values {
		p := t.Message(uint32(message))
		c := y.channelOf(p)
		if c == nil {
			continue
		}
		for _, rule := range y.reference.Rules().Messages(t.ID) {
			for _, stays := range []bool{false, true} {
				if stays && (!y.Overapprox || rule.Action == model.Copy) {
					continue
				}
				d := y.drafted(rule, t.ID)
				if d.stays = stays; rule.Action == model.Copy {
					d.at(c.place, func(_, now uint32) (uint32, bool) { return c.twice(now, p) })
				} else {
					d.take(p)
				}
				e := Event{Process: t.ID, Kind: y.reference.StepKinds().OfRule(rule), Fair: !rule.Fault()}
				if e.Fair {
					e.traffic = compiled.Dropping(p)
				}
				d.finish(e, y.sys.Doing(rule.Action, t.ID, uint32(message))|compiled.Receiving)
			}
		}
	}
}

// drafted drafts what a rule of p, or of none, asks and spends, except for what it does.
func (y *System) drafted(rule model.Rule, p spec.ID) *draft {
	d := y.draft()
	for _, c := range rule.Asks {
		if c.Ask == model.AllDown {
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

// addNetworkFaults adds the events in which the network divides and heals.
func (y *System) addNetworkFaults() {
	s := y.sys
	for _, rule := range y.reference.Rules().Network() {
		d := y.drafted(rule, spec.None)
		d.budget(func(b *budget) bool {
			b.Side = rule.Side
			return true
		})
		d.finish(Event{Kind: y.reference.StepKinds().OfRule(rule), Fair: !rule.Fault()}, s.Doing(rule.Action, spec.None, 0))
	}
}
