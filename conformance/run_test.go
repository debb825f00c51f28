package conformance_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"interleave/conformance/logs"
	"interleave/impl"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/impl/storage"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/catalog"
)

// plan is a run in virtual time, drawn before it begins: it is the same however the
// goroutines are scheduled, as TestSameRun wants.
type plan struct {
	machine   spec.Machine
	n         int
	seed      uint64
	loss      int // percent of the frames
	crashes   int
	datagrams bool
	revived   bool          // everybody who crashed comes back
	length    time.Duration // between two crashes
}

// durable is a storage that is as durable as the test.
type durable struct{ memory storage.Memory }

func (s *durable) Load() (storage.Memory, error) { return s.memory, nil }
func (s *durable) Save(m storage.Memory) error   { s.memory = m; return nil }
func (s *durable) Close() error                  { return nil }

// paper is a log that ends where its process is killed: a line that is
// being written then is cut.
type paper struct {
	mu   sync.Mutex
	text []byte
	dead bool
	cut  int // of the line that is being written, in percent
}

func (p *paper) Write(line []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.dead {
		p.text = append(p.text, line...)
		return len(line), nil
	}
	n := len(line) * p.cut / 100
	p.cut = 0
	p.text = append(p.text, line[:n]...)
	return n, errors.New("killed")
}

// open opens a log as a process does that starts again.
func (p *paper) open() {
	p.text, p.dead = p.text[:bytes.LastIndexByte(p.text, '\n')+1], false
}

func (p *paper) kill(cut int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead, p.cut = true, cut
}

// runner plays a plan.
type runner struct {
	t       *testing.T
	plan    plan
	net     *transport.Switch
	chance  *rand.Rand
	begin   time.Time
	ring    []spec.ID
	written map[spec.ID]*paper
	stored  map[spec.ID]*durable
	nodes   map[spec.ID]*impl.Node
	up      map[spec.ID]func() // ends a process

	mu      sync.Mutex
	links   map[[2]spec.ID]*rand.Rand // the chance of each: whoever sends first takes none of another's
	packets []capture.Packet
}

// play returns the logs of a run: of process 1 first.
func (pl plan) play(t *testing.T) (written [][]byte) {
	t.Helper()
	written, _ = pl.record(t)
	return written
}

// record returns the logs of a run, and what a tap saw that all packets pass
// before they are lost or delivered.
func (pl plan) record(t *testing.T) (written [][]byte, packets []capture.Packet) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &runner{t: t, plan: pl, chance: rand.New(rand.NewPCG(pl.seed, 1)), written: map[spec.ID]*paper{}, stored: map[spec.ID]*durable{}, links: map[[2]spec.ID]*rand.Rand{}, nodes: map[spec.ID]*impl.Node{}, up: map[spec.ID]func(){}}
		r.net = transport.NewSwitch(r.fate)
		if pl.machine.Traits().Handles.Has(spec.Round) {
			r.begin = time.Now().Add(time.Second)
		}
		for id := range spec.UpTo(pl.n).All() {
			r.ring = append(r.ring, id)
			r.written[id], r.stored[id] = &paper{}, &durable{}
		}
		for _, id := range r.ring {
			r.start(id)
		}
		r.play()
		for _, id := range r.ring {
			written = append(written, r.written[id].text)
		}
		packets = r.inOrder()
	})
	return written, packets
}

// tap records a frame.
func (r *runner) tap(from, to spec.ID, b []byte) {
	p := capture.Packet{Time: time.Now(), From: home(from), To: home(to), Bytes: slices.Clone(b)}
	p.Frame, p.Err = wire.Parse(p.Bytes, nil)
	r.packets = append(r.packets, p)
}

// inOrder returns the packets as they were sent, and those of one instant, of which none
// comes from another, by their senders.
func (r *runner) inOrder() []capture.Packet {
	slices.SortStableFunc(r.packets, func(a, b capture.Packet) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Frame.From, b.Frame.From))
	})
	for i := range r.packets {
		r.packets[i].Number = i + 1
	}
	return r.packets
}

// home is the address of a process.
func home(id spec.ID) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, byte(id)}), wire.Port)
}

// play lets processes crash, and come back if the algorithm can stand it.
func (r *runner) play() {
	r.ask()
	r.wait()
	restarts := r.plan.machine.Traits().Handles
	for range r.plan.crashes {
		id := r.ring[r.chance.IntN(len(r.ring))]
		if r.up[id] == nil {
			continue
		}
		if r.chance.IntN(3) > 0 { // else it is asked to end
			time.Sleep(time.Duration(r.chance.IntN(300)) * time.Millisecond)
			r.written[id].kill(r.chance.IntN(100))
		}
		r.up[id]()
		delete(r.up, id)
		time.Sleep(time.Duration(r.chance.Int64N(int64(r.plan.length))))
		if !restarts.Has(spec.Round) && (r.plan.revived || r.chance.IntN(4) > 0) {
			r.written[id].open()
			r.start(id)
		}
		r.ask()
		r.wait()
	}
	for _, id := range r.ring {
		if stop := r.up[id]; stop != nil {
			stop()
		}
	}
}

// ask asks everybody who is up for every action. Neighbours ask for different values.
func (r *runner) ask() {
	for _, act := range r.plan.machine.Traits().Actions {
		for i, id := range r.ring {
			if act.Leaderless || act.Fair || r.up[id] == nil {
				continue
			}
			var value []byte
			if act.ReadValue != nil {
				value, _ = runlog.PlainJSON(act.Values[i%len(act.Values)])
			}
			if _, err := r.nodes[id].Ask(r.t.Context(), act.Name, value); err != nil && !errors.Is(err, impl.ErrRefused) {
				r.t.Errorf("process %v, %s: %v", id, act.Name, err)
			}
		}
	}
}

// wait lets time pass, to a moment when no timer expires: else one of the two comes first.
func (r *runner) wait() {
	time.Sleep(r.plan.length + time.Duration(r.chance.IntN(1_000_000)))
}

func (r *runner) start(id spec.ID) {
	node, err := impl.New(impl.Config{
		Machine: r.plan.machine, ID: id, Ring: r.ring, Run: 7, Transport: r.net.Plug(id), Begin: r.begin,
		Delta: 100 * time.Millisecond, Datagrams: r.plan.datagrams, Storage: r.stored[id], Log: r.written[id],
		Choose: rand.New(rand.NewPCG(r.plan.seed, uint64(id)<<16)).IntN,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(r.t.Context())
	done := make(chan error, 1)
	go func() { done <- node.Run(ctx) }()
	r.nodes[id], r.up[id] = node, func() { stop(); <-done }
}

// fate loses frames, copies some, and delays all.
func (r *runner) fate(from, to spec.ID, frame []byte) (fates []time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tap(from, to, frame)
	chance := r.links[[2]spec.ID{from, to}]
	if chance == nil {
		chance = rand.New(rand.NewPCG(r.plan.seed, uint64(from)<<8|uint64(to)))
		r.links[[2]spec.ID{from, to}] = chance
	}
	for range 1 + chance.IntN(10)/9 {
		if chance.IntN(100) >= r.plan.loss {
			fates = append(fates, 1+time.Duration(chance.Int64N(int64(40*time.Millisecond))))
		}
	}
	return fates
}

// TestSameRun plays plans twice: so whatever a test finds in a run, or fails to find, it finds
// again.
func TestSameRun(t *testing.T) {
	for _, m := range catalog.Machines {
		for seed := range testsize.Of[uint64](1, 1, 4) {
			pl := plan{machine: m, n: 3, seed: seed, loss: 10, crashes: 2, length: time.Second}
			pl.datagrams = seed%2 == 1 && !m.Traits().Handles.Has(spec.Round)
			written, packets := pl.record(t)
			again, packetsAgain := pl.record(t)
			if !reflect.DeepEqual(written, again) {
				t.Errorf("%s, seed %d: other logs", m.Traits().Name, seed)
			}
			if !reflect.DeepEqual(packets, packetsAgain) {
				t.Errorf("%s, seed %d: other packets", m.Traits().Name, seed)
			}
		}
	}
}

// find finds an algorithm of the catalogue, or a mutant.
func find(name string) (spec.Machine, error) {
	for _, m := range append(slices.Concat(catalog.Machines, catalog.Mutants), numbered) {
		if m.Traits().Name == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("there is no algorithm %q", name)
}

// check checks logs, of process 1 first.
func check(written [][]byte, budget logs.Budget) (*logs.Report, error) {
	var in []logs.Log
	for i, text := range written {
		in = append(in, logs.Log{Name: fmt.Sprintf("process-%d.ndjson", i+1), Reader: bytes.NewReader(text)})
	}
	return logs.Check(in, logs.Options{Find: find, Budget: budget})
}

func ascending(n int) (ring []spec.ID) {
	for id := range spec.UpTo(n).All() {
		ring = append(ring, id)
	}
	return ring
}
