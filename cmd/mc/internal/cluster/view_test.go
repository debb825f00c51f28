package cluster

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"

	"interleave/cmd/mc/internal/ui"
	"interleave/impl/cluster"
	"interleave/impl/cluster/network"
	"interleave/impl/runlog"
	"interleave/spec/bully"
)

// storm is a run in full storm.
func storm() cluster.Snapshot {
	g := cluster.Snapshot{
		Elapsed: 12.34, Phase: "faults", Network: "loss 10%, delay 0..20ms", Cuts: []string{"partition 1,2 | 3"}, Agreed: 2,
		Processes: []cluster.Row{
			{Process: 1, State: cluster.Up, Leader: 2, Starts: 1, Rate: 123.4, Steps: 1234, Breaches: 5, Memory: 20 << 20},
			{Process: 2, State: cluster.Halted, Leader: 2, Starts: 3},
			{Process: 3, State: cluster.Gone, Starts: 2},
		},
		Traffic: network.Traffic{Frames: 12345, Messages: 678, Lost: 9, Cut: 1},
		Course:  cluster.Course{Agreements: 3, After: []cluster.Recovery{{Took: 340 * time.Millisecond}}, Split: cluster.Spells{Count: 2}},
	}
	for range 30 {
		g.Recent = append(g.Recent, cluster.Occasion{Elapsed: 5, Text: "kill -9 3, the leader"})
	}
	return g
}

func view(terminal bool, out *bytes.Buffer) *screen {
	t := &ui.UI{Err: out, Cursor: out, Terminal: terminal}
	return newScreen(t, cluster.Config{Machine: bully.Mended, N: 3, Delta: 50 * time.Millisecond, Duration: time.Minute, Plan: cluster.Plan{Seed: 7}})
}

func TestScreen(t *testing.T) {
	var out bytes.Buffer
	v := view(true, &out)
	v.draw(v.screen(storm(), 200, 40), 200, 40)
	for _, want := range []string{
		"bully/mended", "3 processes, UDP, reliable layer, δ 50ms, seed 7", "12.3 s of 1m0s", "loss 10%, delay 0..20ms; partition 1,2 | 3",
		"2 (itself)", "paused", "killed", "all live processes follow 2", "12,345 frames, 678 of them messages, 9 lost, 1 cut off",
		"3 agreements; after 1 kill the next in 340ms = 6.8 δ, 340ms = 6.8 δ at worst; split 2 times", "5.00 s  kill -9 3, the leader", "20 MiB",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the screen lacks %q:\n%s", want, out.String())
		}
	}
	if n := strings.Count(out.String(), "kill -9"); n != 10 {
		t.Errorf("%d occasions on the screen", n)
	}
}

// TestScreenFits draws on terminals of many sizes: no line is too wide, none
// too many, and the next screen begins where this one did.
func TestScreenFits(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {40, 24}, {10, 5}, {1, 1}, {200, 60}, {80, 12}} {
		var out bytes.Buffer
		v := view(true, &out)
		v.draw(v.screen(storm(), size.width, size.height), size.width, size.height)
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n\x1b[J"), "\n")
		if len(lines) > max(size.height-1, 1) || len(lines) != v.drawn {
			t.Errorf("%v: %d lines, and it remembers %d", size, len(lines), v.drawn)
		}
		for _, line := range lines {
			if w := lipgloss.Width(strings.TrimPrefix(line, "\r")); w > size.width {
				t.Errorf("%v: %d columns: %q", size, w, line)
			}
		}
		before := v.drawn
		out.Reset()
		v.draw([]string{"short"}, size.width, size.height)
		if !strings.HasPrefix(out.String(), "\r\x1b["+fmt.Sprint(before)+"A") || v.drawn != 1 {
			t.Errorf("%v: the next screen begins elsewhere: %q", size, out.String())
		}
	}
}

// TestNarrowScreen: at 60 columns what matters most is there, and nothing is cut.
func TestNarrowScreen(t *testing.T) {
	screen := strings.Join(view(true, new(bytes.Buffer)).screen(storm(), 60, 40), "\n")
	plain := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(screen, "")
	for _, want := range []string{"seed 7", "\nprocess  state   follows       starts  frames/s  breaches\n", "\n3        killed  -                  2         -         0\n",
		"3 agreements; after 1 kill the next in 340ms = 6.8 δ,\n  340ms = 6.8 δ at worst; split 2 times\n"} {
		if !strings.Contains(plain, want) {
			t.Errorf("the screen lacks %q:\n%s", want, plain)
		}
	}
	for line := range strings.Lines(plain) {
		if w := lipgloss.Width(strings.TrimSuffix(line, "\n")); w > 60 {
			t.Errorf("%d columns: %s", w, line)
		}
	}
	for width, want := range map[int]int{80: 5, 74: 4, 60: 3, 56: 2, 40: 1, 30: 0} {
		if got := len(fitting(width)); got != want {
			t.Errorf("at %d columns %d columns of figures, not %d", width, got, want)
		}
	}
}

// TestLostOverTCP: over TCP nothing is lost, and the verdict does not say so.
func TestLostOverTCP(t *testing.T) {
	for _, c := range []struct {
		stream bool
		loss   network.Rate
		want   string
	}{
		{true, 100_000, "faults: loss 10%; over TCP what is lost comes late instead (stalled)\n"},
		{false, 100_000, "faults: loss 10%\n"}, {true, 0, "faults: none\n"},
	} {
		var out bytes.Buffer
		config := cluster.Config{Machine: bully.Mended, Stream: c.stream, Plan: cluster.Plan{Faults: network.Faults{Loss: c.loss}}}
		tellVerdict((&ui.UI{Out: &out}), config, &cluster.Verdict{})
		if first, _, _ := strings.Cut(out.String(), "\n"); !strings.HasSuffix(first+"\n", c.want) {
			t.Errorf("%q, want %q", first, c.want)
		}
	}
}

// TestNarrowVerdict: a verdict is wrapped on a terminal, but for the command
// that repeats the run, which comes last.
func TestNarrowVerdict(t *testing.T) {
	v := &cluster.Verdict{Outcome: cluster.Disagreed, Algorithm: "bully/mended", Reason: strings.Repeat("word ", 30) + "end"}
	c := cluster.Config{Machine: bully.Mended, Command: []string{"mc", strings.Repeat("x", 70), "--seed", "7"}}
	for _, columns := range []int{0, 60} {
		var out bytes.Buffer
		tellVerdict((&ui.UI{Out: &out, Columns: columns}), c, v)
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		last := lines[len(lines)-1]
		if last != "repeat with: "+strings.Join(c.Command, " ") {
			t.Errorf("the last line is %q", last)
		}
		wrapped := strings.Contains(out.String(), "word\n            word")
		if wrapped != (columns > 0) {
			t.Errorf("%d columns: %s", columns, out.String())
		}
		for _, line := range lines[:len(lines)-1] {
			if w := lipgloss.Width(line); columns > 0 && w > columns {
				t.Errorf("%d columns: %s", w, line)
			}
		}
	}
}

// TestHowOften: figures of one are told in words that fit.
func TestHowOften(t *testing.T) {
	var out bytes.Buffer
	tellCourse((&ui.UI{Out: &out}), &cluster.Verdict{Course: &cluster.CourseReport{Deaths: 1, Kills: 1, Split: cluster.SpellReport{Count: 1, TotalMS: 5, LongestMS: 5}},
		Breaches: map[runlog.BreachKind]int{runlog.BreachDelay: 1}, Late: cluster.Lateness{Count: 2, MostMS: 312.5}}, 0)
	for _, want := range []string{"; 1 death, 1 of an agreed leader\n", " split            once, 5 ms in all", " rivals           never: two live", "delay once;", "\n                   mc itself was late 2 times, by 312 ms at most\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
	if got := deaths(cluster.CourseReport{Deaths: 3, Kills: 2, Unanswered: 1}); got != "3 deaths, 2 of an agreed leader; after 1 of these no leader was agreed on" {
		t.Error(got)
	}
}

// TestPlainLines: elsewhere than on a terminal nothing is drawn.
func TestPlainLines(t *testing.T) {
	var out bytes.Buffer
	v := view(false, &out)
	v.tell(cluster.Occasion{Elapsed: 3.14159, Text: "kill -9 3"})
	v.watch(storm())
	if got := out.String(); got != "mc:    3.14 s  kill -9 3\n" {
		t.Errorf("%q", got)
	}
	out.Reset()
	v.next = time.Now().Add(-time.Second)
	v.watch(storm())
	v.watch(storm())
	v.end()
	if got := out.String(); strings.Count(got, "\n") != 1 || strings.Contains(got, "\r") || !strings.Contains(got, "12.34 s  ") {
		t.Errorf("%q", got)
	}
}

func TestPlanInWords(t *testing.T) {
	kill := cluster.Action{Verb: cluster.Kill, Sides: []cluster.Some{{Word: cluster.Leader}}}
	p := cluster.Plan{}
	if got := planInWords(p); got != "none" {
		t.Error(got)
	}
	p.Events = []cluster.Event{{At: time.Second, Action: kill}, {At: time.Second, Every: 3 * time.Second, For: time.Second, Action: kill}}
	if got := planInWords(p); got != "kill leader at 1s; kill leader every 3s for 1s" {
		t.Error(got)
	}
	for range 4 {
		p.Events = append(p.Events, p.Events[0])
	}
	if got := planInWords(p); !strings.HasSuffix(got, "; 1 more event") {
		t.Error(got)
	}
	for range 3 {
		p.Events = append(p.Events, p.Events[0])
	}
	if got := planInWords(p); !strings.HasSuffix(got, "; 4 more events") {
		t.Error(got)
	}
}

// TestOwnCodesOnly: what is drawn over on a terminal has no codes but ours.
func TestOwnCodesOnly(t *testing.T) {
	const red = "\x1b[31mRED\x1b[m\x1b[2J"
	var screen bytes.Buffer
	view(true, &screen).draw([]string{ui.Faint.Render(red), red}, 80, 24)
	if all := screen.String(); strings.Contains(all, "\x1b[31m") || strings.Contains(all, "\x1b[2J") || !strings.Contains(all, `\u001b[31mRED`) || !strings.Contains(all, "\x1b[2m") {
		t.Errorf("%q", all)
	}
}
