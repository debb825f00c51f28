package properties

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/explore/ltl"
	"interleave/model"
	"interleave/spec"
)

// atoms are predicates by name.
type atoms map[string]func(w *model.World) error

func (a atoms) of(name string) func(w *model.World) error {
	if holds := a[name]; holds != nil {
		return holds
	}
	return predicate(name)
}

// ofProcess are the predicates of one process, which is named in brackets.
var ofProcess = map[string]func(w *model.World, p spec.ID) error{
	"up": func(w *model.World, p spec.ID) error {
		if w.Live().Has(p) {
			return nil
		}
		return fmt.Errorf("process %v is down", p)
	},
	"knows": knowsLeader,
	"leads": func(w *model.World, p spec.ID) error {
		if w.Leader(p) == p {
			return nil
		}
		return fmt.Errorf("process %v does not follow itself", p)
	},
}

// atRest is the predicate of quiescent states.
const atRest = "rest"

// OfStates lists the properties that are predicates of states.
func OfStates() []string {
	var names []string
	for _, p := range ofStates {
		names = append(names, p.Name)
	}
	return names
}

// Predicates lists what a formula can be about: predicates with a process in brackets, as in
// up(2), and names of properties of states.
func Predicates() []string {
	names := append(OfStates(), atRest)
	for name := range ofProcess {
		names = append(names, name+"(p)")
	}
	slices.Sort(names)
	return names
}

// predicate returns the predicate of a name, nil if there is none.
func predicate(name string) func(w *model.World) error {
	if name == atRest {
		return func(w *model.World) error {
			if w.Quiescent() {
				return nil
			}
			return errors.New("something must still happen")
		}
	}
	for _, p := range ofStates {
		if strings.EqualFold(p.Name, unaliased(name)) {
			return p.state
		}
	}
	if says, p, err := ofOne(name); says != nil && err == nil && p > 0 && p <= model.MaxN {
		return func(w *model.World) error { return says(w, spec.ID(p)) }
	}
	return nil
}

// ofOne splits an atom about one process, as up(2). Says is nil if it is none. The error is about
// the number.
func ofOne(atom string) (says func(w *model.World, p spec.ID) error, p int, err error) {
	word, rest, _ := strings.Cut(atom, "(")
	p, err = strconv.Atoi(strings.TrimSuffix(rest, ")"))
	return ofProcess[word], p, err
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

// Speaks refuses the formula of a user if it has an atom that is no predicate of n processes. The
// error is an *AtomError.
func (p Property) Speaks(n int) error {
	if p.text == "" {
		return nil
	}
	for _, atom := range p.runs(n).Atoms() {
		if p.given[atom] != nil {
			continue
		}
		if reason := missing(atom, n); reason != "" {
			return &AtomError{p.text, ltl.Column(p.text, atom), atom, reason}
		}
	}
	return nil
}

// missing says why an atom is no predicate of the states of n processes; empty if it is one.
func missing(atom string, n int) string {
	says, p, err := ofOne(atom)
	switch {
	case says == nil && predicate(atom) == nil:
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
