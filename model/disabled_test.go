package model_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
)

// TestObstaclesAndSteps walks at random, and wants everything that a process might do
// to be possible or hindered, and not both; and all that is hindered in order.
func TestObstaclesAndSteps(t *testing.T) {
	testsize.Alone(t)
	told, steps := map[string]int{}, testsize.Of(5, 8, 12)
	for _, m := range catalog.Machines {
		for _, c := range append(modeltest.Worlds(m), modeltest.FaultyWorlds(m)...) {
			if c.Check(m) != nil || c.Network == model.Rounds {
				continue
			}
			r, err := model.NewReference(m, c)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, uint64(c.N)))
			s := r.Initial()[0]
			for range steps {
				steps := r.Steps(s)
				checkObstacles(t, r, m, s, steps, told)
				if len(steps) == 0 {
					break
				}
				next := steps[random.IntN(len(steps))]
				if next.Panic != "" {
					break
				}
				s = next.After
			}
		}
	}
	for _, why := range []string{"has no use", "comes first", "is up", "not armed", "may still come", "allows 1 crash", "no crash", "its own accord", "owes", "before it crashed", "its leader, process"} {
		if told[why] == 0 {
			t.Errorf("no obstacle says %q", why)
		}
	}
}

func checkObstacles(t *testing.T, r *model.Reference, m spec.Machine, s model.State, steps []model.Step, told map[string]int) {
	t.Helper()
	actions := map[string]int{} // bit 1: possible, bit 2: hindered
	for _, step := range steps {
		if step.Event.Action == model.Handle || step.Event.Action == model.Crash {
			e := step.Event
			e.Step.Choices = nil // nothing is hindered by what its handler chooses
			actions[fmt.Sprint(e.Process, " ", r.Describe(e))] |= 1
		}
	}
	obstacles := model.WhyDisabled(r, s)
	if !slices.IsSortedFunc(obstacles, func(a, b model.Disabled) int {
		return cmp.Or(cmp.Compare(a.Process, b.Process), cmp.Compare(placeOf(t, m, a), placeOf(t, m, b)))
	}) {
		t.Errorf("%s %+v: not in order: %+v", m.Traits().Name, r.Config(), obstacles)
	}
	for _, o := range obstacles {
		actions[fmt.Sprint(o.Process, " ", o.Action)] |= 2
		for _, why := range []string{"has no use", "comes first", "is up", "not armed", "may still come", "allows 1 crash", "no crash", "its own accord", "owes", "before it crashed", "its leader, process"} {
			if strings.Contains(o.Why, why) {
				told[why]++
			}
		}
	}
	for action, how := range actions {
		if how == 3 && !strings.Contains(action, "receive") { // of equal messages one may be first
			t.Errorf("%s %+v: %s is possible and hindered in %+v", m.Traits().Name, r.Config(), action, s)
		}
	}
	for _, action := range actionsOf(m, r.Config(), s) {
		if one, _, valued := strings.Cut(action, ": "); actions[one] == 0 && (!valued || actions[strings.Replace(action, ": ", " ", 1)] == 0) {
			t.Errorf("%s %+v: nothing is said of %s in %+v", m.Traits().Name, r.Config(), action, s)
		}
	}
}

// placeOf returns where an obstacle stands in the list of its process.
func placeOf(t *testing.T, m spec.Machine, o model.Disabled) int {
	t.Helper()
	const refusals, crashes = 5, 6
	if strings.Contains(o.Why, "has no use") || strings.Contains(o.Why, "beyond the bound") {
		return refusals
	}
	what, _, _ := strings.Cut(o.Action, " ")
	if _, ok := m.Traits().ActionNamed(what); ok {
		return 0
	}
	place, listed := map[string]int{"recover": 1, "timeout": 2, "suspect": 3, "restore": 3, "receive": 4, "crash": crashes}[what]
	if !listed {
		t.Errorf("%q has no place", o.Action)
	}
	return place
}

// actionsOf lists what each process might do.
func actionsOf(m spec.Machine, c model.Config, s model.State) []string {
	var out []string
	traits := m.Traits()
	for i, l := range s.Locals {
		add := func(action string) { out = append(out, fmt.Sprint(i+1, " ", action)) }
		for _, e := range s.Inboxes[i] {
			add(fmt.Sprintf("receive %v from %v", e.Message, e.From))
		}
		switch l.Status {
		case model.Down:
			if l.Status == model.Down && c.Recoveries > 0 {
				add("recover")
			}
			continue
		case model.Up:
			for _, act := range traits.Actions {
				for _, v := range act.Values {
					if act.ReadValue == nil {
						add(act.Name)
					} else {
						add(fmt.Sprintf("%s: %v", act.Name, v)) // or what is said of the action, whatever its value
					}
				}
			}
			for _, rule := range traits.Rules {
				add("timeout " + rule.Name)
			}
		}
		add("crash")
	}
	return out
}

// TestObstaclesOfBully reads like an episode: what a fresh Bully cannot do, and what
// the first OK holds up.
func TestObstaclesOfBully(t *testing.T) {
	r, err := model.NewReference(bully.Published, model.Config{N: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Initial()[0]
	expect := func(want ...string) {
		t.Helper()
		var got []string
		for _, o := range model.WhyDisabled(r, s) {
			got = append(got, fmt.Sprintf("%v %s: %s", o.Process, o.Action, o.Why))
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	expect("1 timeout T_ok: it is not armed", "1 crash: the world allows no crash", "2 timeout T_ok: it is not armed", "2 crash: the world allows no crash")
	s = r.Steps(s)[0].After // process 1 notices
	expect("1 timeout T_ok: what it waits for may still come: ELECTION from 1 is on its way to 2",
		"1 notice: its handler has no use for it in this state",
		"1 crash: the world allows no crash", "2 timeout T_ok: it is not armed", "2 crash: the world allows no crash")
}

// TestActionsDisabled is an episode of requests: what is not possible yet, any more, or is refused.
func TestActionsDisabled(t *testing.T) {
	r, err := model.NewReference(modeltest.Requests, model.Config{N: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Initial()[0]
	take := func(process spec.ID, what string) {
		t.Helper()
		for _, step := range r.Steps(s) {
			if step.Event.Process == process && r.Describe(step.Event) == what {
				s = step.After
				return
			}
		}
		t.Fatalf("process %v cannot: %s", process, what)
	}
	expect := func(process spec.ID, want ...string) {
		t.Helper()
		var got []string
		for _, o := range model.WhyDisabled(r, s) {
			if o.Process == process && o.Action != "crash" {
				got = append(got, o.Action+": "+o.Why)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	const nine, never, once, twice = "ask 9: its handler has no use for it in this state", "forget: its condition is false in this state",
		"it was done once, and is not done more often", "it was done 2 times, and is not done more often"
	take(1, "start, choosing 0")
	expect(1, never, nine)
	take(1, "open")
	expect(1, "open: its condition is false in this state", never, nine)
	take(1, "ask 2")
	expect(1, "open: its condition is false in this state", "ask: "+once, never)
	take(2, "start, choosing 1")
	take(2, "flip, choosing 0")
	take(1, "flip, choosing 1")
	expect(1, "open: its condition is false in this state", "ask: "+once, "flip: "+twice, never)
	expect(2, "flip: "+twice, never, nine, "receive 0 from 1: its handler has no use for it in this state")
}

// TestAssumedOfActions: what a world assumes of actions, and that it elects nobody, shows in its assumptions.
func TestAssumedOfActions(t *testing.T) {
	for times, want := range map[int]string{
		0:  "open as often as it is possible; ask at most once by each process; flip at most 2 times by all processes together; forget as often as processes like",
		1:  "open as often as it is possible; ask at most once by each process; flip at most once by all processes together; forget as often as processes like",
		-1: "open as often as it is possible; ask as often as processes like; flip as often as processes like; forget as often as processes like",
	} {
		want := []string{
			"processes   1 to 2", "initiators  all processes", "start       cold: each process starts at a time of its own",
			"network     fifo: one queue for each sender and receiver; no message is lost or duplicated", "failures    none",
			"actions     " + want, "fairness    weak: a step that stays possible eventually happens, except failures, ask, flip, forget",
		}
		if got := (model.Config{N: 2, Times: times}).Assumptions(modeltest.Requests); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
