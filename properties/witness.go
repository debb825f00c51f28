package properties

import (
	"errors"
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/model"
)

// Witness says how a loop is fair to a class of steps: a step of the class is taken, or in some
// state none is possible.
type Witness struct {
	Class  string           `json:"class"`
	Owed   explore.Strength `json:"owed"`
	Taken  int              `json:"taken,omitempty"`  // the number of such a step, from 1
	Absent int              `json:"absent,omitempty"` // or the number of steps before such a state; enough for weak fairness only
}

// Because says in words how the loop is fair to the class.
func (w Witness) Because() string {
	if w.Taken > 0 {
		return fmt.Sprintf("happens in step %d", w.Taken)
	}
	return fmt.Sprintf("is not possible after step %d", w.Absent)
}

// Witnesses confirms, by the handlers alone, that a run is fair which repeats its steps from
// number loop on forever. It returns how the run is fair to each class with a step that is
// possible in the loop, or an error that names a class to which it is not. If loop is the number
// of steps plus 1, the run comes to rest.
func Witnesses(r *model.Reference, run *model.Run, loop int) ([]Witness, error) {
	from, to := loop-1, max(len(run.Steps), loop) // the states of the loop
	owed := map[model.FairClass]explore.Strength{}
	var order []model.FairClass
	var possible []map[model.FairClass]bool
	for _, s := range run.States[from:to] {
		steps, cut := r.Enabled(s)
		if cut {
			return nil, errors.New("it is not known whether the run is fair: the bound leaves out a step that is possible in it")
		}
		here := map[model.FairClass]bool{}
		for _, step := range steps {
			class, strength := r.FairnessOf(s, step)
			if strength == explore.Unfair {
				continue
			}
			if _, met := owed[class]; !met {
				order = append(order, class)
			}
			owed[class], here[class] = strength, true
		}
		possible = append(possible, here)
	}
	var all []Witness
	for _, class := range order {
		w := Witness{Class: r.DescribeClass(class), Owed: owed[class]}
		w.Taken = taken(r, run, loop, class)
		absent := slices.IndexFunc(possible, func(here map[model.FairClass]bool) bool { return !here[class] })
		switch {
		case w.Taken > 0:
		case w.Owed == explore.Weak && absent == 0 && loop <= len(run.Steps):
			w.Absent = len(run.Steps) // the same state, when it comes back
		case w.Owed == explore.Weak && absent >= 0:
			w.Absent = from + absent
		default:
			return nil, fmt.Errorf("the run is not fair: %s stays possible, or is so again and again, and never happens", w.Class)
		}
		all = append(all, w)
	}
	return all, nil
}

// taken returns the number of the first step of a class in a loop; 0 if there is none.
func taken(r *model.Reference, run *model.Run, loop int, class model.FairClass) int {
	for i := loop - 1; i < len(run.Steps); i++ {
		if c, owed := r.FairnessOf(run.States[i], run.Steps[i]); owed != explore.Unfair && c == class {
			return i + 1
		}
	}
	return 0
}
