package conformance_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"interleave/conformance"
	"interleave/conformance/forge"
	"interleave/conformance/logs"
	"interleave/internal/rapidtest"
)

// TestMain makes fewer checks than rapid does by default; -rapid.checks says
// otherwise.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// caught wants logs not to pass.
func caught(t *rapid.T, written [][]byte) {
	t.Helper()
	report, err := check(written, logs.AnyFaults)
	var unusable *conformance.UnusableError
	switch {
	case errors.As(err, &unusable), err == nil && report.Verdict == conformance.Refuted:
		return
	case err != nil:
		t.Fatal(err)
	}
	t.Fatalf("it passes: %d steps", report.Steps)
}

// TestSeal: what the forger of these tests writes without altering anything is
// what was there.
func TestSeal(t *testing.T) {
	for _, run := range honest(t) {
		for i, log := range run {
			whole := log[:bytes.LastIndexByte(log, '\n')+1]
			if sealed := seal(t, parse(t, log), true); !bytes.Equal(sealed, whole) {
				t.Fatalf("process %d:\n%s\n%s", i+1, sealed, whole)
			}
		}
		if report, err := check(run, logs.AnyFaults); err != nil || report.Verdict != conformance.Conforms {
			t.Fatal(report, err)
		}
	}
}

func replaced(run [][]byte, log int, text []byte) [][]byte {
	run = slices.Clone(run)
	run[log] = text
	return run
}

// TestForgedLogs: what is left out of logs, copied, swapped, moved, altered or made up is
// caught, unless it may be true. Each forgery has a run that has a place for it.
func TestForgedLogs(t *testing.T) {
	runs := honest(t)
	var parsed []*forge.Run
	for _, run := range runs {
		p, err := forge.Parse(run)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, p)
	}
	for _, f := range forge.Logs {
		t.Run(f.Name+" "+f.Field, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				run, at, log := lied(rt, parsed, f)
				caught(rt, replaced(runs[run], at, log))
			})
		})
	}
}

// lied forges a log of a run at a drawn place, or where there is nothing to forge at the
// next one that there is; some have one.
func lied(t *rapid.T, runs []*forge.Run, f forge.Log) (run, at int, log []byte) {
	var places []forge.Place
	first := rapid.IntRange(0, len(runs)-1).Draw(t, "run")
	other := rapid.IntRange(0, 1000).Draw(t, "other")
	skip := rapid.IntRange(0, 1000).Draw(t, "place")
	for k := range runs {
		run := (first + k) % len(runs)
		places = places[:0]
		for i := range runs[run].Logs() {
			for line := range runs[run].Lines(i) {
				places = append(places, forge.Place{Log: i, Line: line, Other: other + line})
			}
		}
		for j := range places {
			p := places[(skip+j)%len(places)]
			if log, honest, ok := f.Forge(runs[run], p); ok && honest == "" {
				return run, p.Log, log
			}
		}
	}
	t.Fatal("there is nothing to forge in any run")
	return 0, 0, nil
}

// TestBytes: no byte of a log can be altered.
func TestBytes(t *testing.T) {
	runs := honest(t)
	rapid.Check(t, func(t *rapid.T) {
		run := runs[rapid.IntRange(0, len(runs)-1).Draw(t, "run")]
		i := rapid.IntRange(0, len(run)-1).Draw(t, "log")
		end := bytes.LastIndexByte(run[i], '\n') // behind it a line is cut, and nobody knows what it was
		at := rapid.IntRange(0, end-1).Draw(t, "byte")
		log := bytes.Clone(run[i])
		log[at] ^= 1 << rapid.IntRange(0, 6).Draw(t, "bit")
		caught(t, replaced(run, i, log))
	})
}

// TestTruncated: a log that ends too early is a crash, and told as one, or else
// messages come from nowhere.
func TestTruncated(t *testing.T) {
	runs := honest(t)
	refuted := 0
	missing := func() error {
		if refuted == 0 {
			return errors.New("no message came from nowhere")
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		run := runs[rapid.IntRange(0, len(runs)-1).Draw(t, "run")]
		i := rapid.IntRange(0, len(run)-1).Draw(t, "log")
		end := rapid.IntRange(0, bytes.LastIndexByte(run[i], '\n')-1).Draw(t, "end")
		before, err := check(run, logs.AnyFaults)
		if err != nil {
			t.Fatal(err)
		}
		after, err := check(replaced(run, i, run[i][:end]), logs.AnyFaults)
		var unusable *conformance.UnusableError
		switch {
		case errors.As(err, &unusable):
		case err != nil:
			t.Fatal(err)
		case after.Verdict == conformance.Refuted:
			refuted++
		case len(after.Notes) == 0 || after.Lines >= before.Lines:
			t.Fatalf("a log that ends at byte %d of %d is as good as whole", end, len(run[i]))
		}
	})
}
