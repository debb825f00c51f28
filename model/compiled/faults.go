package compiled

import (
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// crash adds a step to the state s, with process i+1 down and another environment.
func (x *expander) crash(a explore.Action, i int, s []uint64, down uint32, env model.Env) bool {
	next := x.out.Add(a, s)
	local, box := &x.lanes[i].local, &x.lanes[i].box
	local.change(next, local.get(next), down)
	if x.sys.config.Recoveries == 0 {
		box.change(next, box.get(next), 0)
	}
	return x.setEnv(next, env)
}

// messageFaults adds what may happen to the messages that may arrive next at process i+1.
func (x *expander) messageFaults(t *Tables, i int, r *row) bool {
	box := r.box
	for k := range t.choices[box] {
		message := t.choices[box][k].message
		rest, ok := x.rest(t, box, k)
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
				if after, ok = x.more(t, box, k); !ok {
					return false
				}
			}
			x.out.Quiet = x.out.Quiet && m.spends != model.Unlimited
			next := x.out.Add(x.sys.Doing(m.action, t.ID, message)|Receiving, x.words)
			x.lanes[i].box.change(next, box, after)
			if !x.setEnv(next, x.sys.config.Pay(m.spends, x.env)) {
				return false
			}
		}
	}
	return true
}

// fault is what may happen to a message that may arrive next, or to the network.
type fault struct {
	enabling
	action model.ActionKind
	side   spec.Set
}

func (s *System) fault(p spec.ID, rule model.Rule) fault {
	return fault{s.enablingOf(p, rule), rule.Action, rule.Side}
}

// more returns the inbox with a copy of the message of its k-th choice.
func (x *expander) more(t *Tables, box uint32, k int) (uint32, bool) {
	c := t.choices[box][k]
	if c.more == unlearned {
		if !x.learning {
			return 0, false
		}
		content := t.inbox[box].content
		more := slices.Insert(slices.Clone(content), int(c.place), content[c.place])
		c.more = int32(x.sys.numberInbox(t, more)) + 1
		t.choices[box][k].more = c.more
	}
	return uint32(c.more - 1), x.fits(int(t.ID-1), uint32(c.more-1))
}

// networkFaults adds the steps in which the network divides or heals.
func (x *expander) networkFaults() bool {
	for k := range x.sys.network {
		m := &x.sys.network[k]
		if !x.met(nil, &m.enabling, 0) {
			continue
		}
		x.out.Quiet = x.out.Quiet && m.spends != model.Unlimited
		env := x.sys.config.Pay(m.spends, x.env)
		env.Side = m.side
		if !x.setEnv(x.out.Add(x.sys.Doing(m.action, spec.None, uint32(m.side)), x.words), env) {
			return false
		}
	}
	return true
}
