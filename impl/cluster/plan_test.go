package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"interleave/impl/cluster/network"
	"interleave/spec"
)

func TestParseAction(t *testing.T) {
	for _, c := range []struct {
		verb        Verb
		value, want string
	}{
		{Kill, "leader", "kill leader"}, {Kill, "3", "kill 3"}, {Kill, "2, 1", "kill 1,2"}, {Kill, "all", "kill all"},
		{Restart, "killed", "restart killed"}, {Pause, "random", "pause random"}, {Resume, "paused", "resume paused"},
		{Partition, "1,2 | 3,4", "partition 1,2 | 3,4"}, {Partition, "1|2|3|4", "partition 1 | 2 | 3 | 4"},
		{Partition, "1 | others", "partition 1 | others"}, {Partition, "leader | others", "partition leader | others"},
		{Partition, "others|some", "partition others | some"},
		{Cut, "1 -> 2,3", "cut 1 -> 2,3"}, {Cut, "others -> leader", "cut others -> leader"},
		{Heal, "all", "heal all"}, {Loss, "7%", "loss 7%"}, {Delay, "1ms..2ms", "delay 1ms..2ms"},

		{Kill, "5", `"5" is none of the processes 1 to 4, nor of leader, random, some, all`},
		{Kill, "", `"" is none of the processes 1 to 4, nor of leader, random, some, all`},
		{Kill, "01", `"01" is none of the processes 1 to 4, nor of leader, random, some, all`},
		{Kill, "killed", `"killed" is none of the processes 1 to 4, nor of leader, random, some, all`},
		{Kill, "1,1", "1 is named twice: leave one out"},
		{Restart, "leader", `"leader" is none of the processes 1 to 4, nor of killed`},
		{Partition, "some", "a partition has two sides at least: write them as in 1,2 | 3, or some | others"},
		{Partition, "1,2|2,3,4", "2 stands on two sides: leave it out of one"},
		{Partition, "1|2", "3 stands on no side: name all processes, or write others for the rest"},
		{Partition, "1,2|3,4|others", "there are no others: leave them out"},
		{Partition, "others|others", `"others" stands on two sides: leave one out`},
		{Partition, "leader|1,2,3,4", "a side that is found out later leaves no say about the other: write others there, as in leader | others"},
		{Partition, "leader|random", "a side that is found out later leaves no say about the other: write others there, as in leader | others"},
		{Cut, "1,2", `"1,2" names no direction: write FROM -> TO, as in 1,2 -> 3`},
		{Cut, "1 -> 1", "1 stands on two sides: leave it out of one"},
		{"tickle", "1", `there is no verb "tickle"`},
		{Heal, "1", `"1" cannot be healed: write all`},
		{Loss, "0.1", `"0.1" is no percentage: write one as in 10%`},
		{Delay, "fast", `"fast" is no span of time: write one as in 0..20ms`},
	} {
		a, err := ParseAction(c.verb, c.value, 4)
		if got := told(a, err); got != c.want {
			t.Errorf("%s: %s: %s, not %s", c.verb, c.value, got, c.want)
		}
	}
}

func event(at, every, lasts time.Duration, verb Verb, value string) Event {
	a, err := ParseAction(verb, value, 4)
	if err != nil {
		panic(err)
	}
	return Event{at, every, lasts, a}
}

func TestPlanCheck(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		e    Event
		want string
	}{
		{event(1*s, 3*s, 2*s, Kill, "leader"), ""},
		{event(0, 0, 0, Loss, "1%"), ""},
		{event(10*s, 0, 0, Kill, "1"), "kill 1 happens at 10s, when the run of 10s is over: let it happen earlier, or the run last longer"},
		{event(1*s, 0, 1*s, Restart, "1"), "restart 1 cannot be undone: leave for out"},
		{event(1*s, 2*s, 2*s, Kill, "1"), "kill 1 happens again after 2s, before it is undone after 2s: undo it earlier"},
		{event(-1*s, 0, 0, Kill, "1"), "kill 1: a time is negative: leave it out"},
		{event(0, 500*time.Microsecond, 0, Kill, "1"), "the events come to more than 10000: let kill 1 happen less often"},
	} {
		err := Plan{Events: []Event{c.e}}.Check(4, 10*s)
		if got := text(err); got != c.want {
			t.Errorf("%v: %s, not %s", c.e, got, c.want)
		}
	}
	if err := (Plan{Faults: network.Faults{Loss: 1_000_001}}).Check(4, s); err == nil {
		t.Error("more than certain loss")
	}
	if err := (Plan{Faults: network.Faults{Delay: network.Span{Min: 2, Max: 1}}}).Check(4, s); err == nil {
		t.Error("an empty span")
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestHappenings(t *testing.T) {
	const s = time.Second
	p := Plan{Events: []Event{event(3*s, 3*s, 1*s, Kill, "leader"), event(4*s, 0, 0, Heal, "all"), event(8*s, 0, 5*s, Pause, "1")}}
	want := []happening{
		{3 * s, 0, 0, false}, {4 * s, 0, 0, true}, {4 * s, 1, 0, false}, {6 * s, 0, 1, false}, {7 * s, 0, 1, true}, {8 * s, 2, 0, false}, {9 * s, 0, 2, false},
	}
	if got := p.happenings(10 * s); !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

func TestWordsResolve(t *testing.T) {
	w := who{all: spec.UpTo(4), live: spec.SetOf(1, 2, 4), killed: spec.SetOf(3), paused: spec.SetOf(2), leader: 4}
	for _, c := range []struct {
		verb  Verb
		value string
		want  []spec.Set
	}{
		{Kill, "leader", []spec.Set{spec.SetOf(4)}},
		{Kill, "1,3", []spec.Set{spec.SetOf(1, 3)}},
		{Kill, "all", []spec.Set{spec.UpTo(4)}},
		{Restart, "killed", []spec.Set{spec.SetOf(3)}},
		{Resume, "paused", []spec.Set{spec.SetOf(2)}},
		{Partition, "leader | others", []spec.Set{spec.SetOf(4), spec.SetOf(1, 2, 3)}},
		{Partition, "others | 2", []spec.Set{spec.SetOf(1, 3, 4), spec.SetOf(2)}},
		{Cut, "1 -> 2", []spec.Set{spec.SetOf(1), spec.SetOf(2)}},
	} {
		a, err := ParseAction(c.verb, c.value, 4)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.resolve(rand.IntN, w); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, not %v", a, got, c.want)
		}
	}
	if got := (Action{Verb: Kill, Sides: []Some{{Word: Leader}}}).resolve(rand.IntN, who{all: spec.UpTo(4)}); got[0] != 0 {
		t.Errorf("a leader where there is none: %v", got)
	}
}

// TestChanceResolves: what is left to chance fits, varies from one occurrence,
// event and seed to the next, and is the same for the same.
func TestChanceResolves(t *testing.T) {
	w := who{all: spec.UpTo(4), live: spec.SetOf(1, 2, 4)}
	random, some := event(0, 1, 0, Kill, "random"), event(0, 1, 0, Partition, "some | others")
	p := Plan{Seed: 5, Events: []Event{random, some, some}}
	seen := map[spec.Set]bool{}
	var changed struct{ event, seed int }
	for k := range 100 {
		one := p.sides(happening{event: 0, occurrence: k}, w)[0]
		if one.Len() != 1 || one&w.live == 0 {
			t.Fatalf("random is %v", one)
		}
		h := happening{event: 1, occurrence: k}
		sides := p.sides(h, w)
		if sides[0] == 0 || sides[1] == 0 || sides[0]|sides[1] != w.all || sides[0]&sides[1] != 0 {
			t.Fatalf("some and others are %v", sides)
		}
		if again := p.sides(h, w); !slices.Equal(again, sides) {
			t.Fatalf("%v, and then %v", sides, again)
		}
		if !slices.Equal(sides, p.sides(happening{event: 2, occurrence: k}, w)) {
			changed.event++
		}
		if !slices.Equal(sides, Plan{Seed: 6, Events: p.Events}.sides(h, w)) {
			changed.seed++
		}
		seen[one], seen[sides[0]] = true, true
	}
	if len(seen) != 14 { // every one that may be: the halves of 4, single ones among them
		t.Errorf("chance knows only %d ways", len(seen))
	}
	if changed.event < 50 || changed.seed < 50 {
		t.Errorf("of 100, %d change with the event and %d with the seed", changed.event, changed.seed)
	}
}

// FuzzParseAction: what is read is written so that it is read again.
func FuzzParseAction(f *testing.F) {
	for _, seed := range []struct {
		verb  Verb
		value string
	}{{Kill, "1,2"}, {Partition, "1 | 2,3 | others"}, {Cut, "leader -> others"}, {Loss, "0.01%"}, {Delay, "1ms..1s"}, {Heal, "all"}, {Restart, "killed"}} {
		f.Add(string(seed.verb), seed.value)
	}
	f.Fuzz(func(t *testing.T, verb, value string) {
		a, err := ParseAction(Verb(verb), value, 4)
		if err != nil {
			return
		}
		again, err := ParseAction(Verb(verb), a.value(), 4)
		if err != nil || again.String() != a.String() {
			t.Fatalf("%q is read as %v, and that as %v: %v", value, a, again, err)
		}
	})
}

func TestPlanText(t *testing.T) {
	p := Plan{Seed: 7, Faults: storm, Events: []Event{event(3*time.Second, 3*time.Second, time.Second, Kill, "leader"), event(time.Minute, 0, 0, Partition, "1,2 | 3,4")}}
	want := `version: 1
seed: 7
faults:
  loss: 10%
  duplicate: 5%
  reorder: 2%
  delay: 5ms..25ms
events:
  - {at: 3s, every: 3s, for: 1s, kill: "leader"}
  - {at: 1m0s, partition: "1,2 | 3,4"}
`
	if got := p.String(); got != want {
		t.Errorf("%s", got)
	}
}

// TestRareHappenings: a time beyond all runs does not come round again.
func TestRareHappenings(t *testing.T) {
	const ever = 1<<63 - 1
	p := Plan{Events: []Event{{At: 2 * time.Second, Every: ever, For: ever}, {At: time.Second, Every: time.Second}}}
	var at []time.Duration
	for _, h := range p.happenings(3 * time.Second) {
		at = append(at, h.at)
	}
	if !slices.Equal(at, []time.Duration{time.Second, 2 * time.Second, 2 * time.Second}) {
		t.Error(at)
	}
}

// told returns what a parser says: the error, or the value in words.
func told(v fmt.Stringer, err error) string {
	if err != nil {
		return err.Error()
	}
	return v.String()
}

var storm = network.Faults{Loss: 100_000, Duplicate: 50_000, Reorder: 20_000, Delay: network.Span{Min: 5 * time.Millisecond, Max: 25 * time.Millisecond}}
