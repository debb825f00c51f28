package ui

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"interleave/explore"
	"interleave/properties"
)

// TestProgressLines: each engine has a line of its own, and a lossy store says
// what it may have omitted.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{tool: &UI{Err: &out}, now: time.Now, Prefix: "1/2: "}
	p.growth(properties.Growth{Doing: "chaining", Nodes: 1234, Elapsed: time.Second})
	p.Report(explore.Stats{States: 5, Elapsed: time.Second, Loss: explore.Loss{Omitted: .25}})
	p.Report(explore.Stats{States: 5, Elapsed: time.Second})
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		want := []string{"mc: 1/2: chaining: 1,234 nodes, ", "B, perhaps 0.25 omitted", " states, "}[i]
		if !strings.Contains(line, want) || i == 2 && strings.Contains(line, "omitted") {
			t.Errorf("line %d: %s", i, line)
		}
	}
}

// clocked is a progress on a terminal of so many columns, with a clock of its own.
func clocked(columns int) (p *Progress, out *bytes.Buffer, pass func(time.Duration)) {
	out = &bytes.Buffer{}
	now := time.Unix(0, 0)
	p = &Progress{tool: &UI{Err: out, Cursor: out, Terminal: true, errColumns: columns}, now: func() time.Time { return now }, began: now, every: time.Second}
	return p, out, func(d time.Duration) { now = now.Add(d) }
}

// TestTimeLeft: time is told where it is known how much there is, and enough is done.
func TestTimeLeft(t *testing.T) {
	for _, row := range []struct {
		done, of int64
		after    time.Duration
		want     string
	}{
		{50, 100, 10 * time.Second, "about 10 s left"},
		{99, 100, 10 * time.Second, "about 1 s left"},
		{10, 100, time.Minute, "about 9 min left"},
		{10, 100, time.Hour, "about 9.0 h left"},
		{100, 100, time.Minute, "about 0 s left"},
		{50, 100, time.Millisecond, ""},
		{2, 100, time.Minute, ""},
		{101, 100, time.Minute, ""},
		{0, 0, time.Minute, ""},
	} {
		p, _, pass := clocked(0)
		pass(row.after)
		if got := strings.Join(p.left(row.done, row.of), ""); got != row.want {
			t.Errorf("%d of %d after %v: %q, not %q", row.done, row.of, row.after, got, row.want)
		}
	}
}

// TestProgressIsHonest: of a search of which nobody knows the end no end is told, but
// whether its frontier grows.
func TestProgressIsHonest(t *testing.T) {
	p, out, pass := clocked(0)
	say := func(states, frontier int) string {
		out.Reset()
		pass(10 * time.Second)
		p.Report(explore.Stats{States: states, Frontier: frontier, Depth: 3, Elapsed: 10 * time.Second})
		return Plain(out.String())
	}
	for _, step := range []struct {
		states, frontier int
		want, not        string
	}{
		{100, 50, "100 states, 10 a second, depth 3, frontier 50, ", "growing"},
		{200, 80, "frontier 80 and growing, ", "left"},
		{300, 70, "frontier 70 and shrinking, ", "left"},
		{400, 70, "frontier 70, ", "left"},
	} {
		if line := say(step.states, step.frontier); !strings.Contains(line, step.want) || strings.Contains(line, step.not) {
			t.Errorf("%q: not with %q, and without %q", line, step.want, step.not)
		}
	}
}

// TestProgressOfLooks: each look at the states is told by itself, and takes its own time.
func TestProgressOfLooks(t *testing.T) {
	p, out, pass := clocked(0)
	for _, step := range []struct {
		look explore.Look
		want string
	}{
		{explore.Look{For: "where steps lead", States: 1000, Of: 4000}, "1,000 of 4,000 looked at for where steps lead"},
		{explore.Look{For: "where steps lead", States: 2000, Of: 4000}, "2,000 of 4,000 looked at for where steps lead, about 10 s left"},
		{explore.Look{For: "runs that cycle", States: 1000, Of: 4000}, "1,000 of 4,000 looked at for runs that cycle"},
		{explore.Look{For: "runs that cycle", States: 3000, Of: 4000}, "3,000 of 4,000 looked at for runs that cycle, about 4 s left"},
		{explore.Look{For: "runs that cycle", States: 2000, Of: 4000}, "2,000 of 4,000 looked at for runs that cycle"},
		{explore.Look{For: "runs that cycle", States: 2000, Of: 3000}, "2,000 of 3,000 looked at for runs that cycle"},
	} {
		out.Reset()
		pass(10 * time.Second)
		p.Judging(step.look)
		if line := strings.TrimPrefix(strings.TrimPrefix(Plain(out.String()), "\r"), "\x1b[K"); line != step.want {
			t.Errorf("%+v: %q, want %q", step.look, line, step.want)
		}
	}
}

// TestProgressFits: no line is as wide as the terminal, for a line that wraps cannot be
// taken away.
func TestProgressFits(t *testing.T) {
	for columns := 1; columns < 130; columns++ {
		p, out, pass := clocked(columns)
		p.Prefix = "12/424 bully/mended n=3 network=bag crashes=1 split: "
		pass(10 * time.Second)
		p.Report(explore.Stats{States: 1_234_567, Frontier: 50, Elapsed: 10 * time.Second})
		line, ok := strings.CutPrefix(Plain(out.String()), "\r")
		line = strings.TrimPrefix(line, "\x1b[K")
		if n := utf8.RuneCountInString(line); !ok || n >= columns {
			t.Errorf("%d columns: %d in %q", columns, n, line)
		}
		if columns >= 20 && !strings.Contains(line, "1,234,567 states") {
			t.Errorf("%d columns: %q does not tell the states", columns, line)
		}
		if columns > 125 && !strings.Contains(line, "frontier 50, 0 B") {
			t.Errorf("%d columns: %q leaves something out", columns, line)
		}
		out.Reset()
		p.Clear()
		if out.String() != "\r\x1b[K" {
			t.Errorf("%q does not take the line away", out)
		}
	}
}

// TestOwnCodesOnly: what is drawn over on a terminal has no codes but ours.
func TestOwnCodesOnly(t *testing.T) {
	const red = "\x1b[31mRED\x1b[m\x1b[2J"
	p, out, pass := clocked(80)
	p.Prefix = red
	pass(time.Minute)
	p.tell(func() []string { return []string{red, red} })
	if all := out.String(); strings.Contains(all, "\x1b[31m") || strings.Contains(all, "\x1b[2J") || !strings.Contains(all, `\u001b[31mRED`) || !strings.Contains(all, "\x1b[2m") {
		t.Errorf("%q", all)
	}
}
