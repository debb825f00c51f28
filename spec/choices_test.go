package spec_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"interleave/spec"
)

// TestChoices: a handler that chooses is run again with each answer, and what is wrong with that is a fault.
func TestChoices(t *testing.T) {
	ran := 0
	a := algorithm[int, string]()
	a.Receive = func(s *int, p *spec.Proc[string], _ spec.ID, m string) {
		ran++
		p.Send(1, "first")
		switch m {
		case "two":
			*s = 10*p.Choose(2) + p.Choose(3)
		case "none":
			*s = p.Choose(0)
		case "many":
			*s = p.Choose(256)
		case "refuse first":
			p.Refuse()
			p.Choose(2)
		case "refuse later":
			if p.Choose(2) == 1 {
				p.Refuse()
			}
		case "go on":
			func() {
				defer func() { _ = recover() }()
				p.Choose(2)
			}()
			*s = 7
		}
	}
	step := func(m string, choices ...int) string {
		after, fx := a.Step(2, []spec.ID{1, 2}, 0, spec.Event{Kind: spec.Receive, From: 1, Message: m, Choices: choices})
		return fmt.Sprint(after, " ", fx)
	}
	for _, c := range []struct {
		message string
		choices []int
		want    string
	}{
		{"two", nil, "0 chooses one of 2"},
		{"two", []int{1}, "0 chooses one of 3"},
		{"two", []int{1, 2}, "12 sends first to 1"},
		{"two", []int{2}, "0 panics: spec: it chooses one of 2, and the event says 2"},
		{"two", []int{0, 0, 0}, "0 panics: the event has 1 choices more than it makes"},
		{"other", []int{0}, "0 panics: the event has 1 choices more than it makes"},
		{"none", nil, "0 panics: spec: it chooses one of 0: give 1 to 255"},
		{"many", nil, "0 panics: spec: it chooses one of 256: give 1 to 255"},
		{"refuse first", nil, "0 refuses"},
		{"refuse later", []int{0}, "0 sends first to 1"},
		{"refuse later", []int{1}, "0 panics: it refuses after it has chosen"},
		{"go on", nil, "0 chooses one of 2"},
	} {
		if got := step(c.message, c.choices...); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %v: %s; want %s", c.message, c.choices, got, c.want)
		}
	}
	a.Init = func(_ *int, p *spec.Proc[string]) { p.Choose(2) }
	if _, fx := a.Step(2, []spec.ID{1, 2}, 0, spec.Event{Kind: spec.Init}); !strings.Contains(fx.Panic, "Init chooses, which only a handler of an event may") {
		t.Errorf("%v", fx)
	}
}

// TestActions: what is wrong with an action is said in one sentence.
func TestActions(t *testing.T) {
	do := func(*int, *spec.Proc[string]) {}
	for want, act := range map[string]spec.Action[int, string]{
		`the action "a" needs exactly one of Do and Request`:                                       {Name: "a"},
		`the name "crash" of an action has a space or a comma in it, or is that`:                   {Name: "crash", Do: do},
		`the name "notice" of an action has a space or a comma in it, or is that`:                  {Name: "notice", Do: do},
		`the name "a b" of an action has a space or a comma in it`:                                 {Name: "a b", Do: do},
		`the name "" of an action is empty or given twice`:                                         {Do: do},
		`the action "a" is done 256 times: give 1 to 255, or 0`:                                    {Name: "a", Do: do, Times: 256},
		`the action "a" has Together and no Times`:                                                 {Name: "a", Do: do, Together: true},
		`the action "a" has a Request with no value: list those that a check`:                      {Name: "a", Request: spec.OneOf([]int{}, func(*int, *spec.Proc[string], int) {})},
		`the value of the action "a", 3, is listed twice`:                                          {Name: "a", Request: spec.OneOf([]int{3, 3}, func(*int, *spec.Proc[string], int) {})},
		`the value of the action "a" is a complex128, which is no plain value: only bool, numbers`: {Name: "a", Request: spec.OneOf([]complex128{3}, func(*int, *spec.Proc[string], complex128) {})},
		`the value of the action "a" has NaN, which JSON cannot say`:                               {Name: "a", Request: spec.OneOf([]float64{3, math.NaN()}, func(*int, *spec.Proc[string], float64) {})},
	} {
		a := algorithm[int, string]()
		a.Actions = []spec.Action[int, string]{act}
		if err := a.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// TestObjects: what is wrong with an object is said in one sentence.
func TestObjects(t *testing.T) {
	object := func(name string, requests ...string) spec.Object {
		return spec.Linearizable(name, "", requests, 0, func(int, spec.Call, func(int, bool)) {})
	}
	for want, objects := range map[string][]spec.Object{
		"": {object("one", "a"), object("two", "a")},
		`the object "one" lacks Do, Answers or Requests: make it with Linearizable`:     {object("one")},
		`the object "two" lacks Do, Answers or Requests: make it with Linearizable`:     {{Name: "two", Requests: []string{"a"}}},
		`the object "one" is asked by the action "b", which there is not: its Requests`: {object("one", "a", "b")},
		`the name "one" of a claim, a property or an object is empty or given twice`:    {object("one", "a"), object("One", "a")},
		`the name "rises" of a claim, a property or an object is empty or given twice`:  {object("rises", "a")},
	} {
		a := algorithm[int, string]()
		a.Actions = []spec.Action[int, string]{{Name: "a", Do: func(*int, *spec.Proc[string]) {}}}
		a.Properties = []spec.Property{spec.Invariant("rises", "", func(spec.World) error { return nil })}
		a.Objects = objects
		if err := a.Validate(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
