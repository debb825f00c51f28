package gpbft

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// world is one in which alarms ring at any moment: nothing is assumed of time.
func world(c model.Config) model.Config {
	c.Timers = model.Any
	return c
}

func verify(t *testing.T, m *code, c model.Config, names ...string) *properties.Report {
	t.Helper()
	var judged []properties.Property
	for _, name := range names {
		p, err := properties.Catalogue{}.Find(m, name)
		if err != nil {
			t.Fatal(err)
		}
		judged = append(judged, p)
	}
	r, err := properties.Verify(context.Background(), m, world(c), judged, properties.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The page says what holds in which world, and how many states and local steps that has.
func TestWorlds(t *testing.T) {
	testsize.Alone(t)
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	slow := Options{Slow: spec.SetOf(3)}
	for _, row := range []struct {
		name    string
		options Options
		config  model.Config
		long    bool
	}{
		{"N=2, three rounds", Options{}, model.Config{N: 2, Bound: 3}, false},
		{"N=3, one round", Options{}, model.Config{N: 3, Bound: 1}, false},
		{"N=3, one round, one crash and restart without memory, process 3 slow", slow, model.Config{N: 3, Bound: 1, Crashes: 1, Recoveries: 1}, true},
		{"N=3, two rounds, process 3 slow", slow, model.Config{N: 3, Bound: 2}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.long {
				testsize.Test(t)
			}
			names := []string{"agreement", "no-fault"}
			if row.config.Crashes > 0 {
				names = names[:1]
			}
			r := verify(t, New(row.options), row.config, names...)
			if r.Verdict != properties.Bounded || r.Audits == 0 {
				t.Errorf("%v: %+v", r.Verdict, r.Findings)
			}
			line := fmt.Sprintf("| %s | %s | %s |", row.name, humanize.Comma(int64(r.Stats.States)), humanize.Comma(int64(r.Stats.Tables.Moves)))
			if !bytes.Contains(page, []byte(line)) {
				t.Errorf("the page lacks\n%s", line)
			}
		})
	}
}

// Two processes of the same power need each other, whether or not they want the same.
func TestTwo(t *testing.T) {
	r := verify(t, New(Options{Inputs: []string{"GA", "GA"}}), model.Config{N: 2, Bound: 3})
	if r.Verdict != properties.Bounded || r.Audits == 0 {
		t.Errorf("%v: %+v", r.Verdict, r.Findings)
	}
}

// A process that leaps from the first phase into a later round may find there nothing that it takes for a candidate: it has not
// looked for its own, and the chain of another, which that one may well propose, is none in its eyes. The core takes
// this for impossible.
func TestNoValues(t *testing.T) {
	testsize.Alone(t)
	f := verify(t, New(Options{Slow: spec.SetOf(3)}), model.Config{N: 3, Bound: 2, Losses: 1}, "no-fault").Findings[0]
	if f.Verdict != properties.Violated || f.Depth != 25 || !strings.Contains(f.Why, "no values at CONVERGE") {
		t.Fatalf("%v after %d steps: %s", f.Verdict, f.Depth, f.Why)
	}
}

// The same happens to process 4 of four, and process 1 crashes then. Three of four are up, a strong quorum, and they decide no
// more, whatever they say, as often as they like. They can if the message is not lost.
func TestStuck(t *testing.T) {
	testsize.Alone(t)
	stuck(t, true)
	stuck(t, false)
}

func stuck(t *testing.T, lost bool) {
	h := begin(t, 4, Options{Inputs: []string{"GA", "GA", "GA", "GB"}, Repeats: true})
	h.alarm(1)                                    // stands for G from now on
	h.deliver(1, 2, 3, 2, 1, 3, 2, 3)             // QUALITY: 2 and 3 stand for GA
	h.deliver(2, 1, 3, 1, 2, 1, 3, 1)             // QUALITY, PREPARE: no quorum is possible for G
	h.deliver(4, 1, 4, 2, 4, 3)                   // QUALITY
	h.deliver(1, 2, 3, 2, 1, 3, 2, 3)             // PREPARE
	h.alarm(2, 3)                                 // nor is there one for GA
	h.deliver(2, 1, 3, 1, 1, 2, 3, 2, 1, 3, 2, 3) // COMMIT, for nothing: round 1
	h.alarm(2, 3)                                 // PREPARE
	h.deliver(1, 4, 1, 4, 1, 4)                   // all of round 0
	if lost {
		h.lose(1, 4) // CONVERGE for G
	} else {
		h.deliver(1, 4)
	}
	h.deliver(2, 4, 2, 4, 2, 4, 2, 4, 2, 4) // all of 2, up to PREPARE of round 1
	h.deliver(3, 4, 3, 4, 3, 4, 3, 4, 3, 4) // all of 3: it leaps
	h.alarm(4)
	if v := h.view(4); lost != strings.Contains(v.Fault, "no values at CONVERGE") {
		t.Errorf("process 4 is in %v", v)
	}
	live := spec.SetOf(2, 3, 4)
	if !lost && !h.decides(live) {
		t.Error("no process decides")
	}
	if lost && slices.ContainsFunc(h.after(live), decided) {
		t.Error("a process decides")
	}
}

// What may be ignored is found out by trying, and what may not, too.
func TestIgnored(t *testing.T) {
	m := New(Options{})
	m.Ignore = maps.Clone(m.Ignore)
	m.Ignore["roundState.prepared"] = "so we thought"
	_, err := properties.Verify(context.Background(), m, world(model.Config{N: 3, Bound: 1}), nil, properties.Options{MaxDepth: 9})
	if err == nil || !strings.Contains(err.Error(), "have one text and are not alike") {
		t.Errorf("the audits say: %v", err)
	}
}

// A core that is handed what nobody signed decides what nobody wants.
func TestMutant(t *testing.T) {
	m := New(Options{}).Mutant("gullible", "takes an alarm of the clock for a decision", func(n *Node, e spec.Event, _ *spec.Proc[Msg], handle func()) {
		if handle(); e.Kind == spec.Timeout && n.view.Decided == "" {
			n.view.Decided = name(n.input)
		}
	})
	r := verify(t, m, model.Config{N: 3, Bound: 1}, "agreement")
	if r.Verdict != properties.Violated {
		t.Errorf("%v", r.Verdict)
	}
}
