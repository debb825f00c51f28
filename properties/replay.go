package properties

import (
	"errors"
	"fmt"
	"slices"

	"interleave/internal/printable"
	"interleave/model"
	"interleave/spec"
)

// ErrHolds says that a trace happens as recorded, but its property is not false at its end.
var ErrHolds = errors.New("the run happens as recorded, but the property is not false at its end")

// Replay repeats a trace through the handlers of m, without any search, and confirms that its
// property is false at the end. If the property is about infinite runs, it confirms that it is
// false on the run that repeats the loop of the trace, and that this run is fair. The property
// is one of those given, or of All. The reason is why it is false, and replaces that of the trace,
// which may be anything. If the error is a *model.ReplayError, the run holds what was confirmed.
func Replay(m spec.Machine, t *model.Trace, props ...Property) (r *model.Reference, run *model.Run, reason string, err error) {
	p, err := Find(m, t.Property, append(props, NoPanic)...)
	if err != nil {
		return nil, nil, "", err
	}
	r, run, err = model.Replay(m, t)
	if err != nil {
		return r, run, "", err
	}
	if err := p.Speaks(t.Config.N); err != nil {
		return r, run, "", err
	}
	var why error
	switch {
	case p.Kind == Liveness:
		why = p.falseOnLasso(r, run, t.Loop)
	case t.Loop > 0 && p.Kind == Messages && sendsForever(t, run):
		why = errors.New(endless)
	case t.Loop == 0:
		why = falsified(r, p, run)
	}
	if why == nil {
		return r, run, "", ErrHolds
	}
	t.Reason = printable.Text(why.Error())
	return r, run, t.Reason, nil
}

// ReplaySteps repeats a trace as Replay does, but of a property that is not known, such as what a
// real process did: the reason is what the file says of it.
func ReplaySteps(m spec.Machine, t *model.Trace) (r *model.Reference, run *model.Run, reason string, err error) {
	r, run, err = model.Replay(m, t)
	t.Reason = "as the file says, " + printable.Text(t.Reason)
	return r, run, t.Reason, err
}

// sendsForever reports whether the loop of a run sends messages.
func sendsForever(t *model.Trace, run *model.Run) bool {
	return slices.ContainsFunc(run.Steps[t.Loop-1:], func(s model.Step) bool { return len(s.Sends) > 0 })
}

// Find returns the property with a name: one of those given, or the Named one.
func Find(m spec.Machine, name string, props ...Property) (Property, error) {
	for _, p := range props {
		if p.Name == name {
			return p, nil
		}
	}
	if p, ok := Named(m, name); ok {
		return p, nil
	}
	return Property{}, fmt.Errorf("there is no property %q", name)
}
