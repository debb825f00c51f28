package picture

import (
	"cmp"
	"fmt"
	"slices"

	"interleave/model"
	"interleave/spec"
)

// Of draws a run that repeats a trace. It takes what the run shows from the trace, unless that is
// nil.
func Of(r *model.Reference, run *model.Run, trace *model.Trace) *Picture {
	n := r.Config().N
	d := &drawing{
		reference: r, fate: make([][]flight, n), last: make([]int, n), crashed: make([]int, n),
		Picture: &Picture{N: n, Steps: len(run.Steps), Events: []Event{}, Messages: []Message{}},
	}
	for i := range n {
		d.last[i], d.crashed[i] = none, none
	}
	d.network = none
	if trace != nil {
		d.Algorithm, d.Property, d.Reason, d.Loop = OneLine(trace.Algorithm), OneLine(trace.Property), OneLine(trace.Reason), trace.Loop
	}
	for _, s := range run.States {
		d.Views = append(d.Views, view(r, s))
	}
	for i, step := range run.Steps {
		d.step(i+1, run.States[i], step)
	}
	return d.Picture
}

// none is no index in a list.
const none = -1

// drawing is a picture under construction.
type drawing struct {
	*Picture
	reference *model.Reference
	fate      [][]flight // the messages in flight to each process, in the order of arrival if that is fixed
	last      []int      // the last event of each process
	crashed   []int      // the event in which each process crashed last
	network   int        // the last event in which the network was divided or time advanced
	ticks     int
}

// flight is a message in flight.
type flight struct {
	message  int
	envelope model.Envelope // as it was sent
	sent     int            // ticks before it was sent
}

func view(r *model.Reference, s model.State) View {
	w := r.World(s)
	v := View{}
	for i, l := range s.Locals {
		if r.Traits().Elects {
			v.Leader = append(v.Leader, w.Leader(spec.ID(i+1)))
		}
		v.Status = append(v.Status, l.Status.String())
	}
	return v
}

func (d *drawing) step(number int, before model.State, step model.Step) {
	p, e := step.Event.Process, step.Event.Step
	event := Event{Step: number, Process: p, Kind: step.Event.Action.String(), Title: d.reference.Describe(step.Event), Panic: OneLine(step.Panic)}
	switch action := step.Event.Action; {
	case action == model.Round:
		d.round(number, before, step)
		return
	case action.Handles(), action.Down():
		event.Crash, event.Cut, event.Disk = action.Down(), step.Event.Cut, step.Event.Disk
		if action.Handles() {
			event.Kind, event.Title = d.reference.Traits().EventName(e), d.reference.Describe(model.Event{Step: e})
		}
		d.change(&event, before, step)
	case action == model.Tick:
		d.ticks++
	default: // nothing that a process does
		event.Process = spec.None
	}
	d.begin(event)
	about := model.Envelope{From: e.From, Message: e.Message, Age: step.Event.Age}
	switch action := step.Event.Action; {
	case event.Kind == spec.Receive.String():
		d.end(p, about, Delivered)
	case action == model.Lose:
		d.end(p, about, Lost)
	case action == model.Drop:
		d.end(p, about, ToDown)
	case action == model.Copy:
		d.copies(p, about)
	}
	if step.Panic == "" {
		d.outcome(before, step)
	}
	d.close()
}

// change adds what an event changes in its process; nothing if a handler panics.
func (d *drawing) change(e *Event, before model.State, step model.Step) {
	if step.Panic != "" {
		return
	}
	e.Changes = d.reference.ChangesOf(before, step, e.Process)
	if e.Crash {
		e.keeps = OneLine(step.After.Locals[e.Process-1].Keeps())
	}
}

// now is the current event.
func (d *drawing) now() int { return len(d.Events) - 1 }

func (d *drawing) event() *Event { return &d.Events[d.now()] }

// begin adds an event.
func (d *drawing) begin(e Event) {
	e.Title = OneLine(e.Title)
	for i := range e.Changes {
		e.Changes[i] = OneLine(e.Changes[i])
	}
	d.Events = append(d.Events, e)
	if e.Process != spec.None {
		d.cause(d.last[e.Process-1])
		d.last[e.Process-1] = d.now()
	}
}

// cause adds an event as a cause of the current one.
func (d *drawing) cause(i int) {
	if e := d.event(); i != none && i != d.now() && !slices.Contains(e.Causes, i) {
		e.Causes = append(e.Causes, i)
	}
}

// end ends a message to p.
func (d *drawing) end(p spec.ID, e model.Envelope, fate Fate) {
	i := d.find(p, e)
	m := d.fate[p-1][i].message
	d.fate[p-1] = slices.Delete(d.fate[p-1], i, i+1)
	d.settle(m, fate)
}

// find returns the index among the messages in flight to p of an envelope; the first of several
// equal ones.
func (d *drawing) find(p spec.ID, e model.Envelope) int {
	i := slices.IndexFunc(d.fate[p-1], func(f flight) bool { return d.aged(f) == e })
	if i < 0 {
		panic(fmt.Sprintf("picture: %v from %v arrives at %v, and was not sent", e.Message, e.From, p))
	}
	return i
}

// aged returns the envelope of a message in flight with its present age.
func (d *drawing) aged(f flight) model.Envelope {
	f.envelope.Age += uint8(d.ticks - f.sent)
	return f.envelope
}

// settle records that the current event ends a message.
func (d *drawing) settle(m int, fate Fate) {
	d.Messages[m].Fate, d.Messages[m].EndsIn = fate, d.now()
	d.cause(d.Messages[m].SentBy)
	if fate == Delivered {
		d.event().Takes = append(d.event().Takes, m)
	} else {
		d.event().Loses = append(d.event().Loses, m)
	}
}

// send adds a message that the current event sends.
func (d *drawing) send(m model.Sent) int { return d.sendIn(d.now(), m) }

// sendIn adds a message that an event sends.
func (d *drawing) sendIn(event int, m model.Sent) int {
	d.Messages = append(d.Messages, Message{From: m.From, To: m.To, Text: cmp.Or(OneLine(fmt.Sprint(m.Message)), `""`), SentBy: event, EndsIn: none})
	i := len(d.Messages) - 1
	d.Events[event].Sends = append(d.Events[event].Sends, i)
	return i
}

// copies adds a copy of a message to p.
func (d *drawing) copies(p spec.ID, e model.Envelope) {
	at := d.find(p, e)
	first := d.fate[p-1][at]
	d.cause(d.Messages[first.message].SentBy)
	again := first
	again.message = d.send(model.Sent{From: e.From, To: p, Message: e.Message})
	d.Messages[again.message].Copied = true
	d.fate[p-1] = append(d.fate[p-1], again) // equal messages cannot be distinguished
}

// outcome adds what an event sends, and ends what it loses.
func (d *drawing) outcome(before model.State, step model.Step) {
	p := step.Event.Process
	for _, m := range step.Sends {
		d.leaves(step, m)
	}
	if step.Event.Action.Down() && len(step.After.Inboxes[p-1]) == 0 {
		for _, f := range d.fate[p-1] {
			d.settle(f.message, ToDown)
		}
		d.fate[p-1] = nil
	}
	d.foreseen(before, step)
}

// leaves adds a sent message, and its fate if that is decided at once.
func (d *drawing) leaves(step model.Step, m model.Sent) {
	i := d.send(m)
	side := step.After.Env.Side
	envelope := model.Envelope{From: m.From, Message: m.Message}
	absorbed := func(f flight) bool { return d.aged(f) == envelope }
	switch {
	case side != 0 && side.Has(m.From) != side.Has(m.To):
		d.cause(d.network)
		d.settle(i, CutOff)
	case d.reference.Config().Recoveries == 0 && step.After.Locals[m.To-1].Status == model.Down:
		d.cause(d.crashed[m.To-1])
		d.settle(i, ToDown)
	case d.reference.Config().Network == model.Set && slices.ContainsFunc(d.fate[m.To-1], absorbed):
		d.settle(i, Absorbed)
	default:
		d.fate[m.To-1] = append(d.fate[m.To-1], flight{i, envelope, d.ticks})
	}
}

// foreseen adds other causes of an event: the crash that a report is about, and the crash of the
// leader for a notice.
func (d *drawing) foreseen(before model.State, step model.Step) {
	p := step.Event.Process
	switch action := step.Event.Action; {
	case action.Down():
		d.crashed[p-1] = d.now()
	case action == model.Divide, action == model.Tick:
		d.network = d.now()
	}
	if step.Event.Action != model.Handle {
		return
	}
	switch q := step.Event.Step.Peer; step.Event.Step.Kind {
	case spec.Suspect, spec.Restore:
		d.cause(d.crashed[q-1])
	case spec.Act:
		if !d.reference.Traits().IsNotice(step.Event.Step) {
			return
		}
		if q := d.reference.World(before).Leader(p); q != spec.None && int(q) <= d.N {
			d.cause(d.crashed[q-1])
		}
	}
}

// close gives the current event its vector clock.
func (d *drawing) close() {
	e := d.event()
	e.Clock = make([]int, d.N)
	for _, c := range e.Causes {
		for q, n := range d.Events[c].Clock {
			e.Clock[q] = max(e.Clock[q], n)
		}
	}
	if e.Process != spec.None {
		e.Clock[e.Process-1]++
	}
}

// round adds what each process does in a lock-step round, in which it reads what was sent in the
// one before.
func (d *drawing) round(number int, before model.State, step model.Step) {
	heard := d.fate
	d.fate = make([][]flight, d.N)
	first := len(d.Events)
	for i, l := range before.Locals {
		p := spec.ID(i + 1)
		if l.Status == model.Down {
			continue
		}
		part := partOf(step.Event, p)
		event := Event{Step: number, Process: p, Kind: model.Round.String(), Title: fmt.Sprintf("round %d", number), Crash: part.Crash, Cut: part.Cut, Panic: OneLine(step.Panic)}
		d.change(&event, before, step)
		d.begin(event)
		for _, f := range inOrder(heard[i], before.Inboxes[i], part.Order) {
			d.settle(f.message, Delivered)
		}
		d.close()
		if part.Crash {
			d.crashed[i] = d.now()
		}
	}
	d.sentInRound(first, step)
}

// sentInRound adds what the processes send in a round, whose first event is given.
func (d *drawing) sentInRound(first int, step model.Step) {
	for _, m := range step.Sends {
		from := first + slices.IndexFunc(d.Events[first:], func(e Event) bool { return e.Process == m.From })
		i := d.sendIn(from, m)
		envelope := model.Envelope{From: m.From, Message: m.Message}
		fate := OnItsWay
		switch {
		case step.After.Locals[m.To-1].Status == model.Down:
			fate = ToDown
		case !slices.Contains(step.After.Inboxes[m.To-1], envelope):
			fate = Unheard
		default:
			d.fate[m.To-1] = append(d.fate[m.To-1], flight{i, envelope, d.ticks})
		}
		if fate != OnItsWay {
			d.Messages[i].Fate, d.Messages[i].EndsIn = fate, from
			d.Events[from].Loses = append(d.Events[from].Loses, i)
		}
	}
}

func partOf(e model.Event, p spec.ID) model.Part {
	if i := slices.IndexFunc(e.Parts, func(part model.Part) bool { return part.Process == p }); i >= 0 {
		return e.Parts[i]
	}
	return model.Part{Process: p}
}

// inOrder returns the messages in flight in the order in which they are read. Order has places of
// the inbox; nil means that it is not changed.
func inOrder(on []flight, in model.Inbox, order []int) []flight {
	on = slices.Clone(on)
	var out []flight
	for i := range in {
		place := i
		if order != nil {
			place = order[i]
		}
		at := slices.IndexFunc(on, func(f flight) bool { return f.envelope == in[place] })
		out = append(out, on[at])
		on = slices.Delete(on, at, at+1)
	}
	return out
}
