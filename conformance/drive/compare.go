package drive

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"interleave/impl/runlog"
	"interleave/model"
	"interleave/spec"
)

// Verdict says whether real processes do what the model does, or how one differs.
type Verdict uint8

const (
	Unknown    Verdict = iota // not everything was looked at, or nothing
	Agrees                    // every step that can be driven was, and none differs
	Missing                   // it does not do something that the model does
	Unexpected                // it does something that the model does not do
	Wrong                     // it does the same, and ends in another state
)

func (v Verdict) String() string {
	return [...]string{"unknown", "agrees", "missing action", "unexpected action", "wrong state"}[v]
}

// MarshalText writes the verdict as a word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Disagreement is the first difference between a real process and the model in a run.
type Disagreement struct {
	Verdict  Verdict     `json:"verdict"`
	Process  spec.ID     `json:"process"`
	Event    model.Event `json:"-"` // what the driver made happen
	What     string      `json:"what"`
	Expected string      `json:"expected,omitempty"`
	Found    string      `json:"found,omitempty"`
	Silent   bool        `json:"silent,omitempty"` // nothing came for a long time, which may be the fault of the machine
}

func (d *Disagreement) Error() string {
	text := fmt.Sprintf("%v: process %v: %s", d.Verdict, d.Process, d.What)
	if d.Expected != d.Found {
		text += fmt.Sprintf(": expected %s, found %s", cmp.Or(d.Expected, "nothing"), cmp.Or(d.Found, "nothing"))
	}
	return text
}

// orMissing is err, or if that is nil a missing action.
func orMissing(err error, p spec.ID, e model.Event, format string, about ...any) error {
	if err != nil {
		return err
	}
	return &Disagreement{Verdict: Missing, Process: p, Event: e, What: fmt.Sprintf(format, about...)}
}

// line is a line that a process must log.
type line struct {
	event model.Event // the process whose step it is
	kind  spec.EventKind
	step  *model.Step // nil: its effects are unknown; the line after it is compared
	arms  []string    // likewise, the timers that it arms
	// the message is refused, which is no step
	refused bool
}

// wanted returns the lines that a process must log in a group.
func (s *comparison) wanted(m *group) (lines []line) {
	first := &m.steps[0]
	switch e := first.Event.Step; {
	case m.refused && e.Kind == spec.Receive:
		return []line{refusal{message: e.Message}.line(m.process(), e.From)}
	case m.refused: // which is in no log
		return nil
	}
	add := func(step *model.Step, kind spec.EventKind) {
		lines = append(lines, line{event: first.Event, kind: kind, step: step})
	}
	switch handles := s.traits.Handles.Has; first.Event.Step.Kind {
	case spec.Start:
		add(nil, spec.Init)
	case spec.Recover:
		switch {
		case handles(spec.Start):
			return nil
		case handles(spec.Recover):
			add(nil, spec.Init)
		default:
			add(first, spec.Init)
			return lines
		}
	}
	for i := range m.steps {
		step := &m.steps[i]
		lines = append(lines, line{event: step.Event, kind: step.Event.Step.Kind, step: step, arms: m.arms[i]})
		for _, r := range m.refusals {
			if r.steps == i+1 {
				lines = append(lines, r.line(m.process(), m.process()))
			}
		}
	}
	return lines
}

// line is the line in which process p says that it refuses a message of another
// process, or of its own.
func (r refusal) line(p, from spec.ID) line {
	e := spec.Event{Kind: spec.Receive, From: from, Message: r.message}
	return line{event: model.Event{Process: p, Step: e}, kind: e.Kind, refused: true}
}

// compare compares what a process has logged and sent since an event with what it must
// log and send.
func (s *comparison) compare(p *process, e model.Event, want []line) error {
	found := p.lines
	p.lines = nil
	sent := slices.Clone(p.sent)
	if len(s.strange) > 0 {
		return &Disagreement{Verdict: Unexpected, Process: p.id, Event: e, What: s.strange[0]}
	}
	for i, w := range want {
		fail := func(v Verdict, what, expected, found string) error {
			return &Disagreement{Verdict: v, Process: p.id, Event: w.event, What: what, Expected: expected, Found: found}
		}
		if i >= len(found) {
			return fail(Missing, "the step", w.kind.String(), "")
		}
		r := found[i]
		switch refused := r.Line == runlog.LineRefused; {
		case refused && !w.refused:
			return fail(Missing, "it refuses", w.kind.String(), s.words(r.Input))
		case w.refused && !refused:
			return fail(Unexpected, "a step", "it refuses", s.words(r.Input))
		}
		if what, expected, got := s.otherInput(w, r); what != "" {
			return fail(Unexpected, what, expected, got)
		}
		if w.step == nil {
			continue
		}
		if err := s.compareSends(p, w, r, &sent, fail); err != nil {
			return err
		}
		if w.step.Event.Action != model.Handle { // it crashes in it
			continue
		}
		if expected, got := s.texts(w.step.Outputs), rawTexts(r.Outputs); expected != got {
			return fail(Wrong, "its output", expected, got)
		}
		if expected, got := strings.Join(w.arms, " "), strings.Join(r.Armed, " "); w.step.Event.Step.Kind != spec.Recover && expected != got {
			return fail(Wrong, "the timers that it arms", expected, got)
		}
	}
	if len(found) > len(want) {
		d := &Disagreement{Verdict: Unexpected, Process: p.id, Event: e, What: "a step that nobody asked for", Found: s.words(found[len(want)].Input)}
		if len(want) == 0 {
			d.What, d.Expected = "a step", "it refuses"
		}
		return d
	}
	if len(sent) > 0 {
		return &Disagreement{Verdict: Unexpected, Process: p.id, Event: e, What: fmt.Sprintf("a frame to %v that is in no line of its log", sent[0].to), Found: fmt.Sprint(sent[0].value)}
	}
	return nil
}

// otherInput returns how the input of a line differs from that of a step, "" if it does
// not.
func (s *comparison) otherInput(w line, r runlog.Record) (what, expected, found string) {
	e, err := r.Input.Replay(s.traits)
	if err != nil {
		return "its log", "an event", err.Error()
	}
	want := w.event.Step
	if w.kind != want.Kind { // init before a start
		want = spec.Event{Kind: w.kind}
	}
	switch {
	case e.Kind != want.Kind, e.Action != want.Action:
		return "the event", s.traits.EventName(want), s.traits.EventName(e)
	case e.From != want.From:
		return "the sender", want.From.String(), e.From.String()
	case e.Message != want.Message:
		return "the message", fmt.Sprint(want.Message), fmt.Sprint(e.Message)
	case e.Value != want.Value:
		return "the value", fmt.Sprint(want.Value), fmt.Sprint(e.Value)
	case !slices.Equal(e.Choices, want.Choices):
		return "what it chooses", fmt.Sprint(want.Choices), fmt.Sprint(e.Choices)
	case e.Timer != want.Timer:
		return "the timer", s.traits.Rules[want.Timer].Name, s.traits.Rules[e.Timer].Name
	case e.Peer != want.Peer:
		return "the process spoken of", want.Peer.String(), e.Peer.String()
	case e.Initiator != want.Initiator:
		return "whether it begins", fmt.Sprint(want.Initiator), fmt.Sprint(e.Initiator)
	}
	return "", "", ""
}

// compareSends compares the sends of a step with those of the model, and with the
// frames that came to the driver, which it removes.
func (s *comparison) compareSends(p *process, w line, r runlog.Record, sent *[]message, fail func(Verdict, string, string, string) error) error {
	what := func(i int) string { return fmt.Sprintf("send %d of %s", i+1, s.words(r.Input)) }
	want, whole := w.step.Sends, w.step.Event.Action == model.Handle
	for i, out := range want {
		text, err := runlog.PlainJSON(out.Message)
		if err != nil {
			return err
		}
		expected := fmt.Sprintf("%v to %v", out.Message, out.To)
		if i >= len(r.Sends) {
			return fail(Missing, what(i), expected, "")
		}
		if r.Sends[i].To != out.To || !bytes.Equal(r.Sends[i].Message, text) {
			return fail(Unexpected, what(i), expected, s.logged(r.Sends[i]))
		}
	}
	if whole && len(r.Sends) > len(want) {
		return fail(Unexpected, what(len(want)), "", s.logged(r.Sends[len(want)]))
	}
	for i, logged := range r.Sends {
		if logged.To == p.id {
			continue
		}
		at := slices.IndexFunc(*sent, func(f message) bool { return f.to == logged.To })
		if at < 0 {
			return fail(Missing, "the frame of "+what(i), s.logged(logged), "")
		}
		f := (*sent)[at]
		*sent = slices.Delete(*sent, at, at+1)
		text, err := runlog.PlainJSON(f.value)
		if err != nil {
			return err
		}
		name := runlog.Name{From: p.id, Incarnation: p.incarnation, Sequence: logged.Sequence}
		if !bytes.Equal(text, logged.Message) || f.name != name {
			return fail(Unexpected, "the frame of "+what(i), fmt.Sprintf("%s as number %d", s.logged(logged), logged.Sequence), fmt.Sprintf("%v as number %d", f.value, f.name.Sequence))
		}
	}
	return nil
}

// logged describes a send in a log.
func (s *comparison) logged(sent runlog.Sent) string {
	return fmt.Sprintf("%s to %v", s.read(sent.Message), sent.To)
}

// read describes a message in a log.
func (s *comparison) read(text []byte) string {
	m, err := s.traits.ReadMessage(text)
	if err != nil {
		return string(text)
	}
	return fmt.Sprint(m)
}

// words describes an event in a log, such as "receive OK from 2".
func (s *comparison) words(in *runlog.Input) string {
	if in.Received != nil {
		return fmt.Sprintf("%s %s from %v", in.Event, s.read(in.Received.Message), in.Received.From)
	}
	return in.String()
}

// texts returns values as logs have them.
func (s *comparison) texts(values []any) string {
	var texts []string
	for _, v := range values {
		text, err := runlog.PlainJSON(v)
		if err != nil {
			text = []byte(err.Error())
		}
		texts = append(texts, string(text))
	}
	return strings.Join(texts, " ")
}

func rawTexts[T ~[]byte](values []T) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, string(v))
	}
	return strings.Join(texts, " ")
}

// agree compares the processes and the messages in flight with a state of the model, after
// an event.
func (s *comparison) agree(state model.State, e model.Event) error {
	fail := func(p spec.ID, v Verdict, what, expected, found string) error {
		return &Disagreement{Verdict: v, Process: p, Event: e, What: what, Expected: expected, Found: found}
	}
	if len(s.strange) > 0 {
		return fail(e.Process, Unexpected, s.strange[0], "", "")
	}
	for i, l := range state.Locals {
		id, p := spec.ID(i+1), s.processes[i]
		if p == nil || !p.up {
			continue
		}
		if p.ended {
			return fail(id, Unexpected, fmt.Sprintf("it ends: %v", p.err), "", "")
		}
		if len(p.lines) > 0 {
			return fail(id, Unexpected, "a step that nobody asked for", "", s.words(p.lines[0].Input))
		}
		if len(p.sent) > 0 {
			return fail(id, Unexpected, fmt.Sprintf("a message to %v that it has no reason to send", p.sent[0].to), "", fmt.Sprint(p.sent[0].value))
		}
		status := p.node.Status()
		text, err := runlog.PlainJSON(l.State)
		if err != nil {
			return err
		}
		if !bytes.Equal(text, status.State) {
			return fail(id, Wrong, "the state", string(text), string(status.State))
		}
		if leader := s.traits.Leader(l.State); s.traits.Elects && status.Leader != leader {
			return fail(id, Wrong, "the leader", leader.String(), status.Leader.String())
		}
		if expected, found := strings.Join(s.traits.TimerNames(l.Timers), " "), strings.Join(status.Timers, " "); expected != found {
			return fail(id, Wrong, "the armed timers", expected, found)
		}
	}
	return s.sameMail(state)
}

// sameMail checks that the driver holds the messages that are in flight in the model.
func (s *comparison) sameMail(state model.State) error {
	left := slices.Clone(s.flying)
	for i, in := range state.Inboxes {
		for _, e := range in {
			at := slices.IndexFunc(left, func(f message) bool { return f.to == spec.ID(i+1) && f.from == e.From })
			if s.config.Network != model.FIFO {
				at = slices.IndexFunc(left, func(f message) bool {
					return f.to == spec.ID(i+1) && f.from == e.From && f.value == e.Message
				})
			}
			if at < 0 || left[at].value != e.Message {
				return fmt.Errorf("the driver does not hold the message %v from %v to %d that is on its way", e.Message, e.From, i+1)
			}
			left = slices.Delete(left, at, at+1)
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("the driver holds a message %v from %v to %v that is not on its way", left[0].value, left[0].from, left[0].to)
	}
	return nil
}
