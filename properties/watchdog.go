package properties

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"interleave/internal/stacks"
	"interleave/model"
	"interleave/spec"
)

// Call is a call of a handler.
type Call struct {
	Process spec.ID
	Event   spec.Event
	State   any // before it
	Began   time.Time

	ring   []spec.ID
	traits *spec.Traits // this and place only if it is named
	place  spec.Place
}

// String describes a call, as in "the handler of process 2 for receive OK from 3".
func (c Call) String() string {
	text := fmt.Sprintf("the handler of process %v for %s", c.Process, model.Handling(c.Event, c.traits))
	if c.place.File != "" {
		text += fmt.Sprintf(" (%s:%d)", c.place.File, c.place.Line)
	}
	return text
}

// supervised is a machine that knows which calls of its handlers have not returned, and notices
// a handler that is not deterministic.
type supervised struct {
	spec.Machine
	*supervision
	traits func() spec.Traits // with functions that are checked
}

// supervision is what is known of a machine, and of others with the same code.
type supervision struct {
	steps   atomic.Int64 // that were taken
	lock    sync.Mutex
	running []Call      // the calls that have not returned, and zero ones in between
	lost    *Call       // a call that ended its goroutine
	taken   []stepTaken // the first ones; none of existing code, which answers from what is known

	questions questions
}

func newSupervised(m spec.Machine) *supervised {
	a := &supervised{Machine: m, supervision: &supervision{}}
	a.traits = sync.OnceValue(func() spec.Traits {
		t := a.questions.checked(m.Traits())
		if t.Code != nil {
			t.Code = supervisedCode{t.Code, a}
		}
		return t
	})
	return a
}

// Traits implements spec.Machine.
func (a *supervised) Traits() spec.Traits { return a.traits() }

// supervisedCode is code that stays supervised when it is made anew.
type supervisedCode struct {
	spec.Code
	machine *supervised
}

// Fresh implements spec.Code.
func (k supervisedCode) Fresh() spec.Machine {
	m, t := k.Code.Fresh(), k.machine.traits()
	a := &supervised{Machine: m, supervision: k.machine.supervision, traits: func() spec.Traits { return t }}
	t.Code = supervisedCode{m.Traits().Code, a}
	return a
}

// stepTaken is a step, and what came of it.
type stepTaken struct {
	call  Call
	after any
	fx    spec.Effects
}

// The first steps, up to twice of them, are taken two times if they are quick, to compare the
// results; tables learn no more than these as a rule. After that it is one step in seldom.
const twice, seldom = 1 << 14, 1 << 4

// So many of the first steps are taken once more at the end, the last one first, for as long as
// that is quick. A variable outside may have another value then.
const onceMore, quick = 1 << 12, time.Second

// Step implements spec.Machine.
func (a *supervised) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	call := Call{Process: self, Event: e, State: s, Began: time.Now(), ring: ring}
	after, fx := a.take(&call)
	if n := a.steps.Add(1); n <= twice || n%seldom == 0 {
		a.repeat(&call, after, fx, n <= onceMore && a.traits().Code == nil)
	}
	return after, fx
}

// take takes a step.
func (a *supervised) take(call *Call) (any, spec.Effects) {
	place, back := a.begin(call), false
	defer func() {
		said := recover()
		a.end(place, back || said != nil)
		if said != nil { // existing code cannot be checked
			panic(said)
		}
	}()
	after, fx := a.Machine.Step(call.Process, call.ring, call.State, call.Event)
	back = true
	return after, fx
}

// begin keeps a call in mind, and says where.
func (a *supervised) begin(call *Call) (place int) {
	a.lock.Lock()
	defer a.lock.Unlock()
	for place < len(a.running) && !a.running[place].Began.IsZero() {
		place++
	}
	if place == len(a.running) {
		a.running = append(a.running, Call{})
	}
	a.running[place] = *call
	return place
}

// end forgets a call, which came back or ended its goroutine.
func (a *supervised) end(place int, back bool) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if !back {
		lost := a.running[place]
		a.lost = &lost
	}
	a.running[place] = Call{}
}

// repeat takes a step a second time if it is quick, and perhaps keeps it for takeAgain.
func (a *supervised) repeat(call *Call, after any, fx spec.Effects, keep bool) {
	if time.Since(call.Began) >= quick {
		return
	}
	watched := *call
	watched.Event = call.Event.Watched()
	again, more := a.take(&watched)
	a.compare(call, after, again, fx, more)
	if keep && time.Since(call.Began) < quick {
		a.lock.Lock()
		defer a.lock.Unlock()
		a.taken = append(a.taken, stepTaken{*call, after, fx})
	}
}

// compare panics if a call came out differently the second time.
func (a *supervised) compare(call *Call, after, again any, fx, more spec.Effects) {
	if again != after || !more.Same(fx) {
		a.questions.blame(&model.NondeterminismError{
			Handler: a.named(call).String(), State: call.State, After: [2]any{after, again}, Effects: [2]spec.Effects{fx, more},
		})
	}
}

// explain returns the error of a check, or the fault of a handler or another function that makes it
// mean nothing, whatever it came to.
func (a *supervised) explain(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		err = cmp.Or(a.takeAgain(), err)
	}
	if whim := a.questions.blamed(); whim != nil {
		return whim
	}
	return err
}

// takeAgain returns an error if the first steps come out differently by now.
func (a *supervised) takeAgain() (err error) {
	defer recovered(a, &err)
	began := time.Now()
	for _, t := range slices.Backward(a.taken) {
		if time.Since(began) > quick {
			break
		}
		t.call.Began = time.Now()
		again, more := a.take(&t.call)
		a.compare(&t.call, t.after, again, t.fx, more)
	}
	return a.questions.askAgain(a)
}

// oldest returns the call that has been running longest; nil if there is none.
func (a *supervised) oldest() (oldest *Call) {
	a.lock.Lock()
	defer a.lock.Unlock()
	for _, c := range a.running {
		if !c.Began.IsZero() && (oldest == nil || c.Began.Before(oldest.Began)) {
			oldest = &c
		}
	}
	return oldest
}

// named returns a call with the names that describe it.
func (a *supervised) named(c *Call) Call {
	t := a.Traits()
	named := *c
	named.traits, named.place = &t, t.Where(c.Event)
	return named
}

// How often handlers are looked at, after how long one is slow, and how long one may go on
// when the context has ended.
var lookEvery, slowAfter, patience = time.Second, 10 * time.Second, time.Second

// outside is how many times patience Verify waits if it is in no function of somebody else. Then
// a disk may be slow; everything else that takes long heeds the context.
const outside = 60

// StuckError says what has not come back although the check was to end: there is no verdict.
type StuckError struct{ reason string }

func (e *StuckError) Error() string { return e.reason }

func notBack(format string, args ...any) error { return &StuckError{fmt.Sprintf(format, args...)} }

// Supervise does some work with machine m for which Verify is not asked. As in Verify, handlers are
// called twice now and then, to notice one that is no function; slow, unless it is nil, is told of
// one that takes long; and a panic is an error. If the work does not return soon after ctx has
// ended, it is left alone, and the error says what it waits for.
func Supervise[T any](ctx context.Context, m spec.Machine, slow func(Call), work func(m spec.Machine) (T, error)) (T, error) {
	return supervise(ctx, m, slow, patience, work)
}

// supervise is Supervise, which waits so long for anything but a handler.
func supervise[T any](ctx context.Context, m spec.Machine, slow func(Call), others time.Duration, work func(m spec.Machine) (T, error)) (T, error) {
	a := newSupervised(m)
	defer a.questions.over.Store(true)
	var r, none T
	goexit := errors.New("runtime.Goexit was called, as FailNow and SkipNow of a test do: a property may only return an error")
	err := goexit
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if err != goexit {
				err = a.explain(ctx, err)
			}
		}()
		defer recovered(m, &err)
		r, err = work(a)
	}()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	over, ended := ctx.Done(), time.Time{}
	var waits []stacks.Wait
	for {
		select {
		case <-done:
			if a.lost != nil {
				return none, fmt.Errorf("%v ends its goroutine, as runtime.Goexit and FailNow of a test do, in the state %+v: a handler may only return", a.named(a.lost), a.lost.State)
			}
			return r, err
		case <-over:
			ended, over = time.Now(), nil
			look.Reset(min(lookEvery, patience/4))
		case <-look.C:
		}
		call := a.oldest()
		if call == nil {
			since := time.Since(ended)
			if ended.IsZero() || since < patience {
				continue
			}
			before := waits
			waits = stacks.Waits()
			if w, still := stacks.Both(before, waits); still && w.Function != "" {
				return none, notBack("%s has not come back for %.0f s since the check was to end: make it return, whatever it is told", w.Function, since.Seconds())
			}
			if since > others {
				return none, notBack("nothing has come back for %.0f s since the check was to end, and no handler is running: make Idle, Kind, rules, claims and the like, and properties return, whatever they are told", since.Seconds())
			}
			continue
		}
		took := time.Since(call.Began)
		switch {
		case !ended.IsZero() && min(took, time.Since(ended)) > patience:
			return none, notBack("%v has not come back for %.0f s, in the state %+v: make it return, whatever it is told", a.named(call), took.Seconds(), call.State)
		case slow != nil && took > slowAfter:
			slow(a.named(call))
		}
	}
}
