package runcheck

import (
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"interleave/spec"
)

// judge judges a property.
type judge struct {
	Verdict
	seen []any // the values that its monitor may have
}

func newJudge(p spec.Property) *judge {
	j := &judge{Verdict: Verdict{Property: p}}
	if p.Form == spec.Watched {
		j.seen = []any{p.Monitor.First}
	}
	return j
}

// of yields the judges of properties of some forms that nothing has broken; none once the judging is over.
func (h *reading) of(forms ...spec.Form) (all []*judge) {
	for _, j := range h.judges {
		if !h.over && slices.Contains(forms, j.Property.Form) && j.Reason == "" {
			all = append(all, j)
		}
	}
	return all
}

// breaks takes in why something breaks the property, if it does.
func (h *reading) breaks(j *judge, now time.Time, err error) {
	j.Judged++
	if err != nil {
		j.Reason = fmt.Sprintf("at %.2f s: %v", now.Sub(h.began).Seconds(), err)
	}
}

// guarded calls a function of a property. One that panics makes the property false.
func guarded(holds func() error) (err error) {
	defer func() {
		if said := recover(); said != nil {
			err = fmt.Errorf("the property panics: %s", spec.TellPanic(said, debug.Stack()))
		}
	}()
	return holds()
}

// ask asks the properties of some forms of the present state.
func (h *reading) ask(now time.Time, forms ...spec.Form) {
	if h.born.Len() < len(h.Logs) {
		return // in a model all are there in the first state
	}
	for _, j := range h.of(forms...) {
		h.world.unknown = false
		err := guarded(func() error { return j.Property.State(&h.world) })
		switch {
		case h.world.unknown, j.Property.Form == spec.Reachable && err != nil:
		case j.Property.Form == spec.Reachable:
			j.Judged++
		default:
			h.breaks(j, now, err)
		}
	}
}

// askStep asks the properties of steps about the one that led to the present state.
func (h *reading) askStep(before *world, now time.Time) {
	if h.born.Len() < len(h.Logs) {
		return
	}
	for _, j := range h.of(spec.EverySteps) {
		before.unknown, h.world.unknown = false, false
		if err := guarded(func() error { return j.Property.Step(before, &h.world) }); !before.unknown && !h.world.unknown {
			h.breaks(j, now, err)
		}
	}
}

// watch shows monitors a step. If its process died after it, what it put out may have been cut off; then
// a property is broken only if it is in both cases.
func (h *reading) watch(s spec.Step, died bool, now time.Time) {
	for _, j := range h.of(spec.Watched) {
		var values []any
		var broken error
		see := func(s spec.Step) {
			for _, v := range j.seen {
				var next any
				err := guarded(func() (err error) {
					next, err = j.Property.Monitor.Next(v, s)
					return err
				})
				switch {
				case err != nil:
					broken = err
				case !slices.Contains(values, next):
					values = append(values, next)
				}
			}
		}
		see(s)
		if died && len(s.Outputs) > 0 {
			s.Outputs = nil
			see(s)
		}
		if len(values) > 0 {
			j.seen, broken = values, nil
		}
		h.breaks(j, now, broken)
	}
}
