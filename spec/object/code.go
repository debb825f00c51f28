package object

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"interleave/internal/cell"
	"interleave/spec"
)

// Code is existing code as a process of an algorithm: O is the live object, D what is on its disk, V what properties see of it,
// M its messages. D, V and M are plain values; of O nothing is asked. The fields of Algorithm say all
// but what happens: give it a name, kinds, timers, actions and properties, and no handlers. A Code is a spec.Machine, and
// is not changed once it is used.
type Code[O, D, V, M any] struct {
	spec.Algorithm[State[D, V], M]

	Open   func(id spec.ID, all spec.Set, disk D) O   // boots process id with what is on its disk, at first the zero value
	Handle func(o O, e spec.Event, p *spec.Proc[M])   // handles an event: changes o, and speaks through p. Messages and values of e are M and what the action has
	Disk   func(o O) D                                // what survives a crash; nil: the zero value
	View   func(o O) V                                // what properties and traces show
	Timers func(o O) []spec.Timer                     // those that are armed; nil: those that Handle sets through p
	Key    func(o O) string                           // equal for two objects only if nothing tells them apart; nil: their text, by reflection
	Ignore map[string]string                          // fields that are not part of the text, as in "raft.logger", and why they cannot matter
	Save   func(o O) []byte                           // with Load: what makes o again, so that no long history has to; nil: histories do
	Load   func(id spec.ID, all spec.Set, b []byte) O // what Save has saved
	Events []spec.EventKind                           // that Handle wants besides Receive, Timeout and Act: Start, Suspect, Restore

	once  sync.Once
	table *table[O, D, V, M]
}

// algorithm is c without its code.
func (c *Code[O, D, V, M]) algorithm() *spec.Algorithm[State[D, V], M] {
	a := c.Algorithm
	type (
		state = State[D, V]
		proc  = *spec.Proc[M]
	)
	a.Init = func(*state, proc) {}
	a.Receive = func(*state, proc, spec.ID, M) {}
	if len(a.Rules) > 0 {
		a.Timeout = func(*state, proc, spec.Timer) {}
	}
	for _, kind := range c.Events {
		switch kind {
		case spec.Start:
			a.Start = func(*state, proc) {}
		case spec.Suspect:
			a.Suspect = func(*state, proc, spec.ID) {}
		case spec.Restore:
			a.Restore = func(*state, proc, spec.ID) {}
		}
	}
	if e := a.Election; e != nil && e.Notice != nil {
		election := *e
		election.Notice = func(*state, proc) {}
		a.Election = &election
	}
	a.Actions = slices.Clone(a.Actions)
	for i := range a.Actions {
		if act := &a.Actions[i]; !act.Request.Takes() {
			act.Do = func(*state, proc) {}
		}
	}
	if c.Disk != nil {
		a.Stable = func(s state) state { return state{Disk: s.Disk} }
	}
	return &a
}

// Validate reports why c cannot be checked or run, or nil.
func (c *Code[O, D, V, M]) Validate() error {
	errs := []error{c.algorithm().Validate()}
	add := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("algorithm %s: "+format, append([]any{c.Name}, args...)...))
	}
	a := &c.Algorithm
	if a.Init != nil || a.Start != nil || a.Receive != nil || a.Timeout != nil || a.Suspect != nil || a.Restore != nil || a.Round != nil || a.Recover != nil || a.Stable != nil {
		add("it has a handler of its own beside its Code: let Open and Handle do what it does")
	}
	for _, act := range a.Actions {
		if act.Do != nil {
			add("the action %q has a Do: leave it out, and let Handle do it", act.Name)
		}
	}
	if a.Election != nil && a.Election.Follow != nil {
		add("its Election has Follow, and no event leads an object to that: leave it out")
	}
	if c.Open == nil || c.Handle == nil || c.View == nil {
		add("its Code lacks Open, Handle or View: set all three")
	}
	if o := reflect.TypeFor[O](); !leads(o) {
		add("Handle is given a copy of its object, a %v, and can change nothing of it: let O be a pointer to that", o)
	}
	if len(a.Rules) == 0 && c.Timers != nil {
		add("it has Timers and no Rules: name the timers there")
	}
	if (c.Save == nil) != (c.Load == nil) {
		add("Save and Load go together: set both, or none")
	}
	if c.Key != nil && len(c.Ignore) > 0 {
		add("Ignore is about the text, and Key takes its place: leave one out")
	}
	for _, kind := range c.Events {
		if !slices.Contains([]spec.EventKind{spec.Start, spec.Suspect, spec.Restore}, kind) {
			add("Events has %v: it may have Start, Suspect and Restore, and the others come by themselves", kind)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Ignore)) {
		if owner, field, _ := cutLast(key, "."); owner == "" || field == "" {
			add("Ignore has %q: give the type and the field, as in \"raft.logger\"", key)
		}
		if strings.TrimSpace(c.Ignore[key]) == "" {
			add("Ignore has no reason for %s: say why it cannot matter", key)
		}
	}
	return errors.Join(errs...)
}

// Traits describes the algorithm.
func (c *Code[O, D, V, M]) Traits() spec.Traits {
	t := c.algorithm().Traits()
	t.Code = c.known()
	kind := t.Kind
	t.Kind = func(m any) (k string) {
		c.ask("Kind", func() { k = kind(m) })
		return k
	}
	t.Where = func(e spec.Event) spec.Place {
		if e.Kind == spec.Init {
			return spec.PlaceOf(c.Open)
		}
		return spec.PlaceOf(c.Handle)
	}
	return t
}

// known is what is known of the objects.
func (c *Code[O, D, V, M]) known() *table[O, D, V, M] {
	c.once.Do(func() { c.table = newTable(c) })
	return c.table
}

// Step implements spec.Machine: it makes the object again that s stands for, and lets it handle e.
func (c *Code[O, D, V, M]) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	return c.known().step(self, ring, s, e)
}

// Mutant returns a copy of c with a bug planted: around is called in place of Handle, and may call handle, which is that.
func (c *Code[O, D, V, M]) Mutant(name, doc string, around func(o O, e spec.Event, p *spec.Proc[M], handle func())) *Code[O, D, V, M] {
	m := c.copy()
	m.Name, m.Doc = c.Name+"~"+name, doc
	m.Handle = func(o O, e spec.Event, p *spec.Proc[M]) { around(o, e, p, func() { c.Handle(o, e, p) }) }
	return m
}

// strict is c with nothing ignored.
func (c *Code[O, D, V, M]) strict() *Code[O, D, V, M] {
	s := c.copy()
	s.Key, s.Ignore = nil, nil
	return s
}

// copy is c, of whose objects nothing is known yet.
func (c *Code[O, D, V, M]) copy() *Code[O, D, V, M] {
	return &Code[O, D, V, M]{
		Algorithm: c.Algorithm, Open: c.Open, Handle: c.Handle, Disk: c.Disk, View: c.View, Timers: c.Timers, Key: c.Key, Ignore: c.Ignore,
		Save: c.Save, Load: c.Load, Events: c.Events,
	}
}

// seen returns the state that stands for an object.
func (c *Code[O, D, V, M]) seen(o O, digest string) any {
	s := State[D, V]{Text: digest}
	c.ask("View", func() { s.View = c.View(o) })
	if c.Disk != nil {
		c.ask("Disk", func() { s.Disk = c.Disk(o) })
	}
	return c.closed(s)
}

// memory returns what a crash would leave of an object.
func (c *Code[O, D, V, M]) memory(o O) any {
	var s State[D, V]
	c.ask("Disk", func() { s.Disk = c.Disk(o) })
	return c.closed(s)
}

func (c *Code[O, D, V, M]) closed(s State[D, V]) any {
	state, err := cell.Close(s)
	if err != nil {
		panic(c.fault("what Disk and View return, as %v: %v", s, err))
	}
	return state
}

// ask calls one of the functions of c, which ends the check if it panics. A panic of Handle is a finding, and so is one of
// Open after a crash.
func (c *Code[O, D, V, M]) ask(function string, call func()) {
	defer func() {
		if said := recover(); said != nil {
			panic(c.fault("%s panics: %s. Let it return for all that Open and Handle make", function, spec.TellPanic(said, debug.Stack())))
		}
	}()
	call()
}

// fault is why c cannot be checked.
func (c *Code[O, D, V, M]) fault(format string, args ...any) *spec.CodeError {
	return &spec.CodeError{Algorithm: c.Name, Reason: fmt.Sprintf(format, args...)}
}

// arm has p arm the timers of an object, and disarm the others.
func (c *Code[O, D, V, M]) arm(o O, p *spec.Proc[M]) {
	if c.Timers == nil {
		return
	}
	var armed []spec.Timer
	c.ask("Timers", func() { armed = c.Timers(o) })
	for t := range c.Rules {
		p.StopTimer(spec.Timer(t))
	}
	for _, t := range armed {
		p.SetTimer(t)
	}
}
