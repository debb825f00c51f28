package properties

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"interleave/model"
	"interleave/spec"
)

// Call is a call of a handler.
type Call struct {
	Process spec.ID
	Event   spec.Event
	State   any // before it
	Began   time.Time

	rules []spec.TimerRule[any, any]
	place spec.Place
}

// String describes a call, as in "the handler of process 2 for receive OK from 3".
func (c Call) String() string {
	text := fmt.Sprintf("the handler of process %v for %s", c.Process, model.Handling(c.Event, c.rules))
	if c.place.File != "" {
		text += fmt.Sprintf(" (%s:%d)", c.place.File, c.place.Line)
	}
	return text
}

// attended is a machine that knows which calls of its handlers have not returned, and notices
// a handler that is not deterministic.
type attended struct {
	spec.Machine
	lock    sync.Mutex
	steps   int // that were taken
	running map[*Call]bool
	lost    *Call       // a call that ended its goroutine
	taken   []stepTaken // the first ones
}

// stepTaken is a step, and what came of it.
type stepTaken struct {
	call   Call
	ring   []spec.ID
	after  any
	fx     spec.Effects
	leader spec.ID // after it
}

// The first steps, up to twice of them, are taken two times if they are quick, to compare the
// results; tables learn no more than these as a rule. After that it is one step in seldom.
const twice, seldom = 1 << 14, 1 << 4

// So many of the first steps are taken once more at the end, the last one first, for as long as
// that is quick. A variable outside may have another value then.
const onceMore, quick = 1 << 12, time.Second

// Step implements spec.Machine.
func (a *attended) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	t := stepTaken{call: Call{Process: self, Event: e, State: s}, ring: ring}
	a.lock.Lock()
	a.steps++
	some, repeat := a.steps <= onceMore, a.steps <= twice || a.steps%seldom == 0
	a.lock.Unlock()
	after, fx := a.step(&t, repeat)
	if some && time.Since(t.call.Began) < quick {
		t.after, t.fx, t.leader = after, fx, a.leader(after)
		a.lock.Lock()
		a.taken = append(a.taken, t)
		a.lock.Unlock()
	}
	return after, fx
}

// step takes a step, and perhaps repeats it if it is quick.
func (a *attended) step(t *stepTaken, repeat bool) (after any, fx spec.Effects) {
	call := &t.call
	call.Began = time.Now()
	a.lock.Lock()
	a.running[call] = true
	a.lock.Unlock()
	back := false
	defer func() {
		a.lock.Lock()
		defer a.lock.Unlock()
		delete(a.running, call)
		if !back {
			a.lost = call
		}
	}()
	after, fx = a.Machine.Step(call.Process, t.ring, call.State, call.Event)
	again, more := after, fx
	if repeat && time.Since(call.Began) < quick {
		again, more = a.Machine.Step(call.Process, t.ring, call.State, call.Event)
	}
	back = true
	a.compare(call, after, again, fx, more)
	return after, fx
}

// compare panics if a call came out differently the second time.
func (a *attended) compare(call *Call, after, again any, fx, more spec.Effects) {
	if again != after || !more.Same(fx) {
		panic(&model.WhimError{
			Handler: a.named(call).String(), State: call.State, After: [2]any{after, again}, Effects: [2]spec.Effects{fx, more},
		})
	}
}

// leader returns whom a process follows in a state, which may be one in which nobody asks that.
func (a *attended) leader(s any) (leader spec.ID) {
	defer func() { recover() }()
	return a.Traits().Leader(s)
}

// takeAgain returns an error if the first steps come out differently by now.
func (a *attended) takeAgain() (err error) {
	defer recovered(a, &err)
	began := time.Now()
	for _, t := range slices.Backward(a.taken) {
		if time.Since(began) > quick {
			break
		}
		again, more := a.step(&t, false)
		a.compare(&t.call, t.after, again, t.fx, more)
		if leader := a.leader(t.after); leader != t.leader {
			return &model.WhimError{Handler: "Leader", State: t.after, After: [2]any{t.leader, leader}}
		}
	}
	return nil
}

// oldest returns the call that has been running longest; nil if there is none.
func (a *attended) oldest() (oldest *Call) {
	a.lock.Lock()
	defer a.lock.Unlock()
	for c := range a.running {
		if oldest == nil || c.Began.Before(oldest.Began) {
			oldest = c
		}
	}
	return oldest
}

// named returns a call with the names that describe it.
func (a *attended) named(c *Call) Call {
	t := a.Traits()
	named := *c
	named.rules, named.place = t.Rules, t.Where(c.Event.Kind)
	return named
}

// How often handlers are looked at, after how long one is slow, and how long one may go on
// when the context has ended.
var lookEvery, slowAfter, patience = time.Second, 10 * time.Second, 5 * time.Second

// outside is how many times patience Verify waits if no handler is running. Then a disk may be
// slow; everything else that takes long heeds the context.
const outside = 12

// Attend does some work with machine m for which Verify is not asked. As in Verify, handlers are
// called twice now and then, to notice one that is no function; slow, unless it is nil, is told of
// one that takes long; and a panic is an error. If the work does not return soon after ctx has
// ended, it is left alone, and the error says what it waits for.
func Attend[T any](ctx context.Context, m spec.Machine, slow func(Call), work func(m spec.Machine) (T, error)) (T, error) {
	return attend(ctx, m, slow, patience, work)
}

// attend is Attend, which waits so long for anything but a handler.
func attend[T any](ctx context.Context, m spec.Machine, slow func(Call), others time.Duration, work func(m spec.Machine) (T, error)) (T, error) {
	a := &attended{Machine: m, running: map[*Call]bool{}}
	var r, none T
	err := errors.New("runtime.Goexit was called, as FailNow and SkipNow of a test do: a property may only return an error")
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer recovered(m, &err)
		if r, err = work(a); err == nil && ctx.Err() == nil {
			err = a.takeAgain()
		}
	}()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	over, ended := ctx.Done(), time.Time{}
	for {
		select {
		case <-done:
			if a.lost != nil {
				return none, fmt.Errorf("%v ends its goroutine, as runtime.Goexit and FailNow of a test do, in the state %+v: a handler may only return", a.named(a.lost), a.lost.State)
			}
			return r, err
		case <-over:
			ended, over = time.Now(), nil
		case <-look.C:
		}
		call := a.oldest()
		if call == nil {
			if since := time.Since(ended); !ended.IsZero() && since > others {
				return none, fmt.Errorf("nothing has come back for %.0f s since the check was to end, and no handler is running: make Leader, Idle, Kind, rules, claims and properties return, whatever they are told", since.Seconds())
			}
			continue
		}
		took := time.Since(call.Began)
		switch {
		case !ended.IsZero() && min(took, time.Since(ended)) > patience:
			return none, fmt.Errorf("%v has not come back for %.0f s, in the state %+v: make it return, whatever it is told", a.named(call), took.Seconds(), call.State)
		case slow != nil && took > slowAfter:
			slow(a.named(call))
		}
	}
}
