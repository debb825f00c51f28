package compiled

import (
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// faults are what may happen to messages and the network, and what may cut a step short.
type faults struct {
	messageFaults    [][]fault // by process: what may happen to messages to it
	hasMessageFaults bool      // there are any
	network          []fault
	cuts             []model.Cut
	limits           [model.AllBudgets]int // how much of each the world allows
}

// fault is what may happen to a message that may arrive next, or to the network.
type fault struct {
	enabling
	action model.ActionKind
	side   spec.Set
}

func newFaults(r *model.Reference) (f faults) {
	c, rules := r.Config(), r.Rules()
	compiled := func(rules []model.Rule) (list []fault) {
		for _, rule := range rules {
			list = append(list, fault{newEnabling(r, rule), rule.Action, rule.Side})
		}
		return list
	}
	for p := range spec.UpTo(c.N).All() {
		f.messageFaults = append(f.messageFaults, compiled(rules.Messages(p)))
		f.hasMessageFaults = f.hasMessageFaults || f.messageFaults[p-1] != nil
	}
	f.network, f.cuts = compiled(rules.Network()), rules.Cuts()
	for b := range model.AllBudgets {
		f.limits[b] = c.Limit(b)
	}
	return f
}

// cutsShort reports whether something may ever cut a move short.
func (f *faults) cutsShort(m *Move) bool {
	return slices.ContainsFunc(f.cuts, func(cut model.Cut) bool {
		least, end := cut.Sends(len(m.Sends), m.Saves)
		return least < end || m.persists != nil
	})
}

// crash adds a step to the state s, with process i+1 down and another environment.
func (x *expander) crash(a explore.Action, i int, s []uint64, down uint32, env model.Env) bool {
	next := x.out.Add(a, s)
	local, box := &x.lanes[i].local, &x.lanes[i].box
	local.change(next, local.get(next), down)
	if x.config.Recoveries == 0 {
		box.change(next, box.get(next), 0)
	}
	return x.setEnv(next, env)
}

// messageFaults adds what may happen to the messages that may arrive next at process i+1.
func (x *expander) messageFaults(t *Tables, i int, r *row) bool {
	box := r.box
	for k := range t.choices[box] {
		message := t.choices[box][k].message
		rest, ok := x.lanes[i].without(box, k, x.learning)
		if !ok {
			return false
		}
		for d := range x.sys.messageFaults[i] {
			m := &x.sys.messageFaults[i][d]
			if !x.met(t, &m.enabling, box) {
				continue
			}
			after := rest
			if m.action == model.Copy {
				if after, ok = x.lanes[i].withCopy(box, k, x.learning); !ok {
					return false
				}
			}
			x.out.Quiet = x.out.Quiet && !m.obliged
			next := x.out.Add(x.sys.Doing(m.action, t.ID, message)|Receiving, x.words)
			x.lanes[i].box.change(next, box, after)
			if !x.setEnv(next, x.config.Pay(m.spends, x.env)) {
				return false
			}
		}
	}
	return true
}

// networkFaults adds the steps in which the network divides or heals.
func (x *expander) networkFaults() bool {
	for k := range x.sys.network {
		m := &x.sys.network[k]
		if !x.met(nil, &m.enabling, 0) {
			continue
		}
		x.out.Quiet = x.out.Quiet && !m.obliged
		env := x.config.Pay(m.spends, x.env)
		env.Side = m.side
		if !x.setEnv(x.out.Add(x.sys.Doing(m.action, spec.None, uint32(m.side)), x.words), env) {
			return false
		}
	}
	return true
}
