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
	Recover: func(*int, *spec.Proc[bool]) {},
	Stable:  func(s int) int { return s },
	Leader:  func(int) spec.ID { return spec.None },
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
		breaks := slices.DeleteFunc(r.Steps(s), func(step model.Step) bool { return step.Event.Deed != model.Break })
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
		trace, _, err := r.Record(initial, append(run, b.Event))
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
		if last := again.Steps[2].Event; last.Deed != model.Break || last.Cut != 0 || r.Deed(last) != "receive true from 1, crash before the first of its sends" {
			t.Errorf("it is read as %+v: %s", last, r.Deed(last))
		}
		if got := fmt.Sprint(r.Changes(s, b)); got != "[down]" {
			t.Errorf("it changes %s", got)
		}
	}
}
