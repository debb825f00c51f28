package impl

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/spec"
)

// Node is one running process of an algorithm.
type Node struct {
	config   Config
	traits   spec.Traits
	codec    *wire.Codec
	fifo     bool // links keep order and lose nothing
	rounds   *rounds
	settings string // what peers must have in common with this process

	mu sync.Mutex // of everything below: Run holds it while it works, Status while it reads

	incarnation uint32
	stored      stored
	sequence    uint64 // sequence of the last message sent
	steps       uint64
	local       local
	waiting     []delivery // messages that have arrived and are not handled, oldest first
	peers       map[spec.ID]*peer
	ids         []spec.ID // IDs of the peers, in ascending order

	agenda agenda
	clock  time.Time // when the last turn of the loop began
	up     time.Time // when it took its first step; zero: not yet

	record runlog.Writer
	counts counts
	buffer []byte
	failed error // why Run must end

	lines  lines
	source string // of the packet that is handled
}

// peer is what a node knows of another process.
type peer struct {
	id spec.ID
	lives
	asked  question // its last hello without the proof
	toldAt int64    // runlog.Sent of the last heartbeat or hello to it

	// The failure detector.
	deadline      time.Time // when its silence becomes suspicious
	suspected     bool
	suspectedLife uint32 // its incarnation when it was suspected
	reported      bool   // the machine was told that it is suspected
}

// delivery is a message for the machine.
type delivery struct {
	name    runlog.Name
	message any
	sent    int64
	came    bool   // and its delay was checked
	tried   bool   // and refused
	text    []byte // of a message of a round: its JSON
}

// New returns a node that is ready to run, or everything that is wrong with c. In case
// of an error it does not close what is in c.
func New(c Config) (*Node, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	codec, err := wire.NewCodec(c.Machine)
	if err != nil {
		return nil, err
	}
	n := &Node{
		config: c, traits: c.Machine.Traits(), codec: codec, fifo: !c.Datagrams, settings: c.settings(),
		peers: map[spec.ID]*peer{}, record: runlog.Writer{To: c.Log}, counts: newCounts(), lines: lines{repeats{}, repeats{}, repeats{}},
	}
	for id := range spec.UpTo(len(c.Ring)).Without(c.ID).All() {
		n.ids = append(n.ids, id)
		n.peers[id] = &peer{id: id, lives: lives{life: life{link: newLink(c.Delta)}}}
	}
	if n.traits.Handles.Has(spec.Round) {
		n.rounds = &rounds{begin: c.Begin, length: c.Durations[timerRound], inboxes: map[int64][]delivery{}}
	}
	return n, nil
}

// Run runs the process until ctx ends, which is no error. It closes the
// transport and the storage.
func (n *Node) Run(ctx context.Context) error {
	defer n.close()
	if err := n.boot(); err != nil {
		return err
	}
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	for n.failed == nil {
		target := n.next()
		alarm.Reset(time.Until(target))
		select {
		case <-ctx.Done():
			return n.finish()
		case packet, ok := <-n.config.Transport.Receive():
			if !ok {
				return errors.New("the transport was closed")
			}
			n.turn(target, packet)
		case cue := <-n.config.Cues:
			n.cue(cue, target)
		case <-alarm.C:
			n.turn(target)
		}
	}
	return n.failed
}

func (n *Node) close() {
	n.config.Transport.Close()
	if n.config.Storage != nil {
		n.config.Storage.Close()
	}
}

// patience is how many packets are received before timers get their turn.
const patience = 256

// turn receives packets, then does what is due. Packets come first: a message that is
// here already must not be too late for a timer.
func (n *Node) turn(target time.Time, packets ...transport.Packet) {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer n.caught()
	now := time.Now()
	n.watchClock(target, now)
	for _, p := range packets {
		n.packet(p)
	}
	for range patience {
		select {
		case p, ok := <-n.config.Transport.Receive():
			if ok {
				n.packet(p)
				continue
			}
		default:
		}
		break
	}
	n.due(time.Now())
	n.acknowledge()
}

// caught makes Run end if the algorithm panicked outside of its handlers, as in Leader or Kind.
func (n *Node) caught() {
	if said := recover(); said != nil {
		n.fail(&PanicError{n.traits.Name, n.config.ID, "", spec.TellPanic(said, debug.Stack())})
	}
}

// next returns when the next thing is due.
func (n *Node) next() time.Time {
	at := n.agenda.next()
	for _, id := range n.ids {
		p := n.peers[id]
		for _, l := range p.links() {
			at = sooner(at, l.resendAt)
		}
		if !p.suspected {
			at = sooner(at, p.deadline)
		}
	}
	if n.rounds != nil {
		at = sooner(at, n.rounds.next)
	}
	return at
}

// due does everything that is due.
func (n *Node) due(now time.Time) {
	for _, id := range n.ids {
		n.resend(n.peers[id], now)
		n.judge(n.peers[id], now)
	}
	if !now.Before(n.agenda.heartbeat) {
		n.agenda.heartbeat = now.Add(n.config.Durations[timerHeartbeat])
		n.beat()
	}
	n.comeUp(now)
	n.runRounds(now)
	n.expire(now)
	n.notice(now)
}

// boot begins a new incarnation, and says hello to the peers.
func (n *Node) boot() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer n.caught()
	now := time.Now()
	if n.rounds != nil {
		if err := n.rounds.start(now); err != nil {
			return err
		}
	}
	if err := n.remember(now); err != nil {
		return err
	}
	n.clock, n.agenda.heartbeat, n.agenda.join = now, now, now.Add(2*n.config.Delta)
	for _, p := range n.peers {
		p.deadline = now.Add(n.config.Durations[timerJoin])
	}
	n.write(&runlog.Record{Line: runlog.LineBegin, Begin: n.begin()})
	n.config.Logger.Info("begins", "algorithm", n.traits.Name, "process", int(n.config.ID), "incarnation", n.incarnation, "delta", n.config.Delta)
	if n.config.Storage == nil && n.traits.Handles.Has(spec.Recover) {
		n.config.Logger.Warn("without stable storage a restart is taken for a first start: Recover is not called")
	}
	return n.failed
}

// comeUp takes the first steps, once every peer that is up knows this life of the
// process: a peer's hello and its answer take two deltas. What a peer sent before that
// was sent to a process that was down, so it is right to give it up.
func (n *Node) comeUp(now time.Time) {
	begins := n.rounds != nil && !now.Before(n.rounds.begin)
	if !n.up.IsZero() || !n.known() && now.Before(n.agenda.join) && !begins {
		return
	}
	n.up, n.agenda.join = now, time.Time{}
	n.setState(n.stored.found)
	n.step(spec.Event{Kind: spec.Init}, runlog.Input{Memory: n.local.json})
	if n.stored.again && n.traits.Handles.Has(spec.Recover) {
		n.step(spec.Event{Kind: spec.Recover}, runlog.Input{})
	}
	if n.traits.Handles.Has(spec.Start) {
		n.step(spec.Event{Kind: spec.Start, Initiator: !n.config.Bystander}, runlog.Input{Initiator: !n.config.Bystander})
	}
	n.pump()
}

// known reports whether every peer knows this life of the process.
func (n *Node) known() bool {
	for _, p := range n.peers {
		if !p.knowsUs {
			return false
		}
	}
	return true
}

// finish ends a run that was asked to end.
func (n *Node) finish() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.write(&runlog.Record{Line: runlog.LineEnd})
	n.config.Logger.Info("ends", "leader", int(n.local.leader), "steps", n.steps)
	return n.failed
}

// fail makes Run end with the first of its errors.
func (n *Node) fail(err error) {
	if n.failed == nil && err != nil {
		n.failed = err
	}
}
