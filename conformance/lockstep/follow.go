package lockstep

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"

	"interleave/conformance/drive"
	"interleave/impl"
	"interleave/impl/runlog"
	"interleave/model"
	"interleave/spec"
)

// Report is the result of a plan.
type Report struct {
	Config model.Config
	Steps  int
	Counts map[string]int // the number of steps or faults of each kind
	Trace  *model.Trace   // the run, as the model takes it
	Reason string         // "": it is a behaviour of the model
}

// follower takes the steps of a run in the model.
type follower struct {
	plan      Plan
	run       *run
	traits    spec.Traits
	reference *model.Reference
	durations map[string]time.Duration // of timers
	initial   model.State
	state     model.State
	events    []model.Event
	report    *Report

	processes []process // number 1 first
	messages
}

// process is what the lines of a process tell so far.
type process struct {
	incarnation uint32
	up          bool
	active      time.Time            // when it took its last step, or some process crashed
	set         map[string]time.Time // when a timer was set last
	running     map[string]bool      // timers that are armed
}

// messages is what the lines tell of messages.
type messages struct {
	flying   map[link][]flying    // in the order of sending
	received map[receipt]bool     // all that ever is
	waits    map[runlog.Name]bool // those that were refused once
}

type link struct{ from, to spec.ID }

// flying is a message in flight, and its name.
type flying struct {
	name  runlog.Name
	value any
	at    time.Time // when it was sent
}

// receipt identifies a message handled in an incarnation of its receiver.
type receipt struct {
	name        runlog.Name
	by          spec.ID
	incarnation uint32
}

func newFollower(p Plan) (*follower, error) {
	c := p.World()
	r, err := model.NewReference(p.Machine, c)
	if err != nil {
		return nil, err
	}
	initial := r.Initial()[0]
	processes := make([]process, p.N)
	for i := range processes {
		processes[i] = process{set: map[string]time.Time{}, running: map[string]bool{}}
	}
	return &follower{
		plan: p, traits: p.Machine.Traits(), reference: r, initial: initial, state: initial,
		durations: impl.DefaultDurations(p.Machine, p.N, Delta),
		report:    &Report{Config: c, Counts: map[string]int{}},
		processes: processes,
		messages:  messages{flying: map[link][]flying{}, received: map[receipt]bool{}, waits: map[runlog.Name]bool{}},
	}, nil
}

// process returns what is known of a process.
func (f *follower) process(id spec.ID) *process { return &f.processes[id-1] }

// follow takes every step of a run.
func (f *follower) follow(r *run, statuses map[spec.ID]impl.Status) *Report {
	f.run = r
	for _, h := range r.happens {
		if in := h.record.Input; h.record.Line == runlog.LineStep && in != nil && in.Received != nil {
			f.received[receipt{in.Received.Name, h.process, h.record.Incarnation}] = true
		}
	}
	for _, h := range r.happens {
		if reason := f.take(h); reason != "" {
			f.report.Reason = fmt.Sprintf("process %v, %s: %s", h.process, f.words(h), reason)
			break
		}
	}
	if f.report.Reason == "" {
		f.report.Reason = f.end(statuses)
	}
	for kind, n := range map[string]int{"frame lost": r.lost, "frame copied": r.copied, "frame lost to the other side": r.split} {
		f.report.Counts[kind] += n
	}
	for _, s := range statuses {
		f.report.Counts["frame sent again"] += int(s.Resent)
		f.report.Counts["copy dropped"] += int(s.Dropped["copied"])
	}
	f.report.Steps = len(f.events)
	if t, _, err := model.Record(f.reference, f.initial, f.events); err == nil {
		t.Property, t.Reason = drive.Property, f.report.Reason
		f.report.Trace = t
	}
	return f.report
}

func (f *follower) words(h happening) string {
	switch {
	case h.crash:
		return "crash"
	case h.record.Input != nil:
		return fmt.Sprintf("incarnation %d, line %d, %s", h.record.Incarnation, h.record.Number, h.record.Input)
	}
	return h.record.Line
}

// take follows one line or crash; the reason says why the model does not allow it.
func (f *follower) take(h happening) (reason string) {
	r := h.record
	switch {
	case h.crash:
		return f.crash(h.process, r.Time)
	case r.Line == runlog.LineBegin:
		f.process(h.process).incarnation = r.Incarnation
	case r.Line == runlog.LineStep:
		return f.step(h.process, r)
	case r.Line == runlog.LineRefused:
		return f.refused(h.process, r)
	case r.Line == runlog.LineBreach:
		f.report.Counts["breach "+string(r.Breach.Kind)]++
		if f.plan.Kept() {
			return "a breach, though the plan keeps the assumption: " + r.Breach.Text
		}
	}
	return ""
}

func (f *follower) crash(p spec.ID, at time.Time) (reason string) {
	f.process(p).up = false
	for i := range f.processes {
		f.processes[i].active = at
	}
	f.report.Counts["crash"]++
	if f.plan.World().Recoveries == 0 {
		maps.DeleteFunc(f.flying, func(l link, _ []flying) bool { return l.to == p })
	}
	if f.state.Locals[p-1].Status == model.Down { // it had not come up again
		return ""
	}
	_, reason = f.do(model.Event{Action: model.Crash, Process: p})
	return reason
}

// do executes an event in the model.
func (f *follower) do(e model.Event) (model.Step, string) {
	step, err := f.reference.Do(f.state, e)
	if err != nil {
		return step, "the model does not do this: " + err.Error()
	}
	f.events = append(f.events, e)
	if step.Panic != "" {
		return step, "the handler panics in the model"
	}
	f.state = step.After
	return step, ""
}

// step follows a step of a process.
func (f *follower) step(p spec.ID, r runlog.Record) (reason string) {
	e, err := r.Input.Replay(f.traits)
	if err != nil {
		return err.Error()
	}
	again := r.Incarnation > 1
	event := model.Event{Process: p, Step: e}
	switch {
	case e.Kind == spec.Init && !again:
		f.sets(p, r)
		return f.compare(p, r, model.Step{})
	case e.Kind == spec.Init && f.traits.Handles.Has(spec.Recover):
		f.sets(p, r)
		return f.dropAll(p) // the step is the next one
	case e.Kind == spec.Init:
		if reason = f.dropAll(p); reason != "" {
			return reason
		}
		event.Step = spec.Event{Kind: spec.Recover}
	case e.Kind == spec.Receive:
		if reason = f.arrives(p, r); reason != "" {
			return reason
		}
	case e.Kind == spec.Timeout:
		if reason = f.onTime(p, r); reason != "" {
			return reason
		}
	}
	step, reason := f.do(event)
	if reason != "" {
		return reason
	}
	f.count(e, r)
	f.sets(p, r)
	if reason = f.compare(p, r, step); reason != "" {
		return reason
	}
	return f.send(p, r, step)
}

// sets records which timers a step sets, and which it stops.
func (f *follower) sets(p spec.ID, r runlog.Record) {
	its := f.process(p)
	if r.Input.Event == spec.Init.String() {
		clear(its.running)
	}
	delete(its.running, r.Input.Timer)
	for _, name := range r.Stopped {
		delete(its.running, name)
	}
	for _, name := range r.Armed {
		its.set[name], its.running[name] = r.Time, true
	}
}

// onTime requires a timer to expire its duration after it was set last. One that the
// machine refused is tried again later.
func (f *follower) onTime(p spec.ID, r runlog.Record) (reason string) {
	lasts := f.durations[r.Input.Timer]
	if took := r.Time.Sub(f.process(p).set[r.Input.Timer]); took%lasts > slack || took < lasts {
		return fmt.Sprintf("it expires after %v, and lasts %v", took, lasts)
	}
	return ""
}

func (f *follower) count(e spec.Event, r runlog.Record) {
	kind := f.traits.EventName(e)
	switch e.Kind {
	case spec.Receive:
		kind += " " + f.traits.Kind(e.Message)
		f.report.Counts["receive"]++
	case spec.Timeout:
		kind += " " + f.traits.Rules[e.Timer].Name
		f.report.Counts["timeout"]++
	case spec.Init:
		kind = spec.Recover.String()
	}
	f.report.Counts[kind]++
}

// dropAll drops the messages in flight to a process that comes up again which never
// reach this incarnation of it.
func (f *follower) dropAll(p spec.ID) (reason string) {
	for from := range spec.UpTo(f.plan.N).All() {
		l := link{from, p}
		for i := 0; i < len(f.flying[l]); {
			m := f.flying[l][i]
			if f.received[receipt{m.name, p, f.process(p).incarnation}] {
				i++
				continue
			}
			if reason = f.vanish(model.Drop, l, i); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// vanish removes a message from the model's network: dropped, as its receiver is down,
// or lost.
func (f *follower) vanish(action model.ActionKind, l link, i int) (reason string) {
	m := f.flying[l][i]
	e := model.Event{Action: action, Process: l.to, Step: spec.Event{Kind: spec.Receive, From: l.from, Message: m.value}}
	if _, reason = f.do(e); reason != "" {
		return fmt.Sprintf("message %d of process %v, which never arrives: %s", m.name.Sequence, l.from, reason)
	}
	f.flying[l] = slices.Delete(f.flying[l], i, i+1)
	f.report.Counts[action.String()]++
	return ""
}

// arrives removes from the messages in flight the one that a process handles. On a link
// that keeps order, messages sent before it must have vanished with good reason.
func (f *follower) arrives(p spec.ID, r runlog.Record) (reason string) {
	l := link{r.Input.Received.From, p}
	for {
		at := slices.IndexFunc(f.flying[l], func(m flying) bool { return m.name == r.Input.Received.Name })
		switch {
		case at < 0:
			return "nobody sent this message, or it was handled before"
		case at == 0 || f.plan.Datagrams:
			text, err := runlog.PlainJSON(f.flying[l][at].value)
			if err != nil || !bytes.Equal(text, r.Input.Received.Message) {
				return fmt.Sprintf("it was sent as %s", text)
			}
			f.flying[l] = slices.Delete(f.flying[l], at, at+1)
			return ""
		}
		if m := f.flying[l][0]; m.name.Incarnation == f.process(l.from).incarnation && f.process(l.from).up {
			return fmt.Sprintf("it overtakes message %d of process %v", m.name.Sequence, l.from)
		}
		if reason = f.vanish(model.Lose, l, 0); reason != "" {
			return reason
		}
	}
}

// send adds the sends of a step to the messages in flight. Of two frames of a datagram,
// to an incarnation of the receiver that is over and to the present one, the second counts.
func (f *follower) send(p spec.ID, r runlog.Record, step model.Step) (reason string) {
	for i, out := range step.Sends {
		if f.state.Locals[out.To-1].Status == model.Down && f.report.Config.Recoveries == 0 {
			continue
		}
		name := runlog.Name{From: p, Incarnation: r.Incarnation, Sequence: r.Sends[i].Sequence}
		l := link{p, out.To}
		f.flying[l] = append(f.flying[l], flying{name, out.Message, r.Time})
		if f.plan.Datagrams && out.To != p && f.run.passed[name] < max(f.process(out.To).incarnation, 1) {
			if reason = f.vanish(model.Lose, l, len(f.flying[l])-1); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// refused checks a message that had to wait: the model must refuse it, too.
func (f *follower) refused(p spec.ID, r runlog.Record) (reason string) {
	f.report.Counts["refused"]++
	f.waits[r.Input.Received.Name] = true
	e, err := r.Input.Replay(f.traits)
	if err != nil {
		return err.Error()
	}
	for step := range f.reference.EachStep(f.state) {
		if other := step.Event; other.Action == model.Handle && other.Process == p && other.Step.Kind == e.Kind && other.Step.From == e.From && other.Step.Message == e.Message {
			return "the model does not refuse it"
		}
	}
	return ""
}
