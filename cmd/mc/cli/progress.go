package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"interleave/conformance"
	"interleave/explore"
	"interleave/internal/printable"
	"interleave/properties"
)

// clearLine takes away the line of a terminal in which progress is told.
const clearLine = "\r\x1b[K"

// progress tells on standard error how the work is getting on: on a terminal
// in one line that is rewritten, elsewhere in a line every ten seconds. Time that is
// left is told only where it is known how much there is to do.
type progress struct {
	lock     sync.Mutex // a slow handler is told of by another goroutine
	tool     *tool
	now      func() time.Time
	began    time.Time
	every    time.Duration
	next     time.Time
	shown    bool
	prefix   string                            // what is being searched, if that is not plain
	part     func(states int) (done, of int64) // what is done of all, with so many states of what is being searched; nil: nobody knows
	frontier int                               // of the search, when it was last told
	look     explore.Look                      // that was told last
	looked   time.Time                         // when that look began
}

func (u *tool) newProgress() *progress {
	p := &progress{tool: u, now: time.Now, every: 10 * time.Second}
	if u.terminal {
		p.every = 200 * time.Millisecond
	}
	p.began = p.now()
	p.next = p.began.Add(p.every)
	return p
}

// follow makes a check tell how it is getting on.
func (p *progress) follow(o *properties.Options) {
	o.Progress, o.Growth, o.Judging, o.Slow = p.report, p.growth, p.judging, p.slow
}

func (p *progress) report(s explore.Stats) {
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
		if p.part == nil {
			return text
		}
		return append(p.left(p.part(s.States)), text...)
	})
}

// trend says whether there is more to do than there was: as long as the frontier
// grows, nobody knows how much there will be.
func (p *progress) trend(frontier int) string {
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
func (p *progress) left(done, of int64) []string { return p.leftSince(p.began, done, of) }

func (p *progress) leftSince(began time.Time, done, of int64) []string {
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
func (p *progress) growth(g properties.Growth) {
	p.tell(func() []string {
		return []string{fmt.Sprintf("%s: %s nodes", g.Doing, humanize.Comma(int64(g.Nodes))), humanize.IBytes(uint64(g.Bytes)), fmt.Sprintf("%.1f s", g.Elapsed.Seconds())}
	})
}

// judging reports on a look at states when the search is over.
func (p *progress) judging(l explore.Look) {
	if p.look.For != l.For || p.look.Of != l.Of || p.look.States > l.States { // another one
		p.looked = p.now()
	}
	p.look = l
	p.tell(func() []string {
		text := fmt.Sprintf("%s of %s looked at for %s", comma(l.States), comma(l.Of), l.For)
		return append([]string{text}, p.leftSince(p.looked, int64(l.States), int64(l.Of))...)
	})
}

// slow reports on a handler that does not come back.
func (p *progress) slow(c properties.Call) {
	p.tell(func() []string {
		return []string{fmt.Sprintf("waiting for %.0f s", p.now().Sub(c.Began).Seconds()), fmt.Sprintf("%v does not come back", c)}
	})
}

// states reports on a certificate.
func (p *progress) states(done, of int) {
	p.tell(func() []string {
		return append([]string{fmt.Sprintf("%s of %s states confirmed", comma(done), comma(of))}, p.left(int64(done), int64(of))...)
	})
}

// writing reports on a certificate that is being written.
func (p *progress) writing(done, of int) {
	p.tell(func() []string {
		return []string{fmt.Sprintf("%d %% of the certificate written", 100*int64(done)/int64(of))}
	})
}

// reading reports on files of a known size, of which so much has been read.
func (p *progress) reading(done, of int64) {
	p.tell(func() []string {
		text := fmt.Sprintf("%s of %s read", humanize.IBytes(uint64(done)), humanize.IBytes(uint64(of)))
		return append([]string{text}, p.left(done, of)...)
	})
}

// tell prints a line if it is time for one. What there is no room for on the terminal
// is left out, the last first.
func (p *progress) tell(text func() []string) {
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
	if !p.tool.terminal {
		fmt.Fprintf(p.tool.err, "mc: %s%s\n", p.prefix, strings.Join(parts, ", "))
		return
	}
	line := p.prefix + parts[0]
	for _, part := range parts[1:] {
		if longer := line + ", " + part; p.fits(longer) {
			line = longer
		}
	}
	if !p.fits(line) {
		line = p.cut(parts[0])
	}
	fmt.Fprint(p.tool.cursor, clearLine+printable.Styled(styleFaint.Render(line)))
	p.shown = true
}

// fits reports whether a line does not wrap, for then it could not be taken away.
func (p *progress) fits(line string) bool {
	return p.tool.errColumns == 0 || utf8.RuneCountInString(line) < p.tool.errColumns
}

// cut returns the prefix and a text, the prefix as short as it has to be.
func (p *progress) cut(text string) string {
	room := max(0, p.tool.errColumns-1)
	prefix := []rune(p.prefix)
	if keep := room - utf8.RuneCountInString(text) - 2; keep > 0 && keep < len(prefix) {
		return string(prefix[:keep]) + "… " + text
	}
	all := []rune(text)
	return string(all[:min(room, len(all))])
}

// takeAway returns what takes the line away, if it may be there.
func (p *progress) takeAway() string {
	if p.tool.terminal {
		return clearLine
	}
	return ""
}

// clear takes the line away.
func (p *progress) clear() {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.shown {
		fmt.Fprint(p.tool.cursor, clearLine)
		p.shown = false
	}
}

// watch tells how much of logs has been read, which are judged as they are read.
func (p *progress) watch(logs []conformance.Log) {
	var done, all int64
	for i, l := range logs {
		f, ok := l.Reader.(*os.File)
		if !ok {
			return
		}
		info, err := f.Stat()
		if err != nil {
			return
		}
		all += info.Size()
		logs[i].Reader = counted{f, func(n int) {
			done += int64(n)
			p.reading(done, all)
		}}
	}
}

// counted counts what is read.
type counted struct {
	io.Reader
	read func(n int)
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.read(n)
	return n, err
}
