package drive

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"interleave/impl"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/model"
	"interleave/spec"
)

// stage runs real processes under the control of a driver, which is their network and
// their clock: one run of a configuration after the other.
type stage struct {
	machine   spec.Machine // what the processes run
	traits    spec.Traits
	codec     *wire.Codec
	config    model.Config
	ring      []spec.ID
	datagrams bool   // links neither number nor repeat messages
	folder    string // folder of stable storages; "": none
	net       *network
	tamper    func(spec.ID, impl.Transport) impl.Transport // for tests: what is between a process and its socket; nil: nothing

	run

	said    chan said
	cued    chan bool
	endings chan ending
	answer  *bool // to the last cue; nil: none yet
	tick    *time.Ticker
	ticks   int
}

// run is what a stage knows of the run that it shows.
type run struct {
	number     uint64    // in every frame
	roundsFrom time.Time // when rounds would begin by the clock
	initiators spec.Set
	processes  []*process     // number 1 first; nil: down
	logs       []bytes.Buffer // likewise, over all lives
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

// newStage returns a stage for machine m in the world c. The folder is for stable
// storages.
func newStage(m spec.Machine, c model.Config, folder string) (*stage, error) {
	codec, err := wire.NewCodec(m)
	if err != nil {
		return nil, err
	}
	s := &stage{
		machine: m, traits: m.Traits(), codec: codec, config: c, ring: c.Placement(),
		datagrams: datagrams(c),
		said:      make(chan said, 1024), cued: make(chan bool, 1), endings: make(chan ending, model.MaxN),
	}
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

func (s *stage) close() error {
	s.tick.Stop()
	err := s.clear()
	s.net.close()
	return err
}

// clear ends the processes of a run.
func (s *stage) clear() error {
	var errs []error
	for _, p := range s.processes {
		if p != nil {
			errs = append(errs, s.kill(p))
		}
	}
	select {
	case <-s.cued: // it was answered too late
	default:
	}
	s.processes = nil
	return errors.Join(errs...)
}

// open begins a run in an initial state: all processes that are up there know each
// other, and those that need no start have come up.
func (s *stage) open(state model.State) error {
	if err := s.clear(); err != nil {
		return err
	}
	s.run = run{
		number: s.number + 1, processes: make([]*process, s.config.N), logs: make([]bytes.Buffer, s.config.N),
		echoes: map[link]int64{}, acks: map[link]int{}, vital: map[link]bool{},
	}
	if s.config.Network == model.Rounds {
		s.roundsFrom = time.Now().Add(long)
	}
	s.tap = newTap(s)
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
			s.processes[i].lines = nil // the result is compared after the first step
		}
	}
	return nil
}

// begin begins a run, with what comes before it.
func (s *stage) begin(b beginning) error {
	if err := s.open(b.cold.state); err != nil {
		return err
	}
	sc := b.cold
	for i := range b.prologue {
		if err := s.perform(sc, &b.prologue[i]); err != nil {
			return fmt.Errorf("before the run begins: %w", err)
		}
		sc = b.prologue[i].after
	}
	return nil
}

// live returns the processes that are up, or about to be.
func (s *stage) live() spec.Set {
	var live spec.Set
	for i, p := range s.processes {
		if p != nil {
			live = live.With(spec.ID(i + 1))
		}
	}
	return live
}

// passEarly passes on what was sent to processes that were not ready to listen, and
// keeps what was sent to those that still are not.
func (s *stage) passEarly() {
	early := s.early
	s.early = nil
	for _, f := range early {
		s.take(f)
	}
}

func (s *stage) others(id spec.ID) spec.Set { return spec.UpTo(s.config.N).Without(id) }

// greet waits until all peers know a process that has been booted. What they send to it
// is withheld.
func (s *stage) greet(p *process) error {
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
func (s *stage) raise(id spec.ID, steps int) error {
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
		if _, err := s.cue(p, impl.Cue{What: impl.WaitsJoin}); err != nil {
			return err
		}
	}
	err := s.await(fmt.Sprintf("process %v does not come up, or its peers do not believe it", id), func() bool {
		for q := range s.live().Without(id).All() {
			if s.processes[q-1].up && p.hellos[q] < 2 { // an answer, and one more when it has proved to be there
				return p.ended
			}
		}
		old := func(f message) bool { return f.to == id && f.life < p.incarnation && s.processes[f.from-1] != nil }
		return len(p.lines) >= steps && !slices.ContainsFunc(s.flying, old) || p.ended
	})
	if err != nil || p.ended {
		return err
	}
	return s.vouch(p)
}

// vouch makes a process and those that are up hear each other once more. A life that
// was heard only once may be made up, and messages to it would be sent again to the
// life after it. Each sign of life is sent twice: when the counters of the receiver
// show the copy, the first one was heard.
func (s *stage) vouch(p *process) error {
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
			if err := s.settle(l.process); err != nil {
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

// await processes what happens until a condition holds, or it takes too long.
func (s *stage) await(what string, enough func() bool) error {
	for s.ticks = 0; !enough(); {
		if s.ticks > patience {
			return &silence{what}
		}
		select {
		case f := <-s.net.arrived:
			s.take(f)
		case l := <-s.said:
			s.hear(l)
		case waited := <-s.cued:
			s.answer = &waited
		case e := <-s.endings:
			e.process.ended, e.process.err = true, e.err
		case <-s.tick.C:
			s.ticks++
		}
	}
	return nil
}

// silence is the error that something did not happen within patience: the machine may
// have lost a packet.
type silence struct{ what string }

func (e *silence) Error() string {
	return fmt.Sprintf("%s within %v", e.what, time.Duration(patience)*tickLength)
}

// settle waits until everything that a process has done has come to the driver: it asks
// for a sign of life, which comes after it.
func (s *stage) settle(p *process) error {
	asked := time.Now().UnixNano()
	if _, err := s.cue(p, impl.Cue{What: impl.WaitsHeartbeat}); err != nil {
		return err
	}
	err := s.await(fmt.Sprintf("not all that process %v sends arrives", p.id), func() bool {
		for q := range s.others(p.id).All() {
			if s.echoes[link{p.id, q}] < asked {
				return p.ended
			}
		}
		return true
	})
	s.catchUp()
	return err
}

// catchUp reads all lines that are there: each was written before the frames that have
// come.
func (s *stage) catchUp() {
	for {
		select {
		case l := <-s.said:
			s.hear(l)
		default:
			return
		}
	}
}

// hear records a line of a log. Only steps, and refusals of messages, are used.
func (s *stage) hear(l said) {
	p, r := l.process, l.record
	switch r.Line {
	case impl.LineBegin:
		p.incarnation = r.Incarnation
	case impl.LineStep, impl.LineRefused:
		p.lines = append(p.lines, r)
	}
}

// take receives a frame. Messages are kept; what links and detectors say to each other is passed
// on at once, except for signs of life.
func (s *stage) take(f frame) {
	s.catchUp()
	from := s.processes[f.from-1]
	w, err := wire.Parse(f.bytes, nil)
	switch {
	case from == nil || err == nil && (w.Run != s.number || w.Incarnation != from.incarnation):
		return // of a run before, or of a former life
	}
	s.tap.see(capture.Sent, f)
	switch {
	case err != nil:
		s.doubt("process %v sends to %v what is not a frame: %v", f.from, f.to, err)
		return
	case link{w.From, w.To} != f.link:
		s.doubt("process %v sends to where process %v is a frame from %v to %v", f.from, f.to, w.From, w.To)
		return
	}
	switch w.Kind {
	case wire.Data:
		value, err := s.codec.Decode(w.Body)
		if err != nil {
			s.doubt("process %v sends to %v what is not a message: %v", f.from, f.to, err)
			return
		}
		m := message{f, impl.Name{From: w.From, Incarnation: w.Incarnation, Sequence: w.Sequence}, w.Acked, value}
		if !later(s.flying, m) && !later(from.sent, m) {
			from.sent = append(from.sent, m)
		}
		return
	case wire.Refuse:
		s.doubt("process %v refuses to speak with %v: %s", f.from, f.to, w.Body)
		return
	case wire.Heartbeat, wire.Hello:
		from.greeted = from.greeted.With(f.to)
		s.echoes[f.link] = max(s.echoes[f.link], w.Sent)
	case wire.Ack:
		s.acks[f.link]++
	}
	switch {
	case w.Kind != wire.Heartbeat:
		s.relay(f, w)
	case s.vital[f.link]:
		delete(s.vital, f.link)
		s.relay(f, w)
		s.relay(f, w)
	}
}

// relay passes on a frame that is no message, unless its receiver is down. A frame that
// would make it come up is withheld until it may.
func (s *stage) relay(f frame, w wire.Frame) {
	to := s.processes[f.to-1]
	if to != nil && w.Kind == wire.Hello && w.Acked == to.incarnation {
		to.hellos[f.from]++
	}
	if to == nil || to.greeted != s.others(f.to) {
		s.early = append(s.early, f)
		return
	}
	if !to.up && w.Acked == to.incarnation && w.Acked != 0 {
		to.withheld[f.from] = append(to.withheld[f.from], f)
		return
	}
	if err := s.pass(f); err != nil {
		s.doubt("process %v cannot be reached: %v", f.to, err)
	}
}

func (s *stage) doubt(format string, about ...any) {
	s.strange = append(s.strange, fmt.Sprintf(format, about...))
}
