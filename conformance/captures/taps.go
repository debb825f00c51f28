package captures

import (
	"fmt"
	"time"

	"interleave/conformance"
	"interleave/impl/capture"
)

// A capture of several taps, as of two machines, was put together by the times of its packets. If the clock
// of one tap runs early, what it saw is before what caused it, and nothing explains that order.

// disorder is what tells that packets are perhaps not in the order in which one tap saw them.
type disorder struct{ what, remedy string }

// backwards is how far times may go back in packets of one tap that several processors captured.
const backwards = time.Millisecond

// disorderOf returns nil if nothing tells so, or skew says that one tap took all packets in this order, and how far
// the clocks of processes are ahead of its own.
func disorderOf(packets []capture.Packet, skew *time.Duration) *disorder {
	ahead, early := clocksAhead(packets)
	switch {
	case skew != nil && ahead <= *skew:
		return nil
	case ahead > 0:
		ahead = ahead.Round(time.Microsecond) + time.Microsecond
		return &disorder{
			fmt.Sprintf("packet %d was captured %v before it says it was sent, so there are several clocks", early.Number, ahead),
			fmt.Sprintf("if there were several taps, shift the times of the early one (editcap -t %.6f) and merge again (mergecap); if one took all packets in this order, and clocks of processes are ahead of its own, give --skew %v", ahead.Seconds(), ahead),
		}
	case skew != nil:
		return nil
	}
	const one = "; if one took all packets in this order, give --skew 0s"
	if back, p := timesBack(packets); back > backwards {
		return &disorder{fmt.Sprintf("packet %d is dated %v before the one before it", p.Number, back), "if captures of several taps were joined, merge them by time (mergecap)" + one}
	}
	taps := map[int]bool{}
	for _, p := range packets {
		taps[p.Tap] = true
	}
	if len(taps) > 1 {
		return &disorder{fmt.Sprintf("its packets were captured on %d interfaces, which may be several taps", len(taps)), "shift the times of one whose clock is wrong (editcap -t) and merge again (mergecap)" + one}
	}
	return nil
}

// clocksAhead returns by how much the clocks of processes are ahead of those of taps, and the packet that shows it. As times
// of a capture are rounded, less than their resolution says nothing.
func clocksAhead(packets []capture.Packet) (most time.Duration, shows capture.Packet) {
	resolution := time.Second
	for _, p := range packets {
		for resolution > 1 && p.Time.Nanosecond()%int(resolution) != 0 {
			resolution /= 10
		}
	}
	for _, p := range packets {
		if d := time.Unix(0, p.Frame.Sent).Sub(p.Time); p.Frame.Sent > 0 && !p.Time.IsZero() && d >= resolution && d > most {
			most, shows = d, p
		}
	}
	return most, shows
}

// timesBack returns how far the times go back at most from a packet to the next, and which that is.
func timesBack(packets []capture.Packet) (most time.Duration, shows capture.Packet) {
	for i := range packets[1:] {
		if d := packets[i].Time.Sub(packets[i+1].Time); d > most {
			most, shows = d, packets[i+1]
		}
	}
	return most, shows
}

// reordered checks whether what is not explained would be, if messages had come in any other order, where
// something tells that there were several taps. If so, the verdict is Unknown, and that is the reason.
func reordered(c *check) error {
	u, refuted := c.report.Unexplained, c.report.Verdict == conformance.Refuted
	if u == nil || u.cause.certain() || !refuted && c.report.Unseen > 0 { // what is behind a gap in a stream is read late
		return nil
	}
	why := disorderOf(c.context.packets, c.options.Skew)
	if why == nil {
		return nil
	}
	o := c.options
	o.anyOrder, o.Gaps = true, o.Gaps || refuted && c.report.Unseen > 0
	other, err := judge(c.context, c.packets, o, efforts, nil)
	switch {
	case err != nil:
		return err
	case other.report.Verdict == conformance.Conforms:
		c.unknown("%s: nothing explains %v in the order of the capture, but something does in another: %s", why.what, u, why.remedy)
	case other.report.Verdict == conformance.Unknown && refuted:
		c.unknown("%s: nothing explains %v in the order of the capture, and perhaps something does in another; it was not found out: %s; %s", why.what, u, other.report.Reason, why.remedy)
	}
	return nil
}
