package model

import "interleave/spec"

// mayHappen reports whether the world lets t's process, of which the numbers are
// given, handle e now.
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
		return x.sys.config.Detector != Flushed || !t.inbox[box].senders.Has(e.Peer)
	case spec.Restore:
		return x.live.Has(e.Peer)
	}
	return true
}

func (x *expander) leaderless(leader spec.ID) bool {
	if x.live.Has(leader) {
		return false
	}
	return !x.sys.noticesLate || !x.inFlightFrom(x.sys.config.process(leader))
}

func (x *expander) inFlightFrom(senders spec.Set) bool {
	x.sum()
	return x.inFlight&senders != 0
}

func (x *expander) mayExpire(t *tables, local uint32, timer spec.Timer) bool {
	rule := &x.sys.traits.Rules[timer]
	timing := x.sys.config.Timers
	if timing == Any || timing == Mixed && !rule.Elects {
		return true
	}
	silent := t.local[local].silent[timer]
	if rule.AllDown && silent&x.live != 0 {
		return false
	}
	if x.sum(); x.held[timer].Has(t.id) {
		return false
	}
	return timing == Just || !x.inFlightFrom(silent&^x.live)
}

// sum gathers what the world looks at before a timer may expire.
func (x *expander) sum() {
	if x.summed {
		return
	}
	x.summed, x.inFlight = true, 0
	held := x.held[:len(x.sys.traits.Rules)]
	clear(held)
	for i, t := range x.sys.tables {
		local := &t.local[x.sys.layout.local(i).get(x.words)]
		in := &t.inbox[x.sys.layout.inbox(i).get(x.words)]
		x.inFlight |= in.senders
		if local.Status == Down {
			continue
		}
		for timer := range held {
			held[timer] |= in.holdsUp[timer] | local.owing[timer]
		}
	}
}
