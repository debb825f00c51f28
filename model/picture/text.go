package picture

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"interleave/spec"
)

// Tone is the meaning of a piece of text.
type Tone uint8

const (
	Plain Tone = iota
	Faint      // what matters less
	Bad        // a crash, a loss, a panic
	Title      // the heads of the lanes
)

// TextOptions say how a run is drawn for a terminal.
type TextOptions struct {
	Columns int                       // width in characters; 0: as wide as needed
	Paint   func(Tone, string) string // gives a piece of text its colour; nil: none
}

// Text draws a sequence diagram with a line for each message that arrives or is
// lost and for each event besides, and what changes beside it, or below it if the
// terminal is narrow. The lane of a process is
//
//	│  while it is up
//	║  while it follows itself
//	╎  before it starts
//	   and blank while it is down
func Text(p *Picture, o TextOptions) string {
	t := newText(p, o)
	t.heads()
	for i := range p.Events {
		t.event(i)
	}
	t.leftovers()
	t.finally()
	return t.out.String()
}

// text is a diagram under construction.
type text struct {
	*Picture
	options TextOptions
	gap     int // columns from one lane to the next
	room    int // columns beside the lanes; 0: any number; negative: too few
	step    int // the step whose number was written last
	out     strings.Builder
}

// The columns before the first lane, at least between two, beside which there
// should be room for words, and how deep words below are indented.
const (
	margin  = 7
	nearest = 4
	widest  = 24
	roomy   = 24
	indent  = 8
)

func newText(p *Picture, o TextOptions) *text {
	t := &text{Picture: p, options: o, gap: 9}
	for _, m := range p.Messages {
		t.gap = max(t.gap, min(widest, utf8.RuneCountInString(m.Text)+5))
	}
	if t.options.Paint == nil {
		t.options.Paint = func(_ Tone, s string) string { return s }
	}
	if o.Columns == 0 || p.N == 1 {
		return t
	}
	if most := (o.Columns - margin - 3) / (p.N - 1); t.gap > most {
		t.gap = max(most, nearest)
	}
	if beside := o.Columns - roomy - margin - 3; t.gap*(p.N-1) > beside && beside >= 9*(p.N-1) {
		t.gap = beside / (p.N - 1)
	}
	t.room = o.Columns - t.width() - 3
	if t.room < roomy {
		t.room = none
	}
	return t
}

// width is how many columns the lanes take, with the margin before them.
func (t *text) width() int { return margin + t.gap*(t.N-1) + 1 }

// lane returns the column of a process.
func (t *text) lane(p spec.ID) int { return margin + t.gap*int(p-1) }

// row is the part of a line with the lanes in it.
type row []rune

// lanes returns a row with only the lanes, as they are after some steps.
func (t *text) lanes(step int) row {
	r := row(strings.Repeat(" ", t.width()))
	view := t.Views[min(step, len(t.Views)-1)]
	for i, status := range view.Status {
		glyph := '│'
		switch {
		case status == "down":
			glyph = ' '
		case status == "booting":
			glyph = '╎'
		case view.leader(spec.ID(i+1)) == spec.ID(i+1):
			glyph = '║'
		}
		r[t.lane(spec.ID(i+1))] = glyph
	}
	return r
}

func (r row) put(at int, text string) {
	for _, c := range text {
		if at >= 0 && at < len(r) {
			r[at] = c
		}
		at++
	}
}

// heads writes the numbers of the processes.
func (t *text) heads() {
	r := row(strings.Repeat(" ", t.width()))
	r.put(0, "STEP")
	for q := range spec.UpTo(t.N).All() {
		r.put(t.lane(q), q.String())
	}
	t.line(Title, r, nil)
}

// number writes the number of a step before its first line, and the sign of a loop or of a step
// that does not matter.
func (t *text) number(r row, step int, tone Tone) {
	if step != t.step {
		mark := " "
		switch {
		case t.Loop > 0 && step >= t.Loop:
			mark = "↻"
		case tone == Faint && step <= t.Steps:
			mark = "·"
		}
		r.put(0, fmt.Sprintf("%s%4d", mark, step))
	}
	t.step = step
}

// event writes the lines of an event.
func (t *text) event(i int) {
	e := &t.Events[i]
	tone := Plain
	switch {
	case e.Faded:
		tone = Faint
	case e.Crash, e.Panic != "", e.Kind == kindLose, e.Kind == kindDrop:
		tone = Bad
	}
	words := e.words()
	for k, m := range e.Takes {
		var beside []string
		if k == len(e.Takes)-1 && !e.Crash {
			beside, words = words, nil
		}
		t.arrow(tone, e.Step, m, "", beside)
	}
	switch {
	case e.Kind == kindCopy:
		t.arrow(tone, e.Step, e.Sends[0], "copied", nil)
	case e.Kind == kindLose, e.Kind == kindDrop:
	case e.Process == spec.None:
		t.across(tone, e)
	case words != nil:
		t.local(tone, e, words)
	}
	for _, m := range e.Loses {
		if t.Messages[m].Fate != Absorbed {
			t.arrow(tone, e.Step, m, t.Messages[m].Lost(), nil)
		}
	}
	t.turn(i)
}

// local writes what happens at one process.
func (t *text) local(tone Tone, e *Event, words []string) {
	r := t.lanes(e.Step - 1)
	glyph := "●"
	if e.Crash || e.Panic != "" {
		glyph = "✗"
	}
	r.put(t.lane(e.Process), glyph)
	t.number(r, e.Step, tone)
	t.line(tone, r, words)
}

// across writes what happens to the network or to time.
func (t *text) across(tone Tone, e *Event) {
	r := t.lanes(e.Step - 1)
	for i := margin; i < len(r); i++ {
		if r[i] == ' ' {
			r[i] = '┄'
		}
	}
	t.number(r, e.Step, tone)
	t.line(tone, r, []string{e.Title})
}

// arrow writes a message where it ends, with its words on it if there is room for them, and
// otherwise beside it. The note says why it does not arrive, if so.
func (t *text) arrow(tone Tone, step, m int, note string, words []string) {
	message := t.Messages[m]
	r := t.lanes(step - 1)
	shaft, head := '─', "▶"
	if message.To < message.From {
		head = "◀"
	}
	if note != "" {
		shaft = '┄'
	}
	if note == message.Lost() && note != "" {
		head = "✗"
	}
	from, to := t.lane(message.From), t.lane(message.To)
	lo, hi := min(from, to), max(from, to)
	for i := lo + 1; i < hi; i++ {
		r[i] = shaft
	}
	r.put(to, head)
	if space := hi - lo - 3; from != to && utf8.RuneCountInString(message.Text) <= space {
		r.put(lo+1+(hi-lo-utf8.RuneCountInString(message.Text))/2, message.Text)
	} else {
		words = append([]string{message.Text}, words...)
	}
	if from == to {
		words = append(words, "from itself")
	}
	if note != "" {
		words = append(words, note)
	}
	if sent := t.Events[message.SentBy].Step; sent < step-1 && message.EndsIn != none {
		words = append(words, fmt.Sprintf("sent in %d", sent))
	}
	t.number(r, step, tone)
	t.line(tone, r, words)
}

// turn marks the point after which the violation cannot be averted any more.
func (t *text) turn(i int) {
	last := i+1 == len(t.Events) || t.Events[i+1].Step != t.Events[i].Step
	if last && t.Turn == t.Events[i].Step {
		r := row(strings.Repeat("═", t.width()))
		t.line(Bad, r, []string{"no way back from here on"})
	}
}

// leftovers writes the messages in flight at the end.
func (t *text) leftovers() {
	for i, m := range t.Messages {
		if m.EndsIn == none {
			t.step = t.Steps + 1
			t.arrow(Faint, t.Steps+1, i, "still on its way", nil)
		}
	}
}

// finally writes which leader each process follows at the end, and how the run goes on.
func (t *text) finally() {
	if t.last().Leader == nil {
		return
	}
	r := row(strings.Repeat(" ", t.width()+4))
	r.put(0, "leader")
	view := t.last()
	for i, leader := range view.Leader {
		text := leader.String()
		switch {
		case view.Status[i] == "down":
			text = "✗"
		case leader == spec.None:
			text = "–"
		}
		r.put(t.lane(spec.ID(i+1)), text)
	}
	t.line(Title, r, []string{"in the eyes of each"})
}

// line writes a row, and words beside or below it.
func (t *text) line(tone Tone, r row, words []string) {
	lanes := strings.TrimRight(string(r), " ")
	said := strings.Join(words, "; ")
	switch {
	case said == "":
		t.paint(tone, lanes)
	case t.room == none:
		t.paint(tone, lanes)
		for _, line := range wrap(said, max(20, t.options.Columns-indent)) {
			t.paint(tone, strings.Repeat(" ", indent)+line)
		}
	default:
		pad := t.width() + 2
		for k, line := range wrap(said, t.room) {
			if k > 0 {
				lanes = string(t.lanes(t.step))
			}
			t.paint(tone, lanes+strings.Repeat(" ", max(1, pad-utf8.RuneCountInString(lanes)))+line)
		}
	}
}

func (t *text) paint(tone Tone, line string) {
	t.out.WriteString(t.options.Paint(tone, line) + "\n")
}

// wrap breaks words into lines of a width, if that is above 0. It also breaks words that are
// longer.
func wrap(text string, width int) []string {
	if width <= 0 {
		return []string{text}
	}
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		for {
			room := width - utf8.RuneCountInString(line)
			if line != "" {
				room--
			}
			switch n := utf8.RuneCountInString(word); {
			case n <= room && line == "":
				line = word
			case n <= room:
				line += " " + word
			case line != "":
				lines, line = append(lines, line), ""
				continue
			default:
				runes := []rune(word)
				lines, word = append(lines, string(runes[:width])), string(runes[width:])
				continue
			}
			break
		}
	}
	return append(lines, line)
}
