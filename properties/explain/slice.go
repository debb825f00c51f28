package explain

import (
	"slices"

	"interleave/internal/printable"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/spec"
)

// slice finds the steps that matter. From the last step to the first, it leaves out each
// that is no cause, if the rest is still a run at whose end the property is false for the
// same reason. It repeats that until no step can be left out.
func (e *Explanation) slice(f *future) {
	e.Matters = all(len(e.Run.Steps))
	keep := e.past()
	for i := range keep {
		keep[i] = keep[i] || e.Property.Kind == properties.QuiescentKind && !e.idle(f, i)
	}
	for again := true; again; {
		again = false
		for i := len(keep) - 1; i >= 0; i-- {
			if keep[i] || !e.Matters[i] {
				continue
			}
			e.Matters[i] = false
			if e.tells(e.Matters) {
				again = true
			} else {
				e.Matters[i] = true
			}
		}
	}
}

// play returns the run of the chosen steps; nil if one of them is not possible.
func (e *Explanation) play(chosen []bool) *model.Run {
	run := &model.Run{States: e.Run.States[:1:1]}
	for i, step := range e.Run.Steps {
		if !chosen[i] {
			continue
		}
		again, err := e.Reference.Do(run.End(), step.Event)
		if err != nil {
			return nil
		}
		run.Steps = append(run.Steps, again)
		if again.Panic == "" {
			run.States = append(run.States, again.After)
		}
	}
	return run
}

// tells reports whether the chosen steps are a run at whose end the property is false for
// the same reason, quiescent or not.
func (e *Explanation) tells(chosen []bool) bool {
	run := e.play(chosen)
	return run != nil && e.falsity(run) == e.Reason
}

// falsity says why the property is false at the end of a run; empty if it is true.
func (e *Explanation) falsity(run *model.Run) string {
	if last := len(run.Steps) - 1; last >= 0 {
		if err := e.Property.OnStep(e.Reference, run.States[last], run.Steps[last]); err != nil {
			return printable.Text(err.Error())
		}
	}
	return e.condition(e.Reference.World(run.End()))
}

func (e *Explanation) condition(w *model.World) string {
	if err := e.Property.Condition(w); err != nil {
		return printable.Text(err.Error())
	}
	return ""
}

// past returns the causes of the violation: the steps of the processes that it is about,
// and their causes.
func (e *Explanation) past() []bool {
	p := picture.Of(e.Reference, e.Run, nil)
	of := make([]bool, len(p.Events))
	about := e.about()
	for i := len(p.Events) - 1; i >= 0; i-- {
		of[i] = of[i] || about.Has(p.Events[i].Process)
		if of[i] {
			for _, c := range p.Events[i].Causes {
				of[c] = true
			}
		}
	}
	steps := make([]bool, len(e.Run.Steps))
	for i, event := range p.Events {
		if of[i] || event.Process == spec.None && event.Step == len(e.Run.Steps) && e.onStep() {
			steps[event.Step-1] = true
		}
	}
	return steps
}

// onStep reports whether it is the last step that breaks the property.
func (e *Explanation) onStep() bool {
	last := len(e.Run.Steps) - 1
	return last >= 0 && e.Property.OnStep(e.Reference, e.Run.States[last], e.Run.Steps[last]) != nil
}

// about returns the processes that the violation is about. If a step breaks the property,
// that is the process that takes it. Otherwise it is every process that makes a difference:
// if it followed somebody else, or were in a state that it had before, the property would be
// true, or false for another reason.
func (e *Explanation) about() spec.Set {
	var about spec.Set
	if e.onStep() {
		return about.With(e.Run.Steps[len(e.Run.Steps)-1].Event.Process)
	}
	end := e.Run.End()
	for p := range spec.UpTo(len(end.Locals)).All() {
		if e.turnsOn(end, p) {
			about = about.With(p)
		}
	}
	return about
}

func (e *Explanation) turnsOn(end model.State, p spec.ID) bool {
	for _, before := range e.Run.States {
		was := model.State{Locals: slices.Clone(end.Locals), Inboxes: end.Inboxes, Env: end.Env}
		was.Locals[p-1] = before.Locals[p-1]
		if e.condition(e.Reference.World(was)) != e.Reason {
			return true
		}
	}
	if end.Locals[p-1].Status == model.Down {
		return false
	}
	for leader := range len(end.Locals) + 1 {
		if e.condition(e.Reference.World(end).Suppose(p, spec.ID(leader))) != e.Reason {
			return true
		}
	}
	return false
}

// idle reports whether step i does not matter: without it and its consequences, the violation
// cannot be averted either. It is false if that is not known, or if the rest is no run.
func (e *Explanation) idle(f *future, i int) bool {
	chosen := all(len(e.Run.Steps))
	chosen[i] = false
	for _, j := range e.consequences(i) {
		chosen[j] = false
	}
	run := e.play(chosen)
	if run == nil {
		return false
	}
	if e.Property.InState(e.Reference.World(run.End())) != nil {
		return true
	}
	averted, known := f.avertable(run.End())
	return known && !averted
}

// consequences returns the other steps that step i is a cause of.
func (e *Explanation) consequences(i int) []int {
	p := picture.Of(e.Reference, e.Run, nil)
	of := make([]bool, len(p.Events))
	var steps []int
	for j, event := range p.Events {
		of[j] = event.Step == i+1 || slices.ContainsFunc(event.Causes, func(c int) bool { return of[c] })
		if of[j] && event.Step != i+1 && !slices.Contains(steps, event.Step-1) {
			steps = append(steps, event.Step-1)
		}
	}
	return steps
}
