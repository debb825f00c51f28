package impl

import (
	"fmt"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// rounds is lock step by the clock: round number r, from 1, lasts from begin + (r-1)
// lengths to begin + r lengths. A process takes its step at the beginning of the round,
// with the messages that were sent to it in the round before.
type rounds struct {
	midway  bool // between the reports of crashes and its step
	begin   time.Time
	length  time.Duration
	number  int64     // number of the last round in which it took a step
	next    time.Time // when the next one begins
	inboxes map[int64][]delivery
}

// at returns the number of the round at a moment, below 1 before the first.
func (r *rounds) at(t time.Time) int64 {
	since := t.Round(0).Sub(r.begin.Round(0)) // by the wall clock, which the peers have in common
	n := int64(since / r.length)
	if since < 0 {
		n--
	}
	return n + 1
}

// since returns when the round began in which the process took its last step.
func (r *rounds) since() time.Time {
	return r.begin.Add(time.Duration(r.number-1) * r.length)
}

// ends returns when that round ends.
func (r *rounds) ends() time.Time { return r.since().Add(r.length) }

// start refuses to begin after the others have begun.
func (r *rounds) start(now time.Time) error {
	if late := now.Sub(r.begin); late > 0 {
		return fmt.Errorf("the first lock-step round began %v ago, and nobody comes later, or comes back: give all processes a beginning that lies ahead", late.Round(time.Millisecond))
	}
	r.next = r.begin
	return nil
}

// runRounds takes the step of the round that has begun.
func (n *runner) runRounds(now time.Time) {
	r := n.rounds
	if r == nil || n.up.IsZero() || now.Before(r.next) {
		return
	}
	number := r.at(now)
	if number <= r.number { // the wall clock went back
		r.next = now.Add(r.length)
		return
	}
	if missed := number - r.number - 1; missed > 0 {
		n.breach(runlog.Breach{Kind: runlog.BreachRound, Rounds: missed, Text: fmt.Sprintf("%d rounds went by in which the process did not run", missed)})
	}
	r.number = number
	r.next = now.Add(r.begin.Add(time.Duration(number) * r.length).Round(0).Sub(now.Round(0)))
	inbox := r.inboxes[number]
	for old := range r.inboxes {
		if old <= number {
			delete(r.inboxes, old)
		}
	}
	n.round(number, inbox)
}

// round first reports who is down, in every round anew, then takes the step.
func (n *runner) round(number int64, inbox []delivery) {
	if n.traits.Halted(n.local.state) {
		return
	}
	n.rounds.midway = true
	if n.traits.Handles.Has(spec.Suspect) {
		for q := range (spec.UpTo(len(n.config.Ring)) &^ n.live()).All() {
			n.step(spec.Event{Kind: spec.Suspect, Peer: q}, runlog.Input{Peer: q, Round: number})
		}
	}
	n.rounds.midway = false
	e := spec.Event{Kind: spec.Round}
	in := runlog.Input{Round: number}
	for _, d := range inbox {
		e.Inbox = append(e.Inbox, spec.Received[any]{From: d.name.From, Message: d.message})
		in.Inbox = append(in.Inbox, runlog.Letter{Name: d.name, Kind: n.traits.Kind(d.message), Message: d.text})
	}
	n.step(e, in)
}

// arriveInRound keeps a message for the round after the one it was sent in.
func (n *runner) arriveInRound(d delivery) {
	r := n.rounds
	sent := r.at(time.Unix(0, d.sent))
	took := time.Duration(time.Now().UnixNano() - d.sent)
	n.counts.received[n.traits.Kind(d.message)]++
	n.watchDelay(d.name, d.sent)
	switch {
	case sent < r.number:
		n.breach(runlog.Breach{Kind: runlog.BreachRound, Peer: d.name.From, Message: &d.name, Took: round(took).String(),
			Text: fmt.Sprintf("a message of round %d came in round %d, and is dropped", sent, r.number)})
	case sent > r.number+1:
		n.breach(runlog.Breach{Kind: runlog.BreachClock, Peer: d.name.From, Message: &d.name, Took: round(took).String(),
			Text: fmt.Sprintf("a message of round %d came in round %d: the clocks differ; it is dropped", sent, r.number)})
	case n.traits.Halted(n.local.state) && !r.midway: // messages to it are lost
	default:
		n.keepForRound(sent+1, d)
	}
}

// maxLetters bounds the bytes of all messages of one sender in the inbox of a round, as
// the log has them, except that a single one always fits. It is many times what an
// algorithm sends in a round, and a line of the log has room for as much from every
// process.
const maxLetters = 1 << 13

// keepForRound puts a message into the inbox of a round, if its sender has room left
// there.
func (n *runner) keepForRound(number int64, d delivery) {
	text, err := runlog.PlainJSON(d.message)
	n.fail(err)
	d.text = text
	used, inbox := 0, n.rounds.inboxes[number]
	for _, other := range inbox {
		if other.name.From == d.name.From {
			used += other.size()
		}
	}
	if used > 0 && used+d.size() > maxLetters {
		n.drop("inbox full")
		return
	}
	n.rounds.inboxes[number] = append(inbox, d)
}

// size returns an upper bound on the bytes that a message of a round takes in the log.
func (d delivery) size() int { return len(d.text) + 200 }

// forward makes the next round begin at a moment, and moves all later ones by as much.
func (r *rounds) forward(at time.Time) {
	r.begin = r.begin.Add(at.Sub(r.next))
	r.next = at
}
