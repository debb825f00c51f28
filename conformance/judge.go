package conformance

import (
	"fmt"

	"interleave/impl/capture"
)

// aheads is how many sends a process may be ahead of what the tap has seen: first few,
// since that is soon done. An explanation is one, however few were looked for;
// that there is none is believed at last.
var aheads = []int{8, 64, 1024}

// CheckCapture says whether a capture of a run is a behaviour of its algorithm.
// Input that cannot be judged is an *UnusableError.
func CheckCapture(packets []capture.Packet, o CaptureOptions) (*CaptureReport, error) {
	c, _, err := open(packets, o)
	if err != nil {
		return nil, err
	}
	return &c.report, nil
}

// Explore is CheckCapture, tries changes to the packet that nothing explains, and
// judges properties over all explanations if there are some.
func Explore(packets []capture.Packet, o CaptureOptions) (*CaptureReport, error) {
	c, about, err := open(packets, o)
	if err != nil {
		return nil, err
	}
	switch c.report.Verdict {
	case Refuted:
		c.try(about)
	case Conforms:
		again := newCaptureCheck(c.scene, c.packets, c.options, aheads[len(aheads)-1], about)
		again.world.Like(c.world)
		if err := again.follow(); err != nil {
			return nil, err
		}
		c.report.Safety, c.report.Leaders = again.report.Safety, again.report.Leaders
	}
	return &c.report, nil
}

// open judges a capture. It returns the report as it was before as well.
func open(packets []capture.Packet, o CaptureOptions) (c *captureCheck, about CaptureReport, err error) {
	s, err := settle(packets, o, &about)
	if err != nil {
		return nil, about, err
	}
	c, err = judge(s, s.packets, o, about)
	if err == nil && c.report.Verdict == Refuted && c.report.Unseen > 0 {
		err = c.doubt(about)
	}
	return c, about, err
}

// judge looks at packets until an explanation is found, or all was tried.
func judge(s *scene, packets []capture.Packet, o CaptureOptions, about CaptureReport) (c *captureCheck, err error) {
	for _, ahead := range aheads {
		for said := 0; c == nil || c.report.Verdict == Refuted && said != c.world.Said(); {
			next := newCaptureCheck(s, packets, o, ahead, about)
			if c != nil {
				said = c.world.Said()
				next.world.Like(c.world)
			}
			c = next
			if err := c.run(); err != nil {
				return nil, err
			}
		}
		if c.report.Verdict != Refuted {
			break
		}
	}
	return c, nil
}

// doubt looks whether a capture that nothing explains is explained by messages
// that did not pass the tap. Then it may not be the fault of the algorithm.
func (c *captureCheck) doubt(about CaptureReport) error {
	if c.outlook.late(c.judges) {
		c.unknown("nothing explains %v; but the capture began late: the first message of some process is not in it, and what that did before is not known")
		return nil
	}
	if c.options.Gaps {
		return nil
	}
	o := c.options
	o.Gaps, o.evident = true, true
	other, err := judge(c.scene, c.packets, o, about)
	if err == nil && other.report.Verdict == Conforms {
		c.unknown(fmt.Sprintf("%v: nothing explains %%v; but %d messages did not pass the tap, as later packets say, and they may", errGap, c.report.Unseen))
	}
	return err
}

func (c *captureCheck) unknown(format string) {
	c.report.Verdict, c.report.Reason = Unknown, fmt.Sprintf(format, c.report.Unexplained)
}

// count fills in what is counted at the end.
func (c *captureCheck) count() {
	r := &c.report
	r.Peak, r.Looked = c.world.Peak, c.world.Looked
	r.Unseen = c.outlook.missing()
	r.Evidence = EvidenceWire
	if r.Packets.Acks > 0 && !c.unordered && !c.options.NoReceives {
		r.Evidence = EvidenceReceives
	}
	kinds := map[string]int{}
	for name, l := range c.lives {
		r.Incarnations++
		if name.incarnation != c.latest[name.id] {
			r.Restarts++
		}
		for _, m := range l.sent {
			if m.content != nil {
				kinds[c.traits.Kind(m.content)]++
			}
		}
	}
	for _, kind := range c.traits.Kinds {
		r.Messages = append(r.Messages, KindCount{kind, kinds[kind]})
	}
	r.First, r.Last = c.packets[0].Time, c.packets[len(c.packets)-1].Time
}
