package model

import (
	"slices"

	"interleave/explore"
	"interleave/spec"
)

// crash adds a step to the state s, with process i+1 down.
func (x *expander) crash(a explore.Action, i int, s []uint64, down uint32) bool {
	next := x.out.Add(a, s)
	local, box := &x.lanes[i].local, &x.lanes[i].box
	local.change(next, local.get(next), down)
	if x.sys.config.Recoveries == 0 {
		box.change(next, box.get(next), 0)
		return true
	}
	env := x.env
	if x.sys.hasEnv { // s may be in the middle of a recovery
		env = x.sys.envs.values[x.sys.layout.env().get(s)]
	}
	env.Crashes++
	return x.setEnv(next, env)
}

// mishaps adds what may happen to the messages that may arrive next at process i+1.
func (x *expander) mishaps(t *tables, i int, r *row) bool {
	box := r.box
	for k := range t.choices[box] {
		letter := t.choices[box][k].letter
		rest, ok := x.rest(t, box, k)
		if !ok {
			return false
		}
		if r.status == Down {
			x.out.Quiet = false
			x.lanes[i].box.change(x.out.Add(x.sys.doing(Drop, t.id, letter)|receiving, x.words), box, rest)
		}
		if x.env.Losses < uint8(x.sys.config.Losses) {
			next := x.out.Add(x.sys.doing(Lose, t.id, letter)|receiving, x.words)
			x.lanes[i].box.change(next, box, rest)
			env := x.env
			env.Losses++
			if !x.setEnv(next, env) {
				return false
			}
		}
		if x.env.Duplicates < uint8(x.sys.config.Duplicates) && !x.duplicate(t, i, box, k) {
			return false
		}
	}
	return true
}

// duplicate adds the step that copies the message of the k-th choice of an inbox.
func (x *expander) duplicate(t *tables, i int, box uint32, k int) bool {
	c := t.choices[box][k]
	if c.more == unlearned {
		if !x.learning {
			return false
		}
		content := t.inbox[box].content
		more := slices.Insert(slices.Clone(content), int(c.place), content[c.place])
		c.more = int32(x.sys.numberInbox(t, more)) + 1
		t.choices[box][k].more = c.more
	}
	if !x.fits(i, uint32(c.more-1)) {
		return false
	}
	next := x.out.Add(x.sys.doing(Copy, t.id, c.letter)|receiving, x.words)
	x.lanes[i].box.change(next, box, uint32(c.more-1))
	env := x.env
	env.Duplicates++
	return x.setEnv(next, env)
}

// receiving marks the letter in the action of a deed as that of a message.
const receiving = explore.Action(spec.Receive) << eventShift

// divisions adds the steps in which the network divides or heals.
func (x *expander) divisions() bool {
	env := x.env
	if env.Side != 0 {
		x.out.Quiet = false
		env.Side = 0
		return x.setEnv(x.out.Add(x.sys.doing(Heal, 0, 0), x.words), env)
	}
	if env.Partitions >= uint8(x.sys.config.Partitions) {
		return true
	}
	env.Partitions++
	for _, env.Side = range x.sys.sides {
		if !x.setEnv(x.out.Add(x.sys.doing(Divide, 0, uint32(env.Side)), x.words), env) {
			return false
		}
	}
	return true
}
