package diagram

import (
	"slices"

	"interleave/explore/dd"
	"interleave/model"
)

// Sendings are the reachable states by how many messages were sent before: Sent[n] has the states
// to which a run leads that sends n messages. A state may be in many of these sets. All are kept.
type Sendings struct {
	Sent []dd.Set

	y *System
}

// NewSendings returns the reachable states by messages sent, unless Forest.Err: up to the first set
// that is enough, or else to the last one that is not empty. The caller must know that there is
// one of these. See SendForever.
func NewSendings(y *System, strategy dd.Strategy, enough func(dd.Set) bool) *Sendings {
	f := y.Forest
	s := &Sendings{y: y}
	free, most := free(y.Events), 0
	for _, e := range y.Events {
		most = max(most, e.Sends)
	}
	for silent := 0; silent <= most && f.Err() == nil; silent++ {
		set := f.Keep(s.entries(len(s.Sent)))
		if set != dd.Empty {
			f.Replace(&set, f.Reach(strategy, free, set))
			silent = 0
		}
		s.Sent = append(s.Sent, set)
		if enough(set) {
			return s
		}
	}
	for len(s.Sent) > 0 && s.Sent[len(s.Sent)-1] == dd.Empty {
		s.Sent = s.Sent[:len(s.Sent)-1]
	}
	return s
}

// Drop drops the sets.
func (s *Sendings) Drop() {
	for _, set := range s.Sent {
		s.y.Forest.Drop(set)
	}
}

// free returns the events that send nothing.
func free(events []*Event) (silent []*dd.Event) {
	for _, e := range events {
		if e.leads() && e.Sends == 0 {
			silent = append(silent, e.Event)
		}
	}
	return silent
}

// entries returns the states in which the n-th message was just sent; the initial states if n is
// 0.
func (s *Sendings) entries(n int) dd.Set {
	y, f := s.y, s.y.Forest
	if n == 0 {
		return y.Initial()
	}
	all := f.Keep(dd.Empty)
	for _, e := range y.Events {
		if e.leads() && e.Sends > 0 && e.Sends <= n {
			f.Replace(&all, f.Union(all, f.Image(e.Event, s.Sent[n-e.Sends])))
		}
	}
	f.Drop(all)
	return all
}

// Path returns a run that sends n messages and ends in a goal, which is a subset of Sent[n]: its
// states, and how many messages each step sends. It is nil if the goal is empty or the forest
// failed.
func (s *Sendings) Path(n int, goal dd.Set) (path []model.State, sends []int) {
	y, f := s.y, s.y.Forest
	paths := paths{y.layout, y.Forest, free(y.Events)}
	for f.Err() == nil {
		f.Keep(goal)
		part := paths.between(s.entries(n), goal, s.Sent[n])
		f.Drop(goal)
		if part == nil {
			return nil, nil
		}
		path = append(part, path...)
		sends = append(make([]int, len(part)-1), sends...)
		if n == 0 {
			return path, sends
		}
		vector, _ := y.Vector(part[0])
		here := f.Keep(f.Single(vector))
		for _, e := range y.Events {
			if !e.leads() || e.Sends == 0 || e.Sends > n {
				continue
			}
			if goal = f.Source(e.Event, s.Sent[n-e.Sends], here); goal != dd.Empty {
				n -= e.Sends
				sends = slices.Insert(sends, 0, e.Sends)
				break
			}
		}
		f.Drop(here)
	}
	return nil, nil
}
