package picture

import (
	"fmt"
	"strings"

	"interleave/spec"
)

// Mermaid draws a sequence diagram in the language of Mermaid: an arrow where a message arrives,
// a cross where it is lost, a note over the process for other changes there, and a frame around
// what repeats forever.
func Mermaid(p *Picture) string {
	d := &mermaid{picture: p}
	d.text.WriteString("sequenceDiagram\n")
	for q := range spec.UpTo(p.N).All() {
		d.line("participant %v as process %v", q, q)
	}
	step, looping := 0, false
	for i := range p.Events {
		e := &p.Events[i]
		if p.Loop > 0 && e.Step >= p.Loop && !looping {
			looping = true
			d.line("loop forever")
		}
		if e.Kind == kindRound && e.Step != step {
			d.note(spec.None, e.Title)
		}
		step = e.Step
		d.event(i)
	}
	if looping {
		d.line("end")
	}
	for _, m := range p.Messages {
		if m.EndsIn == none {
			d.arrow("--)", m, " (still on its way)")
		}
	}
	return d.text.String()
}

type mermaid struct {
	picture *Picture
	text    strings.Builder
}

func (d *mermaid) line(format string, args ...any) {
	fmt.Fprintf(&d.text, "    "+format+"\n", args...)
}

// note writes words over one process, or over all of them.
func (d *mermaid) note(p spec.ID, words ...string) {
	over := p.String()
	if p == spec.None {
		over = fmt.Sprintf("1,%d", d.picture.N)
	}
	for i, word := range words {
		words[i] = mermaidEscapes.Replace(word)
	}
	d.line("Note over %s: %s", over, strings.Join(words, "<br/>"))
}

func (d *mermaid) arrow(kind string, m Message, words string) {
	d.line("%v%s%v: %s%s", m.From, kind, m.To, mermaidEscapes.Replace(m.Text), words)
}

// mermaidEscapes replaces characters that end a line or a block of Markdown, or begin an entity,
// a comment, a formula or a tag.
var mermaidEscapes = strings.NewReplacer("#", "#35;", ";", "#59;", "`", "#96;", "%", "#37;", "$", "#36;", "<", "#60;", ">", "#62;", "&", "#38;")

// event draws the messages that arrive, what the event does, and the messages that it loses.
func (d *mermaid) event(i int) {
	e := &d.picture.Events[i]
	for _, m := range e.Takes {
		d.arrow("->>", d.picture.Messages[m], "")
	}
	switch e.Kind {
	case kindLose, kindDrop:
		for _, m := range e.Loses {
			d.arrow("--x", d.picture.Messages[m], d.why(m))
		}
		return
	case kindCopy:
		d.arrow("--)", d.picture.Messages[e.Sends[0]], " (copied)")
		return
	}
	for _, m := range e.Loses {
		if d.picture.Messages[m].SentBy < i {
			d.arrow("--x", d.picture.Messages[m], fmt.Sprintf(" (lost as %v crashes)", e.Process))
		}
	}
	if words := e.words(); words != nil {
		d.note(e.Process, words...)
	}
	for _, m := range e.Loses {
		if d.picture.Messages[m].SentBy == i && d.picture.Messages[m].Fate != Absorbed {
			d.arrow("--x", d.picture.Messages[m], d.why(m))
		}
	}
}

// why says why a message does not arrive.
func (d *mermaid) why(m int) string { return " (" + d.picture.Messages[m].Lost() + ")" }
