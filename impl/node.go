package impl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"interleave/impl/link"
	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/spec"
)

// Node is one running process of an algorithm. Its parts are, each on top of the one before:
// the journal, the network, and the runner of the machine.
type Node struct {
	mu sync.Mutex // of everything below: Run holds it while it works, Status while it reads
	runner

	requests chan *request
	over     chan struct{} // closed when Run ends
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
	if code := c.Machine.Traits().Code; code != nil {
		c.Machine = code.Live()
	}
	codec, err := wire.NewCodec(c.Machine)
	if err != nil {
		return nil, err
	}
	if size, most := codec.MinSize(), c.Transport.MaxBody(); size > most {
		return nil, fmt.Errorf("a message of %s takes %d bytes or more, and a datagram holds at most %d: use TCP, as with --transport tcp", c.Machine.Traits().Name, size, most)
	}
	traits := c.Machine.Traits()
	n := &Node{runner: runner{
		network: network{
			journal: journal{config: c, traits: traits, record: runlog.Writer{To: c.Log}, counts: newCounts(), lines: lines{rateLimit{}, rateLimit{}, rateLimit{}}},
			codec:   codec, fifo: !c.Datagrams, settings: c.settings(), peers: map[spec.ID]*peer{},
		},
		stable: persistence{config: c, traits: traits},
	}, requests: make(chan *request), over: make(chan struct{})}
	for id := range spec.UpTo(len(c.Ring)).Without(c.ID).All() {
		n.ids = append(n.ids, id)
		n.peers[id] = &peer{id: id, Peer: link.NewPeer(c.Delta)}
	}
	if traits.Handles.Has(spec.Round) {
		n.rounds = &rounds{begin: c.Begin, length: c.Durations[timerRound], inboxes: map[int64][]delivery{}}
	}
	return n, nil
}

// Run runs the process until ctx ends, which is no error. It closes the
// transport and the storage.
func (n *Node) Run(ctx context.Context) error {
	defer close(n.over)
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
			n.turn(target, func() { n.packet(packet) })
		case q := <-n.asked():
			n.serve(q, target)
		case t := <-n.config.Triggers:
			n.trigger(t, target)
		case <-alarm.C:
			n.turn(target, nil)
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

// turn does what has come up, if anything, receives packets, then does what is due. Packets come
// first: a message that is here already must not be too late for a timer.
func (n *Node) turn(target time.Time, first func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer n.caught()
	now := time.Now()
	n.watchClock(target, now)
	if first != nil {
		first()
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
		for _, l := range p.Links() {
			at = sooner(at, l.ResendAt())
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
	n.act(now)
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
	err := n.stable.load(now)
	if n.incarnation = n.stable.incarnation; err != nil {
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

// finish ends a run that was asked to end.
func (n *Node) finish() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.write(&runlog.Record{Line: runlog.LineEnd})
	about := []any{"steps", n.steps}
	if n.traits.Elects {
		about = append([]any{"leader", int(n.leader)}, about...)
	}
	n.config.Logger.Info("ends", about...)
	return n.failed
}

// trigger takes a trigger.
func (n *Node) trigger(t Trigger, target time.Time) {
	var waited bool
	n.turn(target, func() { waited = n.bring(t) })
	if t.Done != nil {
		t.Done <- waited
	}
}

// bring makes due what a trigger is about; false if the node does not wait for it.
func (n *Node) bring(t Trigger) bool {
	at := (*time.Time)(nil)
	switch t.What {
	case WaitsTimer:
		if int(t.Timer) < len(n.agenda.timers) {
			at = &n.agenda.timers[t.Timer]
		}
	case WaitsNotice:
		at = &n.agenda.notice
	case WaitsSilence:
		if p := n.peers[t.Peer]; p != nil && !p.suspected {
			at = &p.deadline
		}
	case WaitsHeartbeat:
		at = &n.agenda.heartbeat
	case WaitsJoin:
		at = &n.agenda.join
	case WaitsRound:
		if n.rounds != nil {
			n.rounds.forward(t.At)
			return true
		}
	case WaitsAction:
		e := spec.Event{Kind: spec.Act, Action: t.Act, Value: t.Value}
		return !n.up.IsZero() && int(t.Act) < len(n.traits.Actions) && n.request(&request{event: e}).err == nil
	}
	if at == nil || at.IsZero() {
		return false
	}
	*at = time.Now()
	return true
}

// Status returns the condition of the node. Any goroutine may call it at any time.
func (n *Node) Status() Status {
	n.mu.Lock()
	defer n.mu.Unlock()
	return statusOf(&n.runner)
}

// Handler serves the condition of a node: /healthz (200 while it runs), /readyz (200
// once it took its first step, unless every peer refuses it), /status (Status as JSON)
// and /metrics (for Prometheus). These change nothing. A POST to /actions/NAME asks for an action, with
// the value in the body, and is answered by what the step outputs: see Ask. With ?wait=2s it is answered by what
// answers it within this time: see Await.
func (n *Node) Handler() http.Handler { return handler(n) }

// Ask asks the process for an action, with a value in JSON if it takes one, and returns what the
// step outputs, in JSON. It waits until the process is up. The error wraps one of those above, or
// that of ctx, unless the process has done it. Any goroutine may call it at any time.
func (n *Node) Ask(ctx context.Context, action string, value []byte) ([]json.RawMessage, error) {
	return n.ask(ctx, action, value, nil)
}

// Await asks as Ask does, and returns what the first step outputs, this one or a later one, that outputs an answer. What
// answers it is told by the algorithm's Objects, if one has such requests; else it is the next output of the process. It
// returns ErrNoAnswer if ctx ends after the process has done it.
func (n *Node) Await(ctx context.Context, action string, value []byte) ([]json.RawMessage, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return n.ask(ctx, action, value, ctx.Done())
}

func (n *Node) ask(ctx context.Context, action string, value []byte, wait <-chan struct{}) ([]json.RawMessage, error) {
	e, err := ReadRequest(n.traits, action, value)
	if err != nil {
		return nil, err
	}
	q := &request{e, make(chan answer, 2), wait} // two: an answer, and that the process ends in the same turn
	select {
	case n.requests <- q:
	case <-n.over:
		return nil, fmt.Errorf("%w: process %v has ended", ErrNotUp, n.config.ID)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case a := <-q.answer:
		return a.outputs, a.err
	case <-n.over:
		err = fmt.Errorf("%w: process %v has done %s, and ended before it answered", ErrNotUp, n.config.ID, n.traits.EventName(e))
	case <-wait:
		err = fmt.Errorf("%w: process %v has done %s, and has not answered it yet", ErrNoAnswer, n.config.ID, n.traits.EventName(e))
	}
	select {
	case a := <-q.answer:
		return a.outputs, a.err
	default:
		return nil, err
	}
}

// asked returns the requests, once the process can do what they ask for.
func (n *Node) asked() <-chan *request {
	if n.up.IsZero() {
		return nil
	}
	return n.requests
}

// serve takes a request.
func (n *Node) serve(q *request, target time.Time) {
	var a answer
	n.turn(target, func() { a = n.request(q) })
	if n.failed != nil {
		a.err = fmt.Errorf("%w: %w", ErrNotUp, n.failed)
	}
	if q.wait == nil || a.err != nil {
		q.answer <- a
	}
}

// request takes the step that is asked for.
func (n *Node) request(q *request) (a answer) {
	if q.wait != nil {
		n.clients.waiting, n.clients.own = append(n.clients.waiting, q), q
	}
	r := n.step(q.event, runlog.Input{})
	if n.clients.own = nil; r == nil {
		n.clients.waiting = slices.DeleteFunc(n.clients.waiting, func(w *request) bool { return w == q })
		return answer{err: fmt.Errorf("%w: process %v does not %s in its present state", ErrRefused, n.config.ID, n.traits.EventName(q.event))}
	}
	n.pump()
	return answer{outputs: r.Outputs}
}
