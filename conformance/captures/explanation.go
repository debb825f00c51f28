package captures

import (
	"bytes"
	"fmt"

	"interleave/conformance/frontier"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/spec"
)

// An explanation is written as logs, one for each process, as the process would have written
// them itself, with every hidden step filled in. CheckLogs judges these without any frontier,
// so a wrong explanation is found out.

// logWriter writes the log of one process in an explanation.
type logWriter struct {
	check  *check
	to     bytes.Buffer
	lines  runlog.Writer
	step   uint64
	before string
	leader spec.ID
}

// Explanation returns one way in which the packets of a capture can have come about, up
// to the first that nothing explains: a log of each process, of process 1 first.
func Explanation(packets []capture.Packet, o Options) ([][]byte, error) {
	c, err := confirmed(packets, o)
	if err != nil {
		return nil, err
	}
	if c.options.Gaps {
		return nil, unusable("what was not captured has no name, so a run with gaps cannot be told as logs")
	}
	return explanation(c)
}

// explanation returns a log of each process, of process 1 first.
func explanation(c *check) (logs [][]byte, err error) {
	for id := range c.context.all.All() {
		t := &logWriter{check: c}
		names := c.incarnationsOf(id)
		ends := endsOf(c, names)
		for i, name := range names {
			if ends[i] == nil {
				continue
			}
			if err := t.incarnation(c.incarnations[name], ends[i]); err != nil {
				return nil, err
			}
			if i == len(names)-1 { // no packet shows that it crashed
				if err := t.write(c.incarnations[name], runlog.Record{Line: runlog.LineEnd}); err != nil {
					return nil, err
				}
			}
		}
		logs = append(logs, t.to.Bytes())
	}
	return logs, nil
}

// endsOf chooses how each incarnation of a process ended, the last one first: the memory of a
// incarnation determines how the one before ended.
func endsOf(c *check, names []incarnation) []*frontier.Node {
	ends := make([]*frontier.Node, len(names))
	var left *frontier.Node
	for i := len(names) - 1; i >= 0; i-- {
		end := left
		if f := c.incarnations[names[i]].Frontier; end == nil && len(f) > 0 {
			end = f[0]
		}
		if ends[i], left = end, nil; end != nil {
			left = end.Root().Former
		}
	}
	return ends
}

// incarnation writes one incarnation.
func (t *logWriter) incarnation(l *frontier.Incarnation, end *frontier.Node) error {
	steps := end.Path()
	t.lines, t.step, t.leader, t.before = runlog.Writer{To: &t.to}, 0, spec.None, ""
	begin := t.begin()
	for _, n := range steps {
		if n.Input.Kind == spec.Start {
			begin.Initiator = n.Input.Initiator
		}
	}
	if err := t.write(l, runlog.Record{Line: runlog.LineBegin, Begin: begin}); err != nil {
		return err
	}
	sequence, round := uint64(0), int64(0)
	refused := map[runlog.Name]bool{}
	for _, n := range steps {
		if n.Input.Refused {
			if err := t.refuse(l, n, refused); err != nil {
				return err
			}
			continue
		}
		if n.Input.Round > round+1 {
			missed := n.Input.Round - round - 1
			b := &runlog.Breach{Kind: runlog.BreachRound, Rounds: missed, Delta: begin.Delta, Text: fmt.Sprintf("%d rounds went by in which the process did not run", missed)}
			if err := t.write(l, runlog.Record{Line: runlog.LineBreach, Breach: b}); err != nil {
				return err
			}
		}
		round = max(round, n.Input.Round)
		r, err := t.record(l, n, &sequence)
		if err != nil {
			return err
		}
		if err := t.write(l, r); err != nil {
			return err
		}
	}
	return nil
}

// refuse writes that an incarnation refuses a message, unless that is written already.
func (t *logWriter) refuse(l *frontier.Incarnation, n *frontier.Node, written map[runlog.Name]bool) error {
	in, err := t.input(n.Input)
	if err != nil || written[in.Received.Name] {
		return err
	}
	written[in.Received.Name] = true
	return t.write(l, runlog.Record{Line: runlog.LineRefused, Input: in})
}

// begin writes the settings of the processes, if they are known.
func (t *logWriter) begin() *runlog.Begin {
	s := t.check.context
	b := &runlog.Begin{
		Version: runlog.Version, Algorithm: s.traits.Name, Shape: s.codec.Shape(), Run: t.check.report.Run, Ring: s.ring,
		Delta: "1s", Durations: map[string]string{}, Initiator: true, Datagrams: s.unordered,
	}
	for _, rule := range s.traits.Rules {
		b.Durations[rule.Name] = "1s"
	}
	return b
}

// record writes one step.
func (t *logWriter) record(l *frontier.Incarnation, n *frontier.Node, sequence *uint64) (r runlog.Record, err error) {
	s, in := t.check.context, n.Input
	t.step++
	from := n.Before.State()
	if in.Kind == spec.Init {
		from = in.Memory
	}
	after, fx := s.machine.Step(l.ID, s.ring, from, in.Event)
	state, err := runlog.PlainJSON(after)
	if err != nil {
		return r, err
	}
	input, err := t.input(in)
	if err != nil {
		return r, err
	}
	if in.Kind == spec.Init {
		t.before = runlog.HashState(input.Memory)
	}
	r = runlog.Record{Line: runlog.LineStep, Step: t.step, Input: input, State: state, Before: t.before, After: runlog.HashState(state)}
	t.before, t.leader = r.After, s.traits.Leader(after)
	err = r.SetEffects(s.traits, fx, func() spec.ID { return spec.NextOnRing(s.ring, l.ID, in.Live) }, *sequence)
	*sequence += uint64(len(fx.Sends))
	return r, err
}

// input returns the input of a step.
func (t *logWriter) input(in frontier.Input) (out *runlog.Input, err error) {
	s := t.check.context
	out = &runlog.Input{Event: s.traits.EventName(in.Event), Initiator: in.Initiator, Peer: in.Peer, Round: in.Round, Choices: in.Choices}
	if s.traits.Oracle {
		live := in.Live
		out.Live = &live
	}
	switch in.Kind {
	case spec.Init:
		out.Memory, err = runlog.PlainJSON(in.Memory)
	case spec.Act:
		if in.Value != nil {
			out.Value, err = runlog.PlainJSON(in.Value)
		}
	case spec.Timeout:
		out.Timer = s.traits.Rules[in.Timer].Name
	case spec.Receive:
		out.Received, err = t.letter(in.Received)
	case spec.Round:
		for _, m := range in.Inbox {
			letter, err := t.letter(m)
			if err != nil {
				return nil, err
			}
			out.Inbox = append(out.Inbox, *letter)
		}
	}
	return out, err
}

func (t *logWriter) letter(m frontier.Message) (*runlog.Letter, error) {
	text, err := runlog.PlainJSON(m.Content)
	return &runlog.Letter{
		Name: runlog.Name{From: m.From, Incarnation: m.Incarnation, Sequence: m.Sequence}, Kind: t.check.context.traits.Kind(m.Content), Message: text,
	}, err
}

// write adds a line.
func (t *logWriter) write(l *frontier.Incarnation, r runlog.Record) error {
	r.Process, r.Incarnation, r.Leader, r.Time = l.ID, l.Number, runlog.Following(t.check.context.traits, t.leader), t.check.packets[0].Time.UTC()
	return t.lines.Write(&r)
}
