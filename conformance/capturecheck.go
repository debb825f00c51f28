package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"

	"interleave/conformance/frontier"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// lifeName names an incarnation of a process.
type lifeName struct {
	id          spec.ID
	incarnation uint32
}

// life is an incarnation of a process, up to the packet that was read last.
type life struct {
	*frontier.Life
	sent  map[uint64]*message // all messages that the capture has of it, by number
	last  uint64
	round int64 // lock step: the last round in which it sent a message
}

// message is a message of the capture, which may have it several times.
type message struct {
	first   int // index of its first packet in the capture
	frame   wire.Frame
	content any
	sent    bool              // it was seen before the network
	links   map[uint32]uint64 // its place on the link to each incarnation of the receiver that it went to
	put     map[uint32]bool   // those incarnations that may have handled it
}

// captureCheck is the state of a check of a capture.
type captureCheck struct {
	*scene
	options CaptureOptions
	world   *frontier.World
	packets []capture.Packet
	outlook *outlook
	lives   map[lifeName]*life // seen so far
	latest  map[spec.ID]uint32
	spoke   map[sockets]uint32 // the latest incarnation that sent something from one socket to the other
	places  map[place]uint64   // the number of the message there
	judged  int                // messages and acknowledgements
	report  CaptureReport
}

// sockets are a pair between which a process sends datagrams, which keep their order up
// to the tap. Over TCP each incarnation has separate connections.
type sockets struct {
	id       spec.ID
	from, to netip.AddrPort
}

// place is a place on a link.
type place struct {
	from, to        spec.ID
	incarnation, of uint32
	link            uint64
}

func newCaptureCheck(s *scene, packets []capture.Packet, o CaptureOptions, e effort, about CaptureReport) *captureCheck {
	c := &captureCheck{
		scene: s, options: o, packets: packets, outlook: newOutlook(s, packets, !o.evident), report: about,
		lives: map[lifeName]*life{}, latest: map[spec.ID]uint32{}, spoke: map[sockets]uint32{}, places: map[place]uint64{},
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
	case c.report.Packets.Data == 0:
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
		c.imagine()
	}
	c.count()
	return nil
}

// imagine collects what every process could have sent next: that may be what is
// missing.
func (c *captureCheck) imagine() {
	for name := range c.outlook.known {
		if l, err := c.life(name); err == nil {
			_, _ = l.Possible(c.outlook.last[name] + uint64(c.world.Ahead)) // within the limits of the search
		}
	}
}

func (c *captureCheck) explain() error {
	for i, p := range c.packets {
		if err := c.packet(i, p); err != nil {
			var wrong *Unexplained
			if errors.As(err, &wrong) {
				wrong.at = i
			}
			return err
		}
	}
	return nil
}

// judges reports whether the sends of a process are judged, or accepted as they are.
func (c *captureCheck) judges(id spec.ID) bool {
	return c.options.Only == spec.None || c.options.Only == id
}

func (c *captureCheck) lifeIn(lives map[lifeName]*life, name lifeName) *life {
	l := lives[name]
	if l == nil {
		l = &life{sent: map[uint64]*message{}}
		lives[name] = l
	}
	return l
}

// packet checks one packet, and refutes a restart too many, and one in lock step.
func (c *captureCheck) packet(i int, p capture.Packet) error {
	if err := c.look(i, p); err != nil {
		return err
	}
	if name, round := c.cameBack(); round > 0 {
		u := c.unexplained(p, fmt.Sprintf("incarnation %d of process %v sent a message in round %d, and incarnation %d is there: in lock step nobody comes back",
			name.incarnation, name.id, round, c.latest[name.id]))
		u.Process, u.Incarnation = name.id, c.latest[name.id] // although another may have sent it
		return u
	}
	if c.options.Restarts == nil {
		return nil
	}
	if n := c.restarts(); n > *c.options.Restarts {
		u := c.unexplained(p, fmt.Sprintf("it tells of crash and restart number %d of the run, and the declared budget is %d", n, *c.options.Restarts))
		u.spent = true
		return u
	}
	return nil
}

// cameBack returns a life that has sent a message in a round of lock step, and was not
// the last of its process; round 0: there is none. A process that goes down before the
// first round may come back.
func (c *captureCheck) cameBack() (name lifeName, round int64) {
	if c.round <= 0 {
		return lifeName{}, 0
	}
	for name, l := range c.lives {
		if l.round > 0 && name.incarnation < c.latest[name.id] && c.judges(name.id) {
			return name, l.round
		}
	}
	return lifeName{}, 0
}

// restarts counts the incarnations that came after another of their process.
func (c *captureCheck) restarts() (n int) {
	for name := range c.lives {
		if name.incarnation != 0 && name.incarnation != c.latest[name.id] { // 0: the sender had not met it
			n++
		}
	}
	return n
}

// look checks one packet, as part of its incarnation.
func (c *captureCheck) look(i int, p capture.Packet) error {
	f, n := p.Frame, &c.report.Packets
	l, err := c.life(lifeName{f.From, f.Incarnation})
	if err != nil {
		return err
	}
	if p.Interface == capture.Delivered.String() {
		n.Delivered++
		return c.delivered(i, p, l)
	}
	if !p.TCP {
		at := sockets{f.From, p.From, p.To}
		c.spoke[at] = max(c.spoke[at], f.Incarnation)
	}
	switch f.Kind {
	case wire.Data:
		return c.data(i, p, l)
	case wire.Ack:
		n.Acks++
		return c.ack(p, l)
	case wire.Heartbeat:
		n.Heartbeats++
	case wire.Hello:
		n.Hellos++
	case wire.Refuse:
		n.Refusals++
	}
	return nil
}

// clockCounts is the least incarnation that is a time in seconds, as in a process
// without stable storage.
const clockCounts = 1_000_000_000

// life returns an incarnation of a process, and begins it if it is new.
func (c *captureCheck) life(name lifeName) (*life, error) {
	l := c.lives[name]
	if l != nil {
		return l, nil
	}
	memories := []frontier.Memory{{State: c.traits.Zero}}
	before := c.latest[name.id]
	switch again := c.traits.Stable != nil && 1 < name.incarnation && name.incarnation < clockCounts; {
	case again && before == 0: // the lives before it said nothing, and took no step
		memories = []frontier.Memory{{State: born(c.machine, name.id, c.ring)}}
	case again && before < name.incarnation:
		var err error
		if memories, err = c.memories(lifeName{name.id, before}); err != nil {
			return nil, err
		}
	}
	if before < name.incarnation {
		c.latest[name.id] = name.incarnation
	}
	l = c.lifeIn(c.lives, name)
	l.Life = c.world.NewLife(name.id, name.incarnation, memories)
	if c.outlook != nil { // else what is to come is unknown
		c.outlook.tell(l.Life)
	}
	return l, nil
}

// memories returns what a process can find after a crash in a life. All that it sent
// was seen, except by its last step; or by more steps, if that explains nothing.
func (c *captureCheck) memories(name lifeName) ([]frontier.Memory, error) {
	sent := c.lives[name].Seen
	if c.outlook != nil {
		sent = c.outlook.last[name]
	}
	if c.world.Short = true; c.world.Ahead > efforts[0].ahead {
		sent += uint64(c.world.Ahead)
	}
	return c.lives[name].Memories(sent)
}

// data checks a message.
func (c *captureCheck) data(i int, p capture.Packet, l *life) error {
	f := p.Frame
	if m := l.sent[f.Sequence]; m != nil {
		c.report.Packets.Again++
		return c.copied(p, m)
	}
	content, err := c.codec.Decode(f.Body)
	if err != nil {
		return c.unexplained(p, fmt.Sprintf("its body is not a message of %s: %v", c.traits.Name, err))
	}
	m := &message{first: i, frame: f, content: content, sent: true, links: map[uint32]uint64{f.Acked: f.Link}, put: map[uint32]bool{}}
	l.sent[f.Sequence], l.last, l.round = m, max(l.last, f.Sequence), max(l.round, c.roundOf(f))
	c.report.Packets.Data++
	if err := c.misplaced(p); err != nil {
		return err
	}
	ok, instead := true, []frontier.Miss(nil)
	if c.judges(f.From) {
		c.judged++
		ok, instead, err = l.Sent(frontier.Send{Sequence: f.Sequence, To: f.To, Content: content, Round: c.roundOf(f)})
	}
	if err != nil {
		return err
	}
	if !ok {
		return c.refute(p, content, instead)
	}
	if !c.tapped {
		return c.put(m, f)
	}
	return nil
}

// copied checks a message that is seen again. It may also go to another incarnation of
// its receiver, which has not met the sender.
func (c *captureCheck) copied(p capture.Packet, m *message) error {
	if err := c.goes(p, m); err != nil || c.tapped || m.put[p.Frame.Acked] {
		return err
	}
	return c.put(m, p.Frame)
}

// goes records to which incarnation of its receiver a known message goes, and requires
// it to be unchanged.
func (c *captureCheck) goes(p capture.Packet, m *message) error {
	f := p.Frame
	if _, known := m.links[f.Acked]; !known {
		m.links[f.Acked] = f.Link
		if err := c.misplaced(p); err != nil {
			return err
		}
	}
	return c.again(p, m)
}

// again requires a message that is seen again to be unchanged.
func (c *captureCheck) again(p capture.Packet, m *message) error {
	f := p.Frame
	if link, known := m.links[f.Acked]; !known || f.To != m.frame.To || f.Link != link || !bytes.Equal(f.Body, m.frame.Body) {
		return c.unexplained(p, fmt.Sprintf("packet %d is of the same name, from %v, incarnation %d, number %d, and says something else", c.packets[m.first].Number, f.From, f.Incarnation, f.Sequence))
	}
	return nil
}

// misplaced returns what is wrong with where a message is seen first, on its link and
// in the capture.
func (c *captureCheck) misplaced(p capture.Packet) error {
	reason := c.outOfPlace(p.Frame)
	later := c.spoke[sockets{p.Frame.From, p.From, p.To}]
	late := reason == "" && later > p.Frame.Incarnation && !p.TCP && !c.options.Gaps // else it may have been sent before
	if late {
		reason = fmt.Sprintf("incarnation %d of the process has spoken before, from the same address to the same, so this one was over", later)
	}
	if reason == "" || !c.judges(p.Frame.From) {
		return nil
	}
	u := c.unexplained(p, reason)
	u.late = late
	return u
}

// outOfPlace returns why a message cannot have its place on its link; "" if it
// can.
func (c *captureCheck) outOfPlace(f wire.Frame) string {
	if f.Link == 0 {
		return ""
	}
	at := place{f.From, f.To, f.Incarnation, f.Acked, f.Link}
	if f.Link > f.Sequence {
		return fmt.Sprintf("it has place %d on its link, and is message %d of its process at all", f.Link, f.Sequence)
	}
	if other, taken := c.places[at]; taken {
		return fmt.Sprintf("its place %d on the link is that of message %d", f.Link, other)
	}
	c.places[at] = f.Sequence
	before, behind := at, at
	before.link--
	behind.link++
	if m, ok := c.places[before]; ok && m > f.Sequence {
		return fmt.Sprintf("the place before it on the link has message %d, which was sent later", m)
	}
	if m, ok := c.places[behind]; ok && m < f.Sequence {
		return fmt.Sprintf("the place behind it on the link has message %d, which was sent before", m)
	}
	return ""
}

// delivered checks a frame behind the network. With gaps it may be the first frame with
// its message.
func (c *captureCheck) delivered(i int, p capture.Packet, l *life) (err error) {
	f := p.Frame
	if f.Kind != wire.Data {
		return nil
	}
	m := l.sent[f.Sequence]
	switch {
	case m == nil && c.options.Gaps:
		err = c.data(i, p, l)
		m = l.sent[f.Sequence]
	case m == nil:
		return c.unexplained(p, "the network delivers a message that nobody was seen to send")
	case c.options.Gaps:
		err = c.goes(p, m)
	default:
		err = c.again(p, m)
	}
	if err != nil || m.put[f.Acked] {
		return err
	}
	return c.put(m, f)
}

// put lets the receiver handle a message from now on.
func (c *captureCheck) put(m *message, f wire.Frame) error {
	m.put[f.Acked] = true
	to, err := c.life(lifeName{f.To, f.Acked})
	if err != nil {
		return err
	}
	to.Put(frontier.Message{From: f.From, Incarnation: f.Incarnation, Sequence: f.Sequence, Link: f.Link, Content: m.content, Round: c.roundOf(f) + 1})
	return nil
}

var errGap = errors.New("packets are missing")

// ack checks an acknowledgement.
func (c *captureCheck) ack(p capture.Packet, l *life) error {
	f := p.Frame
	if c.unordered || c.options.NoReceives || !c.judges(f.From) {
		return nil
	}
	if gap := l.Missing(f.To, f.Acked, f.Link); gap > 0 && !c.options.Gaps {
		return fmt.Errorf("%w: packet %d: process %v acknowledges all messages of process %v up to place %d on their link, and the one at place %d is not in the capture", errGap, p.Number, f.From, f.To, f.Link, gap)
	}
	at := c.places[place{f.To, f.From, f.Acked, f.Incarnation, f.Link}]
	if at != f.Sequence && at > 0 {
		return c.unexplained(p, fmt.Sprintf("it acknowledges message %d at place %d of the link, where message %d is", f.Sequence, f.Link, at))
	}
	if c.round > 0 { // it has come, and is read with its round, or was too late for it
		return nil
	}
	c.judged++
	ok, err := l.Acknowledged(f.To, f.Acked, f.Link)
	if err == nil && !ok {
		return c.unexplained(p, "the process says that it has handled a message which it can neither have handled nor refused")
	}
	return err
}
