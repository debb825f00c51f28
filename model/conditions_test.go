package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/catalog"
)

// TestWaits: a message that its receiver refuses has come, and so has what is behind it in
// a queue: no timer waits for it, nor a detector, nor a notice.
func TestWaits(t *testing.T) {
	for _, c := range []struct {
		network model.Network
		sent    []int // by process 1 to process 2
		refused int
		awaited string // what is waited for; empty: nothing
	}{
		{model.FIFO, []int{1}, 0, "1"},
		{model.FIFO, []int{1}, 1, ""},
		{model.FIFO, []int{1, 2}, 1, ""},
		{model.FIFO, []int{2, 1}, 1, "2"},
		{model.Set, []int{1, 2}, 1, "2"},
		{model.Set, []int{1}, 1, ""},
		{model.Bag, []int{1, 1}, 1, ""},
		{model.Bag, []int{1, 2, 1}, 1, "2"},
	} {
		m := &spec.Algorithm[bool, int]{
			Name: "x/waits",
			Start: func(begun *bool, p *spec.Proc[int]) {
				if *begun = true; p.ID == 1 {
					for _, m := range c.sent {
						p.Send(2, m)
					}
				}
				p.SetTimer(0)
			},
			Timeout: func(*bool, *spec.Proc[int], spec.Timer) {},
			Suspect: func(*bool, *spec.Proc[int], spec.ID) {},
			Receive: func(_ *bool, p *spec.Proc[int], _ spec.ID, m int) {
				if m == c.refused {
					p.Refuse()
				}
			},
			Election: &spec.Election[bool, int]{
				Notice: func(*bool, *spec.Proc[int]) {},
				Leader: func(bool) spec.ID { return 1 },
			},
			Rules: []spec.TimerRule[bool, int]{{
				Name: "T", Elects: true,
				Awaited: func(_, from, _ spec.ID, _ int) bool { return from == 1 },
				Silent:  func(bool, spec.ID, spec.Set) spec.Set { return spec.SetOf(1) },
			}},
		}
		for _, crashed := range []bool{false, true} {
			r, err := model.NewReference(m, model.Config{N: 2, Network: c.network, Crashes: 1, Detector: model.Flushed})
			if err != nil {
				t.Fatal(err)
			}
			s := r.Initial()[0]
			for _, e := range []model.Event{
				{Process: 1, Step: spec.Event{Kind: spec.Start, Initiator: true}},
				{Process: 2, Step: spec.Event{Kind: spec.Start, Initiator: true}},
				{Process: 1, Action: model.Crash},
			} {
				if e.Process == 2 && possible(r, s, "1 timeout T") {
					t.Errorf("%+v: what process 2 has not heard, as it has not started, is not waited for", c)
				}
				if e.Action == model.Crash && !crashed {
					break
				}
				step, err := r.Do(s, e)
				if err != nil {
					t.Fatal(err)
				}
				s = step.After
			}
			actions := []string{"2 timeout T"}
			if crashed {
				actions = append(actions, "2 notice", "2 suspect 1")
			}
			for _, action := range actions {
				if possible(r, s, action) == (c.awaited != "") {
					t.Errorf("%+v, crashed %v: %s is possible: %v", c, crashed, action, c.awaited != "")
				}
			}
			why := fmt.Sprintf("what it waits for may still come: %s from 1", c.awaited)
			told := slices.ContainsFunc(model.WhyDisabled(r, s), func(o model.Disabled) bool { return o.Process == 2 && strings.HasPrefix(o.Why, why) })
			if told != (c.awaited != "") {
				t.Errorf("%+v: %+v", c, model.WhyDisabled(r, s))
			}
		}
	}
}

// possible reports whether a process, named first, may do something.
func possible(r *model.Reference, s model.State, action string) bool {
	return slices.ContainsFunc(r.Steps(s), func(step model.Step) bool {
		return fmt.Sprint(step.Event.Process, " ", r.Describe(step.Event)) == action
	})
}

// TestConditions: each condition is asked somewhere, is met and is not, and there is something to say of why not.
// Packages compiled and diagram compare their forms of it.
func TestConditions(t *testing.T) {
	counts := map[string]int{}
	for _, m := range catalog.Machines {
		for _, c := range modeltest.RuledWorlds(m) {
			r, err := model.NewReference(m, c)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range modeltest.SomeStates(r, testsize.Of(10, 25, 200)) {
				for _, asked := range modeltest.AskedIn(r, s) {
					c := asked.Condition
					why, blocked := r.WhyNot(s, c)
					saysWhy := c.Ask != model.AllUp && c.Ask != model.Whole && c.Ask != model.Divided && c.Ask != model.NoneUrgent
					if blocked && saysWhy != (why != "") || blocked == r.Met(s, c) {
						t.Errorf("%+v is not met, as %q", c, why)
					}
					counts[fmt.Sprint(c.Ask, !blocked)]++
				}
			}
		}
	}
	t.Log(counts)
	for ask := model.AllUp; ask < model.Asks; ask++ {
		for _, met := range []bool{false, true} {
			if counts[fmt.Sprint(ask, met)] == 0 {
				t.Errorf("never asked: %v, met: %v", ask, met)
			}
		}
	}
}
