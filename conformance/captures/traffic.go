package captures

import (
	"bytes"
	"cmp"
	"fmt"
	"net/netip"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// traffic is what packets say by themselves, whatever the algorithm does: which incarnations of
// processes there are, and what went from which to which.
type traffic struct {
	*context
	options Options
	senders map[incarnation]*sender
	latest  map[spec.ID]uint32 // the last incarnation of each process
	flows   map[direction]*flow
	spoke   map[sockets]uint32 // the latest incarnation that sent something from one socket to the other
	carried map[sending]bool   // tapped on both sides: frames that were seen
	missed  int                // of those, the ones that were seen behind the network, and not before it
	taken   int                // packets so far
	counted Packets
	wrong   *Unexplained // the first packet that none can follow or precede, whatever is missing
}

// incarnation names an incarnation of a process.
type incarnation struct {
	id     spec.ID
	number uint32
}

// direction is the link from one incarnation of a process to one of another.
type direction struct{ from, to incarnation }

// directionOf returns the direction of a frame.
func directionOf(f wire.Frame) direction {
	return direction{incarnation{f.From, f.Incarnation}, incarnation{f.To, f.Acked}}
}

func (d direction) back() direction { return direction{d.to, d.from} }

// sender is what was heard of an incarnation of a process.
type sender struct {
	messages map[uint64]*message
	last     uint64 // the number of its last message, by that or by an acknowledgement
	round    int64  // lock step: the last round in which it sent a message
}

// message is a message of the capture, which may have it several times.
type message struct {
	number  int // of its first packet, in the file
	at      int // the same, among those that were read: 1 is the first
	frame   wire.Frame
	content any // nil: it is none of the algorithm
}

// news is what a packet says that none before it did.
type news struct {
	*message      // that it has, new or not; nil: it has none
	first    bool // it is the first packet that has it
	comes    bool // and so with this incarnation of its receiver, which may handle it from now on
	missed   bool // it was not seen before the network delivered it
}

// flow is what went in a direction.
type flow struct {
	places map[uint64]uint64 // the number of the message at each place; none where links keep no order
	links  map[uint64]uint64 // the place of each message

	acks      map[uint64]uint64 // the number of the message at each place that was acknowledged
	ackPlaces map[uint64]uint64 // the place of each of those messages
	came      map[uint64]int    // messages that may have been handled, with the packet since which they may, as in message.at
	used      bool              // a frame went there
	top       uint64            // the last place, by a message or by an acknowledgement
	first     uint64            // the least number of a message
	acked     uint64            // the largest number of a message that was acknowledged
	taken     uint64            // the last place that was acknowledged, if that shows what was handled
}

// sockets are a pair between which a process sends datagrams, which keep their order up
// to the tap. Over TCP each incarnation has separate connections.
type sockets struct {
	id       spec.ID
	from, to netip.AddrPort
}

// sending identifies a frame to one incarnation of its receiver.
type sending struct {
	direction
	kind     wire.Kind
	sequence uint64
	sent     int64
}

func newTraffic(s *context, o Options) *traffic {
	return &traffic{
		context: s, options: o, senders: map[incarnation]*sender{}, latest: map[spec.ID]uint32{}, flows: map[direction]*flow{},
		spoke: map[sockets]uint32{}, carried: map[sending]bool{}, counted: s.about.Packets,
	}
}

// readTraffic reads all packets.
func readTraffic(s *context, o Options, packets []capture.Packet) *traffic {
	t := newTraffic(s, o)
	for i, p := range packets {
		if _, wrong := t.read(p); wrong != nil && wrong.cause.certain() && t.wrong == nil {
			wrong.at = i
			t.wrong = wrong
		}
	}
	return t
}

// judges reports whether the sends of a process are judged, or accepted as they are.
func (t *traffic) judges(id spec.ID) bool {
	return t.options.Only == spec.None || t.options.Only == id
}

func (t *traffic) sender(name incarnation) *sender {
	v := t.senders[name]
	if v == nil {
		v = &sender{messages: map[uint64]*message{}}
		t.senders[name], t.latest[name.id] = v, max(t.latest[name.id], name.number)
	}
	return v
}

func (t *traffic) flow(d direction) *flow {
	fl := t.flows[d]
	if fl == nil {
		fl = &flow{places: map[uint64]uint64{}, links: map[uint64]uint64{}, acks: map[uint64]uint64{}, ackPlaces: map[uint64]uint64{}, came: map[uint64]int{}}
		t.flows[d] = fl
	}
	return fl
}

// message returns a message by the number that its incarnation gave it; nil: it was not seen.
func (t *traffic) message(name incarnation, number uint64) *message {
	if v := t.senders[name]; v != nil {
		return v.messages[number]
	}
	return nil
}

// last returns the number of the last message of an incarnation.
func (t *traffic) last(name incarnation) uint64 {
	if v := t.senders[name]; v != nil {
		return v.last
	}
	return 0
}

// top returns the last place on a link that is known, by a message or by an acknowledgement.
func (t *traffic) top(d direction) uint64 {
	if fl := t.flows[d]; fl != nil {
		return fl.top
	}
	return 0
}

// has reports whether there is a message at a place on a link.
func (t *traffic) has(d direction, place uint64) bool {
	fl := t.flows[d]
	return fl != nil && fl.places[place] > 0
}

// restarts counts the incarnations that came after another of their process.
func (t *traffic) restarts() int { return len(t.senders) - len(t.latest) }

// read takes in a packet. It returns what that says, or why nothing explains it, whatever its
// process did.
func (t *traffic) read(p capture.Packet) (says news, wrong *Unexplained) {
	t.taken++
	f, d, n := p.Frame, directionOf(p.Frame), &t.counted
	from, fl := t.sender(d.from), t.flow(d)
	fl.used = true
	if f.Acked > 0 { // else its sender had not met it
		t.sender(d.to)
	}
	if name := (sending{d, f.Kind, f.Sequence, f.Sent}); t.tapped && !t.carried[name] {
		if t.carried[name] = true; p.Delivered() {
			t.missed++
			defer func() { says.missed = true }()
		}
	}
	switch {
	case p.Delivered():
		n.Delivered++
	case !p.TCP:
		at := sockets{f.From, p.From, p.To}
		t.spoke[at] = max(t.spoke[at], f.Incarnation)
	}
	switch {
	case f.Kind == wire.Data:
		says, wrong = t.data(p, from, fl)
	case f.Kind == wire.Ack:
		wrong = t.ack(p, d.back())
	case p.Delivered():
	case f.Kind == wire.Heartbeat:
		n.Heartbeats++
	case f.Kind == wire.Hello:
		n.Hellos++
	case f.Kind == wire.Refuse:
		n.Refusals++
	}
	if wrong == nil {
		wrong = t.cameBack(p)
	}
	return says, wrong
}

// data takes in a message.
func (t *traffic) data(p capture.Packet, from *sender, fl *flow) (says news, wrong *Unexplained) {
	f := p.Frame
	m := from.messages[f.Sequence]
	_, went := fl.links[f.Sequence]
	if m == nil {
		m, says.first = &message{number: p.Number, at: t.taken, frame: f}, true
		from.messages[f.Sequence] = m
		from.last, from.round = max(from.last, f.Sequence), max(from.round, t.roundOf(f))
		t.counted.Data++
		var err error
		if m.content, err = t.codec.Decode(f.Body); err != nil {
			wrong = t.unexplained(p, byContradiction, fmt.Sprintf("its body is not a message of %s: %v", t.traits.Name, err))
		}
	} else if !p.Delivered() {
		t.counted.Again++
	}
	if !went {
		fl.links[f.Sequence] = f.Link
		if fl.first == 0 || f.Sequence < fl.first {
			fl.first = f.Sequence
		}
		fl.top = max(fl.top, f.Link)
		if wrong == nil {
			wrong = t.misplaced(p, fl)
		}
	}
	if says.message = m; t.comes(p) && fl.came[f.Sequence] == 0 {
		fl.came[f.Sequence], says.comes = t.taken, true
	}
	if wrong == nil && (f.To != m.frame.To || f.Link != fl.links[f.Sequence] || !bytes.Equal(f.Body, m.frame.Body)) {
		wrong = t.unexplained(p, byContradiction, fmt.Sprintf("packet %d is of the same name, from %v, incarnation %d, number %d, and says something else", m.number, f.From, f.Incarnation, f.Sequence))
	}
	if wrong == nil && p.Delivered() && !went && !t.options.Gaps && !t.options.anyOrder {
		wrong = t.unexplained(p, byAbsence, "the network delivers a message that nobody was seen to send")
	}
	return says, wrong
}

// misplaced returns what is wrong with where a message is seen first in a flow.
func (t *traffic) misplaced(p capture.Packet, fl *flow) *Unexplained {
	reason := fl.put(p.Frame)
	if !t.judges(p.Frame.From) {
		return nil
	}
	if reason != "" {
		return t.unexplained(p, byContradiction, reason)
	}
	if later := t.spoke[sockets{p.Frame.From, p.From, p.To}]; later > p.Frame.Incarnation && !p.TCP && !t.options.Gaps && !t.options.anyOrder { // else it may have been sent before
		return t.unexplained(p, byEnd, fmt.Sprintf("incarnation %d of the process has spoken before, from the same address to the same, so this one was over", later))
	}
	return nil
}

// ack takes in an acknowledgement of what went the other way.
func (t *traffic) ack(p capture.Packet, back direction) *Unexplained {
	f, fl, to := p.Frame, t.flow(back), t.sender(back.from)
	if !p.Delivered() {
		t.counted.Acks++
	}
	fl.top, fl.acked, to.last = max(fl.top, f.Link), max(fl.acked, f.Sequence), max(to.last, f.Sequence)
	if !t.options.NoReceives {
		fl.taken = max(fl.taken, f.Link)
	}
	if f.Link == 0 || t.options.NoReceives || !t.judges(f.From) {
		return nil
	}
	if at := fl.places[f.Link]; at > 0 && at != f.Sequence {
		return t.unexplained(p, byContradiction, fmt.Sprintf("it acknowledges message %d at place %d of the link, where message %d is", f.Sequence, f.Link, at))
	}
	if reason := fl.misfit(f.Sequence, f.Link); reason != "" {
		return t.unexplained(p, byContradiction, fmt.Sprintf("it acknowledges message %d at place %d of the link, where that cannot be: %s", f.Sequence, f.Link, reason))
	}
	fl.acks[f.Link], fl.ackPlaces[f.Sequence] = f.Sequence, f.Link
	return nil
}

// cameBack refutes one restart too many; and in lock step, that an incarnation which is not the last
// of its process has sent a message in a round. A process that goes down before the first
// round may come back.
func (t *traffic) cameBack(p capture.Packet) *Unexplained {
	if n := t.restarts(); t.options.Restarts != nil && n > *t.options.Restarts {
		return t.unexplained(p, byBudget, fmt.Sprintf("it tells of crash and restart number %d of the run, and the declared budget is %d", n, *t.options.Restarts))
	}
	if t.round <= 0 || t.restarts() == 0 {
		return nil
	}
	for name, v := range t.senders {
		if v.round > 0 && name.number < t.latest[name.id] && t.judges(name.id) {
			u := t.unexplained(p, byContradiction, fmt.Sprintf("incarnation %d of process %v sent a message in round %d, and incarnation %d is there: in lock step nobody comes back",
				name.number, name.id, v.round, t.latest[name.id]))
			u.Process, u.Incarnation = name.id, t.latest[name.id] // although another may have sent it
			return u
		}
	}
	return nil
}

func compareDirections(a, b direction) int {
	return cmp.Or(cmp.Compare(a.from.id, b.from.id), cmp.Compare(a.from.number, b.from.number), cmp.Compare(a.to.id, b.to.id), cmp.Compare(a.to.number, b.to.number))
}
