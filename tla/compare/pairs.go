package compare

import (
	"interleave/model"
	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/paxos"
	"interleave/spec/tokenring"
	"interleave/spec/twophasecommit"
	"interleave/tla"
	"interleave/tla/value"
)

// Pairs are the modules of the catalogue.
var Pairs = []Pair{
	{Module: "ChangRoberts", Machine: changroberts.Classic, World: anyInitiators, State: classic},
	{Module: "ChangRobertsCrash", Machine: changroberts.Detecting, World: detected, State: detecting},
	{Module: "Bully", Machine: bully.Mended, World: flushed, State: bullyState},
	{Module: "ListRing", Machine: tokenring.Mended, World: flushedRing, State: listRing},
	{Module: "Ballot", Machine: ble.Mended, World: rounds, State: ballotState},
	{Module: "TwoPhaseCommit", Machine: twophasecommit.Mended, World: anyTime, State: twoPhaseState},
	{Module: "Paxos", Machine: paxos.SingleDecree, World: ballots, State: paxosState},
}

func anyInitiators(m *tla.Model) (model.Config, error) {
	c, err := world(m, false, true)
	c.Initiators.Any = true
	return c, err
}

func detected(m *tla.Model) (model.Config, error) {
	c, err := world(m, true, true)
	c.Detector = model.Perfect
	return c, err
}

func flushed(m *tla.Model) (model.Config, error) { return world(m, true, false) }

func flushedRing(m *tla.Model) (model.Config, error) { return world(m, true, true) }

func anyTime(m *tla.Model) (model.Config, error) {
	c, err := world(m, true, false)
	c.Timers = model.Any
	return c, err
}

func rounds(m *tla.Model) (model.Config, error) { return bounded(m, "R") }

func ballots(m *tla.Model) (model.Config, error) { return bounded(m, "B") }

// bounded is anyTime, where a constant is the bound.
func bounded(m *tla.Model, bound string) (model.Config, error) {
	c, err := anyTime(m)
	if err == nil {
		c.Bound, err = number(m, bound, 100)
	}
	return c, err
}

type values = map[string]value.Value

// classic: in the module, an initiator is a candidate and the rest have lost
// even before they start.
func classic(s model.State) values {
	return values{
		"inbox": each(s, func(p spec.ID, _ model.Local) value.Value {
			var in spec.Set
			for _, e := range s.Inboxes[p-1] {
				in = in.With(e.Message.(spec.ID))
			}
			return ids(in)
		}),
		"initiator": each(s, func(_ spec.ID, l model.Local) value.Value { return value.Bool(l.Initiator) }),
		"state": each(s, func(_ spec.ID, l model.Local) value.Value {
			if l.Status == model.Booting && !l.Initiator {
				return value.String(changroberts.Lost.String())
			}
			return value.String(local[changroberts.Standing](l).Status.String())
		}),
		"pc": each(s, func(_ spec.ID, l model.Local) value.Value {
			if l.Status == model.Booting {
				return value.String("start")
			}
			return value.String("handle")
		}),
	}
}

func detecting(s model.State) values {
	remembered := func(f func(m changroberts.Memory) value.Value) value.Value {
		return each(s, func(_ spec.ID, l model.Local) value.Value { return f(local[changroberts.Memory](l)) })
	}
	return values{
		"up": up(s),
		"net": net(s, func(message any) ([]string, []value.Value) {
			m := message.(changroberts.Msg)
			return []string{"kind", "id"}, []value.Value{value.String(m.Kind.String()), id(m.ID)}
		}),
		"crashed": remembered(func(m changroberts.Memory) value.Value { return ids(m.Crashed) }),
		"seen":    remembered(func(m changroberts.Memory) value.Value { return ids(m.Seen) }),
		"leader":  remembered(func(m changroberts.Memory) value.Value { return id(m.Leader) }),
	}
}

func bullyState(s model.State) values {
	return values{
		"up": up(s),
		"net": net(s, func(message any) ([]string, []value.Value) {
			return []string{"kind"}, []value.Value{value.String(message.(bully.Msg).String())}
		}),
		"mode": each(s, func(_ spec.ID, l model.Local) value.Value {
			return value.String(local[bully.State](l).Mode.String())
		}),
		"leader": each(s, func(_ spec.ID, l model.Local) value.Value { return id(local[bully.State](l).Leader) }),
	}
}

func listRing(s model.State) values {
	return values{
		"up": up(s),
		"net": net(s, func(message any) ([]string, []value.Value) {
			m := message.(tokenring.Msg)
			var list []value.Value
			for _, p := range m.List {
				if p != spec.None {
					list = append(list, id(p))
				}
			}
			return []string{"kind", "list", "leader"},
				[]value.Value{value.String(m.Kind.String()), value.NewTuple(list...), id(m.Leader)}
		}),
		"holding": each(s, func(_ spec.ID, l model.Local) value.Value { return value.Bool(local[tokenring.State](l).Holding) }),
		"leader":  each(s, func(_ spec.ID, l model.Local) value.Value { return id(local[tokenring.State](l).Leader) }),
	}
}

func ballot(b ble.Ballot) value.Value { return value.NewTuple(value.Int(b.N), id(b.Process)) }

func ballotState(s model.State) values {
	remembered := func(f func(s ble.State) value.Value) value.Value {
		return each(s, func(p spec.ID, l model.Local) value.Value {
			own := local[ble.State](l)
			if l.Status == model.Down { // in the module, as in the beginning
				own.Bmax = ble.Ballot{Process: p}
			}
			return f(own)
		})
	}
	return values{
		"up": up(s),
		"net": net(s, func(message any) ([]string, []value.Value) {
			m := message.(ble.Msg)
			return []string{"kind", "round", "ballot"},
				[]value.Value{value.String(m.Kind.String()), value.Int(m.Round), ballot(m.Ballot)}
		}),
		"round":  remembered(func(s ble.State) value.Value { return value.Int(s.Round) }),
		"number": remembered(func(s ble.State) value.Value { return value.Int(s.N) }),
		"bmax":   remembered(func(s ble.State) value.Value { return ballot(s.Bmax) }),
		"leader": remembered(func(s ble.State) value.Value { return ballot(s.Leader) }),
		"last":   remembered(func(s ble.State) value.Value { return ballot(s.Last) }),
		"replies": remembered(func(s ble.State) value.Value {
			var all []value.Value
			for _, a := range s.Replies {
				if a != (ble.Answer{}) {
					all = append(all, value.NewTuple(id(a.From), ballot(a.Ballot)))
				}
			}
			return value.NewSet(all)
		}),
	}
}

func twoPhaseState(s model.State) values {
	remembered := func(f func(s twophasecommit.State) value.Value) value.Value {
		return each(s, func(_ spec.ID, l model.Local) value.Value { return f(local[twophasecommit.State](l)) })
	}
	return values{
		"up": up(s),
		"net": net(s, func(message any) ([]string, []value.Value) {
			return []string{"kind"}, []value.Value{value.String(message.(twophasecommit.Msg).String())}
		}),
		"phase": remembered(func(s twophasecommit.State) value.Value { return value.String(s.Phase.String()) }),
		"yes":   remembered(func(s twophasecommit.State) value.Value { return ids(s.Yes) }),
		"eager": each(s, func(_ spec.ID, l model.Local) value.Value {
			return value.Bool(l.Timers>>twophasecommit.OutcomeTimer&1 != 0)
		}),
	}
}

func vote(v paxos.Vote) value.Value {
	return value.NewTuple(value.Int(v.Ballot), value.String(string(v.Value)))
}

// paxosAnswers is who has answered in a phase, and the last vote that was reported, or the proposal.
func paxosAnswers(s paxos.State) (heard spec.Set, last paxos.Vote) {
	if s.Phase == paxos.Proposing {
		return s.Accepts, paxos.Vote{Ballot: s.Ballot, Value: s.Proposal}
	}
	for p, v := range s.Promises {
		if heard = heard.With(p); v.Ballot > last.Ballot {
			last = v
		}
	}
	return heard, last
}

func paxosState(s model.State) values {
	remembered := func(f func(s paxos.State) value.Value) value.Value {
		return each(s, func(_ spec.ID, l model.Local) value.Value { return f(local[paxos.State](l)) })
	}
	return values{
		"up": up(s),
		"net": net(s, func(message any) ([]string, []value.Value) {
			m := message.(paxos.Msg)
			return []string{"kind", "ballot", "vote"},
				[]value.Value{value.String(m.Kind.String()), value.Int(m.Ballot), vote(m.Vote)}
		}),
		"phase":    remembered(func(s paxos.State) value.Value { return value.String(s.Phase.String()) }),
		"wish":     remembered(func(s paxos.State) value.Value { return value.String(string(s.Wish)) }),
		"ballot":   remembered(func(s paxos.State) value.Value { return value.Int(s.Ballot) }),
		"heard":    remembered(func(s paxos.State) value.Value { heard, _ := paxosAnswers(s); return ids(heard) }),
		"vote":     remembered(func(s paxos.State) value.Value { _, last := paxosAnswers(s); return vote(last) }),
		"promised": remembered(func(s paxos.State) value.Value { return value.Int(s.Promised) }),
		"accepted": remembered(func(s paxos.State) value.Value { return vote(s.Accepted) }),
		"chosen":   remembered(func(s paxos.State) value.Value { return value.String(string(s.Chosen)) }),
	}
}
