package impl

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"interleave/spec"
	"interleave/spec/bully"
)

func stepOf(sequence uint64, received ...Name) Record {
	r := Record{Line: LineStep, Incarnation: 1, Input: &Input{}, Sends: []Sent{{Sequence: sequence}}}
	for _, m := range received {
		r.Input.Inbox = append(r.Input.Inbox, Letter{Name: m})
	}
	return r
}

// TestClocks: by hand; then of a real run, where a clock never goes back, and what is
// received is later than its sending.
func TestClocks(t *testing.T) {
	logs := map[spec.ID][]Record{
		1: {stepOf(1), stepOf(2, Name{2, 1, 2})},
		2: {stepOf(1), stepOf(2, Name{1, 1, 1}, Name{3, 1, 1})},
		3: {stepOf(1), {Line: LineEnd}},
	}
	got, err := Clocks(logs)
	if text := fmt.Sprint(got); err != nil || text != "map[1:[map[1:1] map[1:2 2:2 3:1]] 2:[map[2:1] map[1:1 2:2 3:1]] 3:[map[3:1]]]" {
		t.Errorf("%s, %v", text, err)
	}
	delete(logs, 3)
	if _, err := Clocks(logs); err == nil || !strings.Contains(err.Error(), "it receives what no step before it sent") {
		t.Error(err)
	}
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 3, jitter(5, 50*time.Millisecond, 0, 0))
		defer g.stop()
		g.start(1, 2, 3)
		time.Sleep(3 * time.Second)
		g.crash(3)
		time.Sleep(3 * time.Second)
		g.start(3)
		time.Sleep(3 * time.Second)
		g.stop()
		logs := map[spec.ID][]Record{}
		for _, id := range g.ring {
			logs[id] = g.records(id)
		}
		clocks, err := Clocks(logs)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range g.ring {
			for i, c := range clocks[id] {
				if c[id] != uint64(i+1) {
					t.Fatalf("process %v, step %d: %v", id, i+1, c)
				}
			}
		}
	})
}
