package captures

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"interleave/conformance"
	"interleave/conformance/logs"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/spec"
)

// Crosscheck is the result of comparing the logs of a run with its capture.
type Crosscheck struct {
	Verdict       conformance.Verdict `json:"verdict"`
	Reason        string              `json:"reason,omitempty"`        // of UNKNOWN: the reason
	Discrepancies []string            `json:"discrepancies,omitempty"` // what one says and the other contradicts, by the messages that it is about: their senders, incarnations and numbers
	More          int                 `json:"more,omitempty"`          // number of those that are not listed
	Sent          int                 `json:"sent"`                    // messages that are equal in the logs and in the capture
	Handled       int                 `json:"handled"`                 // handled by the logs, and in the capture
	Itself        int                 `json:"itself"`                  // messages of processes to themselves, which are on no wire
	Silent        int                 `json:"silent"`                  // sent by the logs, but not on the wire: their process or its peer went down
	Unseen        int                 `json:"unseen,omitempty"`        // handled by the logs, and allowed to be missing in the capture: it has gaps, or ended before

	certain bool // REFUTED, and not only because something is not on the wire
}

// maxDiscrepancies bounds those that are listed.
const maxDiscrepancies = 20

// crosscheck is the state of a comparison of logs with a capture.
type crosscheck struct {
	*traffic
	report   Crosscheck
	logged   map[runlog.Name]bool
	unsent   []unsent
	found    []discrepancy
	behind   []discrepancy // those of the current log, unless the capture ended before
	heard    heard         // of the current log
	state    any           // of the process of the current log; nil: it is not known
	receipts receipts
}

// discrepancy is a statement of one about a message that the other contradicts.
type discrepancy struct {
	about  runlog.Name // none: of a line that cannot be read
	text   string
	absent bool // it is that something is not on the wire
}

func (d discrepancy) compare(other discrepancy) int {
	return cmp.Or(cmp.Compare(d.about.From, other.about.From), d.about.Compare(other.about))
}

// heard is the message that came last of those that a process has handled so far.
type heard struct {
	name runlog.Name
	at   int // the packet since which it may have been handled
}

// unsent is a message that is in a log but not in the capture.
type unsent struct {
	at   logs.Place
	name runlog.Name
	to   spec.ID
	gone bool // the log says that it was given up
}

// Compare compares the logs of processes with the packets that they were seen to send.
// Every message on the wire must be in a log, with the same content. Every message that a log
// has as handled must have been carried to that incarnation, before what the process sent then; and one
// that it has as sent must be on the wire if the receiver has acknowledged it. A log must have as
// handled what its process has acknowledged. In lock step both must have it in the same round.
// Packets that o.Gaps or o.Cut declare to be missing contradict nothing. If the capture has parts
// of packets, what is absent or late is Unknown. So is a capture without any packet, if messages
// are logged that would be in it: it may have been taken elsewhere. Input that cannot be judged is
// an *conformance.UnusableError.
func Compare(all []logs.Log, packets []capture.Packet, o Options) (*Crosscheck, error) {
	seen := newTraffic(&context{}, o)
	if len(packets) > 0 {
		s, err := contextOf(packets, o)
		if err != nil {
			return nil, err
		}
		seen = s.whole
	}
	return compareWith(seen, all)
}

// compareWith compares logs with packets that were read.
func compareWith(seen *traffic, all []logs.Log) (*Crosscheck, error) {
	c := &crosscheck{traffic: seen, logged: map[runlog.Name]bool{}, receipts: newReceipts()}
	for _, l := range all {
		if err := c.compare(l); err != nil {
			return nil, err
		}
	}
	for from, v := range c.senders {
		for number := range v.messages {
			if name := (runlog.Name{From: from.id, Incarnation: from.number, Sequence: number}); !c.logged[name] {
				c.contradict(name, "message %d of process %v, incarnation %d, is on the wire, and no log has it", number, from.id, from.number)
			}
		}
	}
	c.quiet()
	c.denied()
	c.judge()
	return &c.report, nil
}

// judge fills in the verdict, and the discrepancies.
func (c *crosscheck) judge() {
	r := &c.report
	r.certain = slices.ContainsFunc(c.found, func(d discrepancy) bool { return !d.absent })
	if c.taken == 0 && !r.certain && r.Silent+len(c.found) > 0 && !c.options.Gaps && !c.options.Cut {
		r.Reason = "the capture has none of the messages that are logged: --port names the ports to look at"
		return
	}
	slices.SortStableFunc(c.found, discrepancy.compare)
	for _, d := range c.found[:min(len(c.found), maxDiscrepancies)] {
		r.Discrepancies = append(r.Discrepancies, d.text)
	}
	r.More = len(c.found) - len(r.Discrepancies)
	missing := c.parts + c.missed
	switch {
	case len(c.found) == 0:
		r.Verdict = conformance.Conforms
	case r.certain || missing == 0:
		r.Verdict = conformance.Refuted
	default:
		r.Reason = fmt.Sprintf("%v: %s did not pass the tap whole, and may be what is not on the wire", errGap, frames(missing))
	}
}

func (c *crosscheck) contradict(about runlog.Name, format string, args ...any) {
	c.found = append(c.found, discrepancy{about: about, text: fmt.Sprintf(format, args...)})
}

// absent records a discrepancy about the way of a message that was handled, unless packets of
// it may be missing.
func (c *crosscheck) absent(about runlog.Name, format string, args ...any) {
	d := discrepancy{about, fmt.Sprintf(format, args...), true}
	switch {
	case c.options.Gaps:
		c.report.Unseen++
	case c.options.Cut:
		c.behind = append(c.behind, d)
	default:
		c.found = append(c.found, d)
	}
}

// onWire returns a message as the capture has it; nil: it was not seen.
func (c *crosscheck) onWire(name runlog.Name) *message {
	return c.message(incarnation{name.From, name.Incarnation}, name.Sequence)
}

// compare compares a log with the capture.
func (c *crosscheck) compare(l logs.Log) error {
	lines := runlog.NewReader(l.Reader)
	given := map[runlog.Name]bool{}
	first := len(c.unsent)
	c.heard, c.state = heard{}, nil
	for {
		r, err := lines.Next()
		at := logs.Place{File: l.Name, Line: lines.Line()}
		if err != nil {
			var line *runlog.LineError
			if errors.As(err, &line) && !line.Cut {
				c.contradict(runlog.Name{}, "%v: %v", at, line.Err)
			}
			break
		}
		if err := c.ofRun(l.Name, r.Begin); err != nil {
			return err
		}
		for _, name := range r.Lost {
			given[name] = true
		}
		c.line(at, r)
	}
	for i := first; i < len(c.unsent); i++ {
		c.unsent[i].gone = given[c.unsent[i].name]
	}
	c.report.Unseen += len(c.behind)
	c.behind = nil
	return nil
}

// ofRun returns an error if the beginning of a log is of another run than the capture. A capture without frames is of any.
func (c *crosscheck) ofRun(file string, b *runlog.Begin) error {
	if b == nil || len(c.packets) == 0 {
		return nil
	}
	f := c.packets[0].Frame
	switch {
	case b.Run != f.Run:
		return unusableLog(file, "it is of run %d, and the capture is of run %d: take a capture of the run, and name that with --run if it has several", b.Run, f.Run)
	case b.Algorithm != f.Algorithm && b.Algorithm != c.traits.Name:
		return unusableLog(file, "it is of %s, and the capture is of %s, of the same run", b.Algorithm, f.Algorithm)
	case b.Shape != f.Shape && b.Shape != c.codec.Shape():
		return unusableLog(file, "its messages have the shape %x, and those of the capture, of the same run, have %x: one of them is of another version", b.Shape, f.Shape)
	case len(b.Ring) != len(c.ring) || !sameRing(b.Ring, c.ring):
		return unusableLog(file, "its ring is %v, and that of the capture, of the same run, is %v", b.Ring, c.ring)
	}
	return nil
}

func unusableLog(file, format string, args ...any) error {
	return &conformance.UnusableError{File: file, Reason: fmt.Sprintf(format, args...)}
}

// line compares a line of a log with the capture.
func (c *crosscheck) line(at logs.Place, r *runlog.Record) {
	in := r.Input
	if in == nil {
		in = &runlog.Input{}
	}
	me := incarnation{r.Process, r.Incarnation}
	if c.goesOn(r) {
		c.receipts.wentOn(me, func(e spec.Event) bool { return c.refuses(me.id, e, in.Live) })
	}
	for letter := range in.Letters() {
		switch {
		case r.Line == runlog.LineStep:
			c.receipts.handled(me, letter.Name)
			c.handles(at, me, *letter, in.Round)
		case r.Line == runlog.LineRefused && c.machine != nil: // else nothing is on the wire
			if e, err := in.Replay(c.traits); err == nil {
				c.receipts.refused(me, letter.Name, e)
			}
		}
	}
	if r.Line == runlog.LineStep && c.machine != nil {
		c.state, _ = c.traits.ReadState(r.State)
	}
	for _, s := range r.Sends {
		c.sends(at, runlog.Name{From: r.Process, Incarnation: r.Incarnation, Sequence: s.Sequence}, s, in.Round)
	}
	c.caughtUp(r)
}

// goesOn reports whether a process ends, or takes a step that is no message, in a state of which
// it is known what it refuses. What an algorithm refuses that asks who is up is known if the line
// says who was when it had tried last what waits: that is not so where it hears of that itself.
func (c *crosscheck) goesOn(r *runlog.Record) bool {
	switch {
	case c.state == nil:
		return false
	case r.Line == runlog.LineEnd:
		return !c.traits.Oracle
	case r.Line != runlog.LineStep || r.Input == nil || r.Input.Received != nil:
		return false
	}
	opinion := r.Input.Event == spec.Suspect.String() || r.Input.Event == spec.Restore.String()
	return !c.traits.Oracle || r.Input.Live != nil && !opinion
}

// refuses reports whether a process refuses an event in its state.
func (c *crosscheck) refuses(id spec.ID, e spec.Event, live *spec.Set) bool {
	if live != nil {
		e.Live = *live
	}
	_, fx := c.machine.Step(id, c.ring, c.state, e)
	return fx.Refused
}

// caughtUp checks whether the capture has what a step sent. If so, the capture goes on
// at least to there, and what that process had handled until then has passed the tap.
// The clocks of processes are less reliable.
func (c *crosscheck) caughtUp(r *runlog.Record) {
	for _, s := range r.Sends {
		if c.message(incarnation{r.Process, r.Incarnation}, s.Sequence) != nil {
			c.found, c.behind = append(c.found, c.behind...), nil
			return
		}
	}
}

// sends compares a message in a log, with its round in lock step. On the wire it is of
// that round, or of a later one if the step took long.
func (c *crosscheck) sends(at logs.Place, name runlog.Name, s runlog.Sent, round int64) {
	c.logged[name] = true
	if s.To == name.From {
		c.report.Itself++
		return
	}
	m := c.onWire(name)
	if m == nil {
		c.unsent = append(c.unsent, unsent{at: at, name: name, to: s.To})
		return
	}
	if m.content == nil {
		c.contradict(name, "%v: it logs %s, and on the wire message %d is not a message of the algorithm", at, s.Kind, name.Sequence)
		return
	}
	text, err := runlog.PlainJSON(m.content)
	if err != nil || m.frame.To != s.To || !bytes.Equal(text, s.Message) || c.traits.Kind(m.content) != s.Kind {
		c.contradict(name, "%v: it logs message %d as %s %s to %v, and on the wire it is %s %s to %v", at, name.Sequence, s.Kind, s.Message, s.To, c.traits.Kind(m.content), text, m.frame.To)
		return
	}
	if sent := c.roundOf(m.frame); sent < round {
		c.contradict(name, "%v: it logs that it sent message %d in round %d, and on the wire it is of round %d", at, name.Sequence, round, sent)
		return
	}
	c.report.Sent++
	if h := c.heard.name; m.at < c.heard.at && !c.options.Gaps { // or the first copy is missing
		c.found = append(c.found, discrepancy{h, fmt.Sprintf("%v: it sends message %d, and had handled message %d of process %v, incarnation %d, before, which the network carried later",
			at, name.Sequence, h.Sequence, h.From, h.Incarnation), true})
		c.heard = heard{} // once is enough
	}
}

// handles requires a message that was handled to have been on the wire, to the incarnation
// that handles it, and in lock step in the round before.
func (c *crosscheck) handles(at logs.Place, by incarnation, l runlog.Letter, round int64) {
	if l.From == by.id {
		return
	}
	m := c.onWire(l.Name)
	switch {
	case m == nil:
		c.absent(l.Name, "%v: it handles message %d of process %v, incarnation %d, which the network did not carry", at, l.Sequence, l.From, l.Incarnation)
	case m.frame.To != by.id:
		c.contradict(l.Name, "%v: it handles message %d of process %v, which on the wire goes to %v", at, l.Sequence, l.From, m.frame.To)
	case c.cameTo(l.Name, by) == 0:
		c.absent(l.Name, "%v: it handles message %d of process %v, incarnation %d, which the network did not carry to this life of it", at, l.Sequence, l.From, l.Incarnation)
	case c.round > 0 && c.roundOf(m.frame) != round-1:
		c.contradict(l.Name, "%v: it handles message %d of process %v in round %d, and on the wire that is of round %d", at, l.Sequence, l.From, round, c.roundOf(m.frame))
	default:
		c.report.Handled++
		if came := c.cameTo(l.Name, by); came > c.heard.at {
			c.heard = heard{l.Name, came}
		}
	}
}

// cameTo returns the packet since which an incarnation may have handled a message, by the capture;
// 0: it may not.
func (c *crosscheck) cameTo(name runlog.Name, by incarnation) int {
	fl := c.flows[direction{incarnation{name.From, name.Incarnation}, by}]
	if fl == nil {
		return 0
	}
	return fl.came[name.Sequence]
}

// quiet checks messages that were logged and never seen. If one on a link that keeps
// order is acknowledged, so are all before it, unless they were given up. That a later
// one is in flight shows nothing: those before it may have to be sent again. An end
// that was cut off has neither a message nor, behind it, its acknowledgement.
func (c *crosscheck) quiet() {
	for _, u := range c.unsent {
		if !c.options.Gaps && !u.gone && !c.unordered && c.arrived(u) {
			c.found = append(c.found, discrepancy{u.name, fmt.Sprintf("%v: it logs that it sent message %d to %v, which is not on the wire though it, or a later one, is acknowledged", u.at, u.name.Sequence, u.to), true})
			continue
		}
		c.report.Silent++
	}
}

// arrived reports whether an incarnation of the receiver has acknowledged a message that was for that
// incarnation, or a later one. A message was for that incarnation if one before it on the link was, or if its
// sender spoke to no former incarnation. Messages for a former incarnation were lost with it, and the sender
// may have gone down before it logged that.
func (c *crosscheck) arrived(u unsent) bool {
	from := incarnation{u.name.From, u.name.Incarnation}
	for d, fl := range c.flows {
		if d.from == from && d.to.id == u.to && fl.acked >= u.name.Sequence && (fl.first > 0 && fl.first < u.name.Sequence || c.fromStart(d)) {
			return true
		}
	}
	return false
}
