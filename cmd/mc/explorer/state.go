package explorer

import (
	"interleave/model"
	"interleave/spec"
)

// Possibilities is what may happen in a state, and what may not.
type Possibilities struct {
	Possible  []Choice         `json:"possible"`
	Obstacles []model.Disabled `json:"obstacles"`
	Rests     bool             `json:"rests"` // nothing that is possible must happen
}

// Choice is a step that is possible, to be named by its place in the list.
type Choice struct {
	Process spec.ID  `json:"process"`
	Deed    string   `json:"deed"`
	Kind    string   `json:"kind"`
	Changes []string `json:"changes"`
	Failure bool     `json:"failure"` // nothing obliges it to happen
	Taken   bool     `json:"taken"`   // the run goes on with it
}

// possibilities tells what is possible after a run, and which of it the step next
// takes; nil: none.
func (c *course) possibilities(s model.State, next *model.Step) Possibilities {
	out := Possibilities{Possible: []Choice{}, Obstacles: c.reference.WhyDisabled(s), Rests: true}
	steps, cut := c.reference.Enabled(s)
	out.Rests = !cut
	for _, step := range steps {
		out.Rests = out.Rests && step.Unfair
		out.Possible = append(out.Possible, Choice{
			Process: step.Event.Process, Deed: c.reference.Describe(step.Event), Kind: c.reference.KindOf(s, step.Event),
			Changes: c.reference.Changes(s, step), Failure: step.Unfair,
			Taken: next != nil && next.Event.Process == step.Event.Process && c.reference.Describe(next.Event) == c.reference.Describe(step.Event) && next.Event.Age == step.Event.Age,
		})
	}
	if out.Obstacles == nil {
		out.Obstacles = []model.Disabled{}
	}
	return out
}
