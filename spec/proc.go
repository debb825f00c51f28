package spec

import (
	"errors"
	"fmt"
	"reflect"

	"interleave/internal/cell"
)

// Proc is a process as its own handlers see it: who it is, who else there is,
// and its means to act. A Proc is valid during one call of one handler, which alone may use it: a
// Proc that is kept, or used by another goroutine, is a fault like a panic of the handler.
type Proc[M any] struct {
	ID ID // who I am

	ring      []ID // all processes in ring order
	onRing    bool // the algorithm declares Ring
	oracle    bool // it declares Oracle
	live      Set
	initiator bool
	call      *call
}

// Initiator reports whether this process is one of those that begin of their
// own accord. Only Start may ask.
func (p *Proc[M]) Initiator() bool {
	if p.call.use() && p.call.kind != Start {
		panic(fmt.Sprintf("spec: the handler of %v asks whether it is an initiator, which only Start may: let Start remember it", p.call.kind))
	}
	return p.initiator
}

// All returns every process there is, crashed ones included.
func (p *Proc[M]) All() Set {
	p.call.use()
	return UpTo(len(p.ring))
}

// Others returns every process but this one.
func (p *Proc[M]) Others() Set { return p.All().Without(p.ID) }

// Above returns the processes with a larger ID.
func (p *Proc[M]) Above() Set { return p.All().Above(p.ID) }

// Below returns the processes with a smaller ID.
func (p *Proc[M]) Below() Set { return p.All().Below(p.ID) }

// Live returns the processes that are up at this moment. To know that takes an
// oracle: a real network has none. Init may not ask.
func (p *Proc[M]) Live() Set {
	p.call.use()
	switch {
	case !p.oracle:
		panic("spec: the handler asks who is live, but the algorithm does not declare Oracle")
	case p.call.kind == Init:
		panic("spec: Init asks who is live, which only a handler of an event may")
	}
	return p.live
}

// Next returns the next process on the ring, up or down.
func (p *Proc[M]) Next() ID { return p.NextIn(p.All()) }

// NextIn returns the next process on the ring that is in s; it is this process
// itself if no other is.
func (p *Proc[M]) NextIn(s Set) ID {
	p.needRing()
	return NextOnRing(p.ring, p.ID, s)
}

func (p *Proc[M]) needRing() {
	if !p.onRing {
		panic("spec: the handler asks for its place on the ring, but the algorithm does not declare Ring")
	}
}

// Send sends m to one process, possibly this one. A model checker takes 255 messages from one
// step, and counts more as a panic.
func (p *Proc[M]) Send(to ID, m M) {
	if !p.call.use() {
		return
	}
	p.send(to, p.lend(m))
}

func (p *Proc[M]) send(to ID, message any) {
	if !p.All().Has(to) {
		panic(fmt.Sprintf("spec: process %v sends to %v, which does not exist", p.ID, to))
	}
	p.call.effects.Sends = append(p.call.effects.Sends, Send{To: to, Message: message})
}

// lend returns a message as it is sent.
func (p *Proc[M]) lend(m M) any {
	return p.call.lend("sends", func() (any, error) { return cell.Close(m) })
}

// SendNext sends m to the next live process on the ring, whichever that is at
// the moment of sending; it is this process itself if no other is up. To know
// that takes an oracle: a real network has none.
func (p *Proc[M]) SendNext(m M) {
	if !p.call.use() {
		return
	}
	p.needRing()
	p.call.effects.Sends = append(p.call.effects.Sends, Send{To: NextLive, Message: p.lend(m)})
}

// Broadcast sends m to each process of to, in ascending order.
func (p *Proc[M]) Broadcast(to Set, m M) {
	if !p.call.use() {
		return
	}
	message := p.lend(m)
	for q := range to.All() {
		p.send(q, message)
	}
}

// SetTimer arms a timer; arming it again restarts it.
func (p *Proc[M]) SetTimer(t Timer) {
	if !p.call.use() {
		return
	}
	if t >= MaxTimers {
		panic(fmt.Sprintf("spec: timer %d is not below %d", t, MaxTimers))
	}
	p.call.effects.Armed |= 1 << t
	p.call.effects.Stopped &^= 1 << t
}

// StopTimer disarms a timer, armed or not.
func (p *Proc[M]) StopTimer(t Timer) {
	if !p.call.use() {
		return
	}
	if t >= MaxTimers {
		panic(fmt.Sprintf("spec: timer %d is not below %d", t, MaxTimers))
	}
	p.call.effects.Stopped |= 1 << t
	p.call.effects.Armed &^= 1 << t
}

// Persist says that what Disk returns now survives a crash from here on, as once a file is synced. What was sent and output
// before left although that was not so yet. A step without it has all on its disk before it sends anything. Only the Handle
// of existing code calls it, which has a Disk: see package object. A model checker takes 254 calls in one step.
func (p *Proc[M]) Persist() {
	if !p.call.use() {
		return
	}
	if p.call.memory == nil {
		panic("spec: the handler calls Persist, which only Handle of an object.Code with a Disk may: Stable says what survives a crash")
	}
	fx := &p.call.effects
	fx.Persists = append(fx.Persists, Persisted{len(fx.Sends), len(fx.Outputs), p.call.memory()})
}

// Choose returns a number below n, from 0: a coin, a random rank, whatever is not up to the algorithm. A model
// checker follows every answer, and a real process draws one. Init may not choose.
func (p *Proc[M]) Choose(n int) int {
	p.call.use()
	return p.call.choose(n)
}

// Output gives the user of this process something, a plain value: anything else is a fault.
func (p *Proc[M]) Output(v any) {
	if !p.call.use() {
		return
	}
	p.call.effects.Outputs = append(p.call.effects.Outputs, p.call.lend("outputs", func() (any, error) {
		if v == nil {
			return nil, errors.New("nil, which is no value")
		}
		if err := cell.Plain(reflect.TypeOf(v), "the output", p.call.author.types()...); err != nil {
			return nil, fmt.Errorf("what is no plain value: %w", err)
		}
		return cell.CloseAny(v)
	}))
}

// Refuse says that the event cannot happen in this state. A message that is refused stays
// where it is, and in a queue so do those behind it; but they count as arrived, so no timer or
// detector waits for them. Whatever else the handler did is undone. Init, Start, Recover and
// Round may not refuse.
func (p *Proc[M]) Refuse() {
	if p.call.use() {
		p.call.effects.Refused = true
	}
}
