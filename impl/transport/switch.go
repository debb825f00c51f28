package transport

import (
	"slices"
	"sync"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// Switch connects processes in memory, for tests in virtual time.
type Switch struct {
	fate  Fate
	mu    sync.Mutex
	ports map[spec.ID]*port
}

// Fate decides what happens to a frame: one copy of it arrives after each of the times;
// none means that it is lost. It is called by several goroutines.
type Fate func(from, to spec.ID, frame []byte) []time.Duration

// NewSwitch returns a switch; a nil fate delivers every frame at once.
func NewSwitch(fate Fate) *Switch {
	if fate == nil {
		fate = func(spec.ID, spec.ID, []byte) []time.Duration { return []time.Duration{0} }
	}
	return &Switch{fate: fate, ports: map[spec.ID]*port{}}
}

// Plug returns the transport of a process. Frames for a process that has closed it are
// lost.
func (s *Switch) Plug(id spec.ID) Transport {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &port{owner: s, id: id, inbox: make(chan Packet, inboxSize)}
	s.ports[id] = p
	return p
}

// Inject delivers bytes to a process, as if another had sent them.
func (s *Switch) Inject(to spec.ID, bytes []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.ports[to]
	if p == nil || p.closed {
		return
	}
	select {
	case p.inbox <- Packet{Bytes: bytes, At: time.Now()}:
	default: // a full buffer
	}
}

type port struct {
	owner  *Switch
	id     spec.ID
	inbox  chan Packet
	closed bool
}

func (p *port) Send(to spec.ID, frame []byte) error {
	for _, delay := range p.owner.fate(p.id, to, frame) {
		copied := slices.Clone(frame)
		if delay == 0 {
			p.owner.Inject(to, copied)
		} else {
			time.AfterFunc(delay, func() { p.owner.Inject(to, copied) })
		}
	}
	return nil
}

func (p *port) MaxBody() int { return wire.MaxBody }

func (p *port) Receive() <-chan Packet { return p.inbox }

func (p *port) Close() error {
	p.owner.mu.Lock()
	defer p.owner.mu.Unlock()
	if !p.closed {
		p.closed = true
		close(p.inbox)
	}
	return nil
}
