package compiled

import (
	"interleave/model"
	"interleave/spec"
)

// enabling is the enabling condition of a Rule in one local state, in the form that an expander asks.
type enabling struct {
	up, down spec.Set // that have to be
	silent   spec.Set // nothing may be under way from those of them that are down
	to       spec.ID  // to this process; None: to any
	timer    spec.Timer
	awaits   bool         // nothing may keep the timer from expiring
	whole    bool         // the network may not be divided
	divided  bool         // it has to be
	spends   model.Budget // of which some has to be left
	kind     uint8        // of the action: see kinds
	obliged  bool         // what it lets happen has to happen some time
}

// newEnabling compiles a rule.
func newEnabling(r *model.Reference, rule model.Rule) enabling {
	d := enabling{spends: rule.Spends, kind: r.StepKinds().OfRule(rule), obliged: rule.Obliged()}
	for _, c := range rule.Asks {
		switch c.Ask {
		case model.AllUp:
			d.up |= c.Of
		case model.AllDown:
			d.down |= c.Of
		case model.NoneOwing, model.NoneAwaited: // of one timer of the process
			d.timer, d.awaits = c.Timer, true
		case model.NoneFrom:
			d.silent, d.to = c.Of, c.Process
		case model.Whole:
			d.whole = true
		case model.Divided:
			d.divided = true
		default:
			panic("model: a world without tables")
		}
	}
	return d
}

// allowed returns the enabling condition of an internal action that is met; nil if none is.
func (x *current) allowed(t *Tables, o *internalAction, box uint32) *enabling {
	for k := range o.enablings {
		if d := &o.enablings[k]; x.met(t, d, box) {
			return d
		}
	}
	return nil
}

// met reports whether an enabling condition of t's process, whose inbox is given, is met.
func (x *current) met(t *Tables, d *enabling, box uint32) bool {
	switch {
	case d.up&^x.live|d.down&x.live != 0:
		return false
	case d.whole && x.env.Side != 0, d.divided && x.env.Side == 0:
		return false
	case d.spends != model.Unlimited && !x.left(d.spends):
		return false
	}
	if d.awaits {
		if x.sum(); x.held[d.timer].Has(t.ID) {
			return false
		}
	}
	silent := d.silent &^ x.live
	switch {
	case silent == 0:
		return true
	case d.to != spec.None:
		return x.outstanding(int(t.ID-1), box).senders&silent == 0
	}
	x.sum()
	return x.awaited&silent == 0
}

// left reports whether the world allows one more fault.
func (x *current) left(b model.Budget) bool { return x.leftAfter(b, &x.env) }

// leftAfter is left in another environment.
func (x *current) leftAfter(b model.Budget, env *model.Env) bool {
	limit, c := x.sys.limits[b], &x.config
	return limit > 0 && c.Spent(b, env, c.Crashed((x.all&^x.live).Len())) < limit
}

// cutsLeft reports whether the world allows that something cuts a step short.
func (x *current) cutsLeft() bool {
	for _, cut := range x.sys.cuts {
		if x.left(cut.Spends) {
			return true
		}
	}
	return false
}

// outstanding returns what the messages in the inbox of process i+1 hold up that have not arrived
// yet.
func (x *current) outstanding(i int, box uint32) *blocks {
	if x.refusing {
		if out := x.at[i].outstanding; out != nil {
			return out
		}
	}
	return &x.tables[i].inbox[box].blocks
}

// sum computes what decides whether timers may expire.
func (x *current) sum() {
	if x.summed {
		return
	}
	x.summed, x.awaited = true, 0
	held := x.held[:len(x.traits.Rules)]
	clear(held)
	for i, t := range x.tables {
		local := &t.Info[x.sys.layout.local(i).get(x.words)]
		out := x.outstanding(i, x.sys.layout.inbox(i).get(x.words))
		x.awaited |= out.senders
		if local.Status == model.Down {
			continue
		}
		for timer := range held {
			held[timer] |= out.timers[timer] | local.Owing[timer]
		}
	}
}
