package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/exit"
	"interleave/cmd/mc/internal/ui"
	"interleave/properties"
)

// unlocked runs a sweep with a lock and further flags: of three configurations one is as the lock says, one
// is not and one is not in it; and a fourth is in it only.
func unlocked(t *testing.T, flags string) (o ran, junit, found []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a%lock.json")
	text := "version: 1\nrows:\n  - {algorithm: bully/mended, n: 1..3, expect: {winner-is-top: holds}}\n"
	t.Run("lock", func(t *testing.T) { swept(t, text, "--lock "+file+" --update-lock") })
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	l, err := parseLock(written)
	if err != nil {
		t.Fatal(err)
	}
	l.Counts["old"] = counts{Complete: true, States: 1, Transitions: 1}
	l.Counts["bully/mended n=2"] = counts{Complete: true, States: 7, Transitions: 9}
	delete(l.Counts, "bully/mended n=3")
	if written, err = json.MarshalIndent(l, "", "  "); err != nil {
		t.Fatal(err)
	}
	put(t, file, string(written))
	return swept(t, text, flags+" --lock "+file)
}

// TestFullDisk: where what was found cannot be written, that is no bad input; and how it
// differs from the lock is told all the same.
func TestFullDisk(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	t.Setenv("GITHUB_STEP_SUMMARY", full)
	o, _, _ := unlocked(t, "--github")
	o.expect(t, ui.ExitContradicted, "1 as expected, 2 not")
	for _, line := range []string{"mc: error: write " + full + ": no space left on device\n", "mc: lock: old: it is in the lock, and not checked any more\n"} {
		if !strings.Contains(o.err, line) {
			t.Errorf("%q is not told:\n%s", line, o.err)
		}
	}
}

// TestNoLock: --update-lock is named as a remedy where it is one.
func TestNoLock(t *testing.T) {
	rows, dir := "  - {algorithm: bully, n: 1, expect: {winner-is-top: holds}}\n", t.TempDir()
	empty := filepath.Join(dir, "empty")
	put(t, empty, "")
	for lock, want := range map[string]string{
		filepath.Join(dir, "none"): "none: no such file or directory\nmc: hint: --update-lock writes it\n",
		dir:                        dir + ": it is a folder: name a file\n",
		empty:                      "it is not a lock of mc: it is empty\nmc: hint: name the lock; if this was one and is damaged, remove it and write it anew with --update-lock\n",
	} {
		if o := mc(t.Context(), "sweep --lock "+lock+" "+sweepFile(t, rows)); o.status != ui.ExitUsage || !strings.HasSuffix(o.err, want) {
			t.Errorf("%s: %d %s", lock, o.status, o.err)
		}
	}
}

// TestFolderIsGone: nor is it bad input where a file cannot be written any more when all was run.
func TestFolderIsGone(t *testing.T) {
	s := sweepOf(t, sweeps["none"])
	s.options.junit = filepath.Join(t.TempDir(), "gone", "junit.xml")
	if got := exit.Status((&ui.UI{Err: io.Discard}), tellOthers(s.tool, &s.outcome)); got != ui.ExitContradicted {
		t.Errorf("exit status %d", got)
	}
}

// TestLockIsToldToPeople: a configuration that differs from the lock fails where its line is
// printed, with the reason, and what differs is counted and told in each form.
func TestLockIsToldToPeople(t *testing.T) {
	const less, old = "11 states, 14 transitions, and in the lock: 7 states, 9 transitions", "old: it is in the lock, and not checked any more"
	t.Run("lines", func(t *testing.T) {
		o, _, _ := unlocked(t, "")
		o.expect(t, ui.ExitViolated, "\n      lock: "+less+"\n      repeat with: mc verify bully/mended --n 2 ")
		o.expect(t, ui.ExitViolated, "\n3 configurations, 1 as expected, 2 not; 3 differences from the lock; ")
		if n := strings.Count(o.out, "FAIL  bully/mended"); n != 2 {
			t.Errorf("%d lines fail:\n%s", n, o.out)
		}
		if strings.Count(o.err, "mc: lock: ") != 1 || !strings.Contains(o.err, "mc: lock: "+old+"\n") {
			t.Errorf("what its line tells is told again:\n%s", o.err)
		}
	})
	t.Run("fail-fast", func(t *testing.T) {
		o, _, _ := unlocked(t, "--fail-fast")
		o.expect(t, ui.ExitViolated, "\n3 configurations, 1 as expected, 1 not, 1 not run; 2 differences from the lock; ")
	})
	t.Run("markdown", func(t *testing.T) {
		o, _, _ := unlocked(t, "--markdown")
		o.expect(t, ui.ExitViolated, "\n3 differences from the lock:\n\n- lock: bully/mended n=2: "+less+"\n")
		o.expect(t, ui.ExitViolated, "\n- lock: "+old+"\n\nIf this is meant, accept it with `--update-lock`.\n")
	})
	t.Run("summary", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "summary.md")
		t.Setenv("GITHUB_STEP_SUMMARY", file)
		unlocked(t, "--github")
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), "2 not; 3 differences from the lock; ") || !strings.Contains(string(text), "\n- lock: "+old+"\n\nIf this is meant, accept it with `--update-lock`.\n") {
			t.Errorf("%v: %s", err, text)
		}
	})
}

// TestLockIsTold: what differs from the lock is told in each form, and nothing says that
// all is well.
func TestLockIsTold(t *testing.T) {
	t.Run("none", func(t *testing.T) {
		o, junit, _ := swept(t, sweeps["none"], "--json")
		o.expect(t, ui.ExitHolds, `"lock_differences": [],`)
		o.expect(t, ui.ExitHolds, `"pass": true,`)
		if len(readJUnit(t, junit).Suites) != 1 {
			t.Errorf("%s", junit)
		}
	})
	keys := []string{"bully/mended n=2", "bully/mended n=3", "old"}
	o, junit, found := unlocked(t, "--json")
	o.expect(t, ui.ExitViolated, `"differing": 2,`)
	var d document
	if err := json.Unmarshal([]byte(o.out), &d); err != nil || d.Pass || len(d.Lock) != 3 || !d.Rows[0].Pass || d.Rows[1].Pass || d.Rows[2].Pass {
		t.Errorf("%v: %s", err, o.out)
	}
	all := readJUnit(t, junit)
	suite := all.Suites[len(all.Suites)-1]
	if !strings.HasPrefix(suite.Name, "lock /") || suite.Failures != 3 || all.Failures != 3 {
		t.Errorf("%+v", suite)
	}
	var log sarifLog
	if err := errors.Join(checkSARIF(found), json.Unmarshal(found, &log)); err != nil || len(log.Runs[0].Results) != 3 {
		t.Fatalf("%v: %s", err, found)
	}
	lines := []int{10, 1, 15} // that are of the configuration in the lock, which keeps them in order
	for i, key := range keys {
		told, c, r := key+": "+d.Lock[i].Why, suite.Cases[i], log.Runs[0].Results[i]
		if d.Lock[i].Configuration != key || !strings.Contains(o.err, "mc: lock: "+told+"\n") {
			t.Errorf("%v in JSON, and %s", d.Lock[i], o.err)
		}
		if c.Name != key || c.Failure == nil || c.Failure.Message != told {
			t.Errorf("%+v in JUnit", c)
		}
		if at := r.Locations[0].Physical; r.Message.Text != told+"; "+acceptHint || log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != "lock" || r.RuleID != "lock" ||
			!strings.HasSuffix(at.Artifact.URI, "/a%25lock.json") || at.Region.StartLine != lines[i] || r.Fingerprints["interleave/v1"] != "lock: "+key {
			t.Errorf("%+v in SARIF", r)
		}
	}
}

// TestOldLockDiffers: what is in the lock only is of no configuration that was run, and
// yet all is not well.
func TestOldLockDiffers(t *testing.T) {
	s := outcome{differences: []difference{{"old", "it is in the lock, and not checked any more", 1}}}
	if documentOf(&s).Pass {
		t.Error("all is said to be well")
	}
}

// TestManyDifferences: of more than there is room for it is told how many they are.
func TestManyDifferences(t *testing.T) {
	s := &outcome{differences: slices.Repeat([]difference{{"x", strings.Repeat("y", 1000), 1}}, 2000)}
	var junit, found bytes.Buffer
	if err := errors.Join(writeJUnit(&junit, s), writeSARIF(&found, s), checkSARIF(found.Bytes())); err != nil {
		t.Fatal(err)
	}
	cases := readJUnit(t, junit.Bytes()).Suites[0].Cases
	want := fmt.Sprintf("more: %s, for which there is no room here", ui.Count(2000-len(cases)+1, "difference"))
	if got := cases[len(cases)-1].Failure.Message; len(cases) < 100 || got != want {
		t.Errorf("%d cases, the last %q, not %q", len(cases), got, want)
	}
	if !strings.Contains(found.String(), want) {
		t.Error("SARIF does not tell how many more")
	}
	for form, out := range map[string]*bytes.Buffer{"JUnit": &junit, "SARIF": &found} {
		if out.Len() > 4*lockRoom {
			t.Errorf("%d bytes of %s", out.Len(), form)
		}
	}
}

// TestLockCounts: what differs from the lock is told, down to one transition; what was not
// run, or not to the end, is not taken for less.
func TestLockCounts(t *testing.T) {
	s := sweepOf(t, "version: 1\nrows:\n  - {algorithm: bully/mended, n: [2, 3], max-depth: 9, max-states: 50, expect: {agreement-on-top: holds}}\n")
	for i, c := range s.cases {
		s.results = append(s.results, result{configuration: c, stats: properties.Stats{Complete: true, States: 10 + i, Transitions: 20 + i}})
	}
	const first, second = "bully/mended n=2 max-depth=9 max-states=50", "bully/mended n=3 max-depth=9 max-states=50"
	fresh := func() *lock {
		return &lock{Counts: map[string]counts{first: {true, 10, 20, ""}, second: {true, 11, 21, ""}, "old": {true, 1, 1, ""}}}
	}
	expect := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", what, got, want)
		}
	}
	compare := func(l *lock) (told []string) {
		for i := range s.results {
			s.results[i].lock = l.difference(s.results[i])
		}
		for _, d := range l.compare(&s.outcome) {
			told = append(told, d.String())
		}
		return told
	}
	accept := func(l *lock) {
		if err := l.accept(&s.outcome); err != nil {
			t.Error(err)
		}
	}
	const gone = "old: it is in the lock, and not checked any more"
	expect("the same", compare(fresh()), gone)
	l := fresh()
	l.Counts[first] = counts{true, 10, 19, ""}
	expect("a transition more", compare(l), first+": 10 states, 20 transitions, and in the lock: 10 states, 19 transitions", gone)
	l = fresh()
	delete(l.Counts, second)
	expect("not there", compare(l), second+": it is not in the lock: 11 states, 21 transitions", gone)
	s.options.quick = true
	expect("a part of the file", compare(fresh()))
	accept(l)
	expect("accepted a part", slices.Sorted(maps.Keys(l.Counts)), first, second, "old")
	s.options.quick = false
	accept(l)
	expect("accepted all", slices.Sorted(maps.Keys(l.Counts)), first, second)
	s.results[1].stats.Complete = false
	expect("cut short", compare(l), second+": not explored to the end, and in the lock: 11 states, 21 transitions")
	s.results = s.results[:1]
	l = fresh()
	accept(l)
	expect("accepted until an interrupt", slices.Sorted(maps.Keys(l.Counts)), first, second, "old")
	for _, version := range []string{"0", "2"} {
		if _, err := parseLock([]byte(`{"format":"interleave lock","version":` + version + `,"counts":{}}`)); err == nil {
			t.Errorf("a lock of version %s is read", version)
		}
	}
}

// TestNoLockForBoth: of two rows that come to the same configuration, one of which is cut
// short, no lock is written, for one of them would differ from it forever.
func TestNoLockForBoth(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock.json")
	const row, more = "  - {algorithm: bully/mended, n: 3, crashes: 1, ", "expect: {winner-is-top: holds}}\n"
	flags := "--lock " + file + " --update-lock"
	t.Run("refused", func(t *testing.T) {
		o, _, _ := swept(t, "version: 1\nrows:\n"+row+"timeout: 1ns, expect: {winner-is-top: inconclusive}}\n"+row+more, flags)
		const why = "sweep.yaml: no lock is right for line 3 and for line 4, which come to bully/mended n=3 crashes=1: not explored to the end, and 1,726 states, 6,875 transitions\n" +
			"mc: hint: make one row of them, or give both the same limits and the same properties\n"
		if _, err := os.Stat(file); o.status != ui.ExitUsage || !strings.Contains(o.err, why) || err == nil {
			t.Errorf("status %d, %v: %s", o.status, err, o.err)
		}
	})
	t.Run("accepted", func(t *testing.T) {
		o, _, _ := swept(t, "version: 1\nrows:\n"+row+"timeout: 1m, "+more+row+more, flags)
		o.expect(t, ui.ExitHolds, "2 configurations, 2 as expected")
	})
}

// FuzzLock wants an error or a lock of whatever it reads, and what it accepts to be
// read again as the same.
func FuzzLock(f *testing.F) {
	f.Add([]byte(`{"format":"interleave lock","version":1,"counts":{"bully/mended n=3":{"complete":true,"distinct_states":7,"transitions":9}}}`))
	f.Add([]byte(`{"format":"interleave lock","version":2,"counts":{}}`))
	f.Add([]byte(`{}{}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := parseLock(text)
		if err != nil {
			return
		}
		again, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := parseLock(again); err != nil || len(m.Counts) != len(l.Counts) {
			t.Errorf("%v: %s", err, again)
		}
	})
}
