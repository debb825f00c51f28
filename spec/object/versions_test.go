package object_test

import (
	"context"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/object"
)

// counter counts what it hears. The later version counts in another way.
type (
	counter     interface{ hear() (count int) }
	first       struct{ heard int }
	later       struct{ heard []bool }
	counterView struct{ Heard int }
	counts      struct {
		counter
		last int
	}
)

func (c *first) hear() int { c.heard++; return c.heard }
func (c *later) hear() int { c.heard = append(c.heard, true); return len(c.heard) }

// counting is a version as a machine, whose clients have one tell the others.
func counting(open func() counter) *object.Code[*counts, struct{}, counterView, int] {
	type state = object.State[struct{}, counterView]
	return &object.Code[*counts, struct{}, counterView, int]{
		Algorithm: spec.Algorithm[state, int]{
			Name: "counter/any", Doc: "counts", Source: "this test",
			Actions: []spec.Action[state, int]{{Name: "tell", Times: 2}},
			Properties: []spec.Property{spec.Invariant("few", "nobody hears two", func(w spec.World) error {
				for p, s := range spec.States[state](w) {
					if s.View.Heard > 1 {
						return errTwo(p)
					}
				}
				return nil
			})},
		},
		Open: func(spec.ID, spec.Set, struct{}) *counts { return &counts{counter: open()} },
		Handle: func(c *counts, e spec.Event, p *spec.Proc[int]) {
			if e.Kind == spec.Act {
				p.Broadcast(p.Others(), 7)
				return
			}
			if n := c.hear(); n > 0 {
				c.last = n
			}
		},
		View: func(c *counts) counterView { return counterView{c.last} },
	}
}

type errTwo spec.ID

func (e errTwo) Error() string { return "process " + spec.ID(e).String() + " does" }

// A trace has nothing of the text, so a later version of the code repeats it; and a digest is shown nowhere.
func TestTraceOfAnotherVersion(t *testing.T) {
	one, two := counting(func() counter { return &first{} }), counting(func() counter { return &later{} })
	r, err := properties.Verify(context.Background(), one, model.Config{N: 2}, properties.Own(one), properties.Options{})
	if err != nil || r.Verdict != properties.Violated {
		t.Fatalf("%v, %+v", err, r)
	}
	trace := r.Findings[0].Trace
	for _, m := range []spec.Machine{one, two} {
		reference, run, err := model.Replay(m, trace)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for i, step := range run.Steps {
			told = append(told, reference.Changes(run.States[i], step)...)
		}
		if all := strings.Join(told, "; "); !strings.Contains(all, "View.Heard 1 → 2") || strings.Contains(all, "Text") {
			t.Error(all)
		}
	}
}

// A step that changes nothing but what View leaves out does not look as if it did nothing.
func TestHiddenChange(t *testing.T) {
	m := counting(func() counter { return &slow{} })
	reference, err := model.NewReference(m, model.Config{N: 2})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for state := reference.Initial()[0]; len(told) < 4; {
		steps := reference.Steps(state)
		step := steps[0]
		for _, other := range steps {
			if other.Event.Step.Kind == spec.Receive {
				step = other
			}
		}
		told, state = append(told, strings.Join(reference.Changes(state, step), "; ")), step.After
	}
	if all := strings.Join(told, ", then "); !strings.HasSuffix(all, "then View.Heard 0 → 1") || !strings.Contains(all, "to 2, then changes what is not shown, then sends") {
		t.Error(all)
	}
}

// slow counts every other time only.
type slow struct{ half, whole int }

func (c *slow) hear() int {
	c.half++
	c.whole += 1 - c.half%2
	return c.whole
}
