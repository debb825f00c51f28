package explorer

import (
	"fmt"
	"regexp"
	"strconv"

	"interleave/internal/printable"
	"interleave/properties"
)

// A Valuation is what a property says of a state, of the step that led to it, or of what
// follows from it.
type Valuation struct {
	Says      string `json:"says"` // holds, false, or silent: it says nothing there
	Why       string `json:"why,omitempty"`
	Processes []int  `json:"processes,omitempty"` // that the reason names: where to look
}

// fewAhead is how many states after one are looked at for one that can be reached.
const fewAhead = 300

const (
	holds   = "holds"
	isFalse = "false"
	silent  = "silent"
)

func (v *viewer) valuation(t Valuation) int {
	place, isNew := v.valuations.Number(t.Says + t.Why)
	if isNew {
		v.Valuations = append(v.Valuations, t)
	}
	return int(place)
}

// judge says what a property, number k, says of row i.
func (v *viewer) evaluate(p properties.Property, k, i int) Valuation {
	if i >= len(v.run.States) {
		return v.atPanic(p, k, i)
	}
	r := v.course.reference
	switch w := r.World(v.run.States[i]); p.Kind {
	case properties.InvariantKind:
		return falseFor(p.InState(w))
	case properties.QuiescentKind:
		if !w.Quiescent() {
			return Valuation{Says: silent, Why: "something must still happen; it speaks of quiescent states"}
		}
		return falseFor(p.InState(w))
	case properties.EveryStepKind:
		if i == 0 {
			return Valuation{Says: silent, Why: "it speaks of steps"}
		}
		return falseFor(p.OnStep(r, v.run.States[i-1], v.run.Steps[i-1]))
	case properties.CoverKind:
		if p.Reached(w) {
			return Valuation{Says: holds, Why: "reached"}
		}
		return Valuation{Says: silent, Why: "not reached here"}
	case properties.RecoverableKind:
		if p.Reached(w) {
			return Valuation{Says: holds, Why: "this state satisfies it"}
		}
		if why, sure := p.OutOfReach(r, v.run.States[i], fewAhead); why != nil && sure {
			return falseFor(why)
		}
		return Valuation{Says: silent, Why: "this state does not satisfy it; whether one that can follow does is not looked at any further"}
	case properties.MessagesKind:
		sent := 0
		for _, step := range v.run.Steps[:i] {
			sent += len(step.Sends)
		}
		return Valuation{Says: silent, Why: fmt.Sprintf("it speaks of whole runs; sent so far: %d", sent)}
	}
	if v.endless[k] == nil {
		return Valuation{Says: silent, Why: "it is about infinite runs, and how this one goes on is open"}
	}
	return falseFor(v.endless[k][i])
}

// atPanic says what a property says of row i, where a handler panics and no state follows:
// nothing, as in mc verify, but that it must not. What was reached before stays so.
func (v *viewer) atPanic(p properties.Property, k, i int) Valuation {
	switch {
	case p.Name == properties.NoPanic.Name:
		return falseFor(p.OnStep(v.course.reference, v.run.States[i-1], v.run.Steps[i-1]))
	case p.Kind == properties.CoverKind, p.Kind == properties.MessagesKind:
		return v.evaluate(p, k, i-1)
	}
	return Valuation{Says: silent, Why: "the handler panics, and there is no state after that"}
}

func falseFor(why error) Valuation {
	if why == nil {
		return Valuation{Says: holds}
	}
	text := printable.Text(why.Error())
	return Valuation{Says: isFalse, Why: text, Processes: named(text)}
}

// someProcess finds the processes of which the reasons speak that properties give, as in
// "process 1 follows itself, but 3 is top" and "processes 1 and 2 both follow themselves".
var someProcess = regexp.MustCompile(`\bprocess(?:es)? (\d+)(?: and (\d+) both)?`)

func named(reason string) (found []int) {
	for _, match := range someProcess.FindAllStringSubmatch(reason, -1) {
		for _, number := range match[1:] {
			if p, err := strconv.Atoi(number); err == nil {
				found = append(found, p)
			}
		}
	}
	return found
}
