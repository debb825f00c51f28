package impl

import (
	"cmp"
	"fmt"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/spec"
)

// runner takes the steps of the machine.
type runner struct {
	network
	rounds   *rounds // nil: there is no lock step
	stable   persistence
	sequence uint64 // of the last message sent
	steps    uint64
	local    local
	waiting  []delivery // messages that have arrived and are not handled, oldest first
	agenda   agenda
	clients  clients
	clock    time.Time // when the last turn of the loop began

	fruitless moment // when nothing came of fair actions
}

// PanicError is a panic of a handler, or of a function of states or messages: a bug of
// the algorithm, or of an assumption. The process ends with it.
type PanicError struct {
	Algorithm string
	Process   spec.ID
	Event     string // such as "receive OK from 2"; empty: it was no handler
	Panic     string // and where
}

func (e *PanicError) Error() string {
	if e.Event == "" {
		return fmt.Sprintf("%s, process %v: it panics outside of its handlers: %s", e.Algorithm, e.Process, e.Panic)
	}
	return fmt.Sprintf("%s, process %v: the handler of %q panics: %s", e.Algorithm, e.Process, e.Event, e.Panic)
}

// step has the machine handle e. If it does not refuse, the step is logged, what must survive a
// crash is saved, and the effects are carried out. The input is what the log says of e, without
// what step can read from e itself. It returns what was logged; nil if the machine refused, or if
// the process has to end. A step that counts for nothing has no number, and is not in the log.
func (n *runner) step(e spec.Event, in runlog.Input) *runlog.Record {
	if n.failed != nil {
		return nil
	}
	if n.traits.Oracle {
		e.Live = n.live()
		in.Live = &e.Live
	}
	in.Event = n.traits.EventName(e)
	after, fx := n.take(&e)
	in.Choices = e.Choices
	if e.Value != nil {
		text, err := runlog.PlainJSON(e.Value)
		n.fail(err)
		in.Value = text
	}
	fx.Panic = cmp.Or(fx.Panic, fx.StrayTimer(len(n.traits.Rules)))
	switch {
	case fx.Panic != "":
		n.fail(&PanicError{n.traits.Name, n.config.ID, in.String(), fx.Panic})
		return nil
	case fx.Refused:
		n.counts.refused++
		return nil
	case n.nothing(after, fx, e):
		return &runlog.Record{}
	}
	n.steps++
	r := &runlog.Record{Line: runlog.LineStep, Step: n.steps, Input: &in, Before: n.local.hash}
	n.setState(after)
	r.State, r.After = n.local.json, n.local.hash
	n.fail(r.SetEffects(n.traits, fx, func() spec.ID { return spec.NextOnRing(n.config.Ring, n.config.ID, n.live()) }, n.sequence))
	frames := n.compose(fx.Sends, r.Sends)
	n.write(r)
	if n.failed == nil { // a memory of what is not in the log could not be explained
		n.fail(n.stable.keep(n.local.state))
	}
	if n.failed != nil {
		return nil
	}
	n.setTimers(e, fx)
	n.send(frames)
	n.output(fx.Outputs)
	n.clients.answer(n.traits, n.config.ID, fx.Outputs, r.Outputs)
	return r
}

// take has the machine handle e, with answers to what the handler chooses.
func (n *runner) take(e *spec.Event) (any, spec.Effects) {
	for {
		after, fx := n.config.Machine.Step(n.config.ID, n.config.Ring, n.local.state, *e)
		if fx.Choose == 0 {
			return after, fx
		}
		e.Choices = append(e.Choices, n.config.Choose(fx.Choose))
	}
}

// nothing reports whether a lock-step round, or what the process does of its own accord, counts as no
// step: nothing changes, is sent, put out, read or chosen.
func (n *runner) nothing(after any, fx spec.Effects, e spec.Event) bool {
	idle := n.rounds != nil && (e.Kind == spec.Round && len(e.Inbox) == 0 || e.Kind == spec.Suspect) ||
		e.Kind == spec.Act && byItself(n.traits.Actions[e.Action]) && len(e.Choices) == 0 && fx.Armed|fx.Stopped == 0
	return idle && n.local.state == after && len(fx.Sends)+len(fx.Outputs) == 0
}

// local is the state of the algorithm, and what is known of it.
type local struct {
	state any
	json  []byte // as in the log
	hash  string
	idle  bool
}

// setState sets the state.
func (n *runner) setState(s any) {
	text, err := runlog.PlainJSON(s)
	n.fail(err)
	before, leader := n.leader, n.traits.Leader(s)
	n.local, n.leader = local{s, text, runlog.HashState(text), n.traits.Idle(s)}, leader
	switch leader {
	case before:
		return
	case spec.None:
		n.config.Logger.Info("knows no leader")
		return
	}
	n.counts.elections++
	n.config.Logger.Info("leader", "leader", int(leader))
	if leader == n.config.ID {
		n.doubt()
	}
}

// doubt warns that this process leads without processes that it was meant to lead.
func (n *runner) doubt() {
	met, refused := 0, []int{}
	for _, id := range n.ids {
		if n.peers[id].KnowsUs {
			met++
		}
		if n.peers[id].Refused != "" {
			refused = append(refused, int(id))
		}
	}
	switch {
	case len(refused) > 0:
		n.config.Logger.Warn("leads, and does not speak with some of its peers", "peers", refused)
	case met == 0 && len(n.ids) > 0:
		n.config.Logger.Warn("leads, and has met none of its peers")
	}
}

// compose makes the frames of a step's sends, as its record lists them.
func (n *runner) compose(sends []spec.Send, listed []runlog.Sent) []outgoing {
	var out []outgoing
	now := time.Now().UnixNano()
	if n.rounds != nil { // the wall clock may have gone back since the round began
		now = max(now, n.rounds.since().UnixNano())
	}
	for i, s := range listed {
		n.sequence = s.Sequence
		n.counts.sent[s.Kind]++
		f := n.frame(wire.Data, s.To)
		f.Sequence, f.Sent = s.Sequence, now
		message := sends[i].Message
		var err error
		if f.Body, err = n.codec.Append(nil, message); err != nil {
			n.fail(fmt.Errorf("process %v cannot send: %w", n.config.ID, err))
		}
		if size, most := len(f.Body), n.config.Transport.MaxBody(); size > most && most < wire.MaxBody {
			n.fail(fmt.Errorf("process %v cannot send: a message of kind %s takes %d bytes, and a datagram holds at most %d: use TCP, as with --transport tcp", n.config.ID, s.Kind, size, most))
		}
		out = append(out, outgoing{f, message})
	}
	return out
}

// outgoing is a message that a step sends.
type outgoing struct {
	frame   wire.Frame
	message any
}

// send puts messages in line, and sends them if possible. A message to the process
// itself is delivered directly: in lock step it is of the round of its step, however
// long that took.
func (n *runner) send(out []outgoing) {
	for _, o := range out {
		if o.frame.To == n.config.ID {
			sent := o.frame.Sent
			if n.rounds != nil {
				sent = min(sent, n.rounds.ends().UnixNano()-1)
			}
			n.arrive(delivery{name: runlog.Name{From: n.config.ID, Incarnation: n.incarnation, Sequence: o.frame.Sequence}, message: o.message, sent: sent})
			continue
		}
		p := n.peers[o.frame.To]
		n.giveUp(p.Push(o.frame), "the line to it is full")
		n.flush(p)
	}
}

// output passes on what the algorithm hands to its user.
func (n *runner) output(values []any) {
	for _, v := range values {
		n.counts.outputs++
		n.config.Logger.Info("outputs", "what", fmt.Sprint(v))
		if n.config.Output != nil {
			n.config.Output(v)
		}
	}
}

// arrive puts a message in line to be handled.
func (n *runner) arrive(d delivery) {
	if n.rounds != nil {
		n.arriveInRound(d)
		return
	}
	if !n.fifo && len(n.waiting) >= maxWaiting {
		n.drop("inbox full")
		return
	}
	n.waiting = append(n.waiting, d)
}

// maxWaiting bounds the messages that wait until the machine does not refuse them.
const maxWaiting = 4096

// pump hands the machine the messages that wait, until it refuses all of them.
// On a link that keeps order, one that is refused holds up those behind it.
func (n *runner) pump() {
	var blocked spec.Set
	for i := 0; !n.up.IsZero() && i < len(n.waiting) && n.failed == nil; {
		d := &n.waiting[i]
		n.comes(d)
		switch {
		case n.fifo && blocked.Has(d.name.From):
			i++
		case n.deliver(d):
			n.waiting = append(n.waiting[:i], n.waiting[i+1:]...)
			i, blocked = 0, 0
		default:
			blocked = blocked.With(d.name.From)
			i++
		}
	}
}

// comes records that a message has arrived, even if the machine may refuse it, or one
// before it. A message to the process itself was never in flight.
func (n *runner) comes(d *delivery) {
	if !d.came && d.name.From != n.config.ID {
		n.watchDelay(d.name, d.sent)
	}
	d.came = true
}

// deliver makes the machine handle a message; false: it refuses.
func (n *runner) deliver(d *delivery) bool {
	delay := time.Duration(time.Now().UnixNano() - d.sent)
	text, err := runlog.PlainJSON(d.message)
	n.fail(err)
	letter := runlog.Letter{Name: d.name, Kind: n.traits.Kind(d.message), Message: text}
	in := runlog.Input{Received: &letter, Delay: delay.String()}
	e := spec.Event{Kind: spec.Receive, From: d.name.From, Message: d.message}
	if !d.tried && d.name.From != n.config.ID {
		n.counts.received[letter.Kind]++
	}
	if n.step(e, in) != nil {
		return true
	}
	if !d.tried && n.failed == nil {
		in.Event = n.traits.EventName(e)
		n.write(&runlog.Record{Line: runlog.LineRefused, Input: &in})
		n.config.Logger.Debug("refused", "event", in.String())
	}
	d.tried = true
	return false
}

// begin returns the first line of a log.
func (n *runner) begin() *runlog.Begin {
	b := &runlog.Begin{
		Version: runlog.Version, Algorithm: n.traits.Name, Shape: n.codec.Shape(), Run: n.config.Run, Ring: n.config.Ring,
		Delta: n.config.Delta.String(), Durations: map[string]string{}, Initiator: !n.config.Bystander, Datagrams: n.config.Datagrams,
	}
	for name, d := range n.config.Durations {
		b.Durations[name] = d.String()
	}
	return b
}

// comeUp takes the first steps, once every peer that is up knows this incarnation of the
// process: a peer's hello and its answer take two deltas. What a peer sent before that
// was sent to a process that was down, so it is right to give it up.
func (n *runner) comeUp(now time.Time) {
	begins := n.rounds != nil && !now.Before(n.rounds.begin)
	if !n.up.IsZero() || !n.known() && now.Before(n.agenda.join) && !begins {
		return
	}
	n.up, n.agenda.join = now, time.Time{}
	n.setState(n.stable.found)
	n.step(spec.Event{Kind: spec.Init}, runlog.Input{Memory: n.local.json})
	if n.stable.again && n.traits.Handles.Has(spec.Recover) {
		n.step(spec.Event{Kind: spec.Recover}, runlog.Input{})
	}
	if n.traits.Handles.Has(spec.Start) {
		n.step(spec.Event{Kind: spec.Start, Initiator: !n.config.Bystander}, runlog.Input{Initiator: !n.config.Bystander})
	}
	n.pump()
}
