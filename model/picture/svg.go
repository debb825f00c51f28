package picture

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"interleave/spec"
)

// SVG draws a space-time diagram that stands alone: time goes down; there is a lane for each
// process, an arrow for each message from where it is sent to where it ends, and a description
// beside each event. It has a title and a description for those who do not see it, does not rely
// on colour alone, and suits light and dark pages.
func SVG(p *Picture) string {
	d := newSVG(p)
	d.frame()
	d.loop()
	d.lanes()
	for _, m := range p.Messages {
		d.message(m)
	}
	for i := range p.Events {
		d.event(i)
	}
	d.marks()
	for _, m := range p.Messages {
		d.label(m)
	}
	d.finally()
	d.out.WriteString("</svg>\n")
	return d.out.String()
}

// svg is a drawing under construction. Lengths are in pixels.
type svg struct {
	*Picture
	gap, width, height int
	rows               []svgRow // of the steps, and one below the last
	labels             []box    // places that are taken: by what is written so far, and by dots
	out                strings.Builder
}

// svgRow is where a step is, from above, and what stands beside it.
type svgRow struct {
	at    int
	lines []string
	faded []bool // of the lines
}

const (
	svgLeft  = 110 // of the first lane
	svgTop   = 66  // of the first step
	svgLine  = 17
	svgWords = 64 // characters in a line of words
	svgGlyph = 8  // approximate width of a character
)

func newSVG(p *Picture) *svg {
	d := &svg{Picture: p, gap: 130}
	for _, m := range p.Messages {
		d.gap = max(d.gap, min(260, svgGlyph*utf8.RuneCountInString(m.Text)+60))
	}
	widest := 20
	for i := range p.Events {
		e := &p.Events[i]
		if len(d.rows) < e.Step {
			d.rows = append(d.rows, svgRow{at: d.next()})
		}
		row := &d.rows[len(d.rows)-1]
		words := strings.Join(e.beside(p), "; ")
		if e.Kind == kindRound {
			words = fmt.Sprintf("%v: %s", e.Process, words)
		}
		for _, line := range wrap(words, svgWords) {
			widest = max(widest, utf8.RuneCountInString(line))
			row.lines, row.faded = append(row.lines, line), append(row.faded, e.Faded)
		}
	}
	d.rows = append(d.rows, svgRow{at: d.next()})
	if p.Turn > 0 { // a line is drawn below it
		for i := p.Turn; i < len(d.rows); i++ {
			d.rows[i].at += svgLine
		}
	}
	d.height = d.bottom() + 44
	d.width = max(d.words()+svgGlyph*widest+16, 360)
	return d
}

// next is where the next row begins.
func (d *svg) next() int {
	if len(d.rows) == 0 {
		return svgTop
	}
	last := d.rows[len(d.rows)-1]
	return last.at + max(46, (len(last.lines)+1)*svgLine)
}

// beside says what stands beside an event.
func (e *Event) beside(p *Picture) []string {
	words := e.words()
	for _, m := range e.Loses {
		if message := p.Messages[m]; message.Fate != Absorbed {
			words = append(words, fmt.Sprintf("%s to %v: %s", message.Text, message.To, message.Lost()))
		}
	}
	if e.Kind == kindReceive {
		words = append([]string{e.Title}, words...)
	}
	if e.Kind == kindRound && len(words) == 0 {
		words = []string{e.Title}
	}
	return words
}

func (d *svg) lane(p spec.ID) int { return svgLeft + d.gap*int(p-1) }

// words is where the text beside events begins, from the left.
func (d *svg) words() int { return d.lane(spec.ID(d.N)) + 40 }

// bottom is where the lanes end.
func (d *svg) bottom() int { return d.rows[len(d.rows)-1].at }

// at is where an event is, from above.
func (d *svg) at(i int) int { return d.rows[d.Events[i].Step-1].at }

func (d *svg) add(format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = xmlEscape(text)
		}
	}
	fmt.Fprintf(&d.out, format+"\n", args...)
}

func xmlEscape(text string) string {
	var out strings.Builder
	if err := xml.EscapeText(&out, []byte(text)); err != nil {
		return ""
	}
	return out.String()
}

// svgStyle has the colours. The dark ones are for readers who ask for a dark page.
const svgStyle = `<style>
  .run { color-scheme: light dark; --ink: #1f2328; --faint: #59636e; --paper: #ffffff; --bad: #b3261e; --good: #0a5cc2; }
  @media (prefers-color-scheme: dark) { .run { --ink: #e6edf3; --faint: #9aa4af; --paper: #0d1117; --bad: #ff8a80; --good: #79b8ff; } }
  .run .paper { fill: var(--paper); }
  .run text { fill: var(--ink); font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
  .run .head { font-weight: bold; text-anchor: middle; }
  .run .label { text-anchor: middle; paint-order: stroke; stroke: var(--paper); stroke-width: 5px; }
  .run .step, .run .small { fill: var(--faint); }
  .run .follows { text-anchor: end; }
  .run .lane { stroke: var(--faint); stroke-width: 1.5; }
  .run .leads { stroke: var(--good); stroke-width: 5; }
  .run .booting { stroke-dasharray: 1 5; }
  .run .arrow { stroke: var(--ink); stroke-width: 1.5; fill: none; }
  .run .lost { stroke: var(--bad); stroke-dasharray: 5 4; }
  .run .way { stroke: var(--faint); stroke-dasharray: 2 4; }
  .run .tip { fill: var(--ink); }
  .run .dot { fill: var(--ink); stroke: var(--paper); stroke-width: 2; }
  .run .cross { stroke: var(--bad); stroke-width: 3; fill: none; }
  .run .turn, .run .loop { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 8 4; fill: none; }
  .run .faded { opacity: 0.4; }
</style>`

// frame begins the drawing, with its title and description.
func (d *svg) frame() {
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" class="run" role="img" aria-labelledby="run-title run-desc" viewBox="0 0 %d %d" width="%d" height="%d">`, d.width, d.height, d.width, d.height)
	d.add(`<title id="run-title">%s</title>`, d.title())
	d.add(`<desc id="run-desc">%s</desc>`, strings.Join(d.described(), ". "))
	d.out.WriteString(svgStyle + "\n")
	d.add(`<defs><marker id="run-tip" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="9" markerHeight="9" orient="auto-start-reverse"><path class="tip" d="M0 0L10 5L0 10z"/></marker></defs>`)
	d.add(`<rect class="paper" width="100%%" height="100%%"/>`)
	for q := range spec.UpTo(d.N).All() {
		d.add(`<text class="head" x="%d" y="28">process %v</text>`, d.lane(q), q)
	}
}

// described describes the run in sentences.
func (d *svg) described() []string {
	out := []string{fmt.Sprintf("A run of %d processes in %d steps", d.N, d.Steps)}
	for i := range d.Events {
		e := &d.Events[i]
		who := fmt.Sprintf("process %v", e.Process)
		if e.Process == spec.None {
			who = "the network"
		}
		out = append(out, fmt.Sprintf("Step %d, %s: %s", e.Step, who, strings.Join(e.told(d.Picture), ", ")))
	}
	return out
}

// after returns the height at which a view begins to hold: below its step.
func (d *svg) after(step int) int {
	if step == 0 {
		return svgTop - 22
	}
	return d.rows[step-1].at
}

// lanes draws each process as long as it is up, wider while it follows itself, and writes beside
// it whom it follows from there on.
func (d *svg) lanes() {
	for q := range spec.UpTo(d.N).All() {
		leader := spec.None
		for k, view := range d.Views {
			from, to := d.after(k), d.bottom()
			if k+1 < len(d.Views) {
				to = d.after(k + 1)
			}
			class := "lane"
			switch status := view.Status[q-1]; {
			case status == "down":
				continue
			case status == "booting":
				class = "lane booting"
			case view.leader(q) == q:
				class = "lane leads"
			}
			d.add(`<line class="%s" x1="%d" y1="%d" x2="%d" y2="%d"/>`, class, d.lane(q), from, d.lane(q), to)
			if now := view.leader(q); now != leader {
				leader = now
				text := fmt.Sprintf("→ %v", now)
				at := box{0, from + 19, svgGlyph * utf8.RuneCountInString(text)}
				at.x = d.lane(q) - 8 - at.width/2
				d.labels = append(d.labels, at)
				d.add(`<text class="small follows" x="%d" y="%d">%s</text>`, d.lane(q)-8, at.y, text)
			}
		}
	}
}

// path returns where an arrow begins and ends. If the message does not arrive, it ends on the
// way; if it arrives in the step that sends it, it ends a little below that.
func (d *svg) path(m Message) (x1, y1, x2, y2 int) {
	x1, y1, x2, y2 = d.lane(m.From), d.at(m.SentBy), d.lane(m.To), d.bottom()
	if m.EndsIn != none {
		y2 = d.at(m.EndsIn)
	}
	if y1 == y2 {
		y2 += svgLine
	}
	if m.Fate != OnItsWay && m.Fate != Delivered {
		x2, y2 = x1+(x2-x1)*4/5, y1+(y2-y1)*4/5
	}
	return x1, y1, x2, y2
}

// message draws an arrow.
func (d *svg) message(m Message) {
	if m.Fate == Absorbed {
		return
	}
	x1, y1, x2, y2 := d.path(m)
	class, tip := "arrow", ` marker-end="url(#run-tip)"`
	switch m.Fate {
	case OnItsWay:
		class = "arrow way"
	case Delivered:
	default:
		class, tip = "arrow lost", ""
	}
	fmt.Fprintf(&d.out, `<g class="message%s"><title>%s</title>`, d.fades(m), xmlEscape(fmt.Sprintf("%s from %v to %v: %v", m.Text, m.From, m.To, m.Fate)))
	if x1 == x2 {
		d.add(`<path class="%s" d="M%d %dC%d %d %d %d %d %d"%s/>`, class, x1, y1, x1+50, y1, x1+50, y2, x2, y2, raw(tip))
	} else {
		d.add(`<line class="%s" x1="%d" y1="%d" x2="%d" y2="%d"%s/>`, class, x1, y1, x2, y2, raw(tip))
	}
	if tip == "" {
		d.cross(x2, y2, 5)
	}
	d.out.WriteString("</g>\n")
}

// fades returns the class of a message that does not matter, since the event that sends it or the
// event in which it ends does not.
func (d *svg) fades(m Message) string {
	if d.Events[m.SentBy].Faded || m.EndsIn != none && d.Events[m.EndsIn].Faded {
		return " faded"
	}
	return ""
}

// raw is text that is written as it is.
type raw string

// box is the place of a label, given by its middle.
type box struct{ x, y, width int }

func (b box) hides(c box) bool {
	return 2*abs(b.x-c.x) < b.width+c.width && abs(b.y-c.y) < svgLine-2
}

func abs(n int) int { return max(n, -n) }

// marks takes the places of the dots and crosses at processes, which no label may hide.
func (d *svg) marks() {
	for i, e := range d.Events {
		if e.Process != spec.None {
			d.labels = append(d.labels, box{d.lane(e.Process), d.at(i) + 5, 20})
		}
	}
}

// label writes a message on its arrow, where it hides no other label and no dot if possible: the
// whole text, or so much of it as fits between two lanes.
func (d *svg) label(m Message) {
	if m.Fate == Absorbed {
		return
	}
	x1, _, x2, _ := d.path(m)
	text := shortened(m.Text, max(d.gap, abs(x2-x1))/svgGlyph-2)
	at, free := d.place(m, text)
	if less := shortened(m.Text, d.gap/svgGlyph-3); !free && less != text {
		if other, fits := d.place(m, less); fits {
			at, text = other, less
		}
	}
	d.labels = append(d.labels, at)
	d.add(`<text class="label%s" x="%d" y="%d">%s</text>`, raw(d.fades(m)), at.x, at.y, text)
}

// svgPlaces are where on its arrow a label may be, in percent of the way.
var svgPlaces = []int{50, 65, 35, 80, 20, 58, 42, 72, 28, 90, 10}

// place finds a place for the label of a message that is free, or else the first that there is.
func (d *svg) place(m Message, text string) (first box, free bool) {
	x1, y1, x2, y2 := d.path(m)
	for i, percent := range svgPlaces {
		at := box{x1 + (x2-x1)*percent/100, y1 + (y2-y1)*percent/100 - 4, svgGlyph * utf8.RuneCountInString(text)}
		if x1 == x2 {
			at.x += 36 + at.width/2
		}
		at.x = min(max(at.x, svgLeft-60+at.width/2), max(d.words()-8-at.width/2, svgLeft)) // not beside the lanes
		if !slices.ContainsFunc(d.labels, at.hides) {
			return at, true
		}
		if i == 0 {
			first = at
		}
	}
	return first, false
}

// shortened returns a text of at most that many characters.
func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

func (d *svg) cross(x, y, size int) {
	d.add(`<path class="cross" d="M%d %dL%d %dM%d %dL%d %d"/>`, x-size, y-size, x+size, y+size, x-size, y+size, x+size, y-size)
}

// event draws what happens at a process, or across all lanes; with the first of a
// step its number, and with the last what stands beside it.
func (d *svg) event(i int) {
	e, y := &d.Events[i], d.at(i)
	faded := ""
	if e.Faded {
		faded = " faded"
	}
	d.add(`<g class="event%s">`, raw(faded))
	if i == 0 || d.Events[i-1].Step != e.Step {
		d.add(`<text class="step" x="12" y="%d">%d</text>`, y+5, e.Step)
	}
	switch {
	case e.Process == spec.None:
		d.add(`<line class="arrow way" x1="%d" y1="%d" x2="%d" y2="%d"/>`, svgLeft-20, y, d.words()-12, y)
	case e.Crash, e.Panic != "":
		d.cross(d.lane(e.Process), y, 9)
	default:
		d.add(`<circle class="dot" cx="%d" cy="%d" r="5"/>`, d.lane(e.Process), y)
	}
	d.out.WriteString("</g>\n")
	if i+1 == len(d.Events) || d.Events[i+1].Step != e.Step {
		d.row(e.Step)
	}
}

// row writes what stands beside a step.
func (d *svg) row(step int) {
	row := d.rows[step-1]
	for k, line := range row.lines {
		class := "said"
		if row.faded[k] {
			class = "said faded"
		}
		d.add(`<text class="%s" x="%d" y="%d">%s</text>`, class, d.words(), row.at+5+k*svgLine, line)
	}
	if step == d.Turn {
		below := d.rows[step].at - 2*svgLine + 3
		d.add(`<line class="turn" x1="8" y1="%d" x2="%d" y2="%d"/><text class="small" x="%d" y="%d">no way back from here on</text>`, below, d.width-8, below, d.words(), below+14)
	}
}

// loop draws a bracket along the part that repeats forever.
func (d *svg) loop() {
	if d.Loop == 0 || d.Loop > d.Steps {
		return
	}
	top, bottom := d.rows[d.Loop-1].at-8, d.rows[d.Steps-1].at+8
	d.add(`<path class="loop" d="M62 %dH50V%dH62"/><text class="small" transform="translate(44 %d) rotate(-90)">forever</text>`, top, bottom, (top+bottom)/2+32)
}

// finally says how each process is at the end: which leader it follows, if one is elected.
func (d *svg) finally() {
	y := d.bottom() + 26
	d.add(`<text class="step" x="12" y="%d">end</text>`, y)
	view := d.last()
	for i, text := range view.Status {
		switch leader := view.leader(spec.ID(i + 1)); {
		case text == "down", view.Leader == nil:
		case leader == spec.None:
			text = "follows none"
		default:
			text = "follows " + leader.String()
		}
		d.add(`<text class="head" x="%d" y="%d">%s</text>`, d.lane(spec.ID(i+1)), y, text)
	}
}
