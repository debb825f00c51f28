package lockstep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"interleave/impl"
	"interleave/impl/runlog"
	"interleave/impl/storage"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/spec"
)

// run is the nodes of a plan while they run.
type run struct {
	plan  Plan
	net   *transport.Switch
	begun time.Time
	over  time.Time
	ports map[spec.ID]transport.Transport
	nodes map[spec.ID]*impl.Node // that are up
	ended map[spec.ID]chan error
	disks map[spec.ID]*disk

	mu      sync.Mutex
	happens []happening // in the order in which it did
	frames  int         // with messages, that were sent
	all     int         // frames of any kind
	side    spec.Set
	lost    int
	copied  int
	split   int                    // lost as the network was divided
	passed  map[runlog.Name]uint32 // the latest incarnation of its receiver to which a frame of a message was not lost
}

// happening is a line of a log, or a crash.
type happening struct {
	process spec.ID
	crash   bool
	record  runlog.Record
}

// disk is a storage that lasts as long as the run.
type disk struct{ memory storage.Memory }

func (d *disk) Load() (storage.Memory, error) { return d.memory, nil }
func (d *disk) Save(m storage.Memory) error   { d.memory = m; return nil }
func (d *disk) Close() error                  { return nil }

// log receives the lines of one process.
type log struct {
	run *run
	id  spec.ID
}

func (l log) Write(line []byte) (int, error) {
	var r runlog.Record
	if err := json.Unmarshal(line, &r); err != nil {
		return 0, err
	}
	l.run.mu.Lock()
	defer l.run.mu.Unlock()
	l.run.happens = append(l.run.happens, happening{process: l.id, record: r})
	return len(line), nil
}

// Run runs the processes by the plan and takes the same steps in the model. The error
// means that the plan cannot be run; what the comparison finds is in the report.
func (p Plan) Run() (*Report, error) {
	if p.Real == nil {
		p.Real = p.Machine
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if code := p.Machine.Traits().Code; code != nil {
		p.Machine = code.Fresh() // what is known of its objects belongs to this bubble of synctest
	}
	f, err := newFollower(p)
	if err != nil {
		return nil, err
	}
	r := &run{
		plan: p, begun: time.Now(), ports: map[spec.ID]transport.Transport{}, nodes: map[spec.ID]*impl.Node{},
		ended: map[spec.ID]chan error{}, disks: map[spec.ID]*disk{}, passed: map[runlog.Name]uint32{},
	}
	r.net = transport.NewSwitch(r.fate)
	err = r.play()
	statuses := map[spec.ID]impl.Status{}
	for id, node := range r.nodes {
		statuses[id] = node.Status()
	}
	for id := range spec.UpTo(p.N).All() {
		if r.nodes[id] != nil {
			err = errors.Join(err, r.stop(id))
		}
	}
	if err != nil {
		return nil, err
	}
	return f.follow(r, statuses), nil
}

// fate decides how long a frame takes. No two frames arrive at the same moment.
func (r *run) fate(from, to spec.ID, frame []byte) []time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all++
	apart := time.Duration(r.all%10_000) * 100 * time.Nanosecond
	f, err := wire.Parse(frame, nil)
	if err != nil || f.Kind != wire.Data {
		return []time.Duration{time.Millisecond + apart}
	}
	name := runlog.Name{From: f.From, Incarnation: f.Incarnation, Sequence: f.Sequence}
	r.frames++
	n := r.frames
	delay := func(n int) time.Duration {
		if len(r.plan.Delays) == 0 {
			return time.Millisecond + apart
		}
		return max(r.plan.Delays[n%len(r.plan.Delays)], time.Millisecond) + apart
	}
	switch {
	case slices.Contains(r.plan.Lost, n):
		r.lost++
		return nil
	case r.side != 0 && r.side.Has(from) != r.side.Has(to):
		r.split++
		return nil
	}
	r.passed[name] = max(r.passed[name], f.Acked)
	if slices.Contains(r.plan.Copied, n) {
		r.copied++
		return []time.Duration{delay(n), delay(n) + delay(n+1) + time.Microsecond}
	}
	return []time.Duration{delay(n)}
}

// turn is something that the plan does at a moment.
type turn struct {
	at time.Duration
	do func() error
}

// odd is added to the moments of the plan, so that nothing else happens at the same moment: two
// things at one moment come in any order.
const odd = 50*time.Microsecond + 37*time.Nanosecond

// play carries out the plan, until it is over.
func (r *run) play() error {
	var turns []turn
	for i := range r.plan.N {
		at := time.Duration(i) * time.Microsecond
		if i < len(r.plan.Boot) {
			at += r.plan.Boot[i]
		}
		turns = append(turns, turn{at, func() error { return r.boot(spec.ID(i + 1)) }})
	}
	last := time.Duration(0)
	for i, f := range r.plan.Faults {
		last = max(last, f.At)
		turns = append(turns, turn{f.At + time.Duration(i) + odd, func() error { return r.fault(f) }})
	}
	for i, q := range r.plan.Requests {
		last = max(last, q.At)
		turns = append(turns, turn{q.At + time.Duration(len(r.plan.Faults)+i) + odd, func() error { return r.request(q) }})
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return int(a.at - b.at) })
	for _, t := range turns {
		time.Sleep(time.Until(r.begun.Add(t.at)))
		if err := t.do(); err != nil {
			return err
		}
	}
	lasts := r.plan.Lasts
	if lasts == 0 {
		lasts = last + time.Duration(20+20*r.plan.N)*Delta
	}
	time.Sleep(time.Until(r.begun.Add(lasts + odd)))
	r.over = time.Now()
	return nil
}

// fault makes a fault happen, if it is possible at that moment.
func (r *run) fault(f Fault) error {
	up := r.nodes[f.Process] != nil
	switch {
	case f.Kind == Crash && up:
		return r.crash(f.Process)
	case f.Kind == Recover && !up && r.disks[f.Process] != nil:
		return r.boot(f.Process)
	case f.Kind == Divide || f.Kind == Heal:
		r.mu.Lock()
		defer r.mu.Unlock()
		r.side = f.Side
		if f.Kind == Heal {
			r.side = 0
		}
	}
	return nil
}

// request asks a process for an action, if it is up.
func (r *run) request(q Request) error {
	node := r.nodes[q.Process]
	if node == nil || node.Status().Since.IsZero() {
		return nil
	}
	_, err := node.Ask(context.Background(), q.Action, []byte(q.Value))
	if errors.Is(err, impl.ErrRefused) || errors.Is(err, impl.ErrNotUp) {
		return nil
	}
	return err
}

// boot starts a process, perhaps again.
func (r *run) boot(id spec.ID) error {
	if r.disks[id] == nil {
		r.disks[id] = &disk{}
	}
	r.ports[id] = r.net.Plug(id)
	node, err := impl.New(impl.Config{
		Machine: r.plan.Real, ID: id, Ring: r.plan.ring(), Run: 1, Transport: r.ports[id], Delta: Delta,
		Bystander: r.plan.Bystanders.Has(id), Datagrams: r.plan.Datagrams, Storage: r.disks[id], Log: log{r, id},
	})
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	r.nodes[id], r.ended[id] = node, ended
	go func() { ended <- node.Run(context.Background()) }()
	return nil
}

// crash stops a process, which logs nothing of it.
func (r *run) crash(id spec.ID) error {
	err := r.stop(id)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.happens = append(r.happens, happening{process: id, crash: true, record: runlog.Record{Time: time.Now()}})
	return err
}

// stop ends a process. One whose handler panicked has ended already.
func (r *run) stop(id spec.ID) error {
	r.ports[id].Close()
	err := <-r.ended[id]
	delete(r.nodes, id)
	if err != nil && (errors.As(err, new(*impl.PanicError)) || err.Error() == "the transport was closed") {
		return nil
	}
	return fmt.Errorf("process %v: %w", id, err)
}
