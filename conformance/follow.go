package conformance

import (
	"errors"
	"slices"

	"interleave/impl/capture"
	"interleave/impl/wire"
)

// Follower judges packets as they come. What it says for sure is that nothing
// explains a packet: that is confirmed on all packets so far.
type Follower struct {
	options CaptureOptions
	packets []capture.Packet
	check   *captureCheck
}

// NewFollower returns a Follower to which no packet has come.
func NewFollower(o CaptureOptions) *Follower { return &Follower{options: o} }

// Packets returns all packets so far.
func (f *Follower) Packets() []capture.Packet { return f.packets }

// followAhead is how many sends a process may be ahead while it is followed, as what is
// to come is not known.
const followAhead = 64

// Take takes in a packet. It returns a report if the packets so far are
// refuted, or if nobody can know any more; nil as long as they are explained. Input
// that cannot be judged is an *UnusableError.
func (f *Follower) Take(p capture.Packet) (*CaptureReport, error) {
	if len(f.packets) == maxPackets {
		return nil, unusable("it has more than %d packets", maxPackets)
	}
	f.packets = append(f.packets, p)
	if f.check == nil {
		return f.begin()
	}
	if p.Err != nil || p.Frame.Run != f.check.report.Run {
		return nil, nil
	}
	if err := f.check.stranger(p); err != nil {
		return nil, err
	}
	f.check.packets = append(f.check.packets, p)
	return f.look(len(f.check.packets) - 1)
}

// begin begins to judge when the packets tell what they are of: when a process of the run has
// said hello, and one has sent a message.
func (f *Follower) begin() (*CaptureReport, error) {
	said := func(kind wire.Kind) bool {
		return slices.ContainsFunc(f.packets, func(p capture.Packet) bool {
			return p.Err == nil && p.Frame.Kind == kind && (f.options.Run == nil || *f.options.Run == p.Frame.Run)
		})
	}
	if !said(wire.Data) || !said(wire.Hello) && f.options.Ring == nil && f.options.N == 0 {
		return nil, nil
	}
	s, err := settle(f.packets, f.options)
	if err != nil {
		return nil, err
	}
	f.check = newCaptureCheck(s, s.packets, f.options, effort{ahead: followAhead})
	f.check.outlook = nil
	for i := range s.packets {
		if report, err := f.look(i); report != nil || err != nil {
			return report, err
		}
	}
	return nil, nil
}

// look looks at a packet; what is refuted is judged again from the beginning.
func (f *Follower) look(i int) (*CaptureReport, error) {
	err := f.check.packet(f.check.packets[i])
	var wrong *Unexplained
	switch {
	case err == nil:
		return nil, nil
	case errors.As(err, &wrong), nobodyKnows(err):
	default:
		return nil, err
	}
	report, err := Explore(f.packets, f.options)
	if err != nil || report.Verdict != Conforms {
		return report, err
	}
	report.Verdict, report.Reason = Unknown, "what is to come would have to be known"
	return report, nil
}
