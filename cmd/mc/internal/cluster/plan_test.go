package cluster

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/cmd/mc/internal/yaml"
	"interleave/impl/cluster"
)

const stormPlan = `# a plan with everything
version: 1
seed: 18446744073709551615
faults:
  loss: 10%
  duplicate: 1%
  reorder: 2%
  delay: 0..20ms
events:
  - {at: 1s, every: 3s, for: 1s, kill: leader}
  - at: 0s
    partition: 1,2 | 3,4
    for: 2s
  - {at: 2s, cut: 1 -> others}
  - {at: 3s, heal: all}
  - {at: 4s, pause: random, for: 500ms}
  - {at: 5s, resume: paused}
  - {at: 5s, restart: killed}
  - {at: 5s, loss: 30%}
  - {at: 6s, duplicate: 0%}
  - {at: 6s, reorder: 5%}
  - {at: 7s, delay: 40ms}
`

// TestPlanRoundTrip: a plan that is written is read as what it was.
func TestPlanRoundTrip(t *testing.T) {
	plan, seeded, err := readPlan([]byte(stormPlan), 4, 10*time.Second)
	if err != nil || !seeded || len(plan.Events) != 11 || plan.Seed != 1<<64-1 {
		t.Fatalf("%v %v %+v", err, seeded, plan)
	}
	first := plan.Events[0]
	if first.At != time.Second || first.Every != 3*time.Second || first.For != time.Second || first.Verb != cluster.Kill || first.Sides[0].Word != cluster.Leader {
		t.Errorf("%+v", first)
	}
	again, _, err := readPlan([]byte(plan.String()), 4, 10*time.Second)
	if err != nil || !same(again, plan) {
		t.Errorf("%v\n%v\n%v", err, plan, again)
	}
}

func same(a, b cluster.Plan) bool {
	return a.Seed == b.Seed && a.Faults == b.Faults && slices.EqualFunc(a.Events, b.Events, func(a, b cluster.Event) bool { return a.String() == b.String() })
}

func TestPlanRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "1: the file is empty: write version: 1 and events"},
		{"- 1", "1: the file is a list: write version: 1 and events"},
		{"seed: 1", "1: the version is missing: write version: 1"},
		{"version: 2", `1: version "2" is not one that this program reads: write version: 1`},
		{"version: 1\nsead: 1", `2: a plan has no key "sead"`},
		{"version: 1\nseed: -1", `2: the seed "-1" is not a number from 0 to 2^64-1`},
		{"version: 1\nseed: 1x", `2: the seed "1x" is not a number from 0 to 2^64-1`},
		{"version: 1\nseed: [1]", `2: the seed is a list: write a number`},
		{"version: 1\nfaults: 10%", "2: faults is a single value: write a line for each, as in loss: 10%"},
		{"version: 1\nfaults:\n  kill: 1", `3: faults has no key "kill"`},
		{"version: 1\nfaults:\n  loss: 10", `3: loss: "10" is no percentage: write one as in 10%`},
		{"version: 1\nfaults:\n  loss: [1%]", "3: loss is a list: write one value"},
		{"version: 1\nevents: 1", "2: events is a single value: write a list"},
		{"version: 1\nevents:\n  - kill", "3: an event is a mapping, as in {at: 5s, kill: leader}, not a single value"},
		{"version: 1\nevents:\n  - {at: 1s}", "3: the event does nothing: give it one of act, kill, restart, pause, resume, partition, cut, heal, loss, duplicate, reorder, delay"},
		{"version: 1\nevents:\n  - {kill: 1}", "3: the event has no time: write at, as in at: 5s"},
		{"version: 1\nevents:\n  - {at: soon, kill: 1}", `3: at: "soon" is not a time after the beginning: write one as in 1.5s`},
		{"version: 1\nevents:\n  - {at: [1s], kill: 1}", `3: at: "" is not a time after the beginning: write one as in 1.5s`},
		{"version: 1\nevents:\n  - {at: 1s, every: 0s, kill: 1}", `3: every: "0s" is not a time: write one as in 90s`},
		{"version: 1\nevents:\n  - {at: 1s, for: [1s], kill: 1}", `3: for is a list: write one time, as in 3s`},
		{"version: 1\nevents:\n  - {at: 1s, kill: 1, pause: 2}", "3: an event does one thing, and this one does kill and pause: write an event for each"},
		{"version: 1\nevents:\n  - {at: 1s, kll: 1}", `3: an event has no key "kll"`},
		{"version: 1\nevents:\n  - {at: 1s,\n     kill: 9}", `4: kill: "9" is none of the processes 1 to 4, nor of leader, random, some, all`},
		{"version: 1\nevents:\n  - {at: 1s, partition: 1 | 2}", "3: partition: 3 stands on no side: name all processes, or write others for the rest"},
		{"version: 1\nevents:\n  - {at: 1m, kill: 1}", "3: kill 1 happens at 1m0s, when the run of 10s is over: let it happen earlier, or the run last longer"},
		{"version: 1\nevents:\n  - {at: 1s, for: 1s, heal: all}", "3: heal all cannot be undone: leave for out"},
		{"version: 1\nevents:\n  - {at: 1s, every: 1us, kill: 1}", "the events come to more than 10000: let kill 1 happen less often"},
	} {
		_, _, err := readPlan([]byte(c.text), 4, 10*time.Second)
		if err = yaml.Placed("f", err); err == nil || !strings.HasPrefix(strings.TrimPrefix(err.Error(), "f:"), c.want) {
			t.Errorf("%s\n  %v\n  and not %s", c.text, err, c.want)
		}
	}
}

// FuzzReadPlan: whatever the file, there is an error with a place, or a plan
// that is read again as it was.
func FuzzReadPlan(f *testing.F) {
	f.Add([]byte(stormPlan))
	f.Add([]byte("version: 1\nevents:\n  - {at: 1s, partition: some | others, for: 1s}\n"))
	f.Add([]byte("version: 1\nfaults: {delay: 1ms..2ms, loss: 0.0001%}\n"))
	f.Add([]byte("version: 1\nevents: [{at: 9223372036s, kill: '1,2'}]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		plan, _, err := readPlan(text, 4, 10*time.Second)
		if err != nil {
			if err.Error() == "" || errors.As(err, new(yaml.PlaceError)) && yaml.Placed("f", err).Error() == err.Error() {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		again, _, err := readPlan([]byte(plan.String()), 4, 10*time.Second)
		if err != nil || !same(again, plan) {
			t.Fatalf("%v\n%v\n%v", err, plan, again)
		}
	})
}

func TestPlanFlags(t *testing.T) {
	plan, err := planFlags{loss: "10%", delay: "0..20ms", killEvery: 3 * time.Second, partitionEvery: 10 * time.Second, partitionFor: time.Second}.plan()
	want := "version: 1\nseed: 0\nfaults:\n  loss: 10%\n  delay: 0..20ms\nevents:\n" +
		"  - {at: 3s, every: 3s, for: 1.5s, kill: \"leader\"}\n  - {at: 10s, every: 10s, for: 1s, partition: \"some | others\"}\n"
	if err != nil || plan.String() != want {
		t.Errorf("%v\n%v", err, plan)
	}
	for _, c := range []struct {
		flags planFlags
		want  string
	}{
		{planFlags{loss: "lots"}, `--loss: "lots" is no percentage: write one as in 10%`},
		{planFlags{delay: "1"}, `--delay: "1" is no span of time: write one as in 0..20ms`},
		{planFlags{restartAfter: 1}, "--restart-after means nothing without --kill-leader-every: give both"},
		{planFlags{partitionFor: 1}, "--partition-for means nothing without --partition-every: give both"},
		{planFlags{killEvery: 2, restartAfter: 2}, "--restart-after 2ns: it must be less than --kill-leader-every 2ns"},
	} {
		if _, err := c.flags.plan(); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v", c.flags, err)
		}
	}
}
