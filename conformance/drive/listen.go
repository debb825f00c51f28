package drive

import (
	"fmt"
	"time"

	"interleave/impl"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/impl/wire"
)

// What a testbed hears of its processes: their frames, the lines of their logs, and that they
// ended. It is heard only while the testbed waits for something.

// await processes what happens until a condition holds, or it takes too long.
func (s *control) await(what string, enough func() bool) error {
	for s.ticks = 0; !enough(); {
		if s.ticks > patience {
			return &silence{what}
		}
		select {
		case f := <-s.net.arrived:
			s.take(f)
		case l := <-s.said:
			s.hear(l)
		case waited := <-s.triggered:
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

// drain waits until everything that a process has done has come to the driver: it asks
// for a sign of life, which comes after it.
func (s *control) drain(p *process) error {
	asked := time.Now().UnixNano()
	if _, err := s.trigger(p, impl.Trigger{What: impl.WaitsHeartbeat}); err != nil {
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
func (s *control) catchUp() {
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
func (s *control) hear(l said) {
	p, r := l.process, l.record
	switch r.Line {
	case runlog.LineBegin:
		p.incarnation = r.Incarnation
	case runlog.LineStep, runlog.LineRefused:
		p.lines = append(p.lines, r)
	}
}

// take receives a frame. Messages are kept; what links and detectors say to each other is passed
// on at once, except for signs of life.
func (s *control) take(f frame) {
	s.catchUp()
	from := s.processes[f.from-1]
	w, err := wire.Parse(f.bytes, nil)
	switch {
	case from == nil || err == nil && (w.Run != s.number || w.Incarnation != from.incarnation):
		return // of a run before, or of a former incarnation
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
		m := message{f, runlog.Name{From: w.From, Incarnation: w.Incarnation, Sequence: w.Sequence}, w.Acked, value}
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
func (s *control) relay(f frame, w wire.Frame) {
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

func (s *control) doubt(format string, about ...any) {
	s.strange = append(s.strange, fmt.Sprintf(format, about...))
}

// passEarly passes on what was sent to processes that were not ready to listen, and
// keeps what was sent to those that still are not.
func (s *control) passEarly() {
	early := s.early
	s.early = nil
	for _, f := range early {
		s.take(f)
	}
}
