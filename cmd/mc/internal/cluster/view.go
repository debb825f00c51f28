package cluster

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"charm.land/lipgloss/v2"
	"golang.org/x/term"

	"interleave/cmd/mc/internal/ui"
	"interleave/impl/cluster"
	"interleave/impl/cluster/network"
	"interleave/internal/printable"
	"interleave/spec"
)

// screen shows on standard error how a run is getting on: on a terminal as
// a screen that is drawn anew, elsewhere in a line for each thing that happens
// and one every ten seconds.
type screen struct {
	tool   *ui.UI
	config cluster.Config

	mu    sync.Mutex
	drawn int       // lines on the screen
	next  time.Time // of the lines every ten seconds
}

func newScreen(u *ui.UI, c cluster.Config) *screen {
	return &screen{tool: u, config: c, next: time.Now().Add(10 * time.Second)}
}

// tell tells of an occasion.
func (v *screen) tell(o cluster.Occasion) {
	if v.tool.Terminal {
		return // the screen shows it
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	fmt.Fprintf(v.tool.Err, "mc: %s\n", occasionLine(o))
}

func occasionLine(o cluster.Occasion) string { return fmt.Sprintf("%7.2f s  %s", o.Elapsed, o.Text) }

// watch shows how things are.
func (v *screen) watch(s cluster.Snapshot) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.tool.Terminal {
		width, height := terminalSize()
		v.draw(v.screen(s, width, height), width, height)
		return
	}
	if now := time.Now(); now.After(v.next) {
		v.next = now.Add(10 * time.Second)
		fmt.Fprintf(v.tool.Err, "mc: %7.2f s  %s; %s\n", s.Elapsed, v.agreement(s), frames(s.Traffic))
	}
}

// end leaves the last screen where it is.
func (v *screen) end() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.drawn > 0 {
		fmt.Fprintln(v.tool.Err)
	}
}

// terminalSize returns the size of the terminal of standard error, or a usual
// one.
func terminalSize() (width, height int) {
	width, height, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil || width < 1 || height < 1 {
		return 80, 24
	}
	return width, height
}

// draw draws lines over those drawn before, none of them wider than the
// terminal, and no more than it has.
func (v *screen) draw(lines []string, width, height int) {
	var b strings.Builder
	if v.drawn > 0 {
		fmt.Fprintf(&b, "\r\x1b[%dA", v.drawn)
	}
	lines = lines[:min(len(lines), max(height-1, 1))]
	narrow := lipgloss.NewStyle().MaxWidth(width).Inline(true)
	for _, line := range lines {
		b.WriteString("\r" + narrow.Render(printable.Styled(line)) + "\x1b[K\n")
	}
	b.WriteString("\x1b[J")
	v.drawn = len(lines)
	fmt.Fprint(v.tool.Cursor, b.String())
}

// screen returns the lines of the screen; as many occasions as there is room
// for, up to ten.
func (v *screen) screen(s cluster.Snapshot, width, height int) []string {
	c := v.config
	lines := folded(fmt.Sprintf("%s  %d processes, %s, δ %v, seed %d", c.Machine.Traits().Name, c.N, transportName(c), c.Delta, c.Plan.Seed), width, ui.Title)
	lines = append(lines, v.clock(s))
	lines = append(lines, faultsNow(s, width)...)
	shown := fitting(width)
	elects := c.Machine.Traits().Elects
	lines = append(lines, "", ui.Faint.Render(titles(shown, elects)))
	for _, row := range s.Processes {
		lines = append(lines, processLine(row, s.Agreed, shown, elects))
	}
	lines = append(lines, "", v.agreement(s))
	if elects {
		lines = append(lines, folded(course(s.Course, c.Delta), width, "")...)
	}
	lines = append(lines, folded(frames(s.Traffic), width, "")...)
	room := min(10, height-len(lines)-2)
	if room < 1 {
		return lines
	}
	lines = append(lines, "")
	for _, o := range s.Recent[max(0, len(s.Recent)-room):] {
		lines = append(lines, ui.Faint.Render(occasionLine(o)))
	}
	return lines
}

// folded wraps a text for the screen; its further lines are indented.
func folded(text string, width int, style printable.Style) (lines []string) {
	if width >= ui.Fewest {
		text = ui.Wrapped(text, width-2)
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			line = "  " + line
		}
		lines = append(lines, style.Render(line))
	}
	return lines
}

func transportName(c cluster.Config) string {
	switch {
	case c.Stream:
		return "TCP"
	case c.Datagrams:
		return "UDP, bare datagrams"
	}
	return "UDP, reliable layer"
}

// clock tells how far the run is.
func (v *screen) clock(s cluster.Snapshot) string {
	switch {
	case s.Phase == "healing":
		return fmt.Sprintf("%.1f s, healing", s.Elapsed)
	case v.config.Elections > 0:
		return fmt.Sprintf("%.1f s, kill %d of %d", s.Elapsed, s.Course.Kills, v.config.Elections)
	}
	return fmt.Sprintf("%.1f s of %v", s.Elapsed, v.config.Duration)
}

func faultsNow(s cluster.Snapshot, width int) []string {
	text := strings.Join(append([]string{s.Network}, s.Cuts...), "; ")
	style := ui.Doubt
	if text == "none" {
		style = ui.Good
	}
	return folded("faults: "+text, width, style)
}

// agreement tells whom the processes follow; or, where nobody is elected, how many are up.
func (v *screen) agreement(s cluster.Snapshot) string {
	if !v.config.Machine.Traits().Elects {
		up, steps := 0, 0
		for _, row := range s.Processes {
			if steps += row.Steps; row.State == cluster.Up {
				up++
			}
		}
		return fmt.Sprintf("%s of %d up, %s", ui.Plural(up, "process", "processes"), len(s.Processes), ui.Count(steps, "step"))
	}
	if s.Agreed == spec.None {
		return ui.Doubt.Render("the live processes do not agree")
	}
	return ui.Good.Render(fmt.Sprintf("all live processes follow %v", s.Agreed))
}

// frames tells what became of the frames so far.
func frames(t network.Traffic) string {
	text := fmt.Sprintf("%s frames, %s of them messages", ui.Comma(t.Frames), ui.Comma(t.Messages))
	for _, part := range []struct {
		what  string
		count int
	}{{"lost", t.Lost}, {"stalled", t.Stalled}, {"cut off", t.Cut}, {"copied", t.Copied}, {"overtaken", t.Held}, {"unreadable", t.Unreadable}} {
		if part.count > 0 {
			text += fmt.Sprintf(", %s %s", ui.Comma(part.count), part.what)
		}
	}
	return text
}

// course tells what the elections so far came to.
func course(c cluster.Course, delta time.Duration) string {
	median, worst := c.Times()
	text := ui.Count(c.Agreements, "agreement")
	if len(c.After) > 0 {
		text += fmt.Sprintf("; after %s the next in %s, %s at worst", ui.Count(len(c.After), "kill"), inDeltas(median, delta), inDeltas(worst, delta))
	}
	if c.Split.Count > 0 {
		text += "; split " + ui.Times(c.Split.Count)
	}
	return text
}

func inDeltas(d, delta time.Duration) string {
	return fmt.Sprintf("%v = %.1f δ", d.Round(time.Millisecond), float64(d)/float64(delta))
}
