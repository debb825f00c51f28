package compiled

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"

	"interleave/internal/numbering"
	"interleave/model"
	"interleave/spec"
)

// reduction lets a search expand a state by the steps of one process alone, an ample set,
// where the steps of the others may as well come later. A process is ample in a state if
//
//   - it has a step that has to happen some time, and none of its steps changes what the watches look at;
//   - whatever the others do before its next step, however long, its steps stay
//     possible, no further one becomes possible, and the result is the same in
//     either order.
//
// The second holds in worlds of queues whose other assumptions do not depend on what is in
// flight. There, steps of two processes each take from the fronts of their own queues, and
// add to the ends of queues that no other process adds to. So the messages that a process
// may receive next are the fronts of its queues. They stay so while every queue to which
// somebody might still add is not empty.
//
// Every run of the whole system is equivalent, up to the order of independent steps, to a
// run that remains or the beginning of one, unless a process is put off forever. That
// takes a cycle among the remaining steps. Where there is none, the reduced search sees
// every quiescent state, every sequence of what the watches look at, every sum of messages
// of a run that ends, and an infinite run if there is one.
type reduction struct {
	visible    model.ReadSet
	looks      [][]uint32 // by process and local state: what the watches may look at of it, as a number
	sending    []spec.Set // by process: the processes that may send it something
	toNextLive spec.Set   // the processes that may send something to the next live process
}

// ErrNotReducible says that a world has no reduction.
var ErrNotReducible = errors.New("no reduction")

func notReducible(why string) error { return fmt.Errorf("%w: %s", ErrNotReducible, why) }

// OfLocals is what a reduction can keep besides what it always does: who is live, begins and follows whom, and the
// views of local states that watches have.
const OfLocals = model.ReadStatus | model.ReadIdleness | model.ReadLocals

// Reduce makes searches of s expand fewer steps. It keeps what is visible, some of OfLocals. Verdicts on the watches stay
// the same, provided that afterwards no state was met twice on one path and nothing is Hidden. It must be called
// before the first search.
func (s *System) Reduce(visible model.ReadSet) (err error) {
	defer model.CatchOutside(s.machine, &err)
	if err := s.reducible(); err != nil {
		return err
	}
	if s.close(context.Background(), someLocalSteps, 0) != nil {
		return notReducible("too many local steps to know beforehand who may send to whom")
	}
	r := &reduction{visible: visible, sending: make([]spec.Set, len(s.tables))}
	for _, t := range s.tables {
		r.looks = append(r.looks, s.looksOf(t, visible))
		for _, m := range t.Moves {
			for _, send := range m.Sends {
				if send.To == spec.NextLive {
					r.toNextLive = r.toNextLive.With(t.ID)
				} else {
					r.sending[send.To-1] = r.sending[send.To-1].With(t.ID)
				}
			}
		}
	}
	s.reduction = r
	s.allLocals = true
	s.layOut(s.counts())
	return nil
}

// looks is what the watches may look at of a local state, but for their views of it.
type looks struct {
	leader          spec.ID
	initiator, down bool
	status          model.Status
	idle            bool
	state           any
}

// looksOf numbers what the watches may look at of each local state of a process.
func (s *System) looksOf(t *Tables, visible model.ReadSet) (of []uint32) {
	var numbers numbering.Of[looks]
	for _, l := range t.Info {
		one := looks{leader: l.Leader, initiator: l.Initiator, down: l.Status == model.Down}
		if visible&model.ReadStatus != 0 {
			one.status = l.Status
		}
		if visible&model.ReadIdleness != 0 {
			one.idle = one.down || s.traits.Idle(l.State)
		}
		if visible&model.ReadLocals != 0 {
			one.state = l.State
		}
		number, _ := numbers.Number(one)
		of = append(of, number)
	}
	for _, w := range s.watches {
		if w.View != nil {
			tellApart(t, of, w.View)
		}
	}
	return of
}

// tellApart gives local states of which a view differs different numbers.
func tellApart(t *Tables, of []uint32, view func(state any) any) {
	type numbered struct {
		number uint32
		view   any
	}
	var numbers numbering.Of[numbered]
	for i, l := range t.Info {
		one := numbered{number: of[i]}
		if l.State != nil {
			one.view = viewOf(l.State, view)
		}
		of[i], _ = numbers.Number(one)
	}
}

// viewOf returns a view of a local state; where there is none that can be compared, one that equals no other.
func viewOf(state any, view func(state any) any) (v any) {
	defer func() {
		if recover() != nil || !reflect.ValueOf(&v).Elem().Comparable() {
			v = new(int)
		}
	}()
	return view(state)
}

// reducible returns why the world has no reduction, or nil.
func (s *System) reducible() error {
	c := &s.config
	switch {
	case c.Network != model.FIFO:
		return notReducible("messages overtake each other, so one that is sent later may come before one that is there")
	case len(c.Monitors) > 0:
		return notReducible("a monitor sees every step")
	case s.hasEnv:
		return notReducible("losses, copies, partitions, returns and false suspicions share budgets among all processes")
	case len(s.traits.Rules) > 0 && c.Timers != model.Any:
		return notReducible("whether a timer may expire depends on all that is under way")
	case s.traits.Notices() && s.reference.Rules().NoticesLate():
		return notReducible("when a crash is noticed depends on all that is under way")
	case s.traits.Oracle:
		return notReducible("the handlers ask who is live")
	case s.onSteps != 0:
		return notReducible("a property of steps is checked")
	}
	for _, w := range s.watches {
		if w.Claim != "" {
			return notReducible("a claim on steps is checked")
		}
	}
	return nil
}

// Hidden returns what a watch looked at that a reduced search does not show in every order. Watches that were true
// somewhere have nothing to hide; how many states they were asked about is a matter of chance.
func (s *System) Hidden(found uint64) (seen model.ReadSet) {
	for _, x := range s.expanders {
		for i, reads := range x.seen {
			if found>>i&1 == 0 {
				seen |= reads
			}
		}
	}
	return seen &^ s.reduction.visible
}

// ample looks for a process that may be expanded alone, and sets x.alone to it. It prefers
// processes that send nothing, and then those with the most messages on their way to them: on
// rings this leaves the fewest states.
func (red *reduction) ample(x *expander) bool {
	best, least := -1, math.MaxInt
	for i, t := range x.tables {
		r := x.at[i]
		merit := -len(t.inbox[r.box].content)
		for k := range r.steps {
			if r.steps[k].to != nobody {
				merit += 1 << 16
				break
			}
		}
		if merit < least && red.isAmple(x, i) {
			best, least = i, merit
		}
	}
	x.alone = best
	return best >= 0
}

func (red *reduction) isAmple(x *expander, i int) bool {
	r := x.at[i]
	if r.status == model.Down || !r.unseen || r.status == model.Up && !red.complete(x, i) {
		return false
	}
	t, steps := x.tables[i], len(r.steps)
	for k := range r.internal {
		d := x.allowed(t, &t.internal[r.local][r.internal[k].number], r.box)
		if d == nil {
			continue
		}
		number, ok := x.internalMoveOf(t, r, k)
		if !ok {
			return false
		}
		for _, m := range t.alternatives(number, true) {
			if !red.isUnseen(t, r.local, m) {
				return false
			}
			if !m.Refused && d.obliged {
				steps++
			}
		}
	}
	return steps > 0
}

// complete reports whether no process can send process i+1 anything that it might receive before
// something in its inbox.
func (red *reduction) complete(x *expander, i int) bool {
	p := spec.ID(i + 1)
	senders := red.sending[i]
	for q := range (red.toNextLive & x.live).All() {
		if x.nextLive(q) == p {
			senders = senders.With(q)
		}
	}
	return (senders&x.live).Without(p)&^x.tables[i].inbox[x.at[i].box].senders == 0
}

// isUnseen reports whether a move changes nothing that the watches look at.
func (red *reduction) isUnseen(t *Tables, local uint32, m *Move) bool {
	if m.Refused {
		return true
	}
	if m.deadEnd {
		return false
	}
	of := red.looks[t.ID-1]
	return of[local] == of[m.To]
}
