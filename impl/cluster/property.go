package cluster

import (
	"errors"
	"fmt"
	"slices"

	"interleave/spec"
)

// final is who is up at the end and whom each says it follows.
type final struct {
	n       int
	up      spec.Set
	leaders map[spec.ID]spec.ID
	top     spec.ID // who ought to be the leader
}

// judge returns why the property does not hold.
func (p property) judge(f final) error {
	if f.up == 0 {
		return errors.New("no process is up")
	}
	return p.holds(f)
}

// property is a property of elections that has come to rest, judged on what
// real processes say. Names and meaning are those of the checker.
type property struct {
	name, doc string
	holds     func(f final) error
}

var (
	agreement = property{"agreement", "all live processes follow the same live one", func(f final) error {
		leader := f.leaders[f.up.Min()]
		for p := range f.up.All() {
			switch l := f.leaders[p]; {
			case l == spec.None:
				return fmt.Errorf("process %v follows nobody", p)
			case l != leader:
				return fmt.Errorf("process %v follows %v, and process %v follows %v", f.up.Min(), leader, p, l)
			case !f.up.Has(l):
				return fmt.Errorf("process %v follows %v, which is down", p, l)
			}
		}
		return nil
	}}
	agreementOnTop = property{"agreement-on-top", "all live processes follow the one that ought to win", func(f final) error {
		for p := range f.up.All() {
			if l := f.leaders[p]; l != f.top {
				return fmt.Errorf("process %v follows %v, and not %v", p, l, f.top)
			}
		}
		return nil
	}}
	oneLeader = property{"one-leader", "at most one live process follows itself", func(f final) error {
		if won := selfish(f.up, f.leaders); won.Len() > 1 {
			return fmt.Errorf("%v follow themselves", won)
		}
		return nil
	}}
	topWon = property{"top-won", "the one that ought to win follows itself", func(f final) error {
		if l := f.leaders[f.top]; f.top != spec.None && l != f.top {
			return fmt.Errorf("process %v follows %v, and not itself", f.top, l)
		}
		return nil
	}}
)

// promised returns the properties by which the runs of a machine are judged:
// those of quiescent states that it promises.
func promised(t spec.Traits) []property {
	switch {
	case !t.Elects:
		return nil
	case t.Unannounced && t.Wins == spec.Anyone:
		return []property{oneLeader}
	case t.Unannounced:
		return []property{topWon}
	case t.Wins != spec.Anyone && t.Promises == nil || slices.Contains(t.Promises, agreementOnTop.name):
		return []property{agreement, agreementOnTop}
	}
	return []property{agreement} // the rest promise some live leader, not a certain one
}

// selfish returns who follows itself of those that are up.
func selfish(up spec.Set, leaders map[spec.ID]spec.ID) (some spec.Set) {
	for p := range up.All() {
		if leaders[p] == p {
			some = some.With(p)
		}
	}
	return some
}

// top returns who ought to win among the processes that are up, if that is a certain one.
func top(t spec.Traits, up, initiators spec.Set) spec.ID {
	if t.Wins == spec.SmallestInitiator {
		return (up & initiators).Min()
	}
	return up.Max()
}
