package conformance

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/spec"
)

// BothReport is the result of comparing the logs of a run with its capture.
type BothReport struct {
	Verdict Verdict  `json:"verdict"`
	Reason  string   `json:"reason,omitempty"` // of UNKNOWN: the reason
	Lies    []string `json:"lies,omitempty"`   // what one says and the other contradicts, by the messages that it is about: their senders, incarnations and numbers
	More    int      `json:"more,omitempty"`   // number of lies that are not listed
	Sent    int      `json:"sent"`             // messages that are equal in the logs and in the capture
	Handled int      `json:"handled"`          // handled by the logs, and in the capture
	Itself  int      `json:"itself"`           // messages of processes to themselves, which are on no wire
	Silent  int      `json:"silent"`           // sent by the logs, but not on the wire: their process or its peer went down
	Unseen  int      `json:"unseen,omitempty"` // handled by the logs, and allowed to be missing in the capture: it has gaps, or ended before

	certain bool // REFUTED, and not only because something is not on the wire
}

// maxLies bounds the lies that are listed.
const maxLies = 20

// both is the state of a comparison of logs with a capture.
type both struct {
	*traffic
	report BothReport
	logged map[runlog.Name]bool
	unsent []unsent
	lies   []lie
	behind []lie // lies of the current log, unless the capture ended before
	heard  heard // of the current log
	state  any   // of the process of the current log; nil: it is not known
	ears   ears
}

// lie is a statement of one about a message that the other contradicts.
type lie struct {
	about  runlog.Name // none: of a line that cannot be read
	text   string
	absent bool // it is that something is not on the wire
}

func (l lie) compare(m lie) int {
	a, b := l.about, m.about
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Incarnation, b.Incarnation), cmp.Compare(a.Sequence, b.Sequence))
}

// heard is the message that came last of those that a process has handled so far.
type heard struct {
	name runlog.Name
	at   int // the packet since which it may have been handled
}

// unsent is a message that is in a log but not in the capture.
type unsent struct {
	at   Place
	name runlog.Name
	to   spec.ID
	gone bool // the log says that it was given up
}

// CompareWithWire compares the logs of processes with the packets that they were seen to send.
// Every message on the wire must be in a log, with the same content. Every message that a log
// has as handled must have been carried to that life, before what the process sent then; and one
// that it has as sent must be on the wire if the receiver has acknowledged it. A log must have as
// handled what its process has acknowledged. In lock step both must have it in the same round.
// Packets that o.Gaps or o.Cut declare to be missing contradict nothing. If the capture has parts
// of packets, what is absent or late is Unknown. So is a capture without any packet, if messages
// are logged that would be in it: it may have been taken elsewhere. Input that cannot be judged is
// an *UnusableError.
func CompareWithWire(logs []Log, packets []capture.Packet, o CaptureOptions) (*BothReport, error) {
	seen := newTraffic(&scene{}, o)
	if len(packets) > 0 {
		s, err := settle(packets, o)
		if err != nil {
			return nil, err
		}
		seen = s.whole
	}
	return compareWith(seen, logs)
}

// compareWith compares logs with packets that were read.
func compareWith(seen *traffic, logs []Log) (*BothReport, error) {
	b := &both{traffic: seen, logged: map[runlog.Name]bool{}, ears: newEars()}
	for _, l := range logs {
		if err := b.compare(l); err != nil {
			return nil, err
		}
	}
	for life, v := range b.voices {
		for number := range v.messages {
			if name := (runlog.Name{From: life.id, Incarnation: life.incarnation, Sequence: number}); !b.logged[name] {
				b.lie(name, "message %d of process %v, incarnation %d, is on the wire, and no log has it", number, life.id, life.incarnation)
			}
		}
	}
	b.quiet()
	b.denied()
	b.judge()
	return &b.report, nil
}

// judge fills in the verdict, and the lies.
func (b *both) judge() {
	r := &b.report
	r.certain = slices.ContainsFunc(b.lies, func(l lie) bool { return !l.absent })
	if b.taken == 0 && !r.certain && r.Silent+len(b.lies) > 0 && !b.options.Gaps && !b.options.Cut {
		r.Reason = "the capture has none of the messages that are logged: --port names the ports to look at"
		return
	}
	slices.SortStableFunc(b.lies, lie.compare)
	for _, l := range b.lies[:min(len(b.lies), maxLies)] {
		r.Lies = append(r.Lies, l.text)
	}
	r.More = len(b.lies) - len(r.Lies)
	missing := b.parts + b.missed
	switch {
	case len(b.lies) == 0:
		r.Verdict = Conforms
	case r.certain || missing == 0:
		r.Verdict = Refuted
	default:
		r.Reason = fmt.Sprintf("%v: %s did not pass the tap whole, and may be what is not on the wire", errGap, frames(missing))
	}
}

func (b *both) lie(about runlog.Name, format string, args ...any) {
	b.lies = append(b.lies, lie{about: about, text: fmt.Sprintf(format, args...)})
}

// absent records a lie about the way of a message that was handled, unless packets of
// it may be missing.
func (b *both) absent(about runlog.Name, format string, args ...any) {
	l := lie{about, fmt.Sprintf(format, args...), true}
	switch {
	case b.options.Gaps:
		b.report.Unseen++
	case b.options.Cut:
		b.behind = append(b.behind, l)
	default:
		b.lies = append(b.lies, l)
	}
}

// onWire returns a message as the capture has it; nil: it was not seen.
func (b *both) onWire(name runlog.Name) *message {
	return b.message(lifeName{name.From, name.Incarnation}, name.Sequence)
}

// compare compares a log with the capture.
func (b *both) compare(l Log) error {
	lines := runlog.NewReader(l.Reader)
	given := map[runlog.Name]bool{}
	first := len(b.unsent)
	b.heard, b.state = heard{}, nil
	for {
		r, err := lines.Next()
		at := Place{l.Name, lines.Line()}
		if err != nil {
			var line *runlog.LineError
			if errors.As(err, &line) && !line.Cut {
				b.lie(runlog.Name{}, "%v: %v", at, line.Err)
			}
			break
		}
		for _, name := range r.Lost {
			given[name] = true
		}
		b.line(at, r)
	}
	for i := first; i < len(b.unsent); i++ {
		b.unsent[i].gone = given[b.unsent[i].name]
	}
	b.report.Unseen += len(b.behind)
	b.behind = nil
	return nil
}

// line compares a line of a log with the capture.
func (b *both) line(at Place, r *runlog.Record) {
	in := r.Input
	if in == nil {
		in = &runlog.Input{}
	}
	me := lifeName{r.Process, r.Incarnation}
	if b.goesOn(r) {
		b.ears.wentOn(me, func(e spec.Event) bool { return b.refuses(me.id, e, in.Live) })
	}
	for letter := range letters(in) {
		switch {
		case r.Line == runlog.LineStep:
			b.ears.handled(me, letter.Name)
			b.handles(at, me, *letter, in.Round)
		case r.Line == runlog.LineRefused && b.machine != nil: // else nothing is on the wire
			if e, err := in.Replay(b.traits); err == nil {
				b.ears.refused(me, letter.Name, e)
			}
		}
	}
	if r.Line == runlog.LineStep && b.machine != nil {
		b.state, _ = b.traits.ReadState(r.State)
	}
	for _, s := range r.Sends {
		b.sends(at, runlog.Name{From: r.Process, Incarnation: r.Incarnation, Sequence: s.Sequence}, s, in.Round)
	}
	b.caughtUp(r)
}

// goesOn reports whether a process ends, or takes a step that is no message, in a state of which
// it is known what it refuses. What an algorithm refuses that asks who is up is known if the line
// says who was when it had tried last what waits: that is not so where it hears of that itself.
func (b *both) goesOn(r *runlog.Record) bool {
	switch {
	case b.state == nil:
		return false
	case r.Line == runlog.LineEnd:
		return !b.traits.Oracle
	case r.Line != runlog.LineStep || r.Input == nil || r.Input.Received != nil:
		return false
	}
	opinion := r.Input.Event == spec.Suspect.String() || r.Input.Event == spec.Restore.String()
	return !b.traits.Oracle || r.Input.Live != nil && !opinion
}

// refuses reports whether a process refuses an event in its state.
func (b *both) refuses(id spec.ID, e spec.Event, live *spec.Set) bool {
	if live != nil {
		e.Live = *live
	}
	_, fx := b.machine.Step(id, b.ring, b.state, e)
	return fx.Refused
}

// caughtUp checks whether the capture has what a step sent. If so, the capture goes on
// at least to there, and what that process had handled until then has passed the tap.
// The clocks of processes are less reliable.
func (b *both) caughtUp(r *runlog.Record) {
	for _, s := range r.Sends {
		if b.message(lifeName{r.Process, r.Incarnation}, s.Sequence) != nil {
			b.lies, b.behind = append(b.lies, b.behind...), nil
			return
		}
	}
}

// sends compares a message in a log, with its round in lock step. On the wire it is of
// that round, or of a later one if the step took long.
func (b *both) sends(at Place, name runlog.Name, s runlog.Sent, round int64) {
	b.logged[name] = true
	if s.To == name.From {
		b.report.Itself++
		return
	}
	m := b.onWire(name)
	if m == nil {
		b.unsent = append(b.unsent, unsent{at: at, name: name, to: s.To})
		return
	}
	if m.content == nil {
		b.lie(name, "%v: it logs %s, and on the wire message %d is not a message of the algorithm", at, s.Kind, name.Sequence)
		return
	}
	text, err := runlog.PlainJSON(m.content)
	if err != nil || m.frame.To != s.To || !bytes.Equal(text, s.Message) || b.traits.Kind(m.content) != s.Kind {
		b.lie(name, "%v: it logs message %d as %s %s to %v, and on the wire it is %s %s to %v", at, name.Sequence, s.Kind, s.Message, s.To, b.traits.Kind(m.content), text, m.frame.To)
		return
	}
	if sent := b.roundOf(m.frame); sent < round {
		b.lie(name, "%v: it logs that it sent message %d in round %d, and on the wire it is of round %d", at, name.Sequence, round, sent)
		return
	}
	b.report.Sent++
	if h := b.heard.name; m.at < b.heard.at && !b.options.Gaps { // or the first copy is missing
		b.lies = append(b.lies, lie{h, fmt.Sprintf("%v: it sends message %d, and had handled message %d of process %v, incarnation %d, before, which the network carried later",
			at, name.Sequence, h.Sequence, h.From, h.Incarnation), true})
		b.heard = heard{} // once is enough
	}
}

// handles requires a message that was handled to have been on the wire, to the life
// that handles it, and in lock step in the round before.
func (b *both) handles(at Place, by lifeName, l runlog.Letter, round int64) {
	if l.From == by.id {
		return
	}
	m := b.onWire(l.Name)
	switch {
	case m == nil:
		b.absent(l.Name, "%v: it handles message %d of process %v, incarnation %d, which the network did not carry", at, l.Sequence, l.From, l.Incarnation)
	case m.frame.To != by.id:
		b.lie(l.Name, "%v: it handles message %d of process %v, which on the wire goes to %v", at, l.Sequence, l.From, m.frame.To)
	case b.cameTo(l.Name, by) == 0:
		b.absent(l.Name, "%v: it handles message %d of process %v, incarnation %d, which the network did not carry to this life of it", at, l.Sequence, l.From, l.Incarnation)
	case b.round > 0 && b.roundOf(m.frame) != round-1:
		b.lie(l.Name, "%v: it handles message %d of process %v in round %d, and on the wire that is of round %d", at, l.Sequence, l.From, round, b.roundOf(m.frame))
	default:
		b.report.Handled++
		if came := b.cameTo(l.Name, by); came > b.heard.at {
			b.heard = heard{l.Name, came}
		}
	}
}

// cameTo returns the packet since which a life may have handled a message, by the capture;
// 0: it may not.
func (b *both) cameTo(name runlog.Name, by lifeName) int {
	fl := b.flows[direction{lifeName{name.From, name.Incarnation}, by}]
	if fl == nil {
		return 0
	}
	return fl.came[name.Sequence]
}

// quiet checks messages that were logged and never seen. If one on a link that keeps
// order is acknowledged, so are all before it, unless they were given up. That a later
// one is in flight shows nothing: those before it may have to be sent again. An end
// that was cut off has neither a message nor, behind it, its acknowledgement.
func (b *both) quiet() {
	for _, u := range b.unsent {
		if !b.options.Gaps && !u.gone && !b.unordered && b.arrived(u) {
			b.lies = append(b.lies, lie{u.name, fmt.Sprintf("%v: it logs that it sent message %d to %v, which is not on the wire though it, or a later one, is acknowledged", u.at, u.name.Sequence, u.to), true})
			continue
		}
		b.report.Silent++
	}
}

// arrived reports whether a life of the receiver has acknowledged a message that was for that
// life, or a later one. A message was for that life if one before it on the link was, or if its
// sender spoke to no former life. Messages for a former life were lost with it, and the sender
// may have gone down before it logged that.
func (b *both) arrived(u unsent) bool {
	from := lifeName{u.name.From, u.name.Incarnation}
	for d, fl := range b.flows {
		if d.from == from && d.to.id == u.to && fl.acked >= u.name.Sequence && (fl.first > 0 && fl.first < u.name.Sequence || b.fromStart(d)) {
			return true
		}
	}
	return false
}
