package object

import (
	"bytes"
	"reflect"
	"slices"
	"sync"

	"interleave/internal/cell"
	"interleave/spec"
)

// table is what is known of the objects of a Code: their texts, and the histories that make them again. A step is taken once;
// from then on the table has it.
type table[O, D, V, M any] struct {
	code      *Code[O, D, V, M]
	algorithm *spec.Algorithm[State[D, V], M] // without its code
	traits    spec.Traits                     // of that
	texts     texts

	lock   sync.Mutex
	locals map[place]*local
	latest map[spec.ID]made[O] // by process: who follows one run goes on from there
	list   []*local            // those of locals, as they became known
	store  store
	bytes  int64
	looked int // how often an object was looked at by View and Disk
}

// The first oftenLooked times that View and Disk look at an object, and then one in seldomLooked, they must not change it.
const oftenLooked, seldomLooked = 1 << 12, 1 << 6

// place is a state of one process.
type place struct {
	self  spec.ID
	ring  string // a byte each
	state any
}

// local is a state of one process, and one way to it; or what it finds on its disk when it boots.
type local struct {
	place
	number int // in the list
	before *local
	event  spec.Event // by which it came out of before
	depth  int        // so many events have to be repeated
	saved  []byte     // by Save, if there is one
	steps  map[happening]*step
	order  []*step // those of steps, as they were taken
}

// made is an object that was made for a state by the history that the state has.
type made[O any] struct {
	local *local
	o     O
}

// step is what was seen of a step of one process.
type step struct {
	event   spec.Event
	to      *local // nil: it leads nowhere
	effects spec.Effects
}

// happening is an event as a key of maps. Nobody has an Inbox.
type happening struct {
	kind           spec.EventKind
	from, peer     spec.ID
	message, value any
	timer          spec.Timer
	action         uint8
	initiator      bool
	live           spec.Set
	choices        string
}

func happeningOf(e spec.Event) happening {
	choices := make([]byte, len(e.Choices))
	for i, c := range e.Choices {
		choices[i] = byte(c)
	}
	return happening{e.Kind, e.From, e.Peer, e.Message, e.Value, e.Timer, e.Action, e.Initiator, e.Live, string(choices)}
}

// longHistory is after how many events an object is saved, if it can be. About what perLocal and perStep bytes
// are taken by a state and a step, beside its text.
const longHistory, perLocal, perStep = 8, 400, 500

func newTable[O, D, V, M any](c *Code[O, D, V, M]) *table[O, D, V, M] {
	t := &table[O, D, V, M]{code: c, algorithm: c.algorithm(), locals: map[place]*local{}, latest: map[spec.ID]made[O]{}, store: newStore()}
	t.traits, t.texts = t.algorithm.Traits(), newTexts(c.Ignore)
	return t
}

// fail ends a check of code that cannot be checked.
func (t *table[O, D, V, M]) fail(format string, args ...any) {
	panic(t.code.fault(format, args...))
}

// step takes a step, or repeats what came of it.
func (t *table[O, D, V, M]) step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	t.lock.Lock()
	defer t.lock.Unlock()
	from := t.local(self, ring, s)
	h := happeningOf(e)
	known := from.steps[h]
	if known != nil && !e.IsWatched() {
		return known.result(s)
	}
	compares := known != nil
	o, state, fx := t.take(t.object(from, compares), from, e)
	if compares {
		if state == nil {
			state = s
		}
		return state, fx
	}
	done := &step{event: e, effects: fx}
	if state != nil {
		count := len(t.list)
		done.to = t.put(place{self, from.ring, state}, o, from, e)
		if len(t.list) > count { // so this is the history that it has
			t.latest[self] = made[O]{done.to, o}
		}
	}
	from.steps[h], from.order = done, append(from.order, done)
	t.bytes += perStep
	return done.result(s)
}

// result returns what comes of a step out of s.
func (s *step) result(before any) (any, spec.Effects) {
	fx := s.effects
	fx.Sends, fx.Outputs = slices.Clone(fx.Sends), slices.Clone(fx.Outputs)
	if s.to == nil {
		return before, fx
	}
	return s.to.state, fx
}

// local returns a state that is known. What a process finds on its disk always is.
func (t *table[O, D, V, M]) local(self spec.ID, ring []spec.ID, s any) *local {
	at := placeOf(self, ring, s)
	if l := t.locals[at]; l != nil {
		return l
	}
	if cell.Open[State[D, V]](s).Text != "" {
		t.fail("no history is known that leads process %v to the state %+v: begin with its boot", self, s)
	}
	return t.add(&local{place: at})
}

func (t *table[O, D, V, M]) add(l *local) *local {
	l.number, l.steps = len(t.list), map[happening]*step{}
	t.locals[l.place], t.list = l, append(t.list, l)
	t.bytes += perLocal + int64(len(l.saved))
	return l
}

// put makes the state known to which an object came.
func (t *table[O, D, V, M]) put(at place, o O, from *local, e spec.Event) *local {
	if l := t.locals[at]; l != nil {
		return l
	}
	l := &local{place: at, before: from, event: e, depth: from.depth + 1}
	if t.code.Save != nil && l.depth >= longHistory {
		t.code.ask("Save", func() { l.saved, l.depth = bytes.Clone(t.code.Save(o)), 0 })
		t.checkSaved(l, o)
	}
	return t.add(l)
}

func placeOf(self spec.ID, ring []spec.ID, s any) place {
	order := make([]byte, len(ring))
	for i, p := range ring {
		order[i] = byte(p)
	}
	return place{self, string(order), s}
}

// ids returns the processes on the ring.
func (at place) ids() (ring []spec.ID) {
	for _, p := range []byte(at.ring) {
		ring = append(ring, spec.ID(p))
	}
	return ring
}

// take lets an object, made for a state, handle an event. Without an after it leads nowhere.
func (t *table[O, D, V, M]) take(o O, from *local, e spec.Event) (_ O, after any, fx spec.Effects) {
	if o, fx = t.perform(o, from, e, true); leadsNowhere(fx) {
		return o, nil, fx
	}
	digest, fresh := t.store.add(t.text(o))
	t.bytes += int64(fresh)
	after = t.code.seen(o, digest)
	if t.looked++; t.looked <= oftenLooked || t.looked%seldomLooked == 0 {
		before := string(t.textOf(after))
		if at := firstDifference(before, string(t.text(o))); at != "" {
			t.fail("View or Disk changes the object: %s. Let them only look", at)
		}
	}
	if e.Kind == spec.Init {
		t.checkDisk(from.state, after)
	}
	return o, after, fx
}

func leadsNowhere(fx spec.Effects) bool { return fx.Panic != "" || fx.Refused || fx.Choose > 0 }

// perform lets an object handle an event; one that boots is made by that.
func (t *table[O, D, V, M]) perform(o O, from *local, e spec.Event, arm bool) (O, spec.Effects) {
	opened := e.Opened()
	var memory func() any
	var fault any // of Disk, in Handle, which may recover from it
	if t.code.Disk != nil {
		memory = func() any {
			defer func() {
				if fault = recover(); fault != nil {
					panic(fault)
				}
			}()
			return t.code.memory(o)
		}
	}
	fx := t.algorithm.Perform(from.self, from.ids(), e, memory, func(p *spec.Proc[M]) {
		switch {
		case e.Kind == spec.Init:
			o = t.code.Open(p.ID, p.All(), cell.Open[State[D, V]](from.state).Disk)
		case e.Kind == spec.Act && !t.traits.Actions[e.Action].When(from.state):
			p.Refuse()
		default:
			t.code.Handle(o, opened, p)
		}
		if arm {
			t.code.arm(o, p)
		}
	})
	if fault != nil {
		panic(fault)
	}
	return o, fx
}

// OnDisk returns a state with what is on the disk in another one.
func (t *table[O, D, V, M]) OnDisk(state, other any) any {
	s := cell.Open[State[D, V]](state)
	s.Disk = cell.Open[State[D, V]](other).Disk
	return t.code.closed(s)
}

// checkDisk refuses code that finds one thing on its disk when it boots, and leaves another.
func (t *table[O, D, V, M]) checkDisk(found, left any) {
	none := cell.Must(*new(D))
	before, after := cell.Must(cell.Open[State[D, V]](found).Disk), cell.Must(cell.Open[State[D, V]](left).Disk)
	if t.code.Disk != nil && before != none && before != after {
		t.fail("what is on the disk does not survive a boot: after Open, %s. Let Open restore all that Disk returns, and write nothing before it handles Start", cell.Difference(before, after))
	}
}

// checkSaved refuses a Load that makes another object than the one that was saved.
func (t *table[O, D, V, M]) checkSaved(l *local, o O) {
	if at := firstDifference(string(t.text(o)), string(t.text(t.load(l)))); at != "" {
		t.fail("Save and Load lose something: after Load, %s. Save all that is part of the text, or leave both out", at)
	}
}

func (t *table[O, D, V, M]) load(l *local) (o O) {
	t.code.ask("Load", func() { o = t.code.Load(l.self, spec.UpTo(len(l.ring)), bytes.Clone(l.saved)) })
	return o
}

// text returns what tells an object from all others.
func (t *table[O, D, V, M]) text(o O) []byte {
	if t.code.Key != nil {
		var key string
		t.code.ask("Key", func() { key = t.code.Key(o) })
		return []byte(key)
	}
	text, err := t.texts.text(reflect.ValueOf(&o).Elem())
	if err != nil {
		t.fail("%v", err)
	}
	return text
}

// object returns the object that a state stands for: it is there if the process has just come to the state. Who compares two
// objects wants another one.
func (t *table[O, D, V, M]) object(l *local, anew bool) O {
	if now := t.latest[l.self]; !anew && now.local == l {
		delete(t.latest, l.self) // the next event changes it
		return now.o
	}
	return t.again(l)
}

// again makes the object again that a state stands for.
func (t *table[O, D, V, M]) again(l *local) (o O) {
	var events []*local
	for ; l.before != nil && l.saved == nil; l = l.before {
		events = append(events, l)
	}
	if l.saved != nil {
		o = t.load(l)
	}
	for _, next := range slices.Backward(events) {
		var fx spec.Effects
		if o, fx = t.perform(o, next.before, next.event, false); leadsNowhere(fx) {
			t.fail("a step of process %v comes out differently when it is repeated: it %v. %s", l.self, fx, beFunction)
		}
	}
	return o
}

// beFunction says what to do about code that is not deterministic.
const beFunction = "Let the code depend on nothing but its disk and its events: set what it draws by chance, give it no clock, sort what it takes from a map, and start no goroutine"
