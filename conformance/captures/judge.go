package captures

import (
	"fmt"

	"interleave/conformance"
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

// Check says whether a capture of a run is a behaviour of its algorithm.
// Input that cannot be judged is an *conformance.UnusableError.
func Check(packets []capture.Packet, o Options) (*Report, error) {
	c, err := confirmed(packets, o)
	if err != nil {
		return nil, err
	}
	return &c.report, nil
}

// Explore does more than Check. If nothing explains a packet, it tries changes
// to that packet. If there are explanations, it judges properties over all of them,
// unless o.Only is set, as properties are about all processes.
func Explore(packets []capture.Packet, o Options) (*Report, error) {
	c, err := confirmed(packets, o)
	if err != nil {
		return nil, err
	}
	switch {
	case c.report.Verdict == conformance.Refuted:
		counterfactuals{c}.try()
	case c.report.Verdict == conformance.Conforms && o.Only == spec.None:
		again := newCheck(c.context, c.packets, c.options, utmost)
		again.world.Like(c.world)
		again.world.Work /= 4 // the verdict stands
		if err := judgeSafety(again); err != nil {
			return nil, err
		}
		c.report.Safety, c.report.Leaders = again.report.Safety, again.report.Leaders
	}
	return &c.report, nil
}

// open judges a capture.
func open(packets []capture.Packet, o Options) (c *check, err error) {
	s, err := contextOf(packets, o)
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
		if c.report.Verdict != conformance.Refuted || c.report.Unexplained.cause.certain() {
			break
		}
	}
	c.contradicted()
	return c, reordered(c)
}

// contradicted refutes a capture of which nothing else is known, but that packets of it
// contradict each other: none that is missing makes them true.
func (c *check) contradicted() {
	wrong := c.whole.wrong
	if c.report.Verdict != conformance.Unknown || wrong == nil {
		return
	}
	c.traffic, c.report = newTraffic(c.context, c.options), c.about
	for _, p := range c.packets[:wrong.at+1] {
		c.read(p)
	}
	c.report.Verdict, c.report.Unexplained = conformance.Refuted, wrong
	c.count()
}

// judge tries some efforts until one finds an explanation. It goes on from an earlier check of
// the same packets, if there was one.
func judge(s *context, packets []capture.Packet, o Options, efforts []effort, earlier *check) (c *check, err error) {
	c = earlier
	for _, e := range efforts {
		if c != nil && !c.world.Narrow && !c.world.Short && !o.Gaps {
			break // it would look at the same
		}
		if c, err = attempt(s, packets, o, e, c); err != nil {
			return nil, err
		}
		switch r := &c.report; {
		case r.Verdict == conformance.Conforms,
			r.Verdict == conformance.Unknown && !e.narrow,
			r.Verdict == conformance.Refuted && r.Unexplained.cause.certain():
			return c, nil
		}
	}
	return c, nil
}

// attempt makes one effort. Each check learns what messages processes may send, and what is missing
// may be any of those: so it is repeated until that is no more than before.
func attempt(s *context, packets []capture.Packet, o Options, e effort, earlier *check) (*check, error) {
	for {
		c, said := newCheck(s, packets, o, e), 0
		if earlier != nil {
			said = earlier.world.Said()
			c.world.Like(earlier.world)
		}
		if err := c.run(); err != nil {
			return nil, err
		}
		if c.report.Verdict != conformance.Refuted || c.world.Said() == said {
			return c, nil
		}
		earlier = c
	}
}

// doubt checks whether a refuted capture could be explained by messages that did not pass the
// tap. If so, or if the last effort does not find that out, the verdict is Unknown. Once some
// messages are evidently missing, any may be, as the last of a process, or the first copies
// of messages that are there. It returns the check that counts.
func (c *check) doubt(efforts []effort, last bool) (*check, error) {
	u := c.report.Unexplained
	switch {
	case c.undeclared():
		if last {
			c.unknown("nothing explains %v, if clients ask with declared values only; and a capture does not show with which they do", u)
			c.report.Undeclared = true
		}
		return c, nil
	case u == nil || u.cause.certain() || c.report.Unseen == 0 && u.cause != byAbsence && !c.options.Gaps:
		return c, nil
	case c.overview.late(c.judges):
		c.unknown("nothing explains %v; but the capture began late: the first message of some process is not in it, and what that did before is not known", u)
		return c, nil
	case c.round > 0 && u.cause == bySteps:
		if last {
			c.unknown("%v: nothing explains %v; but what missing packets said in a round of lock step is not looked for", errGap, u)
		}
		return c, nil
	case c.options.Gaps:
		return c, nil
	}
	o := c.options
	o.Gaps = true
	other, err := judge(c.context, c.packets, o, efforts, nil)
	switch missing := max(1, c.report.Unseen); {
	case err != nil:
		return nil, err
	case other.report.Verdict == conformance.Conforms:
		c.unknown("%v: nothing explains %v; but %s did not pass the tap whole, as they or others say, and what is missing may", errGap, u, frames(missing))
	case other.report.Verdict == conformance.Unknown && last:
		c.unknown("%v: nothing explains %v; but %s did not pass the tap whole, as they or others say, and perhaps what is missing does; it was not found out: %s",
			errGap, u, frames(missing), other.report.Reason)
	case other.report.Verdict == conformance.Refuted && last && u.cause == byAbsence: // that is no fault, and this may be one
		return other.doubt(efforts, last)
	}
	return c, nil
}

// undeclared reports whether what nothing explains may come of an action that a client asked for with a value which is
// not declared.
func (c *check) undeclared() bool {
	u, by := c.report.Unexplained, c.world.Undeclared
	return u != nil && u.cause == bySteps && by != 0 && (by.Has(u.Process) || c.options.Gaps)
}

// frames counts frames in words.
func frames(n int) string {
	if n == 1 {
		return "1 frame"
	}
	return fmt.Sprintf("%d frames", n)
}

func (c *check) unknown(format string, args ...any) {
	c.report.Verdict, c.report.Reason = conformance.Unknown, fmt.Sprintf(format, args...)
}

// count completes the counts of the report.
func (c *check) count() {
	r := &c.report
	r.Peak, r.Looked = c.world.Peak, c.world.Looked
	r.Packets, r.Unseen = c.counted, c.overview.missing()
	r.Evidence = EvidenceWire
	if r.Packets.Acks > 0 && !c.unordered && !c.options.NoReceives {
		r.Evidence = EvidenceReceives
	}
	r.Incarnations, r.Restarts = len(c.senders), c.restarts()
	kinds := map[string]int{}
	for _, v := range c.senders {
		for _, m := range v.messages {
			if m.content != nil {
				kinds[c.traits.Kind(m.content)]++
			}
		}
	}
	for _, kind := range c.traits.Kinds {
		r.Messages = append(r.Messages, conformance.KindCount{Kind: kind, Count: kinds[kind]})
	}
}
