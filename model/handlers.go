package model

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"interleave/spec"
)

// handlers runs what an algorithm does at one process. Of the others, it knows at most which are live.
type handlers struct {
	machine spec.Machine
	traits  *spec.Traits
	config  Config
	ring    []spec.ID
	all     spec.Set

	monitors Monitors

	HandlerCalls int // how often a handler was asked for a step
}

// Config is the world.
func (h *handlers) Config() Config { return h.config }

// Machine is the algorithm.
func (h *handlers) Machine() spec.Machine { return h.machine }

// Traits are those of the algorithm. They must not be changed.
func (h *handlers) Traits() *spec.Traits { return h.traits }

// Monitors are those whose values are part of the states.
func (h *handlers) Monitors() Monitors { return h.monitors }

// begin returns the state of p when it boots with the given memory; nil if it has none.
func (h *handlers) begin(p spec.ID, memory any) (any, spec.Effects) {
	if memory == nil {
		memory = h.traits.Zero
	}
	return h.machine.Step(p, h.ring, memory, spec.Event{Kind: spec.Init})
}

func (h *handlers) firstStatus() Status {
	if h.traits.Handles.Has(spec.Start) {
		return Booting
	}
	return Up
}

// Handle runs the handler of e at p in local state l.
func (h *handlers) Handle(l Local, p spec.ID, live spec.Set, e spec.Event) (Local, spec.Effects) {
	h.HandlerCalls++
	if h.traits.Oracle {
		e.Live = live
	}
	var state any
	var fx spec.Effects
	if e.Kind == spec.Recover {
		e.Live = e.Live.With(p)
		state, fx = h.recover(p, l.State, e)
		l = Local{Status: h.firstStatus(), Initiator: h.begins(p), Acted: l.Acted}
	} else {
		state, fx = h.machine.Step(p, h.ring, l.State, e)
	}
	if fx.Choose > 0 && e.Kind == spec.Round {
		fx = spec.Effects{Panic: "it chooses in a Round, of which a checker knows no more than the order of its messages"}
	}
	fx.Panic = cmp.Or(fx.Panic, fx.StrayTimer(len(h.traits.Rules)))
	if n := len(fx.Sends); n > maxSends && fx.Panic == "" {
		fx.Panic, fx.Sends = fmt.Sprintf("it sends %d messages in one step, and %d are possible", n, maxSends), nil
	}
	if len(fx.Persists) >= maxSends && fx.Panic == "" {
		fx.Panic = fmt.Sprintf("it persists %d times in one step, and %d are possible", len(fx.Persists), maxSends-1)
	}
	if fx.Refused || fx.Panic != "" || fx.Choose > 0 {
		return l, fx
	}
	after := l.after(e, state, fx)
	if fx.Persists != nil {
		fx.Persists = h.persists(l, after, fx)
	}
	if e.Kind == spec.Act {
		if act := h.traits.Actions[e.Action]; h.config.limits(act) && !act.Together {
			after.Acted[e.Action]++
		}
	}
	return after, fx
}

// Outcome is what comes of an event, with the answers to all that its handler chooses.
type Outcome struct {
	Event   spec.Event
	After   Local
	Effects spec.Effects
}

// maxOutcomes is how many answers a handler may get, in all combinations.
const maxOutcomes = 1 << 16

// Outcomes yields what may come of e at p in local state l. There is one if the handler chooses nothing.
func (h *handlers) Outcomes(l Local, p spec.ID, live spec.Set, e spec.Event) iter.Seq[Outcome] {
	return func(yield func(Outcome) bool) {
		count := 0
		var each func(e spec.Event) bool
		each = func(e spec.Event) bool {
			after, fx := h.Handle(l, p, live, e)
			if fx.Choose == 0 {
				count++
				if count > maxOutcomes {
					panic(&LimitError{fmt.Sprintf("what process %v chooses in one step, %s, has more than %d answers together", p, h.handling(e), maxOutcomes)})
				}
				return yield(Outcome{e, after, fx})
			}
			for answer := range fx.Choose {
				chosen := e
				chosen.Choices = append(slices.Clip(e.Choices), answer)
				if !each(chosen) {
					return false
				}
			}
			return true
		}
		each(e)
	}
}

// recover boots p, with its stable memory if it has any.
func (h *handlers) recover(p spec.ID, memory any, e spec.Event) (any, spec.Effects) {
	state, first := h.begin(p, memory)
	if !h.traits.Handles.Has(spec.Recover) || first.Panic != "" {
		return state, first
	}
	state, fx := h.machine.Step(p, h.ring, state, e)
	fx.Armed |= first.Armed &^ fx.Stopped
	return state, fx
}

// begins reports whether p begins of its own accord when it comes up again.
func (h *handlers) begins(p spec.ID) bool {
	return h.config.Initiators.Only == 0 || h.config.Initiators.Only.Has(p)
}

// after returns the local state after the handler of e turned the algorithm's part of l into
// state.
func (l Local) after(e spec.Event, state any, fx spec.Effects) Local {
	l.State = state
	switch e.Kind {
	case spec.Start:
		l.Status = Up
	case spec.Timeout:
		l.Timers &^= 1 << e.Timer
	case spec.Suspect:
		l.Suspected = l.Suspected.With(e.Peer)
	case spec.Restore:
		l.Suspected = l.Suspected.Without(e.Peer)
	}
	l.Timers = l.Timers&^fx.Stopped | fx.Armed
	for t := range l.Ages.Timers {
		if (l.Timers&^fx.Armed)>>t&1 == 0 {
			l.Ages.Timers[t] = 0
		}
	}
	return l
}

// resolve finds the receiver of a message that p sends to the next live process.
func (h *handlers) resolve(live spec.Set, p spec.ID, sends []spec.Send) []Sent {
	var out []Sent
	for _, send := range sends {
		if send.To == spec.NextLive {
			send.To = spec.NextOnRing(h.ring, p, live)
		}
		out = append(out, Sent{From: p, To: send.To, Message: send.Message})
	}
	return out
}

// Beyond reports whether the bound forbids a local state.
func (h *handlers) Beyond(l Local) bool {
	return h.config.Bound > 0 && h.traits.Measure(l.State) > h.config.Bound
}

// AfterCrash returns what is left of a process that crashes in a local state.
func (h *handlers) AfterCrash(l Local) Local {
	if h.config.Recoveries == 0 {
		return Local{}
	}
	left := Local{Acted: l.Acted}
	if h.traits.Stable != nil {
		left.State = h.traits.Stable(l.State)
	}
	return left
}

// persists returns when what is on the disk changes in a step. What is never persisted is there when the step ends.
func (h *handlers) persists(before, after Local, fx spec.Effects) (changes []spec.Persisted) {
	if h.config.Recoveries == 0 {
		return nil // nobody reads it again
	}
	on := h.AfterCrash(before).State
	if before.Status == Down {
		on = before.State
	}
	end := spec.Persisted{Sends: len(fx.Sends), Outputs: len(fx.Outputs), Memory: h.AfterCrash(after).State}
	for _, p := range append(slices.Clip(fx.Persists), end) {
		if p.Memory != nil && p.Memory != on {
			changes, on = append(changes, p), p.Memory
		}
	}
	return changes
}

// AfterCut returns what is left of a process after a crash in a step, for a value of Event.Disk.
func (h *handlers) AfterCut(before, after Local, persists []spec.Persisted, disk int) Local {
	switch disk {
	case 0:
	case 1:
		after.State = before.State
	default:
		after.State = persists[disk-2].Memory
	}
	return h.AfterCrash(after)
}

// Short returns what monitors see of a step that is cut short, for values of Event.Cut and Event.Disk: the local state after
// it, with what is on the disk, and the outputs. A crash right before something is persisted comes after what is output
// before that; other crashes come before all outputs.
func (h *handlers) Short(before, after Local, fx spec.Effects, sends, disk int) (seen Local, outputs []any) {
	if disk == 0 {
		return after, nil
	}
	left := h.AfterCut(before, after, fx.Persists, disk).State
	after.State = h.traits.Code.OnDisk(after.State, left)
	if next := disk - 1; next < len(fx.Persists) && sends == fx.Persists[next].Sends {
		outputs = fx.Outputs[:fx.Persists[next].Outputs]
	}
	return after, outputs
}

// Saves reports whether a crash after a step leaves something else than one before it.
func (h *handlers) Saves(before, after Local) bool {
	if before.Status != Down {
		before = h.AfterCrash(before)
	}
	return before != h.AfterCrash(after)
}

// DescribeStep says which process does what, as in "process 1: receive OK from 2".
func (h *handlers) DescribeStep(e Event) string {
	if e.Process == spec.None {
		return h.Describe(e)
	}
	return fmt.Sprintf("process %v: %s", e.Process, h.Describe(e))
}

// cutWhen says where something cuts a step short, as in "after 2 of its sends, before it persists".
func (e Event) cutWhen() string {
	when := fmt.Sprintf("after %d of its sends", e.Cut)
	if e.Cut == 0 {
		when = "before the first of its sends"
	}
	return when + OnDisk(e.Disk)
}

// OnDisk says what is on the disk for a value of Event.Disk, to follow when the step is cut short.
func OnDisk(disk int) string {
	switch disk {
	case 0:
		return ""
	case 1:
		return ", before it persists"
	case 2:
		return ", after it persists"
	}
	return fmt.Sprintf(", after it persists %s", times(disk-1))
}

// Describe says what happens in e, as in "receive OK from 2".
func (h *handlers) Describe(e Event) string {
	switch what := actionTable[e.Action]; {
	case e.Action.Cuts():
		return fmt.Sprintf("%s, %s %s", h.handling(e.Step), what.cut, e.cutWhen())
	case e.Action.Handles():
		return h.handling(e.Step)
	case what.about == aboutMessage:
		return fmt.Sprintf("%v %v from %v", e.Action, e.Step.Message, e.Step.From)
	case e.Action.HasSide():
		return fmt.Sprintf("%v %v from the rest", e.Action, e.Side)
	case e.Action == Round:
		texts := []string{"round"}
		for _, p := range e.Parts {
			texts = append(texts, p.String())
		}
		return strings.Join(texts, "; ")
	}
	return e.Action.String()
}

func (h *handlers) handling(e spec.Event) string { return Handling(e, h.traits) }
