package diagram

import (
	"slices"

	"interleave/explore/dd"
	"interleave/model"
)

// paths looks for shortest paths by some events.
type paths struct {
	*layout
	forest *dd.Forest
	events []*dd.Event
}

// between returns the states on a shortest path from a state of one set to one of
// another; nil as for Path. Everything that the events lead to from the first set is in among; that
// and goal are kept. It goes forward from the one and backward from the other, layer by layer,
// each time where the last layer is the smaller diagram: the layers in the middle of a long way
// are the largest.
func (y paths) between(from, goal, among dd.Set) []model.State {
	f := y.forest
	ahead, back := newWave(f, from), newWave(f, goal)
	defer ahead.drop()
	defer back.drop()
	ahead.step = f.Image
	ahead.link = func(e *dd.Event, here, layer dd.Set) dd.Set { return f.Source(e, layer, here) }
	back.step = func(e *dd.Event, s dd.Set) dd.Set { return f.Source(e, among, s) }
	back.link = func(e *dd.Event, here, layer dd.Set) dd.Set { return f.Intersect(f.Image(e, here), layer) }
	for f.Err() == nil {
		if meet := f.Intersect(ahead.last(), back.last()); meet != dd.Empty {
			return y.joined(ahead, back, meet)
		}
		side := ahead
		if f.Size(back.last()) < f.Size(ahead.last()) {
			side = back
		}
		if !side.spread(y.events) {
			return nil
		}
	}
	return nil
}

// joined returns the states of a path from the first layer of one wave through a state in which
// the last layers meet to the first layer of the other; nil if the forest failed.
func (y paths) joined(ahead, back *wave, meet dd.Set) []model.State {
	vector := y.forest.Some(meet)
	if vector == nil {
		return nil
	}
	before, after := y.follow(ahead, vector), y.follow(back, vector)
	if y.forest.Err() != nil {
		return nil
	}
	slices.Reverse(before)
	return slices.Concat(before, []model.State{y.State(vector)}, after)
}

// follow returns the states from one in the last layer of a wave, which is left out, to the first.
func (y paths) follow(w *wave, vector []uint32) (path []model.State) {
	f := y.forest
	for _, layer := range slices.Backward(w.layers[:len(w.layers)-1]) {
		here, next := f.Keep(f.Single(vector)), dd.Empty
		for _, e := range y.events {
			if next = w.link(e, here, layer); next != dd.Empty {
				break
			}
		}
		f.Drop(here)
		if vector = f.Some(next); vector == nil {
			return nil
		}
		path = append(path, y.State(vector))
	}
	return path
}

// wave is a set and, layer by layer, what is one more step away from it.
type wave struct {
	forest *dd.Forest
	layers []dd.Set // disjoint
	seen   dd.Set   // all of them

	step func(e *dd.Event, s dd.Set) dd.Set           // what is one step by e away from s
	link func(e *dd.Event, here, layer dd.Set) dd.Set // what in layer here is one step by e away from
}

func newWave(f *dd.Forest, s dd.Set) *wave {
	return &wave{forest: f, layers: []dd.Set{f.Keep(s)}, seen: f.Keep(s)}
}

func (w *wave) last() dd.Set { return w.layers[len(w.layers)-1] }

// spread adds a layer, and reports whether there is anything in it.
func (w *wave) spread(events []*dd.Event) bool {
	f := w.forest
	next := f.Keep(dd.Empty)
	for _, e := range events {
		f.Replace(&next, f.Union(next, f.Minus(w.step(e, w.last()), w.seen)))
	}
	w.layers = append(w.layers, next)
	f.Replace(&w.seen, f.Union(w.seen, next))
	return next != dd.Empty
}

func (w *wave) drop() {
	w.forest.Drop(w.seen)
	for _, s := range w.layers {
		w.forest.Drop(s)
	}
}
