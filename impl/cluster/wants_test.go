//go:build unix

package cluster_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"interleave/impl/capture"
	"interleave/impl/cluster"
	"interleave/impl/cluster/network"
	"interleave/impl/runlog"
	"interleave/spec"
)

func wantAgreed(t *testing.T, v *cluster.Verdict, up int, leader spec.ID) {
	t.Helper()
	if v.Outcome != cluster.Agreed || len(v.Judged) != 2 || len(v.Reports) != up || len(v.Trouble) > 0 {
		t.Fatalf("%s: %s %+v %v", v.Outcome, v.Reason, v.Judged, v.Trouble)
	}
	for _, r := range v.Reports {
		if *r.Leader != leader || len(r.Status) == 0 {
			t.Errorf("%+v", r)
		}
	}
	for _, j := range v.Judged {
		if !j.Holds {
			t.Errorf("%+v", j)
		}
	}
}

// wantFiles looks for everything that a run directory should have.
func wantFiles(t *testing.T, c cluster.Config, v *cluster.Verdict) {
	t.Helper()
	var written cluster.Verdict
	text, err := os.ReadFile(filepath.Join(c.Dir, "verdict.json"))
	if err == nil {
		err = json.Unmarshal(text, &written)
	}
	if err != nil || written.Outcome != v.Outcome || written.Traffic != v.Traffic || written.Run != v.Run {
		t.Errorf("verdict.json: %v", err)
	}
	for _, name := range []string{"plan.yaml", "fates.ndjson", "occasions.ndjson", "snapshots.ndjson", "capture.pcapng", "process-1.ndjson", "process-1.stderr", "process-3.ndjson"} {
		if text, err := os.ReadFile(filepath.Join(c.Dir, name)); err != nil || len(text) == 0 {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
	wantEnds(t, c)
	if plan, _ := os.ReadFile(filepath.Join(c.Dir, "plan.yaml")); string(plan) != c.Plan.String() {
		t.Errorf("another plan: %s", plan)
	}
	fates, _ := os.ReadFile(filepath.Join(c.Dir, "fates.ndjson"))
	if n := strings.Count(string(fates), "\n"); n < v.Traffic.Frames {
		t.Errorf("%d fates of %d frames", n, v.Traffic.Frames)
	}
}

// wantEnds wants every process to have ended because it was asked to.
func wantEnds(t *testing.T, c cluster.Config) {
	t.Helper()
	for id := range spec.UpTo(c.N).All() {
		all := cluster.Lines[runlog.Record](t, filepath.Join(c.Dir, fmt.Sprintf("process-%v.ndjson", id)))
		if last := all[len(all)-1]; last.Line != runlog.LineEnd {
			t.Errorf("the last line of process %v is of %s", id, last.Line)
		}
	}
}

// wantHealed looks at the fates after the healing: nothing is done to frames.
func wantHealed(t *testing.T, dir string) {
	t.Helper()
	var healed time.Time
	after := 0
	for _, o := range cluster.Lines[cluster.Occasion](t, filepath.Join(dir, "occasions.ndjson")) {
		if o.What == "healed" {
			healed = o.Time
		}
	}
	for _, s := range cluster.Lines[network.Settled](t, filepath.Join(dir, "fates.ndjson")) {
		if s.Time.After(healed) && s.Fate != network.Broken {
			after++
			if s.Fate != network.Passed || s.DelayMS > 0 || s.CopyDelayMS != nil || s.Held {
				t.Fatalf("after the healing: %+v", s)
			}
		}
	}
	if healed.IsZero() || after == 0 {
		t.Errorf("healed at %v, and %d frames after it", healed, after)
	}
}

// wantCapture compares the capture with the fates: what was sent is every frame
// that has one, and what was delivered is what they say.
func wantCapture(t *testing.T, c cluster.Config, v *cluster.Verdict) {
	t.Helper()
	sent, delivered, broken := 0, 0, 0 // frames, frames, connections
	for _, s := range cluster.Lines[network.Settled](t, filepath.Join(c.Dir, "fates.ndjson")) {
		switch {
		case s.Fate == network.Broken:
			delivered -= s.Frames
			broken++
			continue
		case s.CopyDelayMS != nil:
			delivered += 2
		case s.Fate == network.Passed || s.Fate == network.Stalled:
			delivered++
		}
		sent++
	}
	f, err := os.Open(filepath.Join(c.Dir, "capture.pcapng"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := capture.NewReader(f, capture.Options{Ports: []uint16{v.Port}})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for {
		p, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil || p.Err != nil || p.TCP != c.Stream || p.From.Addr() == p.To.Addr() {
			t.Fatalf("%v %v %+v", err, p.Err, p)
		}
		seen[p.Interface]++
	}
	extra := seen["delivered"] - delivered // of a connection the frame that was being written when it broke
	if seen["sent"] != sent || extra < 0 || extra > broken {
		t.Errorf("the capture has %v, and the fates say %d sent and %d delivered", seen, sent, delivered)
	}
}

// wantWords looks for what should have happened.
func wantWords(t *testing.T, dir string, words ...string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "occasions.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range words {
		if !strings.Contains(string(text), `"what":"`+w+`"`) {
			t.Errorf("nobody tells of %s", w)
		}
	}
}

// wantAgreements wants a line of each agreement, and all lines in the order of
// their times.
func wantAgreements(t *testing.T, dir string, count int) {
	t.Helper()
	var last time.Time
	n := 0
	for _, o := range cluster.Lines[cluster.Occasion](t, filepath.Join(dir, "occasions.ndjson")) {
		if o.What == "agreed" {
			n++
		}
		if o.Time.Before(last) {
			t.Errorf("out of order: %+v", o)
		}
		last = o.Time
	}
	if n != count {
		t.Errorf("%d lines of agreement, and the verdict counts %d", n, count)
	}
}
