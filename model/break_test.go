package model_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/spec"
)

// diary writes down how often it was asked, and answers.
var diary = &spec.Algorithm[int, bool]{
	Name: "x/diary",
	Start: func(_ *int, p *spec.Proc[bool]) {
		if p.ID == 1 {
			p.Send(2, true)
		}
	},
	Receive: func(s *int, p *spec.Proc[bool], from spec.ID, ask bool) {
		if ask {
			*s++
			p.Send(from, false)
		}
	},
	Recover:  func(*int, *spec.Proc[bool]) {},
	Stable:   func(s int) int { return s },
	Election: &spec.Election[int, bool]{Leader: func(int) spec.ID { return spec.None }},
}

// TestBreakBeforeSends: a crash may fall when what is kept has been written and nothing is
// sent; where nothing new is kept that is a crash before the step, and told as such.
func TestBreakBeforeSends(t *testing.T) {
	forgets := *diary
	forgets.Stable = func(int) int { return 0 }
	for _, c := range []struct {
		machine *spec.Algorithm[int, bool]
		split   bool
		want    int
	}{{diary, true, 1}, {diary, false, 0}, {&forgets, true, 0}} {
		r, err := model.NewReference(c.machine, model.Config{N: 2, Crashes: 1, Recoveries: 1, Split: c.split})
		if err != nil {
			t.Fatal(err)
		}
		initial, run := r.Initial()[0], []model.Event{}
		s := initial
		for _, p := range []spec.ID{1, 2} {
			e := model.Event{Process: p, Step: spec.Event{Kind: spec.Start, Initiator: true}}
			step, err := r.Do(s, e)
			if err != nil {
				t.Fatal(err)
			}
			s, run = step.After, append(run, e)
		}
		breaks := slices.DeleteFunc(r.Steps(s), func(step model.Step) bool { return step.Event.Action != model.CrashMidStep })
		if len(breaks) != c.want {
			t.Errorf("split %v: %d steps are cut short, want %d", c.split, len(breaks), c.want)
		}
		if len(breaks) == 0 {
			continue
		}
		b := breaks[0]
		if left := b.After.Locals[1]; left != (model.Local{State: 1}) || len(b.After.Inboxes[0])+len(b.After.Inboxes[1])+len(b.Sends) > 0 || b.After.Env.Crashes != 1 {
			t.Errorf("after it: %+v, sent %v", b.After, b.Sends)
		}
		trace, _, err := model.Record(r, initial, append(run, b.Event))
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := trace.Write(&text); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), `"crash_after": 0`) {
			t.Errorf("the trace does not say that it crashes: %s", &text)
		}
		read, err := model.ReadTrace(&text)
		if err != nil {
			t.Fatal(err)
		}
		_, again, err := model.Replay(c.machine, read)
		if err != nil {
			t.Fatal(err)
		}
		if last := again.Steps[2].Event; last.Action != model.CrashMidStep || last.Cut != 0 || r.Describe(last) != "receive true from 1, crash before the first of its sends" {
			t.Errorf("it is read as %+v: %s", last, r.Describe(last))
		}
		if got := fmt.Sprint(r.Changes(s, b)); got != "[down keeps 1]" {
			t.Errorf("it changes %s", got)
		}
	}
}

// TestMemoryIsTold: what a process keeps is told when it goes down, and when it comes up what
// becomes of that, and no change from nothing.
func TestMemoryIsTold(t *testing.T) {
	type state struct {
		Term, Vote, Lives int
		log               []string
	}
	m := &spec.Algorithm[state, bool]{
		Name:    "test/voter",
		Recover: func(s *state, _ *spec.Proc[bool]) { s.Lives++ },
		Receive: func(*state, *spec.Proc[bool], spec.ID, bool) {},
		Stable:  func(s state) state { s.Vote = 0; return s }, // which it forgets
		Election: &spec.Election[state, bool]{
			Notice: func(s *state, _ *spec.Proc[bool]) { s.Term, s.Vote, s.log = 2, 1, []string{"", "a b"} },
			Leader: func(state) spec.ID { return spec.None },
		},
	}
	r, err := model.NewReference(m, model.Config{N: 1, Crashes: 1, Recoveries: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Initial()[0]
	var told []string
	for _, e := range []model.Event{
		{Process: 1, Step: spec.NoticeEvent()}, {Process: 1, Action: model.Crash}, {Process: 1, Step: spec.Event{Kind: spec.Recover}},
	} {
		step, err := r.Do(s, e)
		if err != nil {
			t.Fatal(err)
		}
		told, s = append(told, fmt.Sprint(r.Changes(s, step))), step.After
	}
	if want := []string{`[Term 0 → 2 Vote 0 → 1 log nil → ["" "a b"]]`, `[down keeps Term 2, log ["" "a b"]]`, "[up Lives 0 → 1]"}; !slices.Equal(told, want) {
		t.Errorf("it tells %q, want %q", told, want)
	}
}
