package conformance_test

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strings"

	"interleave/spec"
)

// observer is a process with others above and below it, and of each more than one; there are
// five. What the largest does differs. On a ring all are looked at. Where nobody
// is elected, process 1 often differs.
const (
	observer spec.ID = 3
	largest  spec.ID = 5
)

// most are the bounds of a survey, for each process: local states, and messages to it.
type most struct{ states, messages int }

var (
	mostElecting = most{200, 60}
	mostOther    = most{600, 200}
)

// ringOfFive is that of a survey: next to the observer on it is neither a neighbour by number nor the largest.
var ringOfFive = []spec.ID{3, 1, 4, 2, 5}

// local is a process in a state.
type local struct {
	self  spec.ID
	state any
	armed uint8
}

// letter is a message on its way.
type letter struct {
	from, to spec.ID
	message  any
}

// survey finds what the steps of a machine have for effects: any message that was ever sent may
// come at any time, again and again, and any other event as well.
type survey struct {
	machine spec.Machine
	traits  spec.Traits
	places  map[spec.ID][]local
	letters map[spec.ID][]letter
	most    most
	met     map[any]bool
	rows    map[row]bool
	told    map[string]any // by the name of its type, the first
}

// row is an event of a kind, and the effects of a step.
type row struct{ event, sends, arms, stops string }

// surveyOf returns the effects of the steps of a machine at the observer.
func surveyOf(m spec.Machine) *survey {
	v := &survey{m, m.Traits(), map[spec.ID][]local{}, map[spec.ID][]letter{}, mostOther, map[any]bool{}, map[row]bool{}, map[string]any{}}
	if v.traits.Elects {
		v.most = mostElecting
	}
	for _, self := range ringOfFive {
		v.boot(self, v.traits.Zero)
	}
	left, arrived := map[spec.ID]int{}, map[spec.ID]int{}
	for more := true; more; {
		more = false
		for _, self := range ringOfFive {
			if at := left[self]; at < len(v.places[self]) {
				left[self], more = at+1, true
				v.leave(v.places[self][at])
			}
			if at := arrived[self]; at < len(v.letters[self]) {
				arrived[self], more = at+1, true
				v.arrive(v.letters[self][at], left[self])
			}
		}
	}
	return v
}

// boot adds the states in which a process is that starts with a memory.
func (v *survey) boot(self spec.ID, memory any) (began local) {
	began = local{self: self, state: memory}
	next, _ := v.step(began, spec.Event{Kind: spec.Init})
	if !v.traits.Handles.Has(spec.Start) {
		v.add(next)
		return next
	}
	for _, initiator := range []bool{false, true} {
		v.take(next, spec.Event{Kind: spec.Start, Initiator: initiator})
	}
	return next
}

func (v *survey) add(at local) {
	if grows := v.traits.Measure; !v.met[at] && len(v.places[at.self]) < v.most.states && (grows == nil || grows(at.state) <= 2) {
		v.met[at] = true
		v.places[at.self] = append(v.places[at.self], at)
	}
}

// leave takes all steps of a process that are no messages, and those of the messages that there are.
func (v *survey) leave(at local) {
	for _, e := range v.events(at) {
		v.take(at, e)
	}
	memory := v.traits.Zero
	if v.traits.Stable != nil {
		memory = v.traits.Stable(at.state)
	}
	if back := v.boot(at.self, memory); v.traits.Handles.Has(spec.Recover) {
		v.take(back, spec.Event{Kind: spec.Recover})
	}
	for _, l := range v.letters[at.self] {
		v.take(at, spec.Event{Kind: spec.Receive, From: l.from, Message: l.message})
	}
}

// arrive hands a message to a process in the first states.
func (v *survey) arrive(l letter, upTo int) {
	for _, at := range v.places[l.to][:upTo] {
		v.take(at, spec.Event{Kind: spec.Receive, From: l.from, Message: l.message})
	}
}

func (v *survey) events(at local) (events []spec.Event) {
	if v.traits.Notices() && v.traits.Leader(at.state) != at.self {
		events = append(events, spec.NoticeEvent())
	}
	for i, act := range v.traits.Actions {
		for _, value := range act.Values {
			if !act.Leaderless {
				events = append(events, spec.Event{Kind: spec.Act, Action: uint8(i), Value: value})
			}
		}
	}
	for t := range v.traits.Rules {
		if at.armed>>t&1 != 0 {
			events = append(events, spec.Event{Kind: spec.Timeout, Timer: spec.Timer(t)})
		}
	}
	for q := range spec.UpTo(len(ringOfFive)).Without(at.self).All() {
		if v.traits.Handles.Has(spec.Suspect) {
			events = append(events, spec.Event{Kind: spec.Suspect, Peer: q})
		}
	}
	return events
}

// take takes a step, with every choice, and with an oracle once for each answer that it may give.
func (v *survey) take(at local, e spec.Event) {
	views := []spec.Set{0}
	if v.traits.Oracle {
		views = []spec.Set{spec.UpTo(len(ringOfFive)), spec.UpTo(len(ringOfFive)).Without(ringOfFive[1]), spec.SetOf(at.self)}
	}
	for _, e.Live = range views {
		if e.Live != 0 && !e.Live.Has(at.self) {
			continue
		}
		for _, e := range v.chosen(at, e) {
			next, sends := v.step(at, e)
			v.add(next)
			for _, l := range sends {
				if !v.met[l] && len(v.letters[l.to]) < v.most.messages {
					v.met[l] = true
					v.letters[l.to] = append(v.letters[l.to], l)
				}
			}
		}
	}
}

// chosen returns an event with every choice that its step may make.
func (v *survey) chosen(at local, e spec.Event) (all []spec.Event) {
	_, fx := v.machine.Step(at.self, ringOfFive, at.state, e)
	if fx.Choose == 0 {
		return []spec.Event{e}
	}
	for choice := range fx.Choose {
		more := e
		more.Choices = append(slices.Clip(e.Choices), choice)
		all = append(all, v.chosen(at, more)...)
	}
	return all
}

// step takes a step, and notes what comes of it if it is the observer's.
func (v *survey) step(at local, e spec.Event) (next local, sends []letter) {
	after, fx := v.machine.Step(at.self, ringOfFive, at.state, e)
	if fx.Panic != "" {
		return at, nil
	}
	if at.self == observer || at.self == largest || v.traits.Ring || !v.traits.Elects && at.self == 1 {
		v.note(at.self, e, fx)
	}
	armed := at.armed
	switch e.Kind {
	case spec.Init:
		armed = 0
	case spec.Timeout:
		armed &^= 1 << e.Timer
	}
	for _, s := range fx.Sends {
		if s.To == spec.NextLive {
			up := e.Live
			if !v.traits.Oracle {
				up = spec.UpTo(len(ringOfFive))
			}
			s.To = spec.NextOnRing(ringOfFive, at.self, up)
		}
		sends = append(sends, letter{at.self, s.To, s.Message})
	}
	return local{at.self, after, armed&^fx.Stopped | fx.Armed}, sends
}

func (v *survey) note(self spec.ID, e spec.Event, fx spec.Effects) {
	event := v.traits.EventName(e)
	switch e.Kind {
	case spec.Receive:
		event += " " + v.traits.Kind(e.Message)
	case spec.Timeout:
		event += " " + v.traits.Rules[e.Timer].Name
	case spec.Init:
		if fx.Armed == 0 {
			return
		}
	}
	r := row{event: event, sends: v.sends(self, e, fx), arms: list(v.traits.TimerNames(fx.Armed)), stops: list(v.traits.TimerNames(fx.Stopped))}
	v.rows[r] = true
}

// sends tells what a step sends and tells, in order, and to whom.
func (v *survey) sends(self spec.ID, e spec.Event, fx spec.Effects) string {
	if fx.Refused {
		return "refused"
	}
	var parts []string
	for i := 0; i < len(fx.Sends); {
		kind, to, n := v.traits.Kind(fx.Sends[i].Message), spec.Set(0), 0
		for ; i+n < len(fx.Sends) && fx.Sends[i+n].Message == fx.Sends[i].Message && fx.Sends[i+n].To > to.Max(); n++ {
			to = to.With(fx.Sends[i+n].To)
		}
		if n == 0 {
			n = 1
		}
		parts = append(parts, kind+" to "+v.whom(self, e, fx.Sends[i].To, to))
		i += n
	}
	for _, told := range fx.Outputs {
		name := reflect.TypeOf(told).Name()
		if _, known := v.told[name]; !known {
			v.told[name] = told
		}
		parts = append(parts, "tells "+name)
	}
	return strings.Join(parts, "; ")
}

// whom says to whom a message goes, to several processes in ascending order.
func (v *survey) whom(self spec.ID, e spec.Event, first spec.ID, to spec.Set) string {
	all := spec.UpTo(len(ringOfFive))
	switch {
	case first == spec.NextLive:
		return "the next that is up"
	case v.traits.Ring:
		return "the next"
	case to == all.Without(self):
		return "all others"
	case to == all.Above(self):
		return "all above"
	case to == all.Below(self):
		return "all below"
	case bits.OnesCount64(uint64(to)) > 1:
		return fmt.Sprint("some: ", to)
	case e.Kind == spec.Receive && first == e.From:
		return "the sender"
	}
	return "one"
}

func list(names []string) string { return strings.Join(names, ", ") }
