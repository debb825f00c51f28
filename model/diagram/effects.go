package diagram

import (
	"fmt"
	"maps"
	"slices"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
)

// An effect is what an event does to the value of one place, and whether it can happen with that.
// It is a function of the value before the event, and of the value after the effects so far.
type effect func(before, now uint32) (uint32, bool)

// effects are those of an event, by place.
type effects map[int][]effect

func (all effects) at(place int, e effect) { all[place] = append(all[place], e) }

// event returns the event that has the effects.
func (all effects) event(f *dd.Forest) *dd.Event {
	e := f.NewEvent()
	for _, place := range slices.Sorted(maps.Keys(all)) {
		list := all[place]
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

// draft is an event under construction.
type draft struct {
	effects
	y     *builder
	stays bool // the message that is taken stays in flight
}

func newDraft(y *builder) *draft { return &draft{effects: effects{}, y: y} }

func (d *draft) clone() *draft {
	c := &draft{effects: effects{}, y: d.y, stays: d.stays}
	for place, list := range d.effects {
		c.effects[place] = slices.Clone(list)
	}
	return c
}

// finish adds the drafted event, which is that of an action.
func (d *draft) finish(e Event, a explore.Action) {
	e.Event, e.Sends = d.event(d.y.Forest), model.MessagesSent(a)
	if e.owed = d.y.strengths[e.Kind]; e.owed != explore.Unfair {
		e.class = d.y.sys.ClassOf(a)
	}
	d.y.Events = append(d.y.Events, &e)
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
