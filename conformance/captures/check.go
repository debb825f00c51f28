package captures

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"interleave/conformance"
	"interleave/conformance/frontier"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// check is a check of a capture, up to some packet.
type check struct {
	*traffic     // of the packets so far
	world        *frontier.World
	packets      []capture.Packet
	overview     *overview // nil: what is to come is unknown
	incarnations map[incarnation]*frontier.Incarnation
	judged       int // messages and acknowledgements
	report       Report
}

func newCheck(s *context, packets []capture.Packet, o Options, e effort) *check {
	c := &check{
		traffic: newTraffic(s, o), packets: packets, overview: newOverview(s, packets, o), report: s.about, incarnations: map[incarnation]*frontier.Incarnation{},
	}
	c.world = (&frontier.World{
		Machine: s.machine, Ring: s.ring, Unordered: s.unordered, Duplicates: o.Duplicates, Limit: o.Limit, Ahead: e.ahead, Narrow: e.narrow, Gaps: o.Gaps,
		Work: o.work(len(packets)), Stop: o.stop(),
	}).Begin()
	return c
}

// run checks all packets.
func (c *check) run() error {
	err := c.explain()
	c.options.spend(c.world.Tried, len(c.context.packets))
	var wrong *Unexplained
	switch {
	case errors.As(err, &wrong):
		c.report.Verdict, c.report.Unexplained = conformance.Refuted, wrong
	case nobodyKnows(err):
		c.report.Verdict, c.report.Reason = conformance.Unknown, err.Error()
	case err != nil:
		return err
	case c.counted.Data == 0:
		return &conformance.UnusableError{
			Reason: fmt.Sprintf("none of its %d frames of this run carries a message, so there is nothing to judge", len(c.packets)),
			Silent: true,
		}
	case c.judged == 0:
		return &conformance.UnusableError{
			Reason: fmt.Sprintf("none of its %d frames of this run says what process %v did, so there is nothing to judge", len(c.packets), c.options.Only),
			Silent: true,
		}
	default:
		c.report.Verdict = conformance.Conforms
	}
	if c.report.Verdict == conformance.Refuted && c.options.Gaps {
		if err := c.imagine(); nobodyKnows(err) {
			c.report.Verdict, c.report.Reason, c.report.Unexplained = conformance.Unknown, "what processes may have sent is more than is looked at: "+err.Error(), nil
		} else if err != nil {
			return err
		}
	}
	c.count()
	return nil
}

// maxImagined bounds the ways of an incarnation that are considered for what it could have sent next. Where those are
// more, as in an algorithm whose messages grow, the next pass would have as many for each of them.
const maxImagined = 1 << 14

// imagine collects what every process could have sent next: that may be what is
// missing.
func (c *check) imagine() error {
	for name := range c.overview.whole.senders {
		l, err := c.incarnation(name)
		if err != nil {
			return err
		}
		if _, err = l.Possible(c.overview.whole.last(name)+uint64(c.world.Ahead), maxImagined); err != nil {
			return err
		}
	}
	return nil
}

func (c *check) explain() error {
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
func (c *check) packet(p capture.Packet) error {
	says, wrong := c.read(p)
	if wrong != nil {
		return wrong
	}
	f := p.Frame
	l, err := c.incarnation(incarnation{f.From, f.Incarnation})
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

// incarnation returns an incarnation of a process, and begins it if it is new.
func (c *check) incarnation(name incarnation) (*frontier.Incarnation, error) {
	l := c.incarnations[name]
	if l != nil {
		return l, nil
	}
	memories := []frontier.Memory{{State: c.traits.Zero}}
	if c.traits.Stable != nil && 1 < name.number && name.number < clockCounts {
		var err error
		if memories, err = c.memories(name); err != nil {
			return nil, err
		}
	}
	l = c.world.NewIncarnation(name.id, name.number, memories)
	l.Again = name.number < clockCounts && c.before(name).number > 0
	c.incarnations[name] = l
	if c.overview != nil {
		c.overview.inform(l)
	}
	if c.options.anyOrder {
		c.putAll(l)
	}
	return l, nil
}

// memories returns what an incarnation of a process can find that comes after another: what the one
// before it left. All that that one sent was seen, except by its last step; or by more steps,
// if that explains nothing.
func (c *check) memories(name incarnation) ([]frontier.Memory, error) {
	before := c.before(name)
	if before.number == 0 { // those before it said nothing, and took no step
		return []frontier.Memory{{State: conformance.Born(c.machine, name.id, c.ring)}}, nil
	}
	l, err := c.incarnation(before)
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
		if m.Left.State() == nil && m.Left.Former == nil { // a first incarnation that took no step, either
			found[i].State = conformance.Born(c.machine, name.id, c.ring)
		}
	}
	return found, err
}

// known is all that is known of the capture: a former incarnation may be seen after a later one.
func (c *check) known() *traffic {
	if c.overview != nil {
		return c.overview.whole
	}
	return c.traffic
}

// before returns the incarnation before one of the same process, of which there are packets; incarnation 0:
// there is none.
func (c *check) before(name incarnation) incarnation {
	before := incarnation{id: name.id}
	for other := range c.known().senders {
		if other.id == name.id && other.number < name.number {
			before.number = max(before.number, other.number)
		}
	}
	return before
}

// data checks a message, and lets its receiver handle it from now on.
func (c *check) data(p capture.Packet, says news, l *frontier.Incarnation) error {
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
	to, err := c.incarnation(incarnation{f.To, f.Acked})
	if err == nil {
		to.Put(frontier.Message{From: f.From, Incarnation: f.Incarnation, Sequence: f.Sequence, Link: f.Link, Content: says.content, Round: c.roundOf(f) + 1})
	}
	return err
}

var errGap = errors.New("packets are missing")

// ack checks an acknowledgement.
func (c *check) ack(p capture.Packet, l *frontier.Incarnation) error {
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
		return c.unexplained(p, bySteps, "the process says that it has handled a message which it can neither have handled nor refused"+c.skipped(incarnation{f.From, f.Incarnation}))
	}
	return err
}

// incarnationsOf returns the incarnations of a process, the first one first. One whose number its peers
// did not know is none of them.
func (c *check) incarnationsOf(id spec.ID) (names []incarnation) {
	for name := range c.incarnations {
		if name.id == id && name.number > 0 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b incarnation) int { return cmp.Compare(a.number, b.number) })
	return names
}

// putAll lets an incarnation handle from its beginning whatever was sent to it at any time.
func (c *check) putAll(l *frontier.Incarnation) {
	t, me := c.overview.there, incarnation{l.ID, l.Number}
	for _, d := range slices.SortedFunc(maps.Keys(t.flows), compareDirections) {
		if d.to != me {
			continue
		}
		fl := t.flows[d]
		for _, number := range slices.Sorted(maps.Keys(fl.came)) {
			m := t.message(d.from, number)
			l.Put(frontier.Message{From: d.from.id, Incarnation: d.from.number, Sequence: number, Link: fl.links[number], Content: m.content, Round: c.roundOf(m.frame) + 1})
		}
	}
}
