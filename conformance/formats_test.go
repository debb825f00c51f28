package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"interleave/conformance"
	"interleave/conformance/logs"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties/election"
	"interleave/spec/bully"
)

// examples returns the blocks of a kind in docs/formats.md.
func examples(t *testing.T, kind string) (blocks []string) {
	t.Helper()
	page, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```"+kind+"\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// TestFormatOfLogs: the page shows logs that conform, and that say what it says.
func TestFormatOfLogs(t *testing.T) {
	written := examples(t, "ndjson")
	if len(written) != 2 {
		t.Fatalf("%d logs", len(written))
	}
	report, err := check([][]byte{[]byte(written[0]), []byte(written[1])}, logs.Budget{})
	if err != nil || report.Verdict != conformance.Conforms || report.Messages.Handled < 3 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestFormatInPython: the page says enough to compute the chain and the hashes.
func TestFormatInPython(t *testing.T) {
	testsize.Alone(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	script := examples(t, "python")[0]
	for i, log := range examples(t, "ndjson") {
		for text, whole := range map[string]bool{log: true, strings.Replace(log, `"leader":0`, `"leader":2`, 1): false} {
			file := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(python, "-c", script, file).Output()
			if (string(out) == "whole\n") != whole || (err == nil) != whole {
				t.Errorf("log %d, whole %v: %s, %v", i+1, whole, out, err)
			}
		}
	}
}

// TestFormatOfTraces: the page shows a trace that replays.
func TestFormatOfTraces(t *testing.T) {
	trace, err := model.ReadTrace(strings.NewReader(examples(t, "json")[0]))
	if err != nil {
		t.Fatal(err)
	}
	if _, run, _, err := election.Replay(bully.Published, trace); err != nil || len(run.Steps) != 2 {
		t.Error(run, err)
	}
}
