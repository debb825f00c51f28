package export

import (
	"reflect"
	"slices"

	"interleave/model"
	"interleave/spec"
	"interleave/tla"
	"interleave/tla/value"
)

// Run makes a trace of TLA+ values of a run of a Go algorithm. Its variables are
//
//   - local: by process, its status, what it remembers (one that remembers
//     nothing, as at its first boot), its armed timers, whom it
//     suspects, and whether it begins of its own accord; with clocks, the ages of
//     its timers too, and how long it has been down;
//   - inbox: by process, what is on its way to it, in the order of the model;
//   - environment: how much of each budget was used, and who is divided from the
//     rest.
//
// Where the world limits how often an action is done, local and environment also have how often
// each was.
//
// A last step in which a handler panics leads nowhere, and is left out. An error is
// of a float, or of a number beyond value.Int.
func Run(m spec.Machine, r *model.Reference, run *model.Run, loop int) (_ *tla.Trace, err error) {
	traits := m.Traits()
	defer uncounted(traits.Name, &err)
	if err := writable(&traits); err != nil {
		return nil, err
	}
	t := &tla.Trace{Variables: []string{"local", "inbox", "environment"}, Loop: loop}
	timed := r.Config().Timers == model.Timed
	for _, s := range run.States {
		t.States = append(t.States, stateOf(&traits, s, timed))
	}
	for _, step := range run.Steps[:len(run.States)-1] {
		t.Steps = append(t.Steps, tla.Step{Name: r.DescribeStep(step.Event)})
	}
	return t, nil
}

func stateOf(t *spec.Traits, s model.State, timed bool) []value.Value {
	limited := slices.ContainsFunc(t.Actions, func(act spec.ActionTraits) bool { return act.Times > 0 })
	var local, inbox []value.Value
	for i, l := range s.Locals {
		local = append(local, localOf(t, l, timed, limited))
		var in []value.Value
		for _, e := range s.Inboxes[i] {
			m := record{"from": value.Int(e.From), "message": plain(e.Message)}
			if timed {
				m["age"] = value.Int(e.Age)
			}
			in = append(in, m.value())
		}
		inbox = append(inbox, value.NewTuple(in...))
	}
	environment, env := record{}, reflect.ValueOf(s.Env)
	for i := range env.NumField() {
		if name := env.Type().Field(i).Name; name != "Acted" {
			environment[name] = plainValue(env.Field(i))
		}
	}
	if limited {
		environment["Acted"] = acted(t, s.Env.Acted[:])
	}
	return []value.Value{value.NewTuple(local...), value.NewTuple(inbox...), environment.value()}
}

func localOf(t *spec.Traits, l model.Local, timed, limited bool) value.Value {
	memory := l.State
	if memory == nil {
		memory = t.Zero
	}
	var armed []value.Value
	for _, name := range t.TimerNames(l.Timers) {
		armed = append(armed, value.String(name))
	}
	v := record{
		"status": value.String(l.Status.String()), "memory": plain(memory), "armed": value.NewSet(armed),
		"suspected": processes(l.Suspected), "begins": value.Bool(l.Initiator),
	}
	if timed {
		v["ages"] = plain(l.Ages)
	}
	if limited {
		v["acted"] = acted(t, l.Acted[:])
	}
	return v.value()
}

// acted is how often each action was done.
func acted(t *spec.Traits, times []uint8) value.Value {
	var all []value.Value
	for i := range t.Actions {
		all = append(all, value.Int(times[i]))
	}
	return value.NewTuple(all...)
}
