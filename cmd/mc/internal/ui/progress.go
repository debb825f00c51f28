package ui

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"interleave/explore"
	"interleave/internal/printable"
	"interleave/properties"
)

// clearLine takes away the line of a terminal in which progress is told.
const clearLine = "\r\x1b[K"

// Progress tells on standard error how the work is getting on: on a terminal
// in one line that is rewritten, elsewhere in a line every ten seconds. Time that is
// left is told only where it is known how much there is to do.
type Progress struct {
	lock     sync.Mutex // a slow handler is told of by another goroutine
	tool     *UI
	now      func() time.Time
	began    time.Time
	every    time.Duration
	next     time.Time
	shown    bool
	Prefix   string                            // what is being searched, if that is not plain
	Part     func(states int) (done, of int64) // what is done of all, with so many states of what is being searched; nil: nobody knows
	frontier int                               // of the search, when it was last told
	look     explore.Look                      // that was told last
	looked   time.Time                         // when that look began
}

// NewProgress returns the progress of work that begins now.
func NewProgress(u *UI) *Progress {
	p := &Progress{tool: u, now: time.Now, every: 10 * time.Second}
	if u.Terminal {
		p.every = 200 * time.Millisecond
	}
	p.began = p.now()
	p.next = p.began.Add(p.every)
	return p
}

// Follow makes a check tell how it is getting on.
func (p *Progress) Follow(o *properties.Options) {
	o.Progress, o.Growth, o.Judging, o.Slow = p.Report, p.growth, p.Judging, p.Slow
}

// Report tells of a search state by state.
func (p *Progress) Report(s explore.Stats) {
	p.tell(func() []string {
		text := []string{
			humanize.Comma(int64(s.States)) + " states",
			strings.TrimSpace(humanize.SIWithDigits(float64(s.States)/s.Elapsed.Seconds(), 1, "")) + " a second",
			fmt.Sprintf("depth %d", s.Depth),
			"frontier " + humanize.Comma(int64(s.Frontier)) + p.trend(s.Frontier),
			humanize.IBytes(uint64(s.Bytes)),
		}
		if s.Loss.Omitted > 0 {
			text = append(text, fmt.Sprintf("perhaps %.2g omitted", s.Loss.Omitted))
		}
		if p.Part == nil {
			return text
		}
		return append(p.left(p.Part(s.States)), text...)
	})
}

// trend says whether there is more to do than there was: as long as the frontier
// grows, nobody knows how much there will be.
func (p *Progress) trend(frontier int) string {
	was := p.frontier
	p.frontier = frontier
	switch {
	case was == 0 || frontier == was:
		return ""
	case frontier > was:
		return " and growing"
	}
	return " and shrinking"
}

// left says how long the rest will take if it goes on at the same pace; nothing where
// less than a fiftieth is done, or more than all, so that what was known is wrong.
func (p *Progress) left(done, of int64) []string { return p.leftSince(p.began, done, of) }

func (p *Progress) leftSince(began time.Time, done, of int64) []string {
	elapsed := p.now().Sub(began)
	if done <= of/50 || done > of || elapsed < time.Second {
		return nil
	}
	left := time.Duration(float64(elapsed) * float64(of-done) / float64(done))
	switch {
	case left < 2*time.Minute:
		return []string{fmt.Sprintf("about %.0f s left", math.Ceil(left.Seconds()))}
	case left < time.Hour:
		return []string{fmt.Sprintf("about %.0f min left", math.Ceil(left.Minutes()))}
	}
	return []string{fmt.Sprintf("about %.1f h left", left.Hours())}
}

// growth is report for the symbolic engine.
func (p *Progress) growth(g properties.Growth) {
	p.tell(func() []string {
		return []string{fmt.Sprintf("%s: %s nodes", g.Doing, humanize.Comma(int64(g.Nodes))), humanize.IBytes(uint64(g.Bytes)), fmt.Sprintf("%.1f s", g.Elapsed.Seconds())}
	})
}

// Judging reports on a look at states when the search is over.
func (p *Progress) Judging(l explore.Look) {
	if p.look.For != l.For || p.look.Of != l.Of || p.look.States > l.States { // another one
		p.looked = p.now()
	}
	p.look = l
	p.tell(func() []string {
		text := fmt.Sprintf("%s of %s looked at for %s", Comma(l.States), Comma(l.Of), l.For)
		return append([]string{text}, p.leftSince(p.looked, int64(l.States), int64(l.Of))...)
	})
}

// Runs reports on runs at random.
func (p *Progress) Runs(s properties.SimulateStats) {
	p.tell(func() []string {
		rate := float64(s.Steps) / p.now().Sub(p.began).Seconds()
		return []string{Comma(s.Runs) + " runs", strings.TrimSpace(humanize.SIWithDigits(rate, 1, "")) + " steps a second"}
	})
}

// Slow reports on a handler that does not come back.
func (p *Progress) Slow(c properties.Call) {
	p.tell(func() []string {
		return []string{fmt.Sprintf("waiting for %.0f s", p.now().Sub(c.Began).Seconds()), fmt.Sprintf("%v does not come back", c)}
	})
}

// States reports on a certificate.
func (p *Progress) States(done, of int) {
	p.tell(func() []string {
		return append([]string{fmt.Sprintf("%s of %s states confirmed", Comma(done), Comma(of))}, p.left(int64(done), int64(of))...)
	})
}

// Writing reports on a certificate that is being written.
func (p *Progress) Writing(done, of int) {
	p.tell(func() []string {
		return []string{fmt.Sprintf("%d %% of the certificate written", 100*int64(done)/int64(of))}
	})
}

// Reading reports on files of a known size, of which so much has been read.
func (p *Progress) Reading(done, of int64) {
	p.tell(func() []string {
		text := fmt.Sprintf("%s of %s read", humanize.IBytes(uint64(done)), humanize.IBytes(uint64(of)))
		return append([]string{text}, p.left(done, of)...)
	})
}

// tell prints a line if it is time for one. What there is no room for on the terminal
// is left out, the last first.
func (p *Progress) tell(text func() []string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	now := p.now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(p.every)
	parts := text()
	for i, part := range parts {
		parts[i] = printable.Text(part) // before it is measured
	}
	if !p.tool.Terminal {
		fmt.Fprintf(p.tool.Err, "mc: %s%s\n", p.Prefix, strings.Join(parts, ", "))
		return
	}
	line := p.Prefix + parts[0]
	for _, part := range parts[1:] {
		if longer := line + ", " + part; p.fits(longer) {
			line = longer
		}
	}
	if !p.fits(line) {
		line = p.cut(parts[0])
	}
	fmt.Fprint(p.tool.Cursor, clearLine+printable.Styled(Faint.Render(line)))
	p.shown = true
}

// fits reports whether a line does not wrap, for then it could not be taken away.
func (p *Progress) fits(line string) bool {
	return p.tool.errColumns == 0 || utf8.RuneCountInString(line) < p.tool.errColumns
}

// cut returns the prefix and a text, the prefix as short as it has to be.
func (p *Progress) cut(text string) string {
	room := max(0, p.tool.errColumns-1)
	prefix := []rune(p.Prefix)
	if keep := room - utf8.RuneCountInString(text) - 2; keep > 0 && keep < len(prefix) {
		return string(prefix[:keep]) + "… " + text
	}
	all := []rune(text)
	return string(all[:min(room, len(all))])
}

// TakeAway returns what takes the line away, if it may be there.
func (p *Progress) TakeAway() string {
	if p.tool.Terminal {
		return clearLine
	}
	return ""
}

// Clear takes the line away.
func (p *Progress) Clear() {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.shown {
		fmt.Fprint(p.tool.Cursor, clearLine)
		p.shown = false
	}
}
