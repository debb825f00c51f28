package diagram

import (
	"context"

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

// builder makes the events of a System.
type builder struct {
	*System
	strengths [256]explore.Strength // the fairness assumed of each kind of step
}

// addEvents adds the events of the world, unless the context ends.
func (y *builder) addEvents(ctx context.Context) error {
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

// addHandling adds the event in which a process makes one of some moves while certain others are
// down, and those in which a crash cuts it short. With stays, a message that it handles remains
// in flight.
func (y *builder) addHandling(g *compiled.StepGroup, c compiled.DownCase, stays bool) {
	p, m := g.Tables.ID, g.Move
	e := Event{
		Process: p, Kind: y.reference.StepKinds().OfRule(g.Rule), Fair: g.Rule.Obliged(), Beyond: m.Beyond, Panic: m.Panic != "", Broken: m.Broken,
	}
	e.traffic = g.Traffic(c)
	d := newDraft(y)
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
	if g.Rule.Spends != model.Unlimited {
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
func (y *builder) addSends(d *draft, e Event, g *compiled.StepGroup, c compiled.DownCase, side spec.Set) {
	p, m := g.Tables.ID, g.Move
	for k := 0; ; k++ {
		for _, cut := range y.reference.Rules().Cuts() {
			for disk, end := cut.Disks(k, len(m.Sends), m.Saves, m.Persists()); disk < end; disk++ {
				short := d.clone()
				if short.spend(cut.Spends); cut.Action.Down() {
					short.crash(p)
				}
				if disk > 0 {
					short.at(y.locals[p-1], func(before, _ uint32) (uint32, bool) { return g.Left(before, disk), true })
				}
				short.finish(Event{Process: p, Kind: y.reference.StepKinds().OfAction(cut.Action)}, y.sys.CutAction(m.Action, cut.Action, k, disk))
			}
		}
		if k == len(m.Sends) {
			break
		}
		message, arrives := g.Sent(m.Sends[k], c.Down)
		if parted := side != 0 && side.Has(p) != side.Has(message.To); arrives && !parted {
			d.put(message)
		}
	}
	d.finish(e, m.Action)
}

func (y *builder) addCrash(t *compiled.Tables) {
	d := newDraft(y)
	d.at(y.locals[t.ID-1], func(before, now uint32) (uint32, bool) { return now, t.Info[before].Fails })
	d.spend(model.Crashes)
	d.crash(t.ID)
	d.finish(Event{Process: t.ID, Kind: y.reference.StepKinds().OfAction(model.Crash)}, y.sys.Doing(model.Crash, t.ID, 0))
}

// addMessageFaults adds what may happen to messages in flight to a process.
func (y *builder) addMessageFaults(t *compiled.Tables) {
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
func (y *builder) drafted(rule model.Rule, p spec.ID) *draft {
	d := newDraft(y)
	for _, c := range rule.Asks {
		if c.Ask == model.AllDown {
			for q := range c.Of.All() {
				d.status(q, true)
			}
		}
		d.ask(c, p, 0)
	}
	if rule.Spends != model.Unlimited {
		d.spend(rule.Spends)
	}
	return d
}

// addNetworkFaults adds the events in which the network divides and heals.
func (y *builder) addNetworkFaults() {
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
