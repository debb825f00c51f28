package impl

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"interleave/impl/storage"
	"interleave/impl/transport"
	"interleave/spec"
)

// group is N nodes of one machine on a switch, in one bubble of virtual time.
type group struct {
	t       *testing.T
	net     *transport.Switch
	config  Config // of all of them; ID, Transport, Storage and Log are filled in
	ring    []spec.ID
	members map[spec.ID]*member
	read    map[spec.ID]logRead
}

// member is one process: its node while it is up, and what outlives it.
type member struct {
	node   *Node
	stop   context.CancelFunc
	done   chan error
	log    bytes.Buffer
	stored *memoryStorage
}

// memoryStorage is a Storage that is as durable as the test.
type memoryStorage struct {
	memory storage.Memory
	saves  int
}

func (s *memoryStorage) Load() (storage.Memory, error) { return s.memory, nil }
func (s *memoryStorage) Close() error                  { return nil }
func (s *memoryStorage) Save(m storage.Memory) error {
	s.memory = m
	s.saves++
	return nil
}

func newGroup(t *testing.T, m spec.Machine, n int, fate transport.Fate) *group {
	g := &group{t: t, net: transport.NewSwitch(fate), config: Config{Machine: m, Delta: 100 * time.Millisecond, Run: 7}, members: map[spec.ID]*member{}, read: map[spec.ID]logRead{}}
	for id := range spec.UpTo(n).All() {
		g.ring = append(g.ring, id)
		g.members[id] = &member{stored: &memoryStorage{}}
	}
	if m.Traits().Handles.Has(spec.Round) {
		g.config.Begin = time.Now().Add(time.Second)
	}
	return g
}

// start brings a process up.
func (g *group) start(ids ...spec.ID) {
	g.t.Helper()
	for _, id := range ids {
		m := g.members[id]
		c := g.config
		c.ID, c.Ring, c.Transport, c.Log, c.Storage = id, g.ring, g.net.Plug(id), &m.log, m.stored
		g.run(id, c)
	}
}

// run brings a process up.
func (g *group) run(id spec.ID, c Config) {
	g.t.Helper()
	node, err := New(c)
	if err != nil {
		g.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	m := g.members[id]
	m.node, m.stop, m.done = node, stop, make(chan error, 1)
	go func() { m.done <- node.Run(ctx) }()
}

// crash takes processes down, without a word.
func (g *group) crash(ids ...spec.ID) {
	g.t.Helper()
	for _, id := range ids {
		m := g.members[id]
		m.stop()
		if err := <-m.done; err != nil {
			g.t.Errorf("process %v: %v", id, err)
		}
		m.node = nil
	}
}

// stop ends everything.
func (g *group) stop() {
	g.crash(g.up()...)
}

// up returns the processes that are up, in the order of the ring.
func (g *group) up() (ids []spec.ID) {
	for _, id := range g.ring {
		if g.members[id].node != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// leaders returns whom the processes that are up follow, as in "1:3 2:3".
func (g *group) leaders() string {
	text := ""
	for _, id := range g.up() {
		text += fmt.Sprintf("%v:%v ", id, g.members[id].node.Status().Leader)
	}
	return text
}

// follow wants all that are up to follow one process.
func (g *group) follow(leader spec.ID) {
	g.t.Helper()
	for _, id := range g.up() {
		if g.members[id].node.Status().Leader != leader {
			g.t.Fatalf("not all follow %v: %s", leader, g.leaders())
		}
	}
}

// bubble runs a test in virtual time.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}
