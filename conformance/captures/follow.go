package captures

import (
	"errors"
	"slices"

	"interleave/conformance"
	"interleave/impl/capture"
	"interleave/impl/wire"
)

// Follower judges packets as they come. What it says for sure is that nothing
// explains a packet: that is confirmed on all packets so far.
type Follower struct {
	options   Options
	packets   []capture.Packet
	explained int      // so many packets were explained, with all before them
	context   *context // nil: they do not tell yet what they are of
	check     *check   // of each packet as it comes; nil: that was too much for it
	due       int      // without check: all are judged again once there are so many
}

// NewFollower returns a Follower to which no packet has come.
func NewFollower(o Options) *Follower { return &Follower{options: o} }

// Packets returns all packets so far.
func (f *Follower) Packets() []capture.Packet { return f.packets }

// Explained returns how many of them were explained so far.
func (f *Follower) Explained() int { return f.explained }

// A check that does not know what is to come considers ways that lead nowhere. So it considers
// few, and what is too much for it is judged again with what came in the meantime.
const (
	followAhead = 8       // how many sends a process may be ahead
	followWays  = 1 << 12 // ways of a process that one search may consider
)

// Take takes in a packet. It returns a report if the packets so far are
// refuted, or if nobody can know any more; nil as long as they are explained. Input
// that cannot be judged is an *conformance.UnusableError.
func (f *Follower) Take(p capture.Packet) (*Report, error) {
	if len(f.packets) == maxPackets {
		return nil, unusable("it has more than %d packets", maxPackets)
	}
	f.packets = append(f.packets, p)
	if f.context == nil {
		return f.begin()
	}
	if p.Err == nil && p.Frame.Run == f.context.about.Run {
		if err := f.context.stranger(p); err != nil {
			return nil, err
		}
		if f.check != nil {
			f.check.packets = append(f.check.packets, p)
		}
	}
	return f.look()
}

// begin begins to judge when the packets tell what they are of: when a process of the run has
// said hello, and one has sent a message.
func (f *Follower) begin() (*Report, error) {
	said := func(kind wire.Kind) bool {
		return slices.ContainsFunc(f.packets, func(p capture.Packet) bool {
			return p.Err == nil && p.Frame.Kind == kind && (f.options.Run == nil || *f.options.Run == p.Frame.Run)
		})
	}
	if !said(wire.Data) || !said(wire.Hello) && f.options.Ring == nil && f.options.N == 0 {
		return nil, nil
	}
	s, err := contextOf(f.packets, f.options)
	if err != nil {
		return nil, err
	}
	o := f.options
	o.Limit = followWays
	f.context, f.check = s, newCheck(s, s.packets, o, effort{ahead: followAhead})
	f.check.overview, f.check.world.Work = nil, 0
	return f.look()
}

// look looks at the packets that were not looked at.
func (f *Follower) look() (*Report, error) {
	if f.check == nil {
		if len(f.packets) < f.due {
			return nil, nil
		}
		return f.again()
	}
	for _, p := range f.check.packets[f.check.taken:] {
		err := f.check.packet(p)
		var wrong *Unexplained
		switch {
		case errors.As(err, &wrong), nobodyKnows(err):
			return f.again()
		case err != nil:
			return nil, err
		}
	}
	f.explained = len(f.packets)
	return nil, nil
}

// again judges all packets from the beginning. If they are explained, it does so again only when
// there are a quarter more, which makes it cheap.
func (f *Follower) again() (*Report, error) {
	f.check = nil
	c, err := open(f.packets, f.options)
	if err != nil {
		return nil, err
	}
	switch c.report.Verdict {
	case conformance.Conforms:
		f.explained, f.due = len(f.packets), len(f.packets)*5/4+1
		return nil, nil
	case conformance.Refuted:
		counterfactuals{c}.try()
	}
	return &c.report, nil
}
