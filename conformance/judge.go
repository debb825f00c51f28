package conformance

import (
	"fmt"

	"interleave/impl/capture"
	"interleave/spec"
)

// An effort bounds what one search considers.
type effort struct {
	ahead  int  // how many sends a process may be ahead of what the tap has seen
	narrow bool // see frontier.World
}

// efforts are tried in turn, the quickest first. An explanation by any effort counts;
// that there is none counts only by the last.
var efforts = []effort{{8, true}, {8, false}, {64, false}, {1024, false}}

// The first efforts are enough for almost every run.
var (
	little = efforts[:2]
	utmost = efforts[len(efforts)-1]
)

// CheckCapture says whether a capture of a run is a behaviour of its algorithm.
// Input that cannot be judged is an *UnusableError.
func CheckCapture(packets []capture.Packet, o CaptureOptions) (*CaptureReport, error) {
	c, err := confirmed(packets, o)
	if err != nil {
		return nil, err
	}
	return &c.report, nil
}

// Explore does more than CheckCapture. If nothing explains a packet, it tries changes
// to that packet. If there are explanations, it judges properties over all of them,
// unless o.Only is set, as properties are about all processes.
func Explore(packets []capture.Packet, o CaptureOptions) (*CaptureReport, error) {
	c, err := confirmed(packets, o)
	if err != nil {
		return nil, err
	}
	switch {
	case c.report.Verdict == Refuted:
		c.try()
	case c.report.Verdict == Conforms && o.Only == spec.None:
		again := newCaptureCheck(c.scene, c.packets, c.options, utmost)
		again.world.Like(c.world)
		again.world.Work /= 4 // the verdict stands
		if err := again.follow(); err != nil {
			return nil, err
		}
		c.report.Safety, c.report.Leaders = again.report.Safety, again.report.Leaders
	}
	return &c.report, nil
}

// open judges a capture.
func open(packets []capture.Packet, o CaptureOptions) (c *captureCheck, err error) {
	s, err := settle(packets, o)
	if err != nil {
		return nil, err
	}
	for i, efforts := range [][]effort{little, efforts[len(little):]} {
		if c, err = judge(s, s.packets, o, efforts, c); err != nil {
			return nil, err
		}
		if c, err = c.doubt(efforts, i > 0); err != nil {
			return nil, err
		}
		if c.report.Verdict != Refuted || c.report.Unexplained.ground.certain() {
			break
		}
	}
	c.contradicted()
	return c, c.reordered()
}

// contradicted refutes a capture of which nothing else is known, but that packets of it
// contradict each other: none that is missing makes them true.
func (c *captureCheck) contradicted() {
	wrong := c.whole.wrong
	if c.report.Verdict != Unknown || wrong == nil {
		return
	}
	c.traffic, c.report = newTraffic(c.scene, c.options), c.about
	for _, p := range c.packets[:wrong.at+1] {
		c.read(p)
	}
	c.report.Verdict, c.report.Unexplained = Refuted, wrong
	c.count()
}

// judge tries some efforts until one finds an explanation. It goes on from an earlier check of
// the same packets, if there was one.
func judge(s *scene, packets []capture.Packet, o CaptureOptions, efforts []effort, earlier *captureCheck) (c *captureCheck, err error) {
	c = earlier
	for _, e := range efforts {
		if c != nil && !c.world.Narrow && !c.world.Short && !o.Gaps {
			break // it would look at the same
		}
		if c, err = attempt(s, packets, o, e, c); err != nil {
			return nil, err
		}
		switch r := &c.report; {
		case r.Verdict == Conforms,
			r.Verdict == Unknown && !e.narrow,
			r.Verdict == Refuted && r.Unexplained.ground.certain():
			return c, nil
		}
	}
	return c, nil
}

// attempt makes one effort. Each check learns what messages processes may send, and what is missing
// may be any of those: so it is repeated until that is no more than before.
func attempt(s *scene, packets []capture.Packet, o CaptureOptions, e effort, earlier *captureCheck) (*captureCheck, error) {
	for {
		c, said := newCaptureCheck(s, packets, o, e), 0
		if earlier != nil {
			said = earlier.world.Said()
			c.world.Like(earlier.world)
		}
		if err := c.run(); err != nil {
			return nil, err
		}
		if c.report.Verdict != Refuted || c.world.Said() == said {
			return c, nil
		}
		earlier = c
	}
}

// doubt checks whether a refuted capture could be explained by messages that did not pass the
// tap. If so, or if the last effort does not find that out, the verdict is Unknown. Once some
// messages are evidently missing, any may be, as the last of a process, or the first copies
// of messages that are there. It returns the check that counts.
func (c *captureCheck) doubt(efforts []effort, last bool) (*captureCheck, error) {
	u := c.report.Unexplained
	switch {
	case u == nil || u.ground.certain() || c.report.Unseen == 0 && u.ground != byAbsence && !c.options.Gaps:
		return c, nil
	case c.outlook.late(c.judges):
		c.unknown("nothing explains %v; but the capture began late: the first message of some process is not in it, and what that did before is not known", u)
		return c, nil
	case c.round > 0 && u.ground == bySteps:
		if last {
			c.unknown("%v: nothing explains %v; but what missing packets said in a round of lock step is not looked for", errGap, u)
		}
		return c, nil
	case c.options.Gaps:
		return c, nil
	}
	o := c.options
	o.Gaps = true
	other, err := judge(c.scene, c.packets, o, efforts, nil)
	switch missing := max(1, c.report.Unseen); {
	case err != nil:
		return nil, err
	case other.report.Verdict == Conforms:
		c.unknown("%v: nothing explains %v; but %s did not pass the tap whole, as they or others say, and what is missing may", errGap, u, frames(missing))
	case other.report.Verdict == Unknown && last:
		c.unknown("%v: nothing explains %v; but %s did not pass the tap whole, as they or others say, and perhaps what is missing does; it was not found out: %s",
			errGap, u, frames(missing), other.report.Reason)
	case other.report.Verdict == Refuted && last && u.ground == byAbsence: // that is no fault, and this may be one
		return other.doubt(efforts, last)
	}
	return c, nil
}

// frames counts frames in words.
func frames(n int) string {
	if n == 1 {
		return "1 frame"
	}
	return fmt.Sprintf("%d frames", n)
}

func (c *captureCheck) unknown(format string, args ...any) {
	c.report.Verdict, c.report.Reason = Unknown, fmt.Sprintf(format, args...)
}

// count completes the counts of the report.
func (c *captureCheck) count() {
	r := &c.report
	r.Peak, r.Looked = c.world.Peak, c.world.Looked
	r.Packets, r.Unseen = c.counted, c.outlook.missing()
	r.Evidence = EvidenceWire
	if r.Packets.Acks > 0 && !c.unordered && !c.options.NoReceives {
		r.Evidence = EvidenceReceives
	}
	r.Incarnations, r.Restarts = len(c.voices), c.restarts()
	kinds := map[string]int{}
	for _, v := range c.voices {
		for _, m := range v.messages {
			if m.content != nil {
				kinds[c.traits.Kind(m.content)]++
			}
		}
	}
	for _, kind := range c.traits.Kinds {
		r.Messages = append(r.Messages, KindCount{kind, kinds[kind]})
	}
}
