package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"interleave/impl"
	"interleave/impl/cluster/network"
	"interleave/impl/runlog"
	"interleave/spec"
)

// happening is one time that an event happens, or is undone.
type happening struct {
	at         time.Duration // after the beginning
	event      int           // in the plan
	occurrence int           // of the event, from 0
	undo       bool
}

// happenings returns what happens before the end, in order. What was not
// undone by then is so by the healing.
func (p Plan) happenings(length time.Duration) []happening {
	var all []happening
	for i, e := range p.Events {
		for k, at := 0, e.At; at < length; k, at = k+1, at+e.Every {
			all = append(all, happening{at, i, k, false})
			if e.For > 0 && e.For < length-at {
				all = append(all, happening{at + e.For, i, k, true})
			}
			if e.Every == 0 || e.Every >= length-at { // and no sum of times is too large
				break
			}
		}
	}
	slices.SortStableFunc(all, func(a, b happening) int { return cmp.Compare(a.at, b.at) })
	return all
}

// chance returns what draws when an event happens: it depends on the seed, the event and its occurrence.
func (p Plan) chance(h happening) func(n int) int {
	return network.Chance(p.Seed, network.EventDraws, uint64(h.event), uint64(h.occurrence)).IntN
}

// sides returns the processes for which the sides of an event stand when it happens.
func (p Plan) sides(h happening, w who) []spec.Set {
	return p.Events[h.event].resolve(p.chance(h), w)
}

// resolve returns the processes for which the sides of an action stand. A side
// is empty if nobody fits.
func (a Action) resolve(draw func(n int) int, w who) []spec.Set {
	sets := make([]spec.Set, len(a.Sides))
	var named spec.Set
	for i, s := range a.Sides {
		sets[i] = s.resolve(draw, w)
		named |= sets[i]
	}
	for i, s := range a.Sides {
		if s.Word == Others {
			sets[i] = w.all &^ named
		}
	}
	return sets
}

// who is for whom the words of a plan stand at a moment.
type who struct {
	all, live, killed, paused spec.Set
	leader                    spec.ID
}

func (s Some) resolve(draw func(n int) int, w who) spec.Set {
	switch s.Word {
	case Leader:
		if w.leader != spec.None {
			return spec.SetOf(w.leader)
		}
	case Random:
		if w.live != 0 {
			return spec.SetOf(slices.Collect(w.live.All())[draw(w.live.Len())])
		}
	case Several:
		return several(draw, w.all)
	case All:
		return w.all
	case Killed:
		return w.killed
	case Paused:
		return w.paused
	default:
		return s.Set
	}
	return 0
}

// several returns some of a set by chance, neither none nor all of two or more.
func several(draw func(n int) int, all spec.Set) spec.Set {
	if all.Len() < 2 {
		return all
	}
	for {
		var some spec.Set
		for id := range all.All() {
			if draw(2) == 1 {
				some = some.With(id)
			}
		}
		if some != 0 && some != all {
			return some
		}
	}
}

// drawRequest returns the request for which that of a plan stands: an action and its value as drawn from
// those that are declared, where they are left to chance.
func drawRequest(t spec.Traits, request string, draw func(n int) int) string {
	name, value, _ := strings.Cut(request, " ")
	if name == Random {
		open := requestable(t)
		name = open[draw(len(open))].Name
	}
	number, _ := t.ActionNamed(name)
	if a := t.Actions[number]; a.ReadValue != nil && value == "" {
		text, err := runlog.PlainJSON(a.Values[draw(len(a.Values))])
		if err != nil {
			return name
		}
		value = string(text)
	}
	return strings.TrimSpace(name + " " + value)
}

// requestable returns the actions that happen on request only.
func requestable(t spec.Traits) []spec.ActionTraits {
	return slices.DeleteFunc(slices.Clone(t.Actions), func(a spec.ActionTraits) bool { return a.Fair || a.Leaderless })
}

// checkRequest refuses a request of a plan that no process would take.
func checkRequest(t spec.Traits, request string) error {
	name, value, _ := strings.Cut(request, " ")
	if name == Random {
		if value != "" || len(requestable(t)) == 0 {
			return fmt.Errorf("%s has no such action that happens on request only: name an action", t.Name)
		}
		return nil
	}
	if number, ok := t.ActionNamed(name); ok && value == "" && t.Actions[number].ReadValue != nil {
		return nil
	}
	_, err := impl.ReadRequest(t, name, []byte(value))
	return err
}
