package properties

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/model"
	"interleave/spec"
)

// Predicates are what the atoms of a formula can be, besides those that mean the same for every
// algorithm: up(p), that process p is up, and quiescent, which may be called rest.
type Predicates struct {
	OfStates  []Property                                       // by name
	Alias     func(name string) string                         // the name that another one stands for; nil: none does
	OfProcess map[string]func(w *model.World, p spec.ID) error // with a process in brackets, as in up(2)
}

// atoms are predicates by name.
type atoms map[string]func(w *model.World) error

// The predicate of quiescent states, and another name of it.
const quiescent, atRest = "quiescent", "rest"

// up is the predicate of one process that every algorithm has.
func up(w *model.World, p spec.ID) error {
	if w.Live().Has(p) {
		return nil
	}
	return fmt.Errorf("process %v is down", p)
}

// Names lists what a formula can be about: predicates with a process in brackets, as in
// up(p), and names of properties of states.
func (v Predicates) Names() []string {
	names := []string{quiescent, "up(p)"}
	for _, p := range v.OfStates {
		names = append(names, p.Name)
	}
	for name := range v.OfProcess {
		names = append(names, name+"(p)")
	}
	slices.Sort(names)
	return names
}

// named returns the predicate of a name, nil if there is none.
func (v Predicates) named(name string) func(w *model.World) error {
	if name == quiescent || name == atRest {
		return func(w *model.World) error {
			if w.Quiescent() {
				return nil
			}
			return errors.New("something must still happen")
		}
	}
	of := name
	if v.Alias != nil {
		of = v.Alias(name)
	}
	for _, p := range v.OfStates {
		if strings.EqualFold(p.Name, of) {
			return p.state
		}
	}
	if says, p, err := v.ofOne(name); says != nil && err == nil && p > 0 && p <= model.MaxN {
		return func(w *model.World) error { return says(w, spec.ID(p)) }
	}
	return nil
}

// ofOne splits an atom about one process, as up(2). Says is nil if it is none. The error is about
// the number.
func (v Predicates) ofOne(atom string) (says func(w *model.World, p spec.ID) error, p int, err error) {
	word, rest, _ := strings.Cut(atom, "(")
	p, err = strconv.Atoi(strings.TrimSuffix(rest, ")"))
	if word == "up" {
		return up, p, err
	}
	return v.OfProcess[word], p, err
}

// AtomError says that a formula has an atom that is no predicate.
type AtomError struct {
	Formula string
	Column  int // of the atom, in characters from 1
	Atom    string
	Reason  string
}

func (e *AtomError) Error() string {
	return fmt.Sprintf("the formula %q: column %d: %s", e.Formula, e.Column, e.Reason)
}

// missing says why an atom is no predicate of the states of n processes; empty if it is one.
func (v Predicates) missing(atom string, n int) string {
	says, p, err := v.ofOne(atom)
	switch {
	case says == nil && v.named(atom) == nil:
		return fmt.Sprintf("%q is not a predicate of states", atom)
	case says == nil:
		return ""
	case !strings.Contains(atom, "("):
		return fmt.Sprintf("%s is said of one process: write %[1]s(1)", atom)
	case p < 1 && err == nil:
		return "there is no process 0: they are numbered from 1"
	case err != nil || p > model.MaxN:
		return fmt.Sprintf("%s speaks of no process: N is %d at most", atom, model.MaxN)
	case p > n:
		return fmt.Sprintf("there is no process %d: N is %d", p, n)
	}
	return ""
}
