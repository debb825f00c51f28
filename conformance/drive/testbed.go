package drive

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"interleave/impl"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/model"
	"interleave/spec"
)

// testbed performs runs of a configuration with real processes, one after the other, and compares
// them with the model.
type testbed struct{ comparison }

// comparison compares what the processes do with the model.
type comparison struct{ control }

// control runs real processes under the control of a driver, which is their network and
// their clock.
type control struct {
	machine   spec.Machine // what the processes run
	traits    spec.Traits
	codec     *wire.Codec
	config    model.Config
	ring      []spec.ID
	datagrams bool   // links neither number nor repeat messages
	folder    string // folder of stable storages; "": none
	net       *network
	tamper    func(spec.ID, transport.Transport) transport.Transport // for tests: what is between a process and its socket; nil: nothing

	run

	said      chan said
	triggered chan bool
	endings   chan ending
	answer    *bool // to the last trigger; nil: none yet
	tick      *time.Ticker
	ticks     int
}

// run is what is known of the run that is performed.
type run struct {
	number     uint64    // in every frame
	roundsFrom time.Time // when rounds would begin by the clock
	initiators spec.Set
	processes  []*process     // number 1 first; nil: down
	choices    []choices      // likewise
	logs       []bytes.Buffer // likewise, over all incarnations
	tap        *tap
	flying     []message      // in flight, by receiver and sender in the order of sending
	early      []frame        // sent to processes that have not sent anything themselves
	strange    []string       // something that a process did and that is wrong whatever it was told to do
	echoes     map[link]int64 // when the last sign of life was sent on a link
	acks       map[link]int   // how many acknowledgements were sent
	vital      map[link]bool  // where the next sign of life is passed on
}

const tickLength = 10 * time.Millisecond

// patience is a number of ticks: what takes longer does not happen. While a process is
// suspended, none are counted.
var patience = 500

// newTestbed returns a testbed for machine m in the world c. The folder is for stable
// storages.
func newTestbed(m spec.Machine, c model.Config, folder string) (*testbed, error) {
	codec, err := wire.NewCodec(m)
	if err != nil {
		return nil, err
	}
	s := &testbed{comparison{control{
		machine: m, traits: m.Traits(), codec: codec, config: c, ring: c.Placement(),
		datagrams: datagrams(c),
		said:      make(chan said, 1024), triggered: make(chan bool, 1), endings: make(chan ending, model.MaxN),
	}}}
	if c.Recoveries > 0 {
		s.folder = folder
	}
	if s.net, err = newNetwork(c.N); err != nil {
		return nil, err
	}
	s.tick = time.NewTicker(tickLength)
	return s, nil
}

// datagrams reports whether processes run without links in a world: if messages may
// overtake, or are lost for good.
func datagrams(c model.Config) bool {
	return c.Network == model.Bag || c.Network == model.Set || c.Losses+c.Partitions > 0
}

func (s *testbed) close() error {
	s.tick.Stop()
	err := s.clear()
	s.net.close()
	return err
}

// clear ends the processes of a run.
func (s *testbed) clear() error {
	var errs []error
	for _, p := range s.processes {
		if p != nil {
			errs = append(errs, s.kill(p))
		}
	}
	select {
	case <-s.triggered: // it was answered too late
	default:
	}
	s.processes = nil
	return errors.Join(errs...)
}

// open begins a run in an initial state: all processes that are up there know each
// other, and those that need no start have come up.
func (s *testbed) open(state model.State) error {
	if err := s.clear(); err != nil {
		return err
	}
	s.run = run{
		number: s.number + 1, processes: make([]*process, s.config.N), choices: make([]choices, s.config.N), logs: make([]bytes.Buffer, s.config.N),
		echoes: map[link]int64{}, acks: map[link]int{}, vital: map[link]bool{},
	}
	if s.config.Network == model.Rounds {
		s.roundsFrom = time.Now().Add(endless)
	}
	s.tap = newTap(&s.control)
	for i, l := range state.Locals {
		if l.Initiator {
			s.initiators = s.initiators.With(spec.ID(i + 1))
		}
	}
	for i, l := range state.Locals {
		if l.Status != model.Down {
			if err := s.boot(spec.ID(i + 1)); err != nil {
				return err
			}
		}
	}
	for _, p := range s.processes {
		if p != nil {
			if err := s.greet(p); err != nil {
				return err
			}
		}
	}
	for i, l := range state.Locals {
		if l.Status == model.Up {
			if err := s.raise(spec.ID(i+1), 1); err != nil {
				return err
			}
			s.processes[i].lines = nil // the result is compared when all are there
		}
	}
	return nil
}

// begin begins a run, with what comes before it, and compares.
func (s *testbed) begin(b beginning) error {
	if err := s.open(b.cold.state); err != nil {
		return err
	}
	pt := b.cold
	for i := range b.prologue {
		if err := s.perform(pt, &b.prologue[i]); err != nil {
			return fmt.Errorf("before the run begins: %w", err)
		}
		pt = b.prologue[i].after
	}
	return s.agree(b.point.state, model.Event{})
}

// greet waits until all peers know a process that has been booted. What they send to it
// is withheld.
func (s *testbed) greet(p *process) error {
	return s.await(fmt.Sprintf("process %v is not greeted by all of its peers", p.id), func() bool {
		for q := range s.live().Without(p.id).All() {
			if p.withheld[q] == nil {
				return false
			}
		}
		return true
	})
}

// raise lets a process come up, which takes so many steps of its machine.
func (s *testbed) raise(id spec.ID, steps int) error {
	p := s.processes[id-1]
	if err := s.greet(p); err != nil {
		return err
	}
	p.up = true
	for _, frames := range p.withheld {
		for _, f := range frames {
			if err := s.pass(f); err != nil {
				return err
			}
		}
	}
	if s.live() != spec.UpTo(s.config.N) {
		err := s.await(fmt.Sprintf("process %v does not hear its peers", id), func() bool {
			for q := range p.withheld {
				if !p.met(q) {
					return p.ended
				}
			}
			return true
		})
		if err != nil {
			return err
		}
		if _, err := s.trigger(p, impl.Trigger{What: impl.WaitsJoin}); err != nil {
			return err
		}
	}
	err := s.await(fmt.Sprintf("process %v does not come up, or its peers do not believe it", id), func() bool {
		for q := range s.live().Without(id).All() {
			if s.processes[q-1].up && p.hellos[q] < 2 { // an answer, and one more when it has proved to be there
				return p.ended
			}
		}
		old := func(f message) bool {
			return f.to == id && f.incarnation < p.incarnation && s.processes[f.from-1] != nil
		}
		return len(p.lines) >= steps && !slices.ContainsFunc(s.flying, old) || p.ended
	})
	if err != nil || p.ended {
		return err
	}
	return s.vouch(p)
}

// vouch makes a process and those that are up hear each other once more. An incarnation that
// was heard only once may be made up, and messages to it would be sent again to the
// life after it. Each sign of life is sent twice: when the counters of the receiver
// show the copy, the first one was heard.
func (s *testbed) vouch(p *process) error {
	type listener struct {
		*process
		copies uint64
	}
	var listeners []listener
	for q := range s.live().Without(p.id).All() {
		if other := s.processes[q-1]; other.up {
			listeners = append(listeners, listener{other, other.copies() + 1})
		}
	}
	listeners = append(listeners, listener{p, p.copies() + uint64(len(listeners))})
	deaf := func() bool {
		return slices.ContainsFunc(listeners, func(l listener) bool { return l.process.copies() < l.copies && !l.ended })
	}
	for range patience {
		for _, l := range listeners[:len(listeners)-1] {
			s.vital[link{p.id, l.id}], s.vital[link{l.id, p.id}] = true, true
		}
		for _, l := range listeners { // a process that has not met the other yet ignores its signs of life
			if err := s.drain(l.process); err != nil {
				return err
			}
		}
		const moment = tickLength / 50
		for range 50 {
			if !deaf() {
				return nil
			}
			time.Sleep(moment)
		}
	}
	return &silence{fmt.Sprintf("a sign of life of process %v is not heard", p.id)}
}

// copies returns how many frames a process counted as copies.
func (p *process) copies() uint64 { return p.node.Status().Dropped["copied"] }

// leaders returns whom the processes follow, by their own status; none of them anybody where nobody is elected.
func (s *testbed) leaders() []spec.ID {
	leaders := make([]spec.ID, len(s.processes))
	for i, p := range s.processes {
		if p != nil && p.up {
			if said := p.node.Status().Elected; said != nil {
				leaders[i] = said.Leader
			}
		}
	}
	return leaders
}
