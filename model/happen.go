package model

import "interleave/spec"

// mayHappen reports whether the world lets t's process, whose numbers are given, handle e now.
func (x *expander) mayHappen(t *tables, local, box uint32, e *spec.Event) bool {
	switch e.Kind {
	case spec.Recover:
		return x.env.Recoveries < uint8(x.sys.config.Recoveries)
	case spec.Notice:
		return x.leaderless(t.local[local].leader)
	case spec.Timeout:
		return x.mayExpire(t, local, e.Timer)
	case spec.Suspect:
		if x.live.Has(e.Peer) {
			return x.env.Suspicions < uint8(x.sys.config.Suspicions)
		}
		return x.sys.config.Detector != Flushed || !x.outstanding(int(t.id-1), box).senders.Has(e.Peer)
	case spec.Restore:
		return x.live.Has(e.Peer)
	}
	return true
}

func (x *expander) leaderless(leader spec.ID) bool {
	if x.live.Has(leader) {
		return false
	}
	return !x.sys.noticesLate || !x.outstandingFrom(x.sys.config.process(leader))
}

func (x *expander) outstandingFrom(senders spec.Set) bool {
	x.sum()
	return x.awaited&senders != 0
}

// outstanding returns what the messages in the inbox of process i+1 hold up that have not arrived
// yet.
func (x *expander) outstanding(i int, box uint32) *upholds {
	if x.sys.refusing {
		if out := x.at[i].outstanding; out != nil {
			return out
		}
	}
	return &x.sys.tables[i].inbox[box].upholds
}

func (x *expander) mayExpire(t *tables, local uint32, timer spec.Timer) bool {
	rule := &x.sys.traits.Rules[timer]
	timing := x.sys.config.Timers
	if !timing.Justifies(rule.Elects) {
		return true
	}
	silent := t.local[local].silent[timer]
	if rule.AllDown && silent&x.live != 0 {
		return false
	}
	if x.sum(); x.held[timer].Has(t.id) {
		return false
	}
	return timing == Just || !x.outstandingFrom(silent&^x.live)
}

// sum computes what decides whether timers may expire.
func (x *expander) sum() {
	if x.summed {
		return
	}
	x.summed, x.awaited = true, 0
	held := x.held[:len(x.sys.traits.Rules)]
	clear(held)
	for i, t := range x.sys.tables {
		local := &t.local[x.sys.layout.local(i).get(x.words)]
		out := x.outstanding(i, x.sys.layout.inbox(i).get(x.words))
		x.awaited |= out.senders
		if local.Status == Down {
			continue
		}
		for timer := range held {
			held[timer] |= out.timers[timer] | local.owing[timer]
		}
	}
}
