package lockstep

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"interleave/impl"
	"interleave/model"
	"interleave/spec"
)

// Delta is the delay that the processes are configured for.
const Delta = impl.DefaultDelta

// Plan is everything that happens to processes from outside. The mildest plan has only
// the machine and N: all begin at once, and each frame takes a millisecond.
type Plan struct {
	Machine    spec.Machine
	Real       spec.Machine // what the processes run; nil: Machine
	N          int
	Ring       []spec.ID       // nil: ascending
	Bystanders spec.Set        // processes that begin nothing of their own accord
	Datagrams  bool            // nothing numbers or repeats messages
	Boot       []time.Duration // when each process begins, number 1 first; missing ones begin at 0
	Delays     []time.Duration // of the messages in the order in which they are sent, repeated
	Lost       []int           // which frames with messages are lost, from 1 in that order
	Copied     []int           // and which come twice, the second time after one more delay
	Faults     []Fault         // in any order
	Requests   []Request       // likewise
	Lasts      time.Duration   // 0: long enough for an election after all faults
}

// Fault is something that happens at a moment.
type Fault struct {
	At      time.Duration
	Kind    FaultKind
	Process spec.ID
	Side    spec.Set // Divide: messages between it and the rest are lost until Heal
}

// Request asks a process for an action at a moment. It is dropped if the process is not up then, and may be refused.
type Request struct {
	At      time.Duration
	Process spec.ID
	Action  string
	Value   string // JSON; empty: none
}

// FaultKind is a kind of fault.
type FaultKind uint8

const (
	Crash FaultKind = iota
	Recover
	Divide
	Heal
)

func (k FaultKind) String() string { return [...]string{"crash", "recover", "divide", "heal"}[k] }

// String describes a fault.
func (f Fault) String() string {
	switch f.Kind {
	case Divide:
		return fmt.Sprintf("%v divide %v", f.At, f.Side)
	case Heal:
		return fmt.Sprintf("%v heal", f.At)
	}
	return fmt.Sprintf("%v %v %v", f.At, f.Kind, f.Process)
}

// String describes a plan in one line.
func (p Plan) String() string {
	return fmt.Sprintf("%s n=%d ring=%v bystanders=%v datagrams=%v boot=%v delays=%v lost=%v copied=%v faults=%v requests=%v",
		p.Machine.Traits().Name, p.N, p.ring(), p.Bystanders, p.Datagrams, p.Boot, p.Delays, p.Lost, p.Copied, p.Faults, p.Requests)
}

func (p Plan) ring() []spec.ID {
	if p.Ring != nil {
		return p.Ring
	}
	return model.Ascending(p.N)
}

// Crashable reports whether a machine's processes may crash in a plan.
func Crashable(m spec.Machine) bool {
	t := m.Traits()
	return !t.Oracle && (!t.Ring || t.Handles.Has(spec.Suspect))
}

// check refuses plans that make no sense.
func (p Plan) check() error {
	t := p.Machine.Traits()
	switch {
	case t.Handles.Has(spec.Round):
		return errors.New("in lock step there is no order among processes")
	case p.N < 1 || p.N > model.MaxN:
		return fmt.Errorf("%d processes are out of range: give 1 to %d", p.N, model.MaxN)
	case p.count(Crash) > 0 && !Crashable(p.Machine):
		return fmt.Errorf("%s sees who is live, and the runtime sees it later than the model: leave crashes out", t.Name)
	case slices.ContainsFunc(p.Delays, func(d time.Duration) bool { return d < 0 || d > 2*Delta }):
		return fmt.Errorf("a message takes longer than %v: the detector might suspect its sender before", 2*Delta)
	case len(p.Faults) > maxFaults || len(p.Lost) > maxFaults:
		return fmt.Errorf("more than %d faults", maxFaults)
	}
	return nil
}

func (p Plan) count(kind FaultKind) (n int) {
	for _, f := range p.Faults {
		if f.Kind == kind {
			n++
		}
	}
	return n
}

// loses reports whether messages are lost for good, or late, by the plan.
func (p Plan) loses() bool { return len(p.Lost) > 0 || p.count(Divide) > 0 }

// Kept reports whether the plan keeps the assumption on which timers are chosen: no
// message takes longer than delta, links are reliable, and a process that crashes stays
// down.
func (p Plan) Kept() bool {
	late := slices.ContainsFunc(p.Delays, func(d time.Duration) bool { return d > Delta-slack })
	apart := slices.ContainsFunc(p.Boot, func(d time.Duration) bool { return d > Delta })
	return !late && !apart && !p.loses() && p.count(Recover) == 0
}

// slack bounds what a delay may grow by so that no two things happen at once.
const slack = 10 * time.Millisecond

// World is the world of the model in which the run must be a behaviour.
func (p Plan) World() model.Config {
	t := p.Machine.Traits()
	c := model.Config{N: p.N, Crashes: p.count(Crash), Recoveries: min(p.count(Recover), p.count(Crash))}
	if slices.ContainsFunc(t.Actions, func(act spec.ActionTraits) bool { return act.Times > 0 }) {
		c.Times = -1 // real processes have no limit
	}
	if t.Ring {
		c.Ring = p.Ring
	}
	if c.Recoveries == 0 {
		c.Crashes = min(c.Crashes, p.N)
	}
	if p.Bystanders != 0 && (t.Begins()) {
		c.Initiators.Only = spec.UpTo(p.N) &^ p.Bystanders
	}
	justified := func(r spec.TimerRule[any, any]) bool { return r.Awaited != nil || !r.Elects }
	switch {
	case len(t.Rules) == 0:
	case t.Elects && p.Kept() && !slices.ContainsFunc(t.Rules, func(r spec.TimerRule[any, any]) bool { return !justified(r) }):
		c.Timers = model.Mixed
	default:
		c.Timers = model.Any
	}
	if p.Datagrams {
		c.Network = model.Bag
	}
	if p.loses() || c.Recoveries > 0 {
		c.Losses = maxFaults
	}
	if c.Crashes > 0 && t.Handles.Has(spec.Suspect) {
		c.Detector = model.Perfect
		if p.Kept() {
			c.Detector = model.Flushed
		}
	}
	return c
}

// maxFaults is how many faults of a kind a model can have.
const maxFaults = 100
