package runcheck_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"interleave/impl/runcheck"
	"interleave/impl/runlog"
)

// occasions writes an occasions.ndjson: each is what happened, to whom, and how many seconds after the beginning.
func occasions(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "occasions.ndjson")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func occasion(after float64, what string, process int) string {
	at := time.Unix(1000, 0).Add(time.Duration(after * float64(time.Second)))
	return fmt.Sprintf(`{"time":%q,"elapsed":%g,"what":%q,"process":%d,"text":"it did"}`, at.Format(time.RFC3339Nano), after, what, process)
}

// TestOccasions: a process that died and did not come back does not end the judging, if mc cluster told of it.
func TestOccasions(t *testing.T) {
	const stuck = "at 3.00 s: process 1 waits forever ({Now:9 Saved:0})"
	begin, kill, over := occasion(0, "begin", 0), occasion(0.5, "kill", 2), occasion(9, "over", 0)
	for what, c := range map[string]struct {
		told               []string
		back               bool // process 2 comes back
		reason, until, err string
	}{
		"nobody tells":                    {nil, false, "never judged", "0.00 s, as the log of process 2 has no end", ""},
		"it was killed":                   {[]string{begin, kill, over}, false, stuck, "", ""},
		"it ended by itself":              {[]string{begin, occasion(0.5, "failed", 2), over}, false, stuck, "", ""},
		"nobody was killed":               {[]string{begin, occasion(0.5, "kill", 0), over}, false, "never judged", "0.00 s, as the log of process 2 has no end", ""},
		"another one was killed":          {[]string{begin, occasion(0.5, "kill", 3), over}, false, "never judged", "0.00 s, as the log of process 2 has no end", ""},
		"it is said to be back":           {[]string{begin, kill, occasion(0.6, "restart", 2), over}, false, "never judged", "0.00 s, as the log of process 2 has no end", ""},
		"faults end late":                 {[]string{begin, kill, occasion(2.99, "healed", 0)}, false, "never judged", "", ""},
		"faults end soon":                 {[]string{begin, kill, occasion(1, "healed", 0)}, false, stuck, "", ""},
		"nobody knows when faults end":    {[]string{begin, kill}, false, "never judged", "", ""},
		"it is back":                      {[]string{begin, kill, occasion(0.6, "restart", 2), over}, true, stuck, "", ""},
		"it is back, and nobody tells so": {[]string{begin, kill, over}, true, "", "", "process 2: it begins an incarnation that occasions.ndjson does not tell of: remove it"},
		"of another run":                  {[]string{begin, occasion(0.5, "kill", 7), over}, false, "", "", "tells of process 7, and there are 3 logs: remove it"},
	} {
		t.Run(what, func(t *testing.T) {
			l := newLogged(t, counter(), 0)
			l.wait()
			if c.back {
				l.boot(2)
			}
			l.now = time.Unix(1002, 0)
			l.add(1, 9)
			l.wait()
			l.write(1, &runlog.Record{Line: runlog.LineEnd})
			l.write(3, &runlog.Record{Line: runlog.LineEnd})
			if c.back {
				l.write(2, &runlog.Record{Line: runlog.LineEnd})
			}
			var told *runcheck.Occasions
			if c.told != nil {
				var err error
				if told, err = runcheck.ReadOccasions(occasions(t, c.told...)); err != nil {
					t.Fatal(err)
				}
			}
			r, err := runcheck.Run{Machine: l.machine, Logs: l.logs(), Told: told}.Judge()
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Error(err)
				}
				return
			}
			reason := ""
			for _, v := range r.Verdicts {
				if reason = v.Reason; v.Judged == 0 {
					reason = "never judged"
				}
			}
			if err != nil || r.Until != c.until || reason != c.reason {
				t.Errorf("%v, until %q: %q", err, r.Until, reason)
			}
		})
	}
}

// TestAfterTheEnd: a death that is told of shows nothing of the others once nobody knows what one of them does.
func TestAfterTheEnd(t *testing.T) {
	told, err := runcheck.ReadOccasions(occasions(t, occasion(0, "begin", 0), occasion(0.5, "kill", 2), occasion(0.6, "kill", 3), occasion(9, "over", 0)))
	if err != nil {
		t.Fatal(err)
	}
	l := newLogged(t, counter(), 0)
	l.add(1, 9)
	r, err := runcheck.Run{Machine: l.machine, Logs: l.logs(), Told: told}.Judge()
	if err != nil || r.Verdicts[0].Judged > 0 || !strings.HasSuffix(r.Until, " s, as the log of process 1 has no end") {
		t.Errorf("%v: %+v", err, r)
	}
}

// TestReadOccasions: a line that mc cluster does not write is refused with its place, but one that a kill cut short is none.
func TestReadOccasions(t *testing.T) {
	begin := occasion(0, "begin", 0)
	for reason, line := range map[string]string{
		"invalid character": "kill 2", "unexpected end of JSON input": "", "not a JSON string": `{"time":7}`, "it has no time": `{"what":"kill","process":2}`,
		"there is no process 65": occasion(1, "kill", 65), "there is no process -1": occasion(1, "kill", -1), `the first line, and no other, is "begin"`: begin,
	} {
		name := occasions(t, begin, line)
		if _, err := runcheck.ReadOccasions(name); err == nil || !strings.HasPrefix(err.Error(), name+":2: it is no line of mc cluster: ") || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", line, err)
		}
	}
	if _, err := runcheck.ReadOccasions(occasions(t, occasion(0, "kill", 2))); err == nil || !strings.Contains(err.Error(), ":1: it is no line") {
		t.Errorf("no beginning: %v", err)
	}
	if _, err := runcheck.ReadOccasions(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Error(err)
	}
	kill := occasion(1, "kill", 2)
	for _, cut := range []struct {
		text, down string
	}{{"", "{}"}, {begin[:20], "{}"}, {begin + "\n" + kill, "{}"}, {begin + "\n" + kill + "\n", "{2}"}} {
		name := occasions(t)
		if err := os.WriteFile(name, []byte(cut.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if told, err := runcheck.ReadOccasions(name); err != nil || told.Down().String() != cut.down {
			t.Errorf("%s: %v, %v", cut.text, told.Down(), err)
		}
	}
}
