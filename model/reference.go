package model

import (
	"fmt"
	"slices"

	"interleave/spec"
)

// Reference is the meaning of a world, told on plain values in the plainest
// way: for each state, what may happen next and what it leads to. It calls the
// handlers each time anew. The fast System says the same by tables; Direct and
// replay are built on this one, and tests compare the two.
type Reference struct {
	machine spec.Machine
	traits  spec.Traits
	config  Config
	ring    []spec.ID
	all     spec.Set

	HandlerCalls int // how often a handler was called
}

// NewReference returns the meaning of machine m in the world c.
func NewReference(m spec.Machine, c Config) (*Reference, error) {
	if err := c.Check(m); err != nil {
		return nil, err
	}
	return &Reference{machine: m, traits: m.Traits(), config: c, ring: c.placement(), all: spec.UpTo(c.N)}, nil
}

// Step is an event and what it does.
type Step struct {
	Event Event
	After State
	Sends []spec.Send // those that left, their receivers resolved
	Panic string      // the handler panicked: there is no After
}

// Initial returns the initial states. They differ in the initiators only.
func (r *Reference) Initial() []State {
	sets := []spec.Set{r.config.Initiators.Only}
	switch {
	case r.config.Initiators.Any:
		sets = sets[:0]
		for s := range spec.Set(1) << r.config.N {
			sets = append(sets, s)
		}
	case sets[0] == 0:
		sets[0] = r.all
	}
	states := make([]State, len(sets))
	for i, initiators := range sets {
		states[i] = r.initial(initiators)
	}
	return states
}

func (r *Reference) initial(initiators spec.Set) State {
	s := State{Locals: make([]Local, r.config.N), Inboxes: make([]Inbox, r.config.N)}
	for p := range r.all.All() {
		s.Locals[p-1] = r.firstLocal(p, initiators.Has(p))
	}
	return s
}

// firstLocal returns how process p begins.
func (r *Reference) firstLocal(p spec.ID, initiator bool) Local {
	state, fx := r.machine.Step(p, r.ring, r.traits.Zero, spec.Event{Kind: spec.Init})
	l := Local{Status: Up, State: state, Timers: fx.Armed, Initiator: initiator}
	if r.traits.Handles.Has(spec.Start) {
		l.Status = Booting
	}
	if r.config.Start == LeaderDown {
		if int(p) == r.config.N {
			return Local{}
		}
		l.State = r.traits.Follow(state, spec.ID(r.config.N))
	}
	return l
}

// Steps returns every step out of s, in a fixed order: process by process, and
// for each what it begins by itself, its timers, its suspicions, its messages,
// its crash; after each step those in which a crash cuts it short.
func (r *Reference) Steps(s State) []Step {
	var steps []Step
	for p := range s.live().All() {
		for _, e := range r.events(s, p) {
			steps = append(steps, r.outcomes(s, p, e)...)
		}
		if r.mayCrash(s) {
			steps = append(steps, r.crash(s, p))
		}
	}
	return steps
}

// Do returns the step of event e out of s, or an error that says why it is not
// possible there.
func (r *Reference) Do(s State, e Event) (Step, error) {
	for _, step := range r.Steps(s) {
		if step.Event.same(e) {
			return step, nil
		}
	}
	return Step{}, fmt.Errorf("process %v cannot %s there", e.Process, r.Deed(e))
}

func (e Event) same(f Event) bool {
	return e.Process == f.Process && e.Crash == f.Crash && e.Cut == f.Cut &&
		(e.Crash && e.Cut == 0 || sameStep(e.Step, f.Step))
}

func sameStep(a, b spec.Event) bool {
	return a.Kind == b.Kind && a.From == b.From && a.Message == b.Message && a.Timer == b.Timer && a.Peer == b.Peer
}

// Quiescent reports whether nothing fair may happen in s: nothing but crashes.
func (r *Reference) Quiescent(s State) bool {
	for _, step := range r.Steps(s) {
		if !step.Event.Crash {
			return false
		}
	}
	return true
}

// events returns what live process p may be given to handle, refused or not.
func (r *Reference) events(s State, p spec.ID) []spec.Event {
	l := s.local(p)
	if l.Status == Booting {
		return []spec.Event{{Kind: spec.Start, Initiator: l.Initiator}}
	}
	var events []spec.Event
	if r.traits.Handles.Has(spec.Notice) && l.Initiator && r.leaderless(s, r.traits.Leader(l.State)) {
		events = append(events, spec.Event{Kind: spec.Notice})
	}
	for t := range r.traits.Rules {
		if l.Timers>>t&1 != 0 && r.mayExpire(s, p, spec.Timer(t)) {
			events = append(events, spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)})
		}
	}
	if r.config.Detector != NoDetector {
		for q := range (r.all &^ s.live() &^ l.Suspected).All() {
			if r.config.Detector == Perfect || !s.inbox(p).senders().Has(q) {
				events = append(events, spec.Event{Kind: spec.Suspect, Peer: q})
			}
		}
	}
	in := s.inbox(p)
	for _, place := range in.deliverable(r.config.Network) {
		events = append(events, spec.Event{Kind: spec.Receive, From: in[place].From, Message: in[place].Message})
	}
	return events
}

// leaderless reports whether a process that follows leader may notice that it
// has no live leader.
func (r *Reference) leaderless(s State, leader spec.ID) bool {
	if leader == spec.None {
		return true
	}
	if s.live().Has(leader) {
		return false
	}
	waits := r.config.Timers == Flush && len(r.traits.Rules) > 0
	return !waits || !r.inFlightFrom(s, spec.SetOf(leader))
}

func (r *Reference) inFlightFrom(s State, senders spec.Set) bool {
	for _, in := range s.Inboxes {
		if in.senders()&senders != 0 {
			return true
		}
	}
	return false
}

// mayExpire reports whether the armed timer t of p may expire in s.
func (r *Reference) mayExpire(s State, p spec.ID, t spec.Timer) bool {
	rule := r.traits.Rules[t]
	if r.config.Timers == Any || r.config.Timers == Mixed && !rule.Elects {
		return true
	}
	var silent spec.Set
	if rule.Silent != nil {
		silent = rule.Silent(s.local(p).State, p, r.all)
	}
	if rule.AllDown && silent&s.live() != 0 {
		return false
	}
	for to := range s.live().All() {
		for _, e := range s.inbox(to) {
			if rule.Awaited(p, e.From, to, e.Message) {
				return false
			}
		}
	}
	return r.config.Timers == Just || !r.inFlightFrom(s, silent&^s.live())
}

func (r *Reference) mayCrash(s State) bool {
	down := (r.all &^ s.live()).Len()
	if r.config.Start == LeaderDown {
		down--
	}
	return down < r.config.Crashes
}

// outcomes returns the step in which p handles e, and those in which a crash
// cuts it short; none if the handler refuses.
func (r *Reference) outcomes(s State, p spec.ID, e spec.Event) []Step {
	r.HandlerCalls++
	after, fx := r.machine.Step(p, r.ring, s.local(p).State, e)
	if fx.Refused {
		return nil
	}
	if fx.Panic != "" {
		return []Step{{Event: Event{Process: p, Step: e}, Panic: fx.Panic}}
	}
	r.resolve(s, p, fx.Sends)
	taken := s.clone()
	if e.Kind == spec.Receive {
		taken.Inboxes[p-1] = s.inbox(p).without(slices.Index(s.inbox(p), Envelope{e.From, e.Message}))
	}
	whole := r.deliver(taken, p, fx.Sends)
	whole.Locals[p-1] = s.local(p).after(e, after, fx)
	steps := []Step{{Event: Event{Process: p, Step: e}, After: whole, Sends: fx.Sends}}
	if r.config.Split && r.mayCrash(s) {
		for cut := 1; cut < len(fx.Sends); cut++ {
			step := r.crash(r.deliver(taken, p, fx.Sends[:cut]), p)
			step.Event = Event{Process: p, Step: e, Crash: true, Cut: cut}
			step.Sends = fx.Sends[:cut]
			steps = append(steps, step)
		}
	}
	return steps
}

// after returns what becomes of a local state when its handler of e turned the
// algorithm's part of it into state.
func (l Local) after(e spec.Event, state any, fx spec.Effects) Local {
	l.Status, l.State = Up, state
	switch e.Kind {
	case spec.Timeout:
		l.Timers &^= 1 << e.Timer
	case spec.Suspect:
		l.Suspected = l.Suspected.With(e.Peer)
	case spec.Restore:
		l.Suspected = l.Suspected.Without(e.Peer)
	}
	l.Timers = l.Timers&^fx.Stopped | fx.Armed
	return l
}

// resolve fills in the receivers of what p sends to the next live process.
func (r *Reference) resolve(s State, p spec.ID, sends []spec.Send) {
	for i, send := range sends {
		if send.To == spec.NextLive {
			sends[i].To = spec.NextOnRing(r.ring, p, s.live())
		}
	}
}

// deliver returns s with the messages of p put on their way; those to crashed
// processes vanish.
func (r *Reference) deliver(s State, p spec.ID, sends []spec.Send) State {
	s = s.clone()
	for _, send := range sends {
		if s.live().Has(send.To) {
			s.Inboxes[send.To-1] = s.inbox(send.To).with(r.config.Network, Envelope{p, send.Message})
		}
	}
	return s
}

// crash returns the step in which p crashes; what was on its way to p vanishes.
func (r *Reference) crash(s State, p spec.ID) Step {
	s = s.clone()
	s.Locals[p-1], s.Inboxes[p-1] = Local{}, nil
	return Step{Event: Event{Process: p, Crash: true}, After: s}
}
