package model

import (
	"fmt"
	"slices"
	"strings"

	"interleave/spec"
)

// Mermaid draws a run as a sequence diagram in the language of Mermaid: an
// arrow where a message arrives, a cross where it is lost, and a note over the
// process for everything else that changes there.
func (r *Reference) Mermaid(run *Run) string {
	d := &diagram{reference: r}
	d.line("sequenceDiagram")
	for p := range r.all.All() {
		d.line("participant %v as process %v", p, p)
	}
	for i, step := range run.Steps {
		d.step(run.States[i], step, i+1)
	}
	d.leftovers(run.End())
	return d.text.String()
}

type diagram struct {
	reference *Reference
	text      strings.Builder
}

func (d *diagram) line(format string, args ...any) {
	if d.text.Len() > 0 {
		d.text.WriteString("    ")
	}
	fmt.Fprintf(&d.text, format, args...)
	d.text.WriteString("\n")
}

// note puts words over one process, or over all of them.
func (d *diagram) note(p spec.ID, words ...string) {
	over := p.String()
	if p == spec.None {
		over = fmt.Sprintf("1,%d", d.reference.config.N)
	}
	text := strings.NewReplacer(";", ",", "#", "no. ").Replace(strings.Join(words, "<br/>"))
	d.line("Note over %s: %s", over, text)
}

func (d *diagram) arrow(kind string, e Envelope, to spec.ID, words string) {
	d.line("%v%s%v: %v%s", e.From, kind, to, e.Message, words)
}

func (d *diagram) step(before State, step Step, number int) {
	p, e := step.Event.Process, step.Event.Step
	envelope := Envelope{From: e.From, Message: e.Message}
	switch step.Event.Deed {
	case Handle, Crash:
		d.handled(before, step)
	case Drop:
		d.arrow("--x", envelope, p, fmt.Sprintf(" (%v is down)", p))
	case Lose:
		d.arrow("--x", envelope, p, " (lost)")
	case Copy:
		d.arrow("--)", envelope, p, " (copied)")
	case Round:
		d.note(spec.None, fmt.Sprintf("round %d", number))
		for q := range d.reference.all.All() {
			if before.local(q).Status == Up {
				d.roundAt(before, step, q)
			}
		}
		d.inVain(step)
	default:
		d.note(spec.None, d.reference.Deed(step.Event))
	}
}

// handled draws what one process did.
func (d *diagram) handled(before State, step Step) {
	p, e := step.Event.Process, step.Event.Step
	var words []string
	bare := step.Event.Deed == Crash && step.Event.Cut == 0
	switch {
	case bare:
	case e.Kind == spec.Receive:
		d.arrow("->>", Envelope{From: e.From, Message: e.Message}, p, "")
	default:
		words = append(words, d.reference.handling(e))
	}
	switch {
	case step.Panic != "":
		words = append(words, "PANIC")
	case step.Event.Deed == Crash:
		words = append(words, crashed(step.Event.Cut))
	default:
		words = append(words, d.changes(before, step, p)...)
	}
	if step.Event.Deed == Crash {
		d.lost(before, step, p)
	}
	if words != nil {
		d.note(p, words...)
	}
	d.inVain(step)
}

func crashed(cut int) string {
	if cut == 0 {
		return "CRASH"
	}
	return "CRASH after " + plural(cut, "send")
}

// lost draws what was on its way to p, or in its hands, when it crashed.
func (d *diagram) lost(before State, step Step, p spec.ID) {
	gone := before.inbox(p)
	if e := step.Event; e.Cut > 0 && e.Step.Kind == spec.Receive {
		gone = gone.without(slices.Index(gone, Envelope{e.Step.From, e.Step.Message, e.Age}))
	}
	if len(step.After.inbox(p)) > 0 { // kept, for it may come back
		return
	}
	for _, e := range gone {
		d.arrow("--x", e, p, fmt.Sprintf(" (lost as %v crashes)", p))
	}
}

// inVain draws what was sent and did not even leave.
func (d *diagram) inVain(step Step) {
	for _, m := range step.Sends {
		e := Envelope{From: m.From, Message: m.Message}
		switch {
		case step.After.Env.parts(m.From, m.To):
			d.arrow("--x", e, m.To, " (cut off)")
		case step.After.local(m.To).Status == Down && len(step.After.inbox(m.To)) == 0:
			d.arrow("--x", e, m.To, fmt.Sprintf(" (%v is down)", m.To))
		}
	}
}

// changes are those of a process's state, without what it sent.
func (d *diagram) changes(before State, step Step, p spec.ID) []string {
	step.Sends = nil
	return d.reference.changesAt(before, step, p)
}

// roundAt draws what p does in a lock-step round.
func (d *diagram) roundAt(before State, step Step, p spec.ID) {
	var part Part
	for _, q := range step.Event.Parts {
		if q.Process == p {
			part = q
		}
	}
	in := before.inbox(p)
	for i := range in {
		place := i
		if part.Order != nil {
			place = part.Order[i]
		}
		d.arrow("->>", in[place], p, "")
	}
	words := d.changes(before, step, p)
	if part.Crash {
		words = []string{crashed(part.Cut)}
	}
	if words != nil {
		d.note(p, words...)
	}
}

// leftovers draws what is still on its way in the end.
func (d *diagram) leftovers(end State) {
	for i, in := range end.Inboxes {
		for _, e := range in {
			d.arrow("--)", e, spec.ID(i+1), " (still on its way)")
		}
	}
}
