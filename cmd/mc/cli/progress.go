package cli

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"interleave/explore"
	"interleave/properties"
)

// progress tells on standard error how the work is getting on: on a terminal
// in one line that is rewritten, elsewhere in a line every ten seconds.
type progress struct {
	tool   *tool
	every  time.Duration
	next   time.Time
	shown  bool
	prefix string // what is being searched, if that is not plain
}

func (t *tool) newProgress() *progress {
	p := &progress{tool: t, every: 10 * time.Second}
	if t.terminal {
		p.every = 200 * time.Millisecond
	}
	p.next = time.Now().Add(p.every)
	return p
}

func (p *progress) report(s explore.Stats) {
	p.tell(func() string {
		omitted := ""
		if s.Loss.Omitted > 0 {
			omitted = fmt.Sprintf(", perhaps %.2g omitted", s.Loss.Omitted)
		}
		return fmt.Sprintf("%s states, %s a second, depth %d, frontier %s, %s%s",
			humanize.Comma(int64(s.States)), humanize.SIWithDigits(float64(s.States)/s.Elapsed.Seconds(), 1, ""),
			s.Depth, humanize.Comma(int64(s.Frontier)), humanize.IBytes(uint64(s.Bytes)), omitted)
	})
}

// growth is report for the symbolic engine.
func (p *progress) growth(g properties.Growth) {
	p.tell(func() string {
		return fmt.Sprintf("%s: %s nodes, %s, %.1f s", g.Doing, humanize.Comma(int64(g.Nodes)), humanize.IBytes(uint64(g.Bytes)), g.Elapsed.Seconds())
	})
}

// judging reports on the look for runs that circle.
func (p *progress) judging(states int) {
	p.tell(func() string { return fmt.Sprintf("%s states looked at for runs that circle", comma(states)) })
}

// states reports on a certificate.
func (p *progress) states(done, of int) {
	p.tell(func() string { return fmt.Sprintf("%s of %s states confirmed", comma(done), comma(of)) })
}

// tell prints a line if it is time for one.
func (p *progress) tell(text func() string) {
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(p.every)
	line := p.prefix + text()
	if !p.tool.terminal {
		fmt.Fprintf(p.tool.err, "mc: %s\n", line)
		return
	}
	fmt.Fprintf(p.tool.err, "\r\x1b[K%s", styleFaint.Render(line))
	p.shown = true
}

// clear takes the line away.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.tool.err, "\r\x1b[K")
		p.shown = false
	}
}
