package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/catalog"
)

// TestHonest: a handful of runs raise no alarm, and are judged.
func TestHonest(t *testing.T) {
	testsize.Test(t)
	runs := testsize.Of(3, 3, 8)
	var out strings.Builder
	all, err := run(t.Context(), options{runs: runs, workers: 2, seed: 500, length: time.Second}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if all.runs != runs || all.bad() > 0 || all.packets == 0 || all.steps == 0 {
		t.Error(out.String())
	}
}

// TestDrawn: runs in a row have every algorithm with every plan and every transport
// that it can have.
func TestDrawn(t *testing.T) {
	planned, carried := map[string]bool{}, map[string]bool{}
	for seed := range uint64(len(catalog.Machines) * len(plans) * len(transports)) {
		h := drawn(seed, time.Second)
		name := h.machine.Traits().Name
		planned[name+h.plan.name+h.transport[1]] = true
		carried[name+strings.Join(h.transport, " ")] = true
	}
	lockStep := 0
	for _, m := range catalog.Machines {
		if m.Traits().Handles.Has(spec.Round) {
			lockStep++
		}
	}
	if want := len(catalog.Machines) * len(plans) * 2; len(planned) != want {
		t.Errorf("%d combinations of an algorithm, a plan and udp or tcp, want %d", len(planned), want)
	}
	if want := len(catalog.Machines)*len(transports) - lockStep; lockStep == 0 || len(carried) != want {
		t.Errorf("%d combinations of an algorithm and a transport, want %d", len(carried), want)
	}
}

// TestRead: an alarm is one, whatever form it comes in.
func TestRead(t *testing.T) {
	failed := exec.CommandContext(t.Context(), "sh", "-c", "echo no >&2; exit 2")
	_, two := failed.Output()
	for _, c := range []struct {
		text string
		err  error
		want figures
	}{
		{`{"verdict": "CONFORMS"}`, nil, figures{runs: 1}},
		{`{"verdict": "CONFORMS"}`, two, figures{runs: 1, unusable: 1}},
		{`{"verdict": "REFUTED", "both": {"discrepancies": ["one"]}}`, two, figures{runs: 1, alarms: 1}},
		{`{"verdict": "REFUTED"}`, nil, figures{runs: 1, unusable: 1}},
		{`{"verdict": "UNKNOWN"}`, two, figures{runs: 1, inconclusive: 1}},
		{`{`, nil, figures{runs: 1, unusable: 1}},
		{``, two, figures{runs: 1, unusable: 1}},
		{``, errors.New("it did not start"), figures{runs: 1, unusable: 1}},
	} {
		v := verdict{run: drawn(1, time.Second)}
		v.read([]byte(c.text), c.err)
		all := &tally{}
		all.add(v, false, &strings.Builder{})
		if all.figures != c.want {
			t.Errorf("%s, %v: %+v, want %+v", c.text, c.err, all.figures, c.want)
		}
	}
}

// TestSilent: nobody sent anything if all logs are there and none tells of a message.
func TestSilent(t *testing.T) {
	for want, texts := range map[bool][][]string{
		true:  {{"{\"seq\":1}\n", ""}, {"{}\n"}},
		false: {{}, {"{}\n", "{\"seq\":1,\"sends\":[{\"to\":2}]}\n"}},
	} {
		for _, logs := range texts {
			home := t.TempDir()
			for i, text := range logs {
				if err := os.WriteFile(filepath.Join(home, fmt.Sprintf("process-%d.ndjson", i+1)), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if silent(home) != want {
				t.Errorf("%q: silent is %v", logs, !want)
			}
		}
	}
}
