package drive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"interleave/impl"
	"interleave/impl/runlog"
	"interleave/impl/storage"
	"interleave/impl/transport"
	"interleave/spec"
)

// process is one real process while it is up: a node on its own socket. What it waits
// for happens only when the driver triggers it; by the clock it would take hours.
type process struct {
	id          spec.ID
	node        *impl.Node
	transport   *transport.UDP
	storage     *storage.Folder // nil: none
	triggers    chan impl.Trigger
	stop        context.CancelFunc
	ended       bool
	err         error // why
	incarnation uint32

	greeted  spec.Set            // the peers to which it has said that it is up
	hellos   map[spec.ID]int     // how many hellos each peer has sent to this incarnation
	lines    []runlog.Record     // lines that it has logged, not compared yet
	sent     []message           // likewise
	withheld map[spec.ID][]frame // from each peer, frames that would make it come up
	up       bool                // it was allowed to come up
}

// message is a data frame of a process and its decoded message.
type message struct {
	frame
	name        runlog.Name
	incarnation uint32 // of the receiver, to which it goes
	value       any
}

// later reports whether there is a copy of a message for a later incarnation of its receiver:
// while a process cannot know in which incarnation a peer is, it sends to both. The later one
// counts.
func later(sent []message, m message) bool {
	for i, s := range sent {
		if s.name == m.name && s.incarnation != m.incarnation {
			if m.incarnation > s.incarnation {
				sent[i] = m
			}
			return true
		}
	}
	return false
}

// endless is the delay that the processes are configured for. Everything that a process
// waits for takes a multiple of it.
const endless = time.Hour

// said is a line of the log of a process.
type said struct {
	process *process
	record  runlog.Record
}

// ending is the end of a process, and why.
type ending struct {
	process *process
	err     error
}

// logger receives the log of a process.
type logger struct {
	process *process
	lines   chan<- said
	whole   *bytes.Buffer // all lines of the run
}

// Write takes one line.
func (l logger) Write(line []byte) (int, error) {
	var r runlog.Record
	if err := json.Unmarshal(line, &r); err != nil {
		return 0, fmt.Errorf("its log: %w", err)
	}
	l.whole.Write(line)
	l.lines <- said{l.process, r}
	return len(line), nil
}

// choices are the answers to what a process chooses.
type choices struct {
	mu   sync.Mutex // the process asks when it takes its steps
	left []int
}

// answer has the process choose what it chooses in a group.
func (c *choices) answer(m *group) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = nil
	for _, step := range m.steps {
		c.left = append(c.left, step.Event.Step.Choices...)
	}
}

// next returns the next answer, below n; where the model chooses no more, any.
func (c *choices) next(n int) (answer int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.left) > 0 {
		answer, c.left = c.left[0], c.left[1:]
	}
	return min(answer, n-1)
}

// boot starts a process, perhaps again. It does not come up yet. It hears
// nothing before it has said to all others that it is there, for to one that it has heard it
// would not say that.
func (s *control) boot(id spec.ID) error {
	if s.logs[id-1].Len() > 0 { // what was sent to it while it was down is lost
		s.early = slices.DeleteFunc(s.early, func(f frame) bool { return f.to == id })
	}
	p := &process{id: id, triggers: make(chan impl.Trigger, 1), withheld: map[spec.ID][]frame{}, hellos: map[spec.ID]int{}}
	c := impl.Config{
		Machine: s.machine, ID: id, Ring: s.ring, Run: s.number, Delta: endless, Bystander: !s.initiators.Has(id),
		Datagrams: s.datagrams, Choose: s.choices[id-1].next, Log: logger{p, s.said, &s.logs[id-1]}, Triggers: p.triggers, Begin: s.roundsFrom,
	}
	var err error
	if p.transport, err = transport.NewUDP(transport.Addresses{Listen: "127.0.0.1:0", Peers: s.net.peers(id)}); err != nil {
		return err
	}
	c.Transport = p.transport
	if s.tamper != nil {
		c.Transport = s.tamper(id, p.transport)
	}
	if s.folder != "" {
		if p.storage, err = storage.Open(filepath.Join(s.folder, fmt.Sprintf("run-%d-process-%d", s.number, id))); err != nil {
			p.transport.Close()
			return err
		}
		c.Storage = p.storage
	}
	if p.node, err = impl.New(c); err != nil {
		p.close()
		return err
	}
	s.net.homes[id] = p.transport.Address()
	s.processes[id-1] = p
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	go func() { s.endings <- ending{p, p.node.Run(ctx)} }()
	err = s.await(fmt.Sprintf("process %v does not begin", id), func() bool { return p.greeted == s.others(id) || p.ended })
	s.passEarly()
	return err
}

// close releases the resources of a process that never ran.
func (p *process) close() {
	p.transport.Close()
	if p.storage != nil {
		p.storage.Close()
	}
}

// trigger brings forward what a process waits for; false: it does not wait for it. What
// results is logged and sent when trigger returns.
func (s *control) trigger(p *process, c impl.Trigger) (waited bool, err error) {
	if p.ended {
		return false, nil
	}
	c.Done = s.triggered
	s.answer = nil
	p.triggers <- c // it takes one
	err = s.await(fmt.Sprintf("process %v does not react", p.id), func() bool { return s.answer != nil || p.ended })
	return s.answer != nil && *s.answer, err
}

// met reports whether a process has heard the present incarnation of a peer, and that peer its
// own.
func (p *process) met(peer spec.ID) bool {
	return slices.ContainsFunc(p.node.Status().Peers, func(q impl.PeerStatus) bool { return q.Process == peer && q.Met })
}

// kill stops a process as kill -9 does: it can neither send nor log any more.
func (s *control) kill(p *process) error {
	p.transport.Close()
	err := s.await(fmt.Sprintf("process %v does not end", p.id), func() bool { return p.ended })
	p.stop()
	s.processes[p.id-1] = nil
	return err
}

// live returns the processes that are up, or about to be.
func (s *control) live() spec.Set {
	var live spec.Set
	for i, p := range s.processes {
		if p != nil {
			live = live.With(spec.ID(i + 1))
		}
	}
	return live
}

func (s *control) others(id spec.ID) spec.Set { return spec.UpTo(s.config.N).Without(id) }
