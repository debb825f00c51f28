package object

import (
	"sync"

	"interleave/internal/cell"
	"interleave/spec"
)

// live is a Code at a real process: one object is kept for each process, the one of its latest state, and no history.
type live[O, D, V, M any] struct {
	*Code[O, D, V, M]

	lock    sync.Mutex
	objects map[spec.ID]object[O]
}

// object is the object of a state.
type object[O any] struct {
	place
	o O
}

// Step lets the object of a process handle an event. A boot makes a new one. Nothing makes an object again, so it has to
// stay as it is when the event is refused, or something has to be chosen first.
func (l *live[O, D, V, M]) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	l.lock.Lock()
	defer l.lock.Unlock()
	t, at := l.known(), placeOf(self, ring, s)
	now := l.objects[self]
	if e.Kind != spec.Init && now.place != at {
		t.fail("process %v is asked for a step from the state %+v, and its object is in another: a real process goes on from where it is", self, s)
	}
	o, fx := t.perform(now.o, &local{place: at}, e, true)
	if fx.Panic != "" {
		delete(l.objects, self)
		return s, fx
	}
	digest := digestOf(t.text(o))
	switch {
	case !leadsNowhere(fx):
		at.state = l.seen(o, digest)
		l.objects[self] = object[O]{at, o}
		return at.state, fx
	case digest != cell.Open[State[D, V]](s).Text:
		delete(l.objects, self)
		return s, spec.Effects{Panic: "Handle changes the object before it refuses, or before it has chosen, and that cannot be undone at a real process: let it do so first"}
	}
	return s, fx
}
