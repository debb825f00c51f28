package diagram

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"interleave/explore/dd"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
)

// maxAsked is how many worlds Find may ask about one by one.
const maxAsked = 2_000_000

// ErrTooMany says that a condition depends on so much of a state that too many worlds would have
// to be asked about one by one.
var ErrTooMany = errors.New("it looks at more of a state than the symbolic engine can tell apart")

// question is what find asks about states that look the same.
type question struct {
	forest *dd.Forest
	view   func(far model.ReadSet) *dd.Event                               // maps states that look the same to one
	ask    func(vector []uint32) (yes bool, looked model.ReadSet, _ error) // looked is what else the answer depends on
}

// Find returns the states of a set in which a condition is true; quiet has all quiescent
// states, and is kept. The condition is asked once for all states in which the processes show
// the same views: who is up, who begins of its own accord, and whom each follows. If it asks
// for more, such as a local state, an inbox, or whether the state is quiescent, then states
// that differ in this are asked separately.
func (y *System) Find(s, quiet dd.Set, is func(*model.World) bool) (dd.Set, error) {
	f := y.Forest
	f.Keep(s)
	defer f.Drop(s)
	found, asked, err := y.findAmong(s, s == quiet, is)
	if !asked || s == quiet || err != nil {
		return found, err
	}
	resting, busy := f.Keep(f.Intersect(s, quiet)), f.Keep(f.Minus(s, quiet))
	defer f.Drop(resting)
	defer f.Drop(busy)
	if found, _, err = y.findAmong(resting, true, is); err != nil {
		return dd.Empty, err
	}
	f.Keep(found)
	defer f.Drop(found)
	others, _, err := y.findAmong(busy, false, is)
	return f.Union(found, others), err
}

// findAmong is Find in a set that is kept, as if all its states were quiescent, or none. It
// reports whether the condition asked for that.
func (y *System) findAmong(s dd.Set, quiescent bool, is func(*model.World) bool) (_ dd.Set, asked bool, _ error) {
	found, err := question{y.Forest, y.view, func(vector []uint32) (bool, model.ReadSet, error) {
		w := y.reference.World(y.State(vector))
		w.SetQuiescent(quiescent)
		yes := is(w)
		asked = asked || w.LookedOn()
		return yes, w.Reads(), y.blind(w)
	}}.find(s, 0)
	return found, asked, err
}

// FindStep returns the states of a set with a step for which a condition is true. Like Find, it
// asks about views first, for each event about those before and after it.
func (y *System) FindStep(s dd.Set, is func(before, after *model.World) bool) (dd.Set, error) {
	f := y.Forest
	f.Keep(s)
	defer f.Drop(s)
	found := f.Keep(dd.Empty)
	defer func() { f.Drop(found) }()
	for _, e := range y.Events {
		if !e.leads() {
			continue
		}
		enabled := f.Keep(f.Enabled(e.Event, s))
		some, err := y.questionOf(e.Event, is).find(enabled, 0)
		f.Drop(enabled)
		if err != nil {
			return dd.Empty, err
		}
		f.Replace(&found, f.Union(found, some))
	}
	return found, f.Err()
}

// questionOf is what find asks about the states in which an event may happen.
func (y *System) questionOf(e *dd.Event, is func(before, after *model.World) bool) question {
	views := map[model.ReadSet]*dd.Event{}
	view := func(far model.ReadSet) *dd.Event {
		if views[far] == nil {
			views[far] = y.newView(far, e)
		}
		return views[far]
	}
	return question{y.Forest, view, func(vector []uint32) (bool, model.ReadSet, error) {
		after := slices.Clone(vector)
		for place, value := range vector {
			if next, ok := y.Forest.Next(e, place, value); ok { // not ok if the event depends on something that is not shown
				after[place] = next
			}
		}
		v, w := y.reference.World(y.State(vector)), y.reference.World(y.State(after))
		return is(v, w), v.Reads() | w.Reads(), errors.Join(y.blind(v), y.blind(w))
	}}
}

// find returns the states of a set for which the answer is yes. At first it separates states by far. It asks again,
// separating more, only about the states for which more was asked.
func (q question) find(s dd.Set, far model.ReadSet) (dd.Set, error) {
	f := q.forest
	view := q.view(far)
	seen := f.Keep(f.Image(view, s))
	defer f.Drop(seen)
	if n := f.Count(seen); n.Cmp(big.NewInt(maxAsked)) > 0 {
		return dd.Empty, fmt.Errorf("%w: %v of them", ErrTooMany, n)
	}
	found := f.Keep(dd.Empty)
	defer func() { f.Drop(found) }()
	asked, err := q.answers(seen, far)
	if err != nil {
		return dd.Empty, err
	}
	for farther, vectors := range asked {
		if len(vectors) == 0 {
			continue
		}
		some := f.Keep(setOf(f, vectors))
		f.Replace(&some, f.Source(view, s, some))
		if farther != 0 {
			more, err := q.find(some, far|model.ReadSet(farther))
			if err != nil {
				f.Drop(some)
				return dd.Empty, err
			}
			f.Replace(&some, more)
		}
		f.Replace(&found, f.Union(found, some))
		f.Drop(some)
	}
	return found, f.Err()
}

// setOf returns the set of some vectors.
func setOf(f *dd.Forest, vectors [][]uint32) dd.Set {
	all := f.Keep(dd.Empty)
	for _, vector := range vectors {
		f.Replace(&all, f.Union(all, f.Single(vector)))
	}
	f.Drop(all)
	return all
}

// view returns the event that maps states that look the same to one of them.
func (y *System) view(far model.ReadSet) *dd.Event {
	if y.views[far] == nil {
		y.views[far] = y.newView(far, nil)
	}
	return y.views[far]
}

// newView returns the event that maps states to one of them if they look the same, and also do so
// after event e, unless that is nil.
func (y *System) newView(far model.ReadSet, e *dd.Event) *dd.Event {
	d := effects{}
	keep := func(_, now uint32) (uint32, bool) { return now, true }
	forget := func(_, _ uint32) (uint32, bool) { return 0, true }
	for i, t := range y.tables {
		place := y.locals[i]
		first := map[[2]view]uint32{}
		show := func(_, now uint32) (uint32, bool) {
			looks := [2]view{y.viewOf(t, now, far)}
			if e != nil {
				if after, ok := y.Forest.Next(e, place, now); ok {
					looks[1] = y.viewOf(t, after, far)
				}
			}
			if _, ok := first[looks]; !ok {
				first[looks] = now
			}
			return first[looks], true
		}
		if far&model.ReadLocals != 0 {
			show = keep
		}
		d.at(place, show)
	}
	if far&model.ReadInboxes == 0 {
		for _, c := range y.channels {
			d.at(c.place, forget)
		}
		if y.budgeted {
			d.at(0, forget)
		}
	}
	return d.event(y.Forest)
}

// view is what a process shows of itself.
type view struct {
	down, booting, idle, initiator bool
	leader                         spec.ID
}

func (y *layout) viewOf(t *compiled.Tables, local uint32, far model.ReadSet) view {
	l := &t.Info[local]
	look := view{down: l.Status == model.Down, initiator: l.Initiator, leader: l.Leader}
	if far&model.ReadStatus != 0 {
		look.booting = l.Status == model.Booting
	}
	if far&model.ReadIdleness != 0 {
		look.idle = look.down || y.traits.Idle(l.State)
	}
	return look
}

// answers asks about each state of a set that shows far. It returns the states for which the answer
// is yes and, by what else was asked for, those for which the answer depends on that.
func (q question) answers(s dd.Set, far model.ReadSet) (vectors [model.ReadSets][][]uint32, _ error) {
	for vector := range q.forest.All(s) {
		yes, looked, err := q.ask(vector)
		if err != nil {
			return vectors, err
		}
		if far&model.ReadLocals != 0 {
			looked &^= model.ReadStatus | model.ReadIdleness
		}
		if farther := looked &^ far; yes || farther != 0 {
			vectors[farther] = append(vectors[farther], slices.Clone(vector))
		}
	}
	return vectors, nil
}

// blind returns ErrOverapprox if, in an over-approximation, a condition looked at messages in flight and
// there are some. If none is in flight, none is in the world either.
func (y *System) blind(w *model.World) error {
	if !y.Overapprox || !w.LookedInside() {
		return nil
	}
	for range w.InFlight() {
		return ErrOverapprox
	}
	return nil
}
