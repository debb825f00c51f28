package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"interleave/cmd/mc/internal/capturetest"
	"interleave/cmd/mc/internal/explore"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/impl/wire"
	"interleave/model/picture"
	"interleave/spec/bully"
	"interleave/spec/catalog"
)

// until is a writer that calls a function once, when a text was written to it.
type until struct {
	strings.Builder
	text string
	then func(all string)
}

func (u *until) Write(p []byte) (int, error) {
	n, err := u.Builder.Write(p)
	if u.then != nil && strings.Contains(u.String(), u.text) {
		u.then(u.String())
		u.then = nil
	}
	return n, err
}

// WriteString is not that of the Builder, which does not look for the text.
func (u *until) WriteString(s string) (int, error) { return u.Write([]byte(s)) }

// TestExploreServes begins a server, opens what it prints, and interrupts it.
func TestExploreServes(t *testing.T) {
	trace := written(t, "verify bully/published --timers any --property one-leader")
	for _, line := range []string{"explore bully --n 2 --crashes 1", "explore " + trace, "explore " + trace + " bully"} {
		ctx, cancel := context.WithCancel(t.Context())
		status := 0
		out := &until{text: "\n", then: func(all string) {
			go func() {
				defer cancel()
				address := regexp.MustCompile(`^http://127\.0\.0\.1:\d+/`).FindString(all)
				response, err := http.Get(address)
				if err != nil {
					t.Errorf("%s: %v", line, err)
					return
				}
				defer response.Body.Close()
				status = response.StatusCode
			}()
		}}
		if got := ui.Status(Run(ctx, strings.Fields(line), out, io.Discard, catalog.Aliases, catalog.Machines...)); got != ui.ExitHolds || status != http.StatusOK {
			t.Errorf("mc %s: exit status %d, and the page has status %d", line, got, status)
		}
	}
}

// what reads what ran, as mc explore does.
func what(t *testing.T, name string, dir bool) string {
	t.Helper()
	tl, known := &ui.UI{Out: io.Discard, Err: io.Discard}, names.New(catalog.Machines, catalog.Aliases)
	h, err := explore.Ran(tl, known, name, dir)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, d := range h.Steps {
		lines = append(lines, fmt.Sprintf("%v %s → %s; takes %v, sends %v", d.Process, d.Action, d.State, d.Takes, d.Sends))
	}
	delivered := 0
	for _, m := range h.Picture.Messages {
		if m.Fate == picture.Delivered {
			delivered++
		}
	}
	for _, p := range h.Packets {
		if p.Unexplained != "" {
			lines = append(lines, fmt.Sprintf("packet %d is not explained: %s", p.Number, p.Unexplained))
		}
	}
	return fmt.Sprintf("%s; %s, %d packets, %d events, %d of %d messages delivered\n%s", h.Verdict, h.Source, len(h.Packets), len(h.Picture.Events), delivered, len(h.Picture.Messages), strings.Join(lines, "\n"))
}

// TestExploreCapture: a capture stands beside the steps that explain it, in an order in
// which it can have come about; one that is refuted beside those that explain it so far.
func TestExploreCapture(t *testing.T) {
	write := func(change func(i int, f *wire.Frame)) string {
		file := filepath.Join(t.TempDir(), "some.pcapng")
		if err := os.WriteFile(file, capturetest.PCAPNG(t, capturetest.Election, change), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	want := `the capture: CONFORMS; Steps that explain it, 3 packets, 6 events, 3 of 3 messages delivered
1 init → {Mode:idle Leader:none}; takes [], sends []
2 init → {Mode:idle Leader:none}; takes [], sends []
1 notice → {Mode:electing Leader:none}; takes [], sends [{2 ELECTION 1.1.1}]
2 receive ELECTION from 1 → {Mode:idle Leader:2}; takes [1.1.1], sends [{1 OK 2.1.1} {1 COORDINATOR 2.1.2}]
1 receive OK from 2 → {Mode:waiting Leader:none}; takes [2.1.1], sends []
1 receive COORDINATOR from 2 → {Mode:idle Leader:2}; takes [2.1.2], sends []`
	if got := what(t, write(nil), false); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	refuted := what(t, write(func(i int, f *wire.Frame) {
		if f.Kind == wire.Data && f.Sequence == 2 {
			codec, _ := wire.NewCodec(bully.Mended)
			f.Body, _ = codec.Append(nil, bully.Election)
		}
	}), false)
	if !strings.Contains(refuted, "the capture: REFUTED") || !strings.Contains(refuted, "is not explained: ") || !strings.Contains(refuted, "1 notice → ") {
		t.Errorf("of a refuted capture:\n%s", refuted)
	}
}

// TestExploreRunDirectory: logs stand beside the packets of the run.
func TestExploreRunDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	file := filepath.Join(t.TempDir(), "some.pcapng")
	if err := os.WriteFile(file, capturetest.PCAPNG(t, capturetest.Election, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	mc(t.Context(), "conform "+file+" --explain "+dir).expect(t, ui.ExitHolds, "CONFORMS")
	got := what(t, dir, true)
	if !strings.HasPrefix(got, "the logs: CONFORMS; Logged steps, 0 packets, 6 events, 3 of 3 messages delivered\n1 init") {
		t.Errorf("of logs alone:\n%s", got)
	}
}

// TestExploreCut: of a run whose end is missing is shown what there is, and that it is cut;
// of one without a message on the wire, the logs.
func TestExploreCut(t *testing.T) {
	dir, name := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "some.pcapng")
	whole := capturetest.PCAPNG(t, capturetest.Election, nil)
	write(t, name, whole)
	mc(t.Context(), "conform "+name+" --explain "+dir).expect(t, ui.ExitHolds, "CONFORMS")
	for _, c := range []struct {
		capture []byte
		want    string // of the notes
		packets int
	}{
		{whole[:len(whole)-10], "the capture is cut within a packet", 3},
		{capturetest.PCAPNG(t, capturetest.Election[:2], nil), "none of its 2 frames of this run carries a message", 0},
	} {
		write(t, filepath.Join(dir, "capture.pcapng"), c.capture)
		tl, known := &ui.UI{Out: io.Discard, Err: io.Discard}, names.New(catalog.Machines, catalog.Aliases)
		h, err := explore.Ran(tl, known, dir, true)
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(h.Notes, "; "); !strings.Contains(notes, c.want) || len(h.Packets) != c.packets || len(h.Steps) != 6 {
			t.Errorf("%d packets and %d steps, and %s; want %s", len(h.Packets), len(h.Steps), notes, c.want)
		}
	}
}

// TestExploreHints: what cannot be shown is named, with a remedy that mc explore has.
func TestExploreHints(t *testing.T) {
	dir, name := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "some.pcapng")
	write(t, name, capturetest.PCAPNG(t, capturetest.Election, nil))
	mc(t.Context(), "conform "+name+" --explain "+dir).expect(t, ui.ExitHolds, "CONFORMS")
	log := filepath.Join(dir, "process-1.ndjson")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	write(t, log, []byte(strings.Replace(string(text), `"event":"notice"`, `"event":"nothing"`, 1)))
	mc(t.Context(), "explore "+dir).expect(t, ui.ExitUsage, "process-1.ndjson:3: it does not follow the line before")

	write(t, name, capturetest.PCAPNG(t, capturetest.Election, func(_ int, f *wire.Frame) { f.Run = uint64(f.From) }))
	refused := mc(t.Context(), "explore "+name)
	refused.expect(t, ui.ExitUsage, "it has frames of the runs [1 2]")
	refused.expect(t, ui.ExitUsage, "hint: mc conform "+name+" --explain DIR")
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestExplorePort: a port that is taken is told, and nothing is written.
func TestExplorePort(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out := &until{text: "\n"}
	var second outcome
	out.then = func(all string) {
		go func() {
			port := regexp.MustCompile(`:(\d+)/`).FindStringSubmatch(all)[1]
			second = mc(ctx, "explore bully --port "+port)
			cancel()
		}()
	}
	Run(ctx, strings.Fields("explore bully"), out, io.Discard, catalog.Aliases, catalog.Machines...)
	second.expect(t, ui.ExitUsage, "address already in use")
}
