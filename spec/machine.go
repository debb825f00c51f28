package spec

import (
	"cmp"
	"fmt"
	"math/bits"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"interleave/internal/cell"
)

// Machine is an algorithm with its types erased: what a checker or a runtime
// drives. States, messages and what else a handler takes and gives are inside an any such that == and
// map keys are exact: they are values of the algorithm's own types, or where == does not compare those,
// cells of them (see package cell). Properties, monitors and clients always see the values.
type Machine interface {
	// Validate reports why the machine cannot be checked or run, or nil.
	Validate() error
	Traits() Traits
	// Step runs one handler at process self on a copy of s. The ring lists all
	// processes in ring order. If the event is refused, or the handler
	// panicked, the returned state is s.
	Step(self ID, ring []ID, s any, e Event) (any, Effects)
}

// Traits is what is known of a machine without running it. The fields are
// those of Algorithm, with any for the state and the messages.
type Traits struct {
	Name, Doc, Source string

	Handles     EventSet // the events that have a handler
	MaxN        int      // never 0
	Ring        bool
	Oracle      bool
	Elects      bool // it has an Election; if not, nobody ever has a leader
	Wins        Winner
	Unannounced bool
	Actions     []ActionTraits
	World       map[string]string
	Kinds       []string // never empty
	Rules       []TimerRule[any, any]
	Properties  []Property
	Objects     []Object
	Claims      []Claim[any]
	Promises    []string
	Survives    string

	Zero    any // what Init finds on the first boot
	Message any // the zero value of the type of the messages
	Kind    func(m any) string
	Leader  func(s any) ID
	Idle    func(s any) bool
	Halted  func(s any) bool
	Measure func(s any) int            // nil: nothing grows
	Stable  func(s any) any            // nil: nothing survives a crash
	Follow  func(s any, leader ID) any // nil: no run begins with a leader

	ReadState, ReadMessage func(text []byte) (any, error) // from JSON

	Where func(e Event) Place // of the handler of an event
	Code  Code                // if it is existing code; else nil
}

// CheckN returns why n processes cannot run the algorithm, or nil.
func (t Traits) CheckN(n int) error {
	if n < 1 || n > t.MaxN {
		return fmt.Errorf("%d processes are out of range: %s is for 1 to %d", n, t.Name, t.MaxN)
	}
	return nil
}

// Notices reports whether some process may find that it has no live leader: an action, the first.
func (t Traits) Notices() bool { return len(t.Actions) > 0 && t.Actions[0].Leaderless }

// Begins reports whether a process may begin of its own accord, in Start or because it has no leader.
func (t Traits) Begins() bool { return t.Handles.Has(Start) || t.Notices() }

// IsNotice reports whether a process finds, in an event, that it has no live leader.
func (t Traits) IsNotice(e Event) bool { return e.Kind == Act && t.Actions[e.Action].Leaderless }

// Obliged reports whether what an event is about has to happen if it is possible all the time, as
// all has but actions that are not Fair.
func (t Traits) Obliged(e Event) bool { return e.Kind != Act || t.Actions[e.Action].Fair }

// EventName is the name of a kind of event, or of the action: "receive", "propose".
func (t Traits) EventName(e Event) string {
	if e.Kind == Act && int(e.Action) < len(t.Actions) {
		return t.Actions[e.Action].Name
	}
	return e.Kind.String()
}

// ActionNamed returns the number of the action with a name.
func (t Traits) ActionNamed(name string) (number uint8, ok bool) {
	i := slices.IndexFunc(t.Actions, func(a ActionTraits) bool { return a.Name == name })
	return uint8(max(i, 0)), i >= 0
}

// TimerNames returns the names of the timers in a bit set.
func (t Traits) TimerNames(set uint8) (names []string) {
	for timer, rule := range t.Rules {
		if set>>timer&1 != 0 {
			names = append(names, rule.Name)
		}
	}
	return names
}

// EventKind is a kind of event at one process.
type EventKind uint8

const (
	Start EventKind = iota
	Act             // it does one of its Actions
	Receive
	Timeout
	Suspect
	Restore
	Round
	Init
	Recover
)

func (k EventKind) String() string {
	return [...]string{"start", "act", "receive", "timeout", "suspect", "restore", "round", "init", "recover"}[k]
}

// EventSet is a set of event kinds.
type EventSet uint16

// Has reports whether k is in s.
func (s EventSet) Has(k EventKind) bool { return s>>k&1 != 0 }

// Event is what happens to one process. Fields that its kind has no use for
// are zero.
type Event struct {
	Kind      EventKind
	From      ID              // Receive: the sender
	Message   any             // Receive
	Timer     Timer           // Timeout
	Action    uint8           // Act: which one, as an index of Traits.Actions
	Value     any             // Act: what it is asked for with; nil: nothing
	Peer      ID              // Suspect, Restore: the one spoken of
	Initiator bool            // Start: begins of its own accord
	Inbox     []Received[any] // Round
	Live      Set             // who is up, if the algorithm declares Oracle
	Choices   []int           // what Proc.Choose returns, in turn

	watched bool
}

// Opened is e with values in place of cells.
func (e Event) Opened() Event {
	e.Message, e.Value, e.Inbox = cell.Value(e.Message), cell.Value(e.Value), slices.Clone(e.Inbox)
	for i := range e.Inbox {
		e.Inbox[i].Message = cell.Value(e.Inbox[i].Message)
	}
	return e
}

// Effects is what a step does besides changing the state.
type Effects struct {
	Sends   []Send // in program order
	Outputs []any  // to the user of the process, in program order
	Armed   uint8  // bit set of timers, disjoint from Stopped
	Stopped uint8
	Refused bool   // the event is not enabled; nothing else is set
	Panic   string // the handler panicked with this; nothing else is set
	Choose  int    // the handler has to choose one of so many once more: see Event.Choices; nothing else is set

	Persists []Persisted `json:",omitempty"` // in program order; none: all is on the disk before the first send
}

// Persisted says what survives a crash once some messages and outputs of a step have left.
type Persisted struct {
	Sends, Outputs int // so many
	Memory         any // what the next Init finds; nil: what it would have found before the step
}

// String tells the effects, as in "sends 7 to 2, sets timer 0".
func (fx Effects) String() string {
	var does []string
	say := func(format string, args ...any) { does = append(does, fmt.Sprintf(format, args...)) }
	for _, s := range fx.Sends {
		if s.To == NextLive {
			say("sends %+v to the next", s.Message)
		} else {
			say("sends %+v to %v", s.Message, s.To)
		}
	}
	for _, persisted := range fx.Persists {
		say("persists %+v after %d sends and %d outputs", persisted.Memory, persisted.Sends, persisted.Outputs)
	}
	for _, v := range fx.Outputs {
		say("outputs %+v", v)
	}
	for t := range Timer(MaxTimers) {
		switch {
		case fx.Armed>>t&1 != 0:
			say("sets timer %d", t)
		case fx.Stopped>>t&1 != 0:
			say("stops timer %d", t)
		}
	}
	switch {
	case fx.Refused:
		say("refuses")
	case fx.Panic != "":
		say("panics: %s", fx.Panic)
	case fx.Choose > 0:
		say("chooses one of %d", fx.Choose)
	case does == nil:
		say("does nothing")
	}
	return strings.Join(does, ", ")
}

// StrayTimer says which timer fx sets beyond the rules, which are so many; empty if none.
func (fx Effects) StrayTimer(rules int) string {
	stray := fx.Armed >> rules
	if stray == 0 {
		return ""
	}
	return fmt.Sprintf("it sets timer %d, and there are rules for %d", rules+bits.TrailingZeros8(stray), rules)
}

// Same reports whether fx is what other is. Panics may say the same in other words.
func (fx Effects) Same(other Effects) bool {
	return slices.Equal(fx.Sends, other.Sends) && slices.Equal(fx.Persists, other.Persists) && slices.Equal(fx.Outputs, other.Outputs) && fx.Armed == other.Armed &&
		fx.Stopped == other.Stopped && fx.Refused == other.Refused && fx.Choose == other.Choose && (fx.Panic == "") == (other.Panic == "")
}

// Send is one message sent. To may be NextLive.
type Send struct {
	To      ID
	Message any
}

// NextLive stands for the next live process on the ring, resolved by whoever
// carries the message.
const NextLive ID = -1

// oneLine returns a text with blanks for its line breaks, so that it takes one line of a report.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Traits describes the algorithm.
func (a *Algorithm[S, M]) Traits() Traits {
	var (
		zero    S
		message M
	)
	t := Traits{
		Name: a.Name, Doc: oneLine(a.Doc), Source: oneLine(a.Source),
		Handles: a.handles(), MaxN: int(MaxID), Ring: a.Ring, Oracle: a.Oracle, World: a.World, Actions: a.actions().traits(),
		Properties: a.Properties, Objects: a.Objects, Promises: a.Promises, Survives: a.Survives, Kinds: a.Kinds, Zero: cell.Try(zero), Message: cell.Try(message),
		Leader: func(any) ID { return None },
		Idle:   of(a.Idle, true),
		Halted: of(a.Halted, false),
		Kind:   of(a.Kind, ""),

		ReadState: cell.Read[S], ReadMessage: cell.Read[M],
		Where: a.where,
	}
	if a.MaxN > 0 {
		t.MaxN = a.MaxN
	}
	if len(t.Kinds) == 0 {
		t.Kinds = []string{"message"}
	}
	if only := t.Kinds[0]; a.Kind == nil {
		t.Kind = func(any) string { return only }
	}
	if a.Measure != nil {
		t.Measure = of(a.Measure, 0)
	}
	if a.Stable != nil {
		t.Stable = func(s any) any { return cell.Must(a.Stable(cell.Open[S](s)), "what Stable returns") }
	}
	if e := a.Election; e != nil {
		t.Elects, t.Wins, t.Unannounced, t.Leader = true, e.Wins, e.Unannounced, of(e.Leader, None)
		if e.Follow != nil {
			t.Follow = func(s any, leader ID) any {
				state := cell.Open[S](s)
				e.Follow(&state, leader)
				return cell.Must(state, "what Follow makes of a state")
			}
		}
	}
	for _, r := range a.Rules {
		t.Rules = append(t.Rules, r.erase())
	}
	for _, c := range a.Claims {
		t.Claims = append(t.Claims, c.erase())
	}
	return t
}

// of erases the type of f's argument; a nil f always returns otherwise.
func of[S, T any](f func(S) T, otherwise T) func(any) T {
	if f == nil {
		return func(any) T { return otherwise }
	}
	return func(s any) T { return f(cell.Open[S](s)) }
}

// handlers are the functions that handle events, by kind, also where they are nil; those of actions are not among them.
func (a *Algorithm[S, M]) handlers() map[EventKind]any {
	return map[EventKind]any{
		Init: a.Init, Start: a.Start, Receive: a.Receive, Timeout: a.Timeout,
		Suspect: a.Suspect, Restore: a.Restore, Round: a.Round, Recover: a.Recover,
	}
}

// where returns the place of the handler of an event.
func (a *Algorithm[S, M]) where(e Event) Place {
	if e.Kind == Act {
		return a.actions().where(e.Action)
	}
	return PlaceOf(a.handlers()[e.Kind])
}

// actions are those of a, that of its Election first.
func (a *Algorithm[S, M]) actions() actions[S, M] {
	if a.Election == nil || a.Election.Notice == nil {
		return a.Actions
	}
	return append(actions[S, M]{{Name: Notice, Doc: "finds that it has no live leader", Do: a.Election.Notice, Fair: true}}, a.Actions...)
}

// handles says which kinds of events have a handler, besides Init.
func (a *Algorithm[S, M]) handles() (s EventSet) {
	for k, handler := range a.handlers() {
		if k != Init && !reflect.ValueOf(handler).IsNil() {
			s |= 1 << k
		}
	}
	if len(a.actions()) > 0 {
		s |= 1 << Act
	}
	return s
}

func (r TimerRule[S, M]) erase() TimerRule[any, any] {
	e := TimerRule[any, any]{Name: r.Name, Elects: r.Elects, Lasts: r.Lasts, AllDown: r.AllDown}
	if r.Awaited != nil {
		e.Awaited = func(p, from, to ID, m any) bool { return r.Awaited(p, from, to, cell.Open[M](m)) }
	}
	if r.Silent != nil {
		e.Silent = func(s any, p ID, all Set) Set { return r.Silent(cell.Open[S](s), p, all) & all } // who is not there is not listened for
	}
	if r.Owing != nil {
		e.Owing = func(s any, q ID, all Set) Set { return r.Owing(cell.Open[S](s), q, all) }
	}
	return e
}

func (c Claim[S]) erase() Claim[any] {
	return Claim[any]{Name: c.Name, Doc: oneLine(c.Doc), Source: oneLine(c.Source), Holds: func(p ID, all Set, before, after any, told []any) error {
		return c.Holds(p, all, cell.Open[S](before), cell.Open[S](after), values(told))
	}}
}

// Step runs the handler of e. A panic of the handler is caught and returned
// as an effect.
func (a *Algorithm[S, M]) Step(self ID, ring []ID, s any, e Event) (any, Effects) {
	state, after := cell.Open[S](s), s
	var fault error
	fx := a.Perform(self, ring, e, nil, func(p *Proc[M]) {
		if a.around == nil {
			a.handle(&state, p, e)
		} else {
			a.around(&state, p, e.Opened(), func() { a.handle(&state, p, e) })
		}
		if !p.call.effects.Refused {
			after, fault = cell.Close(state)
		}
	})
	switch {
	case fx.Panic != "" || fx.Refused || fx.Choose > 0:
		return s, fx
	case fault != nil:
		return s, Effects{Panic: fmt.Sprintf("it remembers %v", fault)}
	}
	return after, fx
}

// Perform calls handle in place of the handler of e at process self, and returns what it does. A panic is caught and
// returned as an effect. Memory is what a crash would leave now; nil: handle does not tell when it persists.
func (a *Algorithm[S, M]) Perform(self ID, ring []ID, e Event, memory func() any, handle func(p *Proc[M])) (fx Effects) {
	p := &Proc[M]{
		ID: self, ring: ring, onRing: a.Ring, oracle: a.Oracle, live: e.Live, initiator: e.Initiator,
		call: &call{process: self, kind: e.Kind, watched: e.watched, misuse: &a.misuse, choices: e.Choices, author: a, memory: memory},
	}
	defer func() {
		atomic.StoreUint32(&p.call.over, 1)
		if r := recover(); r != nil {
			if fault, its := r.(*CodeError); its { // no handler's
				panic(fault)
			}
			if fx = p.call.unchosen(); p.call.effects.Choose == 0 {
				fx = Effects{Panic: TellPanic(r, debug.Stack())}
			}
		}
	}()
	handle(p)
	fx = p.call.effects
	if misuse := atomic.LoadUint32(&a.misuse); misuse != 0 {
		return Effects{Panic: tellMisuse(misuse)}
	}
	if fx.Choose > 0 {
		return p.call.unchosen()
	}
	if fault := cmp.Or(fx.checkEffects(e.Kind), p.call.checkChoices()); fault != "" {
		return Effects{Panic: fault}
	}
	if fx.Refused {
		return Effects{Refused: true}
	}
	if fault := cmp.Or(p.call.fault, p.call.changedLater()); fault != "" {
		return Effects{Panic: fault}
	}
	return fx
}

// checkEffects returns what a handler of the kind may not do, and did; empty if there is nothing.
func (fx *Effects) checkEffects(kind EventKind) string {
	switch {
	case (kind == Start || kind == Recover) && fx.Refused:
		return "it refuses to start, and would take part all the same: let it remember that it waits"
	case kind == Round && fx.Refused:
		return "it refuses a Round, which all take at once: Halted tells who takes part no more"
	case kind != Init:
		return ""
	case fx.Sends != nil:
		return "it sends a message in Init, which only a handler of an event may"
	case fx.Outputs != nil:
		return "it outputs something in Init, which only a handler of an event may"
	case fx.Refused:
		return "it refuses in Init, where there is nothing to refuse"
	}
	return ""
}

func (a *Algorithm[S, M]) handle(s *S, p *Proc[M], e Event) {
	switch e.Kind {
	case Init:
		if a.Init != nil {
			a.Init(s, p)
		}
	case Recover:
		a.Recover(s, p)
	case Start:
		a.Start(s, p)
	case Act:
		a.actions().do(s, p, e)
	case Receive:
		a.Receive(s, p, e.From, cell.Open[M](e.Message))
	case Timeout:
		a.Timeout(s, p, e.Timer)
	case Suspect:
		a.Suspect(s, p, e.Peer)
	case Restore:
		a.Restore(s, p, e.Peer)
	case Round:
		in := make([]Received[M], len(e.Inbox))
		for i, r := range e.Inbox {
			in[i] = Received[M]{From: r.From, Message: cell.Open[M](r.Message)}
		}
		a.Round(s, p, in)
	}
}
