// Package gpbft puts the consensus of Filecoin, GossiPBFT of github.com/filecoin-project/go-f3, under every
// interleaving: its Participant, unchanged, is a process.
//
// A Participant is a core as one wishes them: it is handed messages and alarms, and asks its Host for all else, clock,
// keys and network included. So a harness is a Host that only writes down what it is asked for.
package gpbft

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/filecoin-project/go-f3/gpbft"

	"interleave/spec"
)

// Node is a process: the core, and its Host, which is the Node itself.
type Node struct {
	*keys
	core  *gpbft.Participant
	input *gpbft.ECChain // what it proposes

	now, at time.Time // of its clock, which goes on only by alarms; and when the alarm is to ring
	rings   alarm     // what for
	timed   gpbft.Instant

	sent map[gpbft.Instant]*gpbft.GMessage // what it said, to say it again
	out  []*gpbft.GMessage                 // what it says in this step
	view View
}

// alarm is what the alarm of a core is set for.
type alarm uint8

const (
	none   alarm = iota
	phase        // a phase ends
	repeat       // what was said is said again
)

// open boots a process. There is no disk: the core remembers nothing over a crash.
func (o *Options) open(id spec.ID, all spec.Set, _ struct{}) *Node {
	n := &Node{keys: newKeys(all), now: time.Unix(0, 0).UTC(), timed: gpbft.Instant{Phase: gpbft.TERMINATED_PHASE}, sent: map[gpbft.Instant]*gpbft.GMessage{}}
	n.input = chain(o.input(id))
	core, err := gpbft.NewParticipant(n, gpbft.WithMaxCachedMessagesPerInstance(100), // of the usual 25,000, each object has a megabyte
		gpbft.WithDelta(time.Second), gpbft.WithRebroadcastBackoff(1, 0, time.Second, time.Second),
		gpbft.WithRebroadcastImmediatelyAfterRound(1000)) // so that an alarm either ends a phase or has all said again, never both
	check(err)
	n.core, n.id = core, gpbft.ActorID(id)
	check(core.StartInstanceAt(0, n.now))
	n.see()
	return n
}

// handle hands an event to the core.
func (o *Options) handle(n *Node, e spec.Event, p *spec.Proc[Msg]) {
	switch e.Kind {
	case spec.Receive:
		n.receive(e.Message.(Msg).open())
	default: // Start or Timeout
		n.now, n.rings = n.at, none
		n.fault(n.core.ReceiveAlarm(context.Background()))
	}
	for len(n.out) > 0 {
		m := n.out[0]
		n.out = n.out[1:]
		var wire bytes.Buffer
		check(m.MarshalCBOR(&wire))
		p.Broadcast(p.Others(), Msg{wire.Bytes()})
		n.receive(m) // a core wants its own messages, too
	}
	n.out = nil
	n.see()
}

// receive hands over a message, unless the core finds that it comes too late to matter.
func (n *Node) receive(m *gpbft.GMessage) {
	if n.view.Decided != "" {
		return
	}
	if valid, err := n.core.ValidateMessage(context.Background(), m); err == nil {
		n.fault(n.core.ReceiveMessage(context.Background(), valid))
	} else if !isLate(err) {
		n.fault(err)
	}
}

// fault remembers an error. The program around the core only logs it.
func (n *Node) fault(err error) {
	if err != nil && n.view.Fault == "" {
		n.view.Fault, _, _ = strings.Cut(err.Error(), "\n")
	}
}

// see takes down where the core is.
func (n *Node) see() {
	now := n.core.Progress()
	n.view.Round, n.view.Phase = now.Round, now.Phase.String()
}

// timers are those that are armed.
func (o *Options) timers(n *Node) []spec.Timer {
	slow := o.Slow.Has(spec.ID(n.id)) && n.timed.Phase == gpbft.QUALITY_PHASE
	switch {
	case n.view.Decided != "":
	case n.rings == phase && !slow:
		return []spec.Timer{phases}
	case n.rings == repeat && o.Repeats:
		return []spec.Timer{repeats}
	}
	return nil
}

// What follows makes a Node a gpbft.Host.

// RequestBroadcast signs a message and sends it.
func (n *Node) RequestBroadcast(b *gpbft.MessageBuilder) error {
	m, err := b.Build(context.Background(), n, n.id)
	check(err)
	n.sent[gpbft.Instant{ID: m.Vote.Instance, Round: m.Vote.Round, Phase: m.Vote.Phase}] = m
	n.out = append(n.out, m)
	return nil
}

// RequestRebroadcast sends a message again.
func (n *Node) RequestRebroadcast(i gpbft.Instant) error {
	if m := n.sent[i]; m != nil {
		n.out = append(n.out, m)
	}
	return nil
}

// Time is that of the clock of this process.
func (n *Node) Time() time.Time { return n.now }

// SetAlarm sets the alarm. The first of a phase is to end it.
func (n *Node) SetAlarm(at time.Time) {
	n.at, n.rings = at, phase
	if i := n.core.Progress().Instant; i == n.timed || i.Phase == gpbft.DECIDE_PHASE {
		n.rings = repeat
	} else {
		n.timed = i
	}
}

// GetProposal returns what this process wants.
func (n *Node) GetProposal(context.Context, uint64) (*gpbft.SupplementalData, *gpbft.ECChain, error) {
	return &gpbft.SupplementalData{PowerTable: powers}, n.input, nil
}

// ReceiveDecision hears what is decided.
func (n *Node) ReceiveDecision(_ context.Context, d *gpbft.Justification) (time.Time, error) {
	n.view.Decided = name(d.Vote.Value)
	return n.now, nil
}

// check panics at what must not be: that becomes a counterexample.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
