package captures

import (
	"cmp"
	"fmt"
	"slices"

	"interleave/conformance"
	"interleave/impl/capture"
	"interleave/impl/wire"
)

const (
	maxTried = 20_000 // largest number of packets of a capture that is tried with changes
	maxMoves = 12     // number of places to which a packet is moved
)

// counterfactuals are changes to a refuted capture.
type counterfactuals struct{ *check }

// try fills in the results of leaving out, changing or moving the packet that nothing
// explains, and of packets that are missing though nothing tells of them.
func (c counterfactuals) try() {
	u := c.report.Unexplained
	if len(c.packets) > maxTried || !u.cause.changeable() {
		return
	}
	left := c.options.tries()
	c.options.left = &left
	f := c.packets[u.at].Frame
	evident := c.options
	evident.Gaps, evident.evident = true, !c.options.Gaps
	u.Counterfactuals = append(u.Counterfactuals, c.trial("without it", c.lacking(f, u.at), evident))
	for i, a := range u.Allowed[:min(3, len(u.Allowed))] {
		changed := slices.Clone(c.packets)
		body, err := c.codec.Append(nil, u.instead[i].Content)
		if err != nil {
			continue
		}
		for j, p := range changed {
			if sameMessage(p.Frame, f) {
				changed[j].Frame.To, changed[j].Frame.Body = u.instead[i].To, body
			}
		}
		u.Counterfactuals = append(u.Counterfactuals, c.trial("changed to "+a.What, changed, evident))
	}
	if u.cause.movable() {
		if t, tried := c.moves(evident); tried {
			u.Counterfactuals = append(u.Counterfactuals, t)
		}
	}
	if missing := c.options; !missing.Gaps && !u.cause.certain() {
		missing.Gaps = true
		u.Counterfactuals = append(u.Counterfactuals, c.trial("if packets are missing, as with --gaps", c.packets, missing))
	}
}

// moves tries to move the packet behind each of the next messages to its process.
func (c counterfactuals) moves(o Options) (t Counterfactual, tried bool) {
	u, moves := c.report.Unexplained, 0
	for j := u.at + 1; j < len(c.packets) && moves < maxMoves; j++ {
		p := c.packets[j]
		if p.Frame.To != c.packets[u.at].Frame.From || p.Frame.Kind != wire.Data {
			continue
		}
		moves++
		moved := slices.Clone(c.packets)
		copy(moved[u.at:j], moved[u.at+1:j+1])
		moved[j] = c.packets[u.at]
		if t := c.trial(fmt.Sprintf("moved behind packet %d", p.Number), moved, o); t.Helps {
			return t, true
		}
	}
	return Counterfactual{Change: fmt.Sprintf("moved behind each of the next %d messages to its process", moves), Result: "the rest is not explained"}, moves > 0
}

// trial judges changed packets.
func (c counterfactuals) trial(change string, packets []capture.Packet, o Options) Counterfactual {
	t := Counterfactual{Change: change, Result: "nothing is known then"}
	other, err := judge(c.context, packets, o, little, nil)
	switch {
	case err != nil:
		t.Result = err.Error()
	case other.report.Verdict == conformance.Conforms:
		t.Result, t.Helps = "the rest is explained", true
	case other.undeclared():
	case other.report.Verdict == conformance.Refuted && other.report.Unexplained.Number == c.report.Unexplained.Number:
		t.Result = "nothing explains it then either"
	case other.report.Verdict == conformance.Refuted:
		t.Result = fmt.Sprintf("then nothing explains packet %d: %s", other.report.Unexplained.Number, other.report.Unexplained.What)
	}
	return t
}

func sameMessage(a, b wire.Frame) bool {
	return a.Kind == wire.Data && b.Kind == wire.Data && a.From == b.From && a.Incarnation == b.Incarnation && a.Sequence == b.Sequence
}

// lacking returns all packets except those of a message, or except the packet if it is
// none.
func (c counterfactuals) lacking(f wire.Frame, at int) (rest []capture.Packet) {
	for i, p := range c.packets {
		if i != at && !sameMessage(p.Frame, f) {
			rest = append(rest, p)
		}
	}
	return rest
}

// Minimal returns few packets of a refuted capture. If their process alone is judged,
// the packet that nothing explains is still unexplained, whatever the packets were that
// are left out. If Minimal was interrupted, or has tried enough, it is not done, and
// fewer may be enough. It returns nil if the capture is not refuted, or it was
// interrupted before that was known.
func Minimal(packets []capture.Packet, o Options) (few []capture.Packet, done bool, err error) {
	o.Safety = nil
	c, err := open(packets, o)
	if err != nil || c.report.Verdict != conformance.Refuted {
		return nil, false, err
	}
	u := c.report.Unexplained
	failing := c.packets[u.at]
	left := o.tries()
	o.Only, o.left = u.Process, &left
	more := func() bool { return left > 0 && o.stop()() == nil }
	still := func(rest []capture.Packet) bool {
		return stillUnexplained(c, append(slices.Clone(rest), failing), o)
	}
	few = slices.Clone(c.packets[:u.at])
	own := slices.DeleteFunc(slices.Clone(few), func(p capture.Packet) bool {
		return p.Frame.From != u.Process && (p.Frame.To != u.Process || p.Frame.Kind != wire.Data)
	})
	if still(own) { // else it matters that what the others said to each other is not missing
		few = own
	}
	return append(shrink(few, still, more), failing), more(), nil
}

// enough is a minute's work.
const enough = 1 << 25

// tries bounds the hidden steps and packets of all counterfactuals, and of Minimal.
func (o *Options) tries() int { return cmp.Or(o.Tries, enough) }

// stillUnexplained reports whether the same packet is unexplained in a part of
// the capture, also if what is left out may have been anything.
func stillUnexplained(c *check, packets []capture.Packet, o Options) bool {
	u := c.report.Unexplained
	same := func(r *Report) bool {
		return r.Verdict == conformance.Refuted && r.Unexplained.Number == u.Number
	}
	alone, err := Check(packets, o)
	if err != nil || !same(alone) || alone.Unexplained.cause.certain() {
		return err == nil && same(alone)
	}
	o.Gaps, o.evident = true, true
	before := *c.context // what came later explains nothing
	before.packets = c.packets[:u.at+1]
	before.whole = readTraffic(&before, o, before.packets)
	part, err := judge(&before, packets, o, efforts, nil)
	return err == nil && same(&part.report) && !part.undeclared()
}

// shrink leaves out parts of a list, first halves and in the end single elements, as
// long as the rest still has the property, and more may be tried.
func shrink[T any](list []T, still func([]T) bool, more func() bool) []T {
	for size := (len(list) + 1) / 2; size > 0; {
		shorter := false
		for at := 0; at < len(list); {
			if !more() {
				return list
			}
			rest := slices.Concat(list[:at], list[min(at+size, len(list)):])
			if still(rest) {
				list, shorter = rest, true
			} else {
				at += size
			}
		}
		if size == 1 && !shorter {
			break
		}
		if size = min(size, len(list)+1) / 2; size == 0 && shorter {
			size = 1
		}
	}
	return list
}
