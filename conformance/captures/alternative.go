package captures

import (
	"fmt"
	"slices"
	"strings"

	"interleave/conformance"
	"interleave/conformance/frontier"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/spec"
)

// alternative says what a process could have sent in place of a frame, and in what
// the frame differs from it.
func (c *check) alternative(f wire.Frame, content any, m frontier.Alternative) Alternative {
	a := Alternative{What: fmt.Sprintf("message %d, %v to %v", m.Send.Sequence, m.Send.Content, m.Send.To), When: c.inWords(m.Input)}
	if text, err := runlog.PlainJSON(m.After); err == nil {
		a.State = string(text)
	}
	if m.Send.To != f.To {
		a.Misses = append(a.Misses, conformance.FieldDiff{Field: "to", Expected: m.Send.To.String(), Found: f.To.String()})
	}
	a.Misses = append(a.Misses, conformance.DiffMessages(m.Send.Content, content)...)
	return a
}

// inWords returns a hidden step in words.
func (c *check) inWords(in frontier.Input) string {
	text := c.traits.EventName(in.Event)
	switch in.Kind {
	case spec.Act:
		if in.Value != nil {
			text += fmt.Sprintf(" %v", in.Value)
		}
	case spec.Receive:
		text += fmt.Sprintf(" %v from %v", in.Message, in.From)
	case spec.Timeout:
		text += " " + c.traits.Rules[in.Timer].Name
	case spec.Suspect, spec.Restore:
		text += fmt.Sprintf(" %v", in.Peer)
	}
	if in.Choices != nil {
		text += fmt.Sprintf(", choosing %s", strings.Trim(fmt.Sprint(in.Choices), "[]"))
	}
	return text
}

// unexplained says that nothing explains a packet.
func (s *context) unexplained(p capture.Packet, by cause, reason string) *Unexplained {
	f := p.Frame
	return &Unexplained{Number: p.Number, Time: p.Time, Process: f.From, Incarnation: f.Incarnation, What: s.describe(f), Reason: reason, cause: by}
}

// describe returns a frame in words.
func (s *context) describe(f wire.Frame) string {
	switch f.Kind {
	case wire.Data:
		text := fmt.Sprintf("%d bytes", len(f.Body))
		if m, err := s.codec.Decode(f.Body); err == nil {
			text = fmt.Sprint(m)
		}
		return fmt.Sprintf("message %d, %s to %v", f.Sequence, text, f.To)
	case wire.Ack:
		return fmt.Sprintf("ack to %v of its message %d", f.To, f.Sequence)
	}
	return fmt.Sprintf("%v to %v", f.Kind, f.To)
}

// refute says that nothing explains a message, and what there could be instead.
func (c *check) refute(p capture.Packet, content any, instead []frontier.Alternative) *Unexplained {
	u := c.unexplained(p, bySteps, "")
	misses := func(m frontier.Alternative) int { return len(c.alternative(p.Frame, content, m).Misses) }
	slices.SortStableFunc(instead, func(a, b frontier.Alternative) int { return misses(a) - misses(b) })
	for _, m := range instead {
		u.Allowed, u.instead = append(u.Allowed, c.alternative(p.Frame, content, m)), append(u.instead, m.Send)
	}
	u.Reason = fmt.Sprintf("%s sends something else there", c.traits.Name)
	if len(instead) == 0 {
		u.Reason = fmt.Sprintf("in no way does %s send a message number %d there", c.traits.Name, p.Frame.Sequence)
	}
	u.Reason += c.skipped(incarnation{p.Frame.From, p.Frame.Incarnation})
	return u
}

// skipped names the first messages of an incarnation that are not in the capture; "" if all are, up to its last.
func (c *check) skipped(name incarnation) string {
	const most = 3
	var names []string
	for number := uint64(1); number <= c.known().last(name) && len(names) <= most; number++ {
		if c.known().message(name, number) == nil {
			names = append(names, fmt.Sprint(number))
		}
	}
	switch missing := len(names); {
	case missing == 0:
		return ""
	case missing == 1:
		return fmt.Sprintf("; its message %s is not in the capture, and numbers leave none out", names[0])
	case missing > most:
		return fmt.Sprintf("; its messages %s and others are not in the capture, and numbers leave none out", strings.Join(names[:most], ", "))
	}
	return fmt.Sprintf("; its messages %s are not in the capture, and numbers leave none out", strings.Join(names, ", "))
}
