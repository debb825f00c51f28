package captures

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"interleave/conformance"
	"interleave/conformance/frontier"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// context describes the run of a capture: what its frames say before one of them is judged.
type context struct {
	machine   spec.Machine
	traits    spec.Traits
	codec     *wire.Codec
	ring      []spec.ID
	all       spec.Set
	unordered bool
	tapped    bool             // on both sides of the network
	begin     time.Time        // lock step: when the first round begins
	round     time.Duration    // the duration of each
	packets   []capture.Packet // frames of the run
	about     Report           // what is reported so far
	parts     int              // packets that are no frames because the tap did not take all of them
	whole     *traffic         // of all packets
}

func unusable(format string, args ...any) error {
	return &conformance.UnusableError{Reason: fmt.Sprintf(format, args...)}
}

// misfit is the error that a capture is not what was asked for.
func misfit(format string, args ...any) error {
	return &conformance.UnusableError{Reason: fmt.Sprintf(format, args...), Asked: true}
}

// Read reads all frames of a capture. A capture that was cut is an error; if
// that is allowed, it is a note.
func Read(r *capture.Reader, cut bool) (packets []capture.Packet, note string, err error) {
	for {
		p, err := r.Next()
		switch {
		case err == nil && len(packets) == maxPackets:
			return nil, "", unusable("it has more than %d packets: cut it with editcap", maxPackets)
		case err == nil:
			packets = append(packets, p)
		case err == io.EOF:
			return packets, "", nil
		case errors.Is(err, capture.ErrCut) || errors.Is(err, capture.ErrUnfinished):
			if cut {
				return packets, err.Error(), nil
			}
			return nil, "", err
		default:
			return nil, "", err
		}
	}
}

// maxPackets bounds the packets kept of a capture.
const maxPackets = 8 << 20

// contextOf finds out from the frames what the run is.
func contextOf(packets []capture.Packet, o Options) (*context, error) {
	s := &context{}
	if err := s.pick(packets, o); err != nil {
		return nil, err
	}
	first := s.packets[0].Frame
	var err error
	if s.machine, err = o.Find(first.Algorithm); err != nil {
		return nil, &conformance.UnusableError{Reason: err.Error(), Cause: err}
	}
	s.traits = s.machine.Traits()
	if s.codec, err = wire.NewCodec(s.machine); err != nil {
		return nil, err
	}
	if s.about.Algorithm = s.traits.Name; s.traits.Elects {
		s.about.Leaders = []spec.ID{}
	}
	if first.Algorithm != s.traits.Name {
		s.about.Captured = first.Algorithm
	} else if s.codec.Shape() != first.Shape {
		return nil, unusable("the messages of its %s have the shape %x, and ours have %x: it is of another version", first.Algorithm, first.Shape, s.codec.Shape())
	}
	if err := s.hellos(o); err != nil {
		return nil, err
	}
	if err := s.identify(); err != nil {
		return nil, err
	}
	s.whole = readTraffic(s, o, s.packets)
	s.times(o.Skew)
	s.about.Ring, s.about.Process, s.about.Network = s.ring, o.Only, "fifo"
	if s.unordered {
		s.about.Network = "bag"
	}
	return s, nil
}

// pick keeps the frames of one run.
func (s *context) pick(packets []capture.Packet, o Options) error {
	report := &s.about
	report.Packets.Total = len(packets)
	var runs []uint64
	for _, p := range packets {
		if p.Err == nil && !slices.Contains(runs, p.Frame.Run) && len(runs) < 10 {
			runs = append(runs, p.Frame.Run)
		}
	}
	switch {
	case len(packets) == 0:
		return &conformance.UnusableError{Reason: "there is no packet of ours in it: nothing came by the ports that were looked at", Silent: true}
	case len(runs) == 0:
		return unusable("none of its %d packets is a frame: the first is not, since %v", len(packets), packets[0].Err)
	case o.Run != nil && !slices.Contains(runs, *o.Run):
		return unusable("it has no frame of run %d, but of %v", *o.Run, runs)
	case o.Run == nil && len(runs) > 1:
		return unusable("it has frames of the runs %v: say which one is meant", runs)
	}
	report.Run = runs[0]
	if o.Run != nil {
		report.Run = *o.Run
	}
	for _, p := range packets {
		switch {
		case p.Err != nil:
			report.Packets.Unreadable++
			if errors.Is(p.Err, capture.ErrMissing) {
				s.parts++
			}
		case p.Frame.Run != report.Run:
			report.Packets.OtherRuns++
		default:
			s.packets = append(s.packets, p)
			s.tapped = s.tapped || p.Delivered()
		}
	}
	return nil
}

// times finds out how long the run took, unless the clock was set back meanwhile, and whether there are several.
func (s *context) times(skew *time.Duration) {
	if ahead, at := clocksAhead(s.packets); ahead > 0 && (skew == nil || ahead > *skew) {
		s.about.Notes = append(s.about.Notes, fmt.Sprintf("packet %d was captured %v before it says it was sent: there are several clocks, and what is judged is the order of the capture", at.Number, ahead.Round(time.Microsecond)))
	}
	if back, at := timesBack(s.packets); back > time.Second {
		s.about.Notes = append(s.about.Notes, fmt.Sprintf("packet %d is dated %v before the one before it: the times do not tell how long it took", at.Number, back.Round(time.Millisecond)))
		return
	}
	byTime := func(p, q capture.Packet) int { return p.Time.Compare(q.Time) }
	s.about.First, s.about.Last = slices.MinFunc(s.packets, byTime).Time, slices.MaxFunc(s.packets, byTime).Time
}

// hellos reads the settings from the hellos of processes.
func (s *context) hellos(o Options) error {
	first, settings := s.packets[0].Frame, ""
	links, bare := 0, 0
	for _, p := range s.packets {
		f := p.Frame
		if f.Algorithm != first.Algorithm || f.Shape != first.Shape {
			return unusable("packet %d is of %q, shape %x, and packet %d of %q, shape %x: a capture is of one algorithm", p.Number, f.Algorithm, f.Shape, s.packets[0].Number, first.Algorithm, first.Shape)
		}
		switch {
		case f.Kind == wire.Hello && settings == "":
			settings = string(f.Body)
		case f.Kind == wire.Hello && settings != string(f.Body):
			return unusable("packet %d says %q, and one before it %q: a capture is of processes that are set alike", p.Number, f.Body, settings)
		case f.Kind == wire.Data && f.Link > 0:
			links++
		case f.Kind == wire.Data, f.Kind == wire.Ack && f.Link == 0:
			bare++
		}
	}
	said, err := wire.ParseSettings(settings)
	if err != nil {
		return unusable("its processes say %v", err)
	}
	s.ring, s.unordered, s.begin, s.round = said.Ring, said.Datagrams, said.Begin, said.Round
	if err := s.agree(o); err != nil {
		return err
	}
	switch {
	case links > 0 && bare > 0:
		return unusable("%d messages have a place on their link, and %d have none: a capture is of processes that are set alike", links, bare)
	case o.Network != "":
		s.unordered = o.Network != "fifo"
	case settings == "":
		s.unordered = bare > 0
	}
	if s.unordered == (links > 0) && links+bare > 0 && o.Network == "" {
		return unusable("its processes say %q, and its messages do otherwise", settings)
	}
	if bare > 0 && !s.unordered {
		return unusable("its messages have no place on their links, so they cannot keep order: leave out --network fifo")
	}
	if rounds := s.traits.Handles.Has(spec.Round); rounds && s.round <= 0 {
		return unusable("no process of it says when its rounds begin and how long they last, and %s runs in rounds: capture from the beginning", s.traits.Name)
	} else if !rounds && s.round > 0 {
		return unusable("its processes run in rounds, and %s does not", s.traits.Name)
	}
	if s.traits.Oracle && len(s.ring) > frontier.MaxAsking {
		return unusable("%s asks who is up, so every set of processes is tried: at most %d processes can be judged, and there are %d", s.traits.Name, frontier.MaxAsking, len(s.ring))
	}
	if s.ring == nil {
		return unusable("no process of it says hello, so it does not tell how many processes there are: give --n or --ring")
	}
	return nil
}

// agree takes the ring from the options if no process says hello. Otherwise the hellos
// count: compared with another ring, an honest run would be refuted.
func (s *context) agree(o Options) error {
	said := s.ring
	switch {
	case said == nil && o.Ring != nil:
		s.ring = o.Ring
	case said == nil && o.N > 0:
		s.ring = slices.Collect(spec.UpTo(o.N).All())
	case said != nil && o.N > 0 && o.N != len(said):
		return misfit("--n is %d, and the processes say %d: leave it out", o.N, len(said))
	case said != nil && o.Ring != nil && !sameRing(o.Ring, said):
		return misfit("--ring is %v, and the processes say %v: leave it out", o.Ring, said)
	}
	if n := len(s.ring); n > 0 && int(o.Only) > n {
		return misfit("--process %v is not one of its processes, which are 1 to %d", o.Only, n)
	}
	return nil
}

// sameRing reports whether two lists go around the same ring, wherever they begin.
func sameRing(a, b []spec.ID) bool {
	first := slices.Index(b, a[0])
	return first >= 0 && slices.Equal(a, slices.Concat(b[first:], b[:first]))
}

// roundOf returns the round in which a message was sent, by the clock of its
// sender; 0 if there are no rounds.
func (s *context) roundOf(f wire.Frame) int64 {
	if s.round <= 0 {
		return 0
	}
	since := time.Unix(0, f.Sent).Sub(s.begin)
	return int64(math.Floor(float64(since)/float64(s.round))) + 1
}

// comes reports whether a message can be handled once a packet with it is seen.
func (s *context) comes(p capture.Packet) bool { return p.Delivered() == s.tapped }

// stranger returns an error if a frame is not from one process of the ring to another.
func (s *context) stranger(p capture.Packet) error {
	f := p.Frame
	if !s.all.Has(f.From) || !s.all.Has(f.To) || f.From == f.To {
		return unusable("packet %d is from process %v to %v, and the run has the processes 1 to %d", p.Number, f.From, f.To, len(s.ring))
	}
	return nil
}
