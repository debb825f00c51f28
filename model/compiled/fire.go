package compiled

import (
	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// fire adds the step in which process i+1 makes a move that leaves rest as its
// inbox, and those in which something cuts it short.
func (x *expander) fire(i int, m *Move, action explore.Action, rest uint32) bool {
	switch {
	case m.Beyond:
		x.out.Cut, x.out.Left = x.out.Cut || !x.optional, x.out.Left || x.optional
		return true
	case m.deadEnd:
		x.out.Marks = append(x.out.Marks, explore.Mark{Bit: model.PanicMark, OnStep: true, Action: action})
		x.out.Dead = append(x.out.Dead, action)
		return true
	}
	env, broken, ok := x.observe(i, m, whole, 0)
	if !ok {
		return false
	}
	next := x.out.Add(action, x.words)
	if env != x.env && !x.setEnv(next, env) {
		return false
	}
	at := len(x.out.States) - len(next)
	x.lanes[i].box.change(next, x.at[i].box, rest)
	for k := 0; ; k++ {
		if x.mayCut {
			if !x.cutShort(i, m, action, k, next) {
				return false
			}
			next = x.out.States[at : at+len(next)] // the slice may have moved
		}
		if k == len(m.Sends) {
			break
		}
		if !x.send(&m.Sends[k], spec.ID(i+1), next) {
			return false
		}
	}
	x.lanes[i].local.change(next, x.at[i].local, m.To)
	if broken |= m.Broken; broken != 0 {
		model.MarkBroken(x.out, broken, action)
	}
	return true
}

// cutShort adds the steps in which something cuts a move of process i+1 short after some of its sends, when the state is
// s.
func (x *expander) cutShort(i int, m *Move, action explore.Action, sends int, s []uint64) bool {
	for _, cut := range x.sys.cuts {
		disk, end := cut.Disks(sends, len(m.Sends), m.Saves, m.Persists())
		if disk == end || !x.leftAfter(cut.Spends, &x.next) {
			continue
		}
		for ; disk < end; disk++ {
			env, broken, ok := x.observe(i, m, sends, disk)
			if !ok {
				return false
			}
			a := x.sys.CutAction(action, cut.Action, sends, disk)
			if broken != 0 {
				model.MarkBroken(x.out, broken, a)
			}
			if cut.Action.Down() {
				down := m.down
				if disk > 0 {
					down = m.persists.left[disk]
				}
				if !x.crash(a, i, s, down, x.config.Pay(cut.Spends, env)) {
					return false
				}
				continue
			}
			next := x.out.Add(a, s)
			x.lanes[i].local.change(next, x.at[i].local, m.To)
			if !x.setEnv(next, x.config.Pay(cut.Spends, env)) {
				return false
			}
		}
	}
	return true
}

// setEnv sets the environment of next, a successor of the current state.
func (x *expander) setEnv(next []uint64, env model.Env) bool {
	if !x.sys.hasEnv {
		return true
	}
	field := x.sys.layout.env()
	number := field.get(x.words) // that of x.env, which next need not have any more
	if env != x.env {
		var ok bool
		if number, ok = x.sys.envs.Find(env); !ok {
			if !x.learning {
				return false
			}
			number, _ = x.sys.envs.Number(env)
		}
	}
	field.change(next, field.get(next), number)
	return true
}

// send puts a message in flight.
func (x *expander) send(m *Sending, from spec.ID, next []uint64) bool {
	to, message := m.To, m.ID
	if to == spec.NextLive {
		to = x.nextLive(from)
		message = m.IDs[to-1]
	}
	return x.env.Divides(from, to) || x.deliver(int(to-1), message, next)
}

// deliver puts a message into the inbox of process i+1 in next, unless that process is down for
// good.
func (x *expander) deliver(i int, message uint32, next []uint64) bool {
	if !x.reaches(i) {
		return true
	}
	box := x.lanes[i].box.get(next)
	after, ok := x.lanes[i].with(box, message, x.learning)
	if ok {
		x.lanes[i].box.change(next, box, after)
	}
	return ok
}

// never is unlearned, less 1.
const never = 1<<32 - 1

// reaches reports whether a message to process i+1 gets into its inbox.
func (x *expander) reaches(i int) bool {
	return x.live>>i&1 != 0 || x.config.Recoveries > 0
}

// nextLive returns the next live process on the ring.
func (x *expander) nextLive(from spec.ID) spec.ID {
	if x.nextsFor != x.live {
		x.nextsFor = x.live
		for p := range x.live.All() {
			x.nexts[p-1] = spec.NextOnRing(x.ring, p, x.live)
		}
	}
	if !x.live.Has(from) { // it is about to recover
		return spec.NextOnRing(x.ring, from, x.live)
	}
	return x.nexts[from-1]
}

// observation is what monitors see in a state of theirs: a move, whole or cut short by a crash.
type observation struct {
	monitors    string
	process     int
	move        int32
	sends, disk int16 // see model.Event, if it is cut short; else sends is whole
}

const whole = -1

// observed is what monitors make of that, and the watches that it breaks.
type observed struct {
	monitors string
	broken   uint64
}

// observe lets the monitors see a move of process i+1 that starts in the current state, and returns the environment
// after it and the watches that it breaks; false if that was not learned.
func (x *expander) observe(i int, m *Move, sends, disk int) (env model.Env, broken uint64, ok bool) {
	env = x.next
	if len(x.config.Monitors) == 0 {
		return env, 0, true
	}
	if disk == 0 && sends != whole {
		sends = 0 // it makes no difference
	}
	key := observation{x.env.Monitors, i, m.number, int16(sends), int16(disk)}
	after, known := x.sys.observed[key]
	if !known {
		if !x.learning {
			return env, 0, false
		}
		after = key.learn(x.sys.LocalSteps, x.at[i].local, m)
		x.sys.observed[key] = after
	}
	env.Monitors = after.monitors
	return env, after.broken, true
}

// learn asks the monitors.
func (o observation) learn(s *LocalSteps, local uint32, m *Move) observed {
	t := s.tables[o.process]
	before, after, outputs := t.Locals.Values[local], t.Locals.Values[m.To], t.outputs[m.number]
	if o.sends != whole {
		fx := spec.Effects{Sends: make([]spec.Send, len(m.Sends)), Outputs: outputs, Persists: m.Persists()}
		after, outputs = s.reference.Short(before, after, fx, int(o.sends), int(o.disk))
	}
	step := model.Seen(t.ID, s.Event(nil, m.Action).Step, before, after, outputs)
	monitors, broken := s.reference.Monitors().Observe(o.monitors, step)
	return observed{monitors, s.reference.Monitors().BrokenBy(s.watches, broken)}
}
