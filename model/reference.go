package model

import (
	"fmt"
	"iter"
	"slices"

	"interleave/explore"
	"interleave/spec"
)

// Reference defines the meaning of a world on plain values: for each state, what may happen
// next and what it leads to. It calls the handlers at every step. Package compiled computes the same
// from tables; Interpreted and Replay are built on the Reference, and tests compare the two.
type Reference struct {
	handlers
	rules     Rules
	kinds     StepKinds
	strengths [256]explore.Strength // the fairness assumed of each kind of step

	stabilized *stabilizedCache // what states stabilize to if nothing fails any more
	cache      *stabilizedCache // stabilized, if nothing fails in this world; else nil
}

// NewReference returns the meaning of machine m in the world c.
func NewReference(m spec.Machine, c Config) (*Reference, error) {
	if err := c.Check(m); err != nil {
		return nil, err
	}
	traits := m.Traits()
	r := &Reference{
		handlers:   handlers{machine: m, traits: &traits, config: c, ring: c.Placement(), all: spec.UpTo(c.N)},
		stabilized: &stabilizedCache{},
	}
	r.monitors, _ = monitorsOf(c, r.traits) // checked above
	for i, act := range r.traits.Actions {
		if act.Together {
			r.config.together[i] = uint8(r.config.TimesOf(act))
		}
	}
	config := r.config // who keeps the rules does not keep all of the Reference
	r.rules = Rules{traits: &traits, config: &config, all: r.all}
	r.kinds = newStepKinds(r.traits, c)
	r.strengths, _ = r.kinds.strengthsOf(c) // checked above
	if c.Timers == Timed {
		r.rules.durations, _ = c.Durations.parse(traits) // checked above
	}
	for p := range r.all.All() {
		_, fx := r.begin(p, nil)
		fault := ""
		switch {
		case fx.Panic != "":
			fault = "panics: " + fx.Panic
		case fx.StrayTimer(len(r.traits.Rules)) != "":
			fault = "sets a timer for which there is no rule"
		}
		if fault != "" {
			boot := "Init"
			if r.traits.Code != nil {
				boot = "Open"
			}
			return nil, fmt.Errorf("algorithm %s: %s of process %v %s", r.traits.Name, boot, p, fault)
		}
	}
	return r, nil
}

// Step is an event and what it does.
type Step struct {
	Event   Event
	After   State
	Sends   []Sent // the messages that left
	Outputs []any  // to the user of the process
	Unfair  bool   // it need not happen, however long it is possible
	Panic   string // the handler panicked: there is no After
}

// Sent is a message that a process sent, whether or not it will arrive.
type Sent = spec.Sent

// Initial returns the initial states. They differ only in the initiators.
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
	var bystanders, initiating []Local
	for p := range r.all.All() {
		bystanders = append(bystanders, r.FirstLocal(p, false))
		initiating = append(initiating, r.FirstLocal(p, true))
	}
	states := make([]State, len(sets))
	for i, initiators := range sets {
		states[i] = State{Locals: slices.Clone(bystanders), Inboxes: make([]Inbox, r.config.N), Env: Env{Monitors: r.monitors.first()}}
		for p := range initiators.All() {
			states[i].Locals[p-1] = initiating[p-1]
		}
	}
	return states
}

// FirstLocal returns how process p begins.
func (r *Reference) FirstLocal(p spec.ID, initiator bool) Local {
	if r.config.Start == LeaderDown && int(p) == r.config.N {
		return Local{Ages: Ages{Down: r.rules.durations.notice}}
	}
	state, fx := r.begin(p, nil)
	l := Local{Status: r.firstStatus(), State: state, Timers: fx.Armed, Initiator: initiator}
	if r.config.Start == LeaderDown {
		l.State = r.traits.Follow(state, spec.ID(r.config.N))
	}
	return l
}

// Steps returns every step out of s, in a fixed order. It goes process by process, and for each
// by what the process begins itself, its timers, its suspicions, its messages, its crash, and
// what may happen to the messages in flight to it. After each step come those in which a crash
// cuts it short. Steps of no process come last.
func (r *Reference) Steps(s State) []Step {
	steps, _ := r.Enabled(s)
	return steps
}

// Helping returns those of the steps out of s that help, see StepKinds.Helps, and whether the bound leaves out a step, be
// it obliged to happen or not. One in which a handler panics counts as left out: nobody knows what would come of it.
func (r *Reference) Helping(s State) (steps []Step, left bool) {
	steps, left = r.Enabled(s)
	steps = slices.DeleteFunc(steps, func(step Step) bool {
		left = left || step.Panic != "" && r.Helps(s, step)
		return step.Panic != "" || !r.Helps(s, step)
	})
	return steps, left || r.leavesOut(s)
}

// Helps reports whether a step out of s helps: see StepKinds.Helps.
func (r *Reference) Helps(s State, step Step) bool {
	return r.kinds.spends[r.kinds.ofEvent(step.Event, s.live())].helps()
}

// leavesOut reports whether the bound leaves out a step of s, be it obliged to happen or not.
func (r *Reference) leavesOut(s State) bool {
	if r.config.Bound == 0 {
		return false
	}
	for p := range r.all.All() {
		for e := range r.events(s, p) {
			for o := range r.Outcomes(s.Local(p), p, s.live(), e.Step) {
				if !o.Effects.Refused && o.Effects.Panic == "" && r.Beyond(o.After) {
					return true
				}
			}
		}
	}
	return false
}

// EachStep yields Steps, each made when it is asked for.
func (r *Reference) EachStep(s State) iter.Seq[Step] {
	return func(yield func(Step) bool) { r.each(s, yield) }
}

// Rules says what the world lets happen.
func (r *Reference) Rules() *Rules { return &r.rules }

// StepKinds says of which kinds its steps are.
func (r *Reference) StepKinds() *StepKinds { return &r.kinds }

// Strengths returns the fairness assumed of each kind of step, by number.
func (r *Reference) Strengths() [256]explore.Strength { return r.strengths }

// Enabled returns Steps, and whether the bound leaves out one that would be obliged to happen.
func (r *Reference) Enabled(s State) (steps []Step, cut bool) {
	cut = r.each(s, func(step Step) bool {
		steps = append(steps, step)
		return true
	})
	return steps, cut
}

// each yields Steps. It also reports whether the bound forbids a step that would be possible
// otherwise; of those that were asked for, if not all were.
func (r *Reference) each(s State, yield func(Step) bool) (bounded bool) {
	if r.rules.rounds() != nil {
		newLockStep(r, s, anyPart).each(yield)
		return false
	}
	for p := range r.all.All() {
		beyond, goOn := r.eachOf(s, p, yield)
		if bounded = bounded || beyond; !goOn {
			return bounded
		}
	}
	yieldAll(r.surroundings(s), yield)
	return bounded
}

// eachOf is each of the steps of process p.
func (r *Reference) eachOf(s State, p spec.ID, yield func(Step) bool) (bounded, goOn bool) {
	for e, rule := range r.events(s, p) {
		outcomes, beyond := r.outcomes(s, p, e, rule)
		bounded = bounded || beyond
		if !yieldAll(outcomes, yield) {
			return bounded, false
		}
	}
	for _, rule := range r.rules.Crashes(s.Local(p)) {
		if r.meets(s, rule) && !yield(r.crash(s, p, rule)) {
			return bounded, false
		}
	}
	return bounded, r.messageFaults(s, p, yield)
}

func yieldAll(steps []Step, yield func(Step) bool) (goOn bool) {
	return !slices.ContainsFunc(steps, func(step Step) bool { return !yield(step) })
}

// Do returns the step of event e out of s, or an error that says why it is not possible there.
func (r *Reference) Do(s State, e Event) (step Step, err error) {
	found := false
	look := func(other Step) bool {
		if other.Event.same(e) {
			step, found = other, true
		}
		return !found
	}
	switch {
	case e.Action == Round:
		newLockStep(r, s, e.has).each(look)
	case r.all.Has(e.Process) && r.rules.rounds() == nil: // handlers may take long: those of the others are not asked
		r.eachOf(s, e.Process, look)
	default:
		r.each(s, look)
	}
	if !found {
		return Step{}, fmt.Errorf("process %v cannot %s there", e.Process, r.Describe(e))
	}
	return step, nil
}

// Quiescent reports whether s may stay as it is forever: nothing that is obliged to happen is
// possible, nor would be without the bound.
func (r *Reference) Quiescent(s State) bool {
	rests := true
	bounded := r.each(s, func(step Step) bool {
		rests = step.Unfair
		return rests
	})
	return rests && !bounded
}

// events yields what process p may be given to handle, whether or not it refuses, and by which rule.
func (r *Reference) events(s State, p spec.ID) iter.Seq2[Event, Rule] {
	return func(yield func(Event, Rule) bool) {
		for _, rule := range r.rules.Of(p, s.Local(p)) {
			if r.meets(s, rule) && !yield(Event{Process: p, Step: rule.Step}, rule) {
				return
			}
		}
		if s.Local(p).Status != Up {
			return
		}
		in := s.Inbox(p)
		for place := range in.Deliverable(r.config.Network) {
			rule := Rule{Step: spec.Event{Kind: spec.Receive, From: in[place].From, Message: in[place].Message}}
			if !yield(Event{Process: p, Step: rule.Step, Age: in[place].Age}, rule) {
				return
			}
		}
	}
}

// outcomes returns the steps in which p handles e, one for each answer to what it chooses, and those in which something
// cuts these short.
// There are none if the handler refuses, or if the step leads beyond the bound; beyond reports
// the latter, if fairness may be owed to the step.
func (r *Reference) outcomes(s State, p spec.ID, e Event, rule Rule) (steps []Step, beyond bool) {
	for outcome := range r.Outcomes(s.Local(p), p, s.live(), e.Step) {
		e.Step = outcome.Event
		some, bounded := r.outcome(s, p, e, rule, outcome)
		steps, beyond = append(steps, some...), beyond || bounded
	}
	return steps, beyond
}

// outcome is one of the outcomes.
func (r *Reference) outcome(s State, p spec.ID, e Event, rule Rule, outcome Outcome) (steps []Step, beyond bool) {
	after, fx := outcome.After, outcome.Effects
	switch {
	case fx.Refused:
		return nil, false
	case fx.Panic != "":
		return []Step{{Event: e, Panic: fx.Panic, Unfair: !rule.Obliged()}}, false
	case r.Beyond(after):
		return nil, rule.Obliged()
	}
	sends := r.resolve(s.live(), p, fx.Sends)
	taken := s.clone()
	taken.Env = r.config.Pay(rule.Spends, s.Env)
	switch e.Step.Kind {
	case spec.Receive:
		taken.Inboxes[p-1] = s.Inbox(p).Without(slices.Index(s.Inbox(p), Envelope{e.Step.From, e.Step.Message, e.Age}))
	case spec.Recover:
		taken.Locals[p-1].Status = after.Status // what p sends to itself reaches it
	}
	whole, cuts := taken, r.rules.Cuts()
	if cuts != nil {
		whole = taken.clone()
	}
	whole.Env.Monitors, _ = r.monitors.Observe(taken.Env.Monitors, Seen(p, e.Step, s.Local(p), after, fx.Outputs))
	r.deliver(whole, sends)
	whole.Locals[p-1] = after
	steps = append(steps, Step{Event: e, After: whole, Sends: sends, Outputs: fx.Outputs, Unfair: !rule.Obliged()})
	saves := cuts != nil && r.Saves(s.Local(p), after)
	for k := range len(sends) + 1 {
		for _, cut := range cuts {
			if r.left(taken, cut.Spends) <= 0 {
				continue
			}
			for disk, end := cut.Disks(k, len(sends), saves, fx.Persists); disk < end; disk++ {
				short := r.cutShort(taken, whole, e, cut, sends[:k])
				if short.Event.Disk = disk; disk > 0 {
					short.After.Locals[p-1] = r.AfterCut(s.Local(p), after, fx.Persists, disk)
				}
				var seen Local
				seen, short.Outputs = r.Short(s.Local(p), after, fx, k, disk)
				short.After.Env.Monitors, _ = r.monitors.Observe(taken.Env.Monitors, Seen(p, e.Step, s.Local(p), seen, short.Outputs))
				steps = append(steps, short)
			}
		}
	}
	return steps, false
}

// cutShort returns the step e of which some sends leave. Taken is the state without them, before its process changes;
// whole is that after the whole step.
func (r *Reference) cutShort(taken, whole State, e Event, cut Cut, sends []Sent) Step {
	p := e.Process
	s := taken.clone()
	r.deliver(s, sends)
	s.Locals[p-1] = whole.Local(p)
	if cut.Action.Down() {
		r.goDown(s, p)
	}
	s.Env = r.config.Pay(cut.Spends, s.Env)
	e.Action, e.Cut = cut.Action, len(sends)
	return Step{Event: e, After: s, Sends: sends, Unfair: true}
}

// deliver puts messages in flight in s. Messages to the other side of a divided network always
// vanish, and messages to crashed processes vanish unless there are recoveries.
func (r *Reference) deliver(s State, sends []Sent) {
	for _, m := range sends {
		if s.Env.Divides(m.From, m.To) || r.config.Recoveries == 0 && !s.live().Has(m.To) {
			continue
		}
		s.Inboxes[m.To-1] = s.Inbox(m.To).With(r.config.Network, Envelope{From: m.From, Message: m.Message})
	}
}

// crash returns the step in which p crashes by a rule.
func (r *Reference) crash(s State, p spec.ID, rule Rule) Step {
	s = s.clone()
	s.Env = r.config.Pay(rule.Spends, s.Env)
	r.goDown(s, p)
	return Step{Event: Event{Action: rule.Action, Process: p}, After: s, Unfair: rule.Fault()}
}

// goDown has p go down in s. Without recoveries the messages in flight to p vanish.
func (r *Reference) goDown(s State, p spec.ID) {
	s.Locals[p-1] = r.AfterCrash(s.Local(p))
	if r.config.Recoveries == 0 {
		s.Inboxes[p-1] = nil
	}
}

// World returns the view of a plain state.
func (r *Reference) World(s State) *World {
	w := newWorld(r, s)
	w.unsure = true
	return w
}

// messageFaults yields what may happen to the messages to p that may arrive next.
func (r *Reference) messageFaults(s State, p spec.ID, yield func(Step) bool) (goOn bool) {
	in := s.Inbox(p)
	for place := range in.Deliverable(r.config.Network) {
		e := in[place]
		for _, rule := range r.rules.Messages(p) {
			if !r.meets(s, rule) {
				continue
			}
			after := s.clone()
			after.Env = r.config.Pay(rule.Spends, s.Env)
			if rule.Action == Copy {
				after.Inboxes[p-1] = slices.Insert(slices.Clone(in), place, e)
			} else {
				after.Inboxes[p-1] = in.Without(place)
			}
			event := Event{Action: rule.Action, Process: p, Age: e.Age, Step: spec.Event{Kind: spec.Receive, From: e.From, Message: e.Message}}
			if !yield(Step{Event: event, After: after, Unfair: rule.Fault()}) {
				return false
			}
		}
	}
	return true
}

// surroundings returns the steps that belong to no process.
func (r *Reference) surroundings(s State) []Step {
	var steps []Step
	for _, rule := range slices.Concat(r.rules.Network(), r.rules.Clock()) {
		if !r.meets(s, rule) {
			continue
		}
		after := s.clone()
		after.Env = r.config.Pay(rule.Spends, s.Env)
		if rule.Action != Tick {
			after.Env.Side = rule.Side
		} else if after = r.rules.durations.after(s, r.config.Delta); after.Equal(s) { // time changes nothing
			continue
		}
		steps = append(steps, Step{Event: Event{Action: rule.Action, Side: rule.Side}, After: after, Unfair: rule.Fault()})
	}
	return steps
}
