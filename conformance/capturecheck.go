package conformance

import (
	"errors"
	"fmt"

	"interleave/conformance/frontier"
	"interleave/impl/capture"
	"interleave/impl/wire"
)

// captureCheck is the state of a check of a capture.
type captureCheck struct {
	*traffic // of the packets so far
	world    *frontier.World
	packets  []capture.Packet
	outlook  *outlook // nil: what is to come is unknown
	lives    map[lifeName]*frontier.Life
	judged   int // messages and acknowledgements
	report   CaptureReport
}

func newCaptureCheck(s *scene, packets []capture.Packet, o CaptureOptions, e effort) *captureCheck {
	c := &captureCheck{
		traffic: newTraffic(s, o), packets: packets, outlook: newOutlook(s, packets, o), report: s.about, lives: map[lifeName]*frontier.Life{},
	}
	c.world = (&frontier.World{
		Machine: s.machine, Ring: s.ring, Unordered: s.unordered, Duplicates: o.Duplicates, Limit: o.Limit, Ahead: e.ahead, Narrow: e.narrow, Gaps: o.Gaps,
		Work: o.work(len(packets)), Stop: o.stop(),
	}).Begin()
	return c
}

// run checks all packets.
func (c *captureCheck) run() error {
	err := c.explain()
	c.options.spend(c.world.Tried, len(c.scene.packets))
	var wrong *Unexplained
	switch {
	case errors.As(err, &wrong):
		c.report.Verdict, c.report.Unexplained = Refuted, wrong
	case nobodyKnows(err):
		c.report.Verdict, c.report.Reason = Unknown, err.Error()
	case err != nil:
		return err
	case c.counted.Data == 0:
		return &UnusableError{
			Reason: fmt.Sprintf("none of its %d frames of this run carries a message, so there is nothing to judge", len(c.packets)),
			Silent: true,
		}
	case c.judged == 0:
		return &UnusableError{
			Reason: fmt.Sprintf("none of its %d frames of this run says what process %v did, so there is nothing to judge", len(c.packets), c.options.Only),
			Silent: true,
		}
	default:
		c.report.Verdict = Conforms
	}
	if c.report.Verdict == Refuted && c.options.Gaps {
		if err := c.imagine(); nobodyKnows(err) {
			c.report.Verdict, c.report.Reason, c.report.Unexplained = Unknown, "what processes may have sent is more than is looked at: "+err.Error(), nil
		} else if err != nil {
			return err
		}
	}
	c.count()
	return nil
}

// maxImagined bounds the ways of a life that are considered for what it could have sent next. Where those are
// more, as in an algorithm whose messages grow, the next pass would have as many for each of them.
const maxImagined = 1 << 14

// imagine collects what every process could have sent next: that may be what is
// missing.
func (c *captureCheck) imagine() error {
	for name := range c.outlook.whole.voices {
		l, err := c.life(name)
		if err != nil {
			return err
		}
		if _, err = l.Possible(c.outlook.whole.last(name)+uint64(c.world.Ahead), maxImagined); err != nil {
			return err
		}
	}
	return nil
}

func (c *captureCheck) explain() error {
	for i, p := range c.packets {
		if err := c.packet(p); err != nil {
			var wrong *Unexplained
			if errors.As(err, &wrong) {
				wrong.at = i
			}
			return err
		}
	}
	return nil
}

// packet checks one packet, as part of its incarnation.
func (c *captureCheck) packet(p capture.Packet) error {
	says, wrong := c.read(p)
	if wrong != nil {
		return wrong
	}
	f := p.Frame
	l, err := c.life(lifeName{f.From, f.Incarnation})
	if err != nil {
		return err
	}
	switch {
	case f.Kind == wire.Data:
		return c.data(p, says, l)
	case f.Kind == wire.Ack && (!p.Delivered() || says.missed): // else it was judged when it was sent
		return c.ack(p, l)
	}
	return nil
}

// clockCounts is the least incarnation that is a time in seconds, as in a process
// without stable storage.
const clockCounts = 1_000_000_000

// life returns an incarnation of a process, and begins it if it is new.
func (c *captureCheck) life(name lifeName) (*frontier.Life, error) {
	l := c.lives[name]
	if l != nil {
		return l, nil
	}
	memories := []frontier.Memory{{State: c.traits.Zero}}
	if c.traits.Stable != nil && 1 < name.incarnation && name.incarnation < clockCounts {
		var err error
		if memories, err = c.memories(name); err != nil {
			return nil, err
		}
	}
	l = c.world.NewLife(name.id, name.incarnation, memories)
	l.Again = name.incarnation < clockCounts && c.before(name).incarnation > 0
	c.lives[name] = l
	if c.outlook != nil {
		c.outlook.tell(l)
	}
	if c.options.anyOrder {
		c.putAll(l)
	}
	return l, nil
}

// memories returns what a life of a process can find that comes after another: what the one
// before it left. All that that one sent was seen, except by its last step; or by more steps,
// if that explains nothing.
func (c *captureCheck) memories(name lifeName) ([]frontier.Memory, error) {
	before := c.before(name)
	if before.incarnation == 0 { // the lives before it said nothing, and took no step
		return []frontier.Memory{{State: born(c.machine, name.id, c.ring)}}, nil
	}
	l, err := c.life(before)
	if err != nil {
		return nil, err
	}
	sent := c.known().last(before)
	most := sent
	if c.world.Short = true; c.world.Ahead > efforts[0].ahead {
		most += uint64(c.world.Ahead)
	}
	found, err := l.Memories(sent, most)
	for i, m := range found {
		if m.Left.State() == nil && m.Left.Former == nil { // a first life that took no step, either
			found[i].State = born(c.machine, name.id, c.ring)
		}
	}
	return found, err
}

// known is all that is known of the capture: a former life may be seen after a later one.
func (c *captureCheck) known() *traffic {
	if c.outlook != nil {
		return c.outlook.whole
	}
	return c.traffic
}

// before returns the life before one of the same process, of which there are packets; incarnation 0:
// there is none.
func (c *captureCheck) before(name lifeName) lifeName {
	before := lifeName{id: name.id}
	for other := range c.known().voices {
		if other.id == name.id && other.incarnation < name.incarnation {
			before.incarnation = max(before.incarnation, other.incarnation)
		}
	}
	return before
}

// data checks a message, and lets its receiver handle it from now on.
func (c *captureCheck) data(p capture.Packet, says news, l *frontier.Life) error {
	f := p.Frame
	if says.first && c.judges(f.From) {
		c.judged++
		ok, instead, err := l.Sent(frontier.Send{Sequence: f.Sequence, To: f.To, Content: says.content, Round: c.roundOf(f)})
		if err != nil {
			return err
		}
		if !ok {
			return c.refute(p, says.content, instead)
		}
	}
	if !says.comes || c.options.anyOrder || c.options.once && c.known().goesOn(directionOf(f), f.Sequence) {
		return nil
	}
	to, err := c.life(lifeName{f.To, f.Acked})
	if err == nil {
		to.Put(frontier.Message{From: f.From, Incarnation: f.Incarnation, Sequence: f.Sequence, Link: f.Link, Content: says.content, Round: c.roundOf(f) + 1})
	}
	return err
}

var errGap = errors.New("packets are missing")

// ack checks an acknowledgement.
func (c *captureCheck) ack(p capture.Packet, l *frontier.Life) error {
	f := p.Frame
	if c.unordered || c.options.NoReceives || !c.judges(f.From) {
		return nil
	}
	if gap := l.Missing(f.To, f.Acked, f.Link); gap > 0 && !c.options.Gaps {
		return c.unexplained(p, byAbsence, fmt.Sprintf("it acknowledges all messages of process %v up to place %d on their link, and the one at place %d is not in the capture", f.To, f.Link, gap))
	}
	if c.round > 0 { // it has come, and is read with its round, or was too late for it
		return nil
	}
	c.judged++
	ok, err := l.Acknowledged(f.To, f.Acked, f.Link)
	if err == nil && !ok {
		return c.unexplained(p, bySteps, "the process says that it has handled a message which it can neither have handled nor refused"+c.skipped(lifeName{f.From, f.Incarnation}))
	}
	return err
}
