package compare

import (
	"fmt"
	"reflect"

	"interleave/internal/cell"
	"interleave/model"
	"interleave/spec"
	"interleave/tla"
	"interleave/tla/value"
)

// Pair is a module and the Go algorithm that it describes.
type Pair struct {
	Module  string
	Machine spec.Machine

	// World returns the world in which the algorithm corresponds to the module under
	// its configuration.
	World func(m *tla.Model) (model.Config, error)

	// State returns the values of the module's variables in a state of the algorithm.
	State func(s model.State) map[string]value.Value
}

// Find returns the Pair of a module.
func Find(module string) (*Pair, error) {
	var names string
	for i := range Pairs {
		if Pairs[i].Module == module {
			return &Pairs[i], nil
		}
		names += " " + Pairs[i].Module
	}
	return nil, fmt.Errorf("no Go algorithm is known to say the same as module %s; there is one for each of%s", module, names)
}

// With returns the pair with another algorithm for which the same mapping makes sense:
// its processes have the same types of state and messages.
func (p *Pair) With(machine spec.Machine) (*Pair, error) {
	own, other := p.Machine.Traits(), machine.Traits()
	if typeOf(own.Zero) != typeOf(other.Zero) || typeOf(own.Message) != typeOf(other.Message) {
		return nil, fmt.Errorf("%s is not like %s: the mapping of module %s cannot tell its states", other.Name, own.Name, p.Module)
	}
	q := *p
	q.Machine = machine
	return &q, nil
}

// number returns a constant that is a small number.
func number(m *tla.Model, name string, most int) (int, error) {
	v, err := m.Constant(name)
	if err != nil {
		return 0, err
	}
	n, ok := v.(value.Int)
	if !ok || n < 0 || int(n) > most {
		return 0, fmt.Errorf("the constant %s is %s, not a number from 0 to %d", name, value.Brief(v), most)
	}
	return int(n), nil
}

// world reads the constants N, F and, if asked for, Ring.
func world(m *tla.Model, crashes, ring bool) (c model.Config, err error) {
	c.Network = model.Set
	if c.N, err = number(m, "N", model.MaxN); err != nil {
		return c, err
	}
	if crashes {
		if c.Crashes, err = number(m, "F", model.MaxN); err != nil {
			return c, err
		}
	}
	if ring {
		c.Ring, err = placement(m, c.N)
	}
	return c, err
}

// placement reads the constant Ring.
func placement(m *tla.Model, n int) ([]spec.ID, error) {
	v, err := m.Constant("Ring")
	if err != nil {
		return nil, err
	}
	list, ok := value.Explicit(v).(*value.Tuple)
	if !ok || len(list.Elems) != n {
		return nil, fmt.Errorf("the constant Ring is %s, not a list of %d processes", value.Brief(v), n)
	}
	var ids []spec.ID
	for _, e := range list.Elems {
		id, ok := e.(value.Int)
		if !ok || id < 1 || int(id) > n {
			return nil, fmt.Errorf("the constant Ring is %s, not a list of %d processes", value.Brief(v), n)
		}
		ids = append(ids, spec.ID(id))
	}
	return ids, nil
}

// each returns the function from processes to the results of f.
func each(s model.State, f func(p spec.ID, l model.Local) value.Value) value.Value {
	var vals []value.Value
	for i, l := range s.Locals {
		vals = append(vals, f(spec.ID(i+1), l))
	}
	return value.NewTuple(vals...)
}

// net returns the set of all messages in flight, as records with the fields from and to
// and those of f.
func net(s model.State, f func(message any) (names []string, vals []value.Value)) value.Value {
	var all []value.Value
	for i, in := range s.Inboxes {
		for _, e := range in {
			names, vals := f(e.Message)
			names = append([]string{"from", "to"}, names...)
			vals = append([]value.Value{id(e.From), value.Int(i + 1)}, vals...)
			all = append(all, value.NewRecord(names, vals))
		}
	}
	return value.NewSet(all)
}

func id(p spec.ID) value.Value { return value.Int(p) }

func ids(s spec.Set) value.Value {
	var all []value.Value
	for p := range s.All() {
		all = append(all, id(p))
	}
	return value.NewSet(all)
}

// up returns the processes that are not down.
func up(s model.State) value.Value {
	return each(s, func(_ spec.ID, l model.Local) value.Value { return value.Bool(l.Status != model.Down) })
}

func typeOf(closed any) reflect.Type { return reflect.TypeOf(cell.Value(closed)) }

// local returns the memory of a process; one that is down has none.
func local[S any](l model.Local) S {
	s, _ := cell.Value(l.State).(S)
	return s
}
